/** Guesses which word was meant. */

/** Returns how many letters must be put in, left out or changed to make one word of the other (Levenshtein, 1966). */
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

/** Words that differ in a larger share of their letters are not the same word mistyped. */
const DIFFERENT_SHARE = 0.4;

/** Returns the word that was probably meant; `null` when none is similar. */
export const findNearest = (given: string, known: readonly string[]): string | null => {
  const [best] = known
    .map((word) => ({ word, far: distance(given, word) / Math.max(given.length, word.length) }))
    .sort((a, b) => a.far - b.far);
  return best === undefined || best.far > DIFFERENT_SHARE ? null : best.word;
};

/** No field is longer. */
const NAME_MAX = 100;

const lastPart = (field: string): string => field.slice(field.lastIndexOf('.') + 1);

/**
 * Returns words for a message, with a space before them, that name the field that was probably meant; '' for none.
 *
 * @param name As a person wrote it.
 * @param fields With dots before inner fields. One is also found by its last part.
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
