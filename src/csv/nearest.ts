/** Guesses which word was meant. */

/** Returns the Levenshtein distance (1966) of two words. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, wanted] of [...other].entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === wanted ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
};

/** Words that differ in a larger share of their letters are not considered typos of each other. */
const DIFFERENT_SHARE = 0.4;

/** Returns the word that was probably meant, or `null` if none is similar. */
export const findNearest = (given: string, known: readonly string[]): string | null => {
  const [best] = known
    .map((word) => ({ word, far: distance(given, word) / Math.max(given.length, word.length) }))
    .sort((a, b) => a.far - b.far);
  return best === undefined || best.far > DIFFERENT_SHARE ? null : best.word;
};

/** No field name is longer. */
const NAME_MAX = 100;

const lastPart = (field: string): string => field.slice(field.lastIndexOf('.') + 1);

/**
 * Returns a hint for a message, with a leading space, that names the field probably meant; '' for none.
 *
 * @param name As the user wrote it.
 * @param fields Dotted paths. A field is also found by its last segment.
 */
export const fieldHint = (name: string, fields: readonly string[]): string => {
  const lower = (field: string): string => field.toLowerCase();
  const near = findNearest(lower(name.slice(0, NAME_MAX)), [...fields, ...fields.map(lastPart)].map(lower));
  const found =
    fields.find((field) => lower(field) === near) ?? fields.find((field) => lower(lastPart(field)) === near);
  return found === undefined ? '' : ` (did you mean "${found}"?)`;
};

/** Says where all fields are. */
export const FIELDS_LISTED = 'docs/design.md lists the fields';
