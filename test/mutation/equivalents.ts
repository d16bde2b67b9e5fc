/** Mutants that no test can notice, because nothing that anybody sees depends on them. They are never run. */
import type { Lines } from './mutants.ts';

/** Mutants of one file that are equivalent for one reason. Each is the whole line before and after it. */
export interface Equivalents {
  readonly file: string;
  readonly because: string;
  readonly mutants: readonly (readonly [was: string, becomes: string])[];
}

export const EQUIVALENTS: readonly Equivalents[] = [];

/** A mutant that is listed, as it is written there. */
const nameOf = (file: string, { was, becomes }: Lines): string => `${file}: ${was} => ${becomes}`;

/**
 * Returns a function that says whether a mutant is listed, and why it is equivalent.
 *
 * @param mutants All mutants of some files.
 * @throws When an entry for one of these files is not exactly one of the mutants: the code has changed since.
 */
export const equivalence = (
  mutants: readonly (Lines & { readonly file: string })[],
): ((mutant: Lines & { readonly file: string }) => string | null) => {
  const files = new Set(mutants.map(({ file }) => file));
  const names = mutants.map((mutant) => nameOf(mutant.file, mutant));
  const reasons = new Map<string, string>();
  for (const { file, because, mutants: listed } of EQUIVALENTS) {
    if (!files.has(file)) continue;
    for (const [was, becomes] of listed) {
      const name = nameOf(file, { was, becomes });
      const found = names.filter((known) => known === name).length;
      if (found !== 1) throw new Error(`equivalents.ts names ${found} mutants, and not one, with ${name}`);
      reasons.set(name, because);
    }
  }
  return (mutant) => reasons.get(nameOf(mutant.file, mutant)) ?? null;
};
