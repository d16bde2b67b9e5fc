import type { Parse } from '../parse.ts';

/**
 * One variable: how it is read, and what docs/configuration.md says about it. `F` is `null` for one that may be unset,
 * and then its value is `null`.
 */
export interface Variable<T, F extends string | null = string | null> {
  readonly parse: Parse<T>;
  /** Parsed like a value that the operator wrote; `null` means unset. */
  readonly fallback: F;
  readonly example: string;
  readonly meaning: string;
}

/** Makes the row of a variable. @param example Needed where there is no fallback. */
export const defineVariable = <T, F extends string | null>(
  fallback: F,
  parse: Parse<T>,
  meaning: string,
  example = fallback ?? '',
): Variable<T, F> => ({ parse, fallback, example, meaning });
