/** Merges the options of a design over those of another: a row over its batch, and a call over its preset. */

/** Options of a design as a caller writes them, without defaults. */
export type Options = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object. */
export const isOptions = (value: unknown): value is Options =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The other field that a field replaces, because one of the two overrides or excludes the other. */
const RIVALS: ReadonlyMap<string, string> = new Map([
  ['color', 'gradient'],
  ['gradient', 'color'],
  ['module_mm', 'width_mm'],
  ['width_mm', 'module_mm'],
  ['mode', 'segments'],
  ['segments', 'mode'],
]);

/** `segments: single` goes with any mode. */
const rivalOf = ([name, value]: [string, unknown]): string | undefined =>
  value === 'single' ? undefined : RIVALS.get(name);

const mergeField = (base: unknown, own: unknown): unknown => {
  if (!isOptions(base) || !isOptions(own)) return own;
  const replaced = new Set(Object.entries(own).map(rivalOf));
  const kept = Object.entries(base).filter(([name]) => !replaced.has(name));
  return { ...Object.fromEntries(kept), ...own };
};

/**
 * Returns `base` overridden by `own`, field by field, also in inner objects. Both must be as their callers wrote them:
 * a default that validation has added would hide a value of `base`. The result shares inner values with both.
 */
export const mergeOptions = <T extends object>(base: T, own: T): T =>
  Object.fromEntries([
    ...Object.entries(base),
    ...Object.entries(own).map(([name, value]) => [name, mergeField((base as Options)[name], value)]),
  ]) as T;
