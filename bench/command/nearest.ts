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
export const nearest = (given: string, known: readonly string[]): string | null => {
  const [best] = known
    .map((word) => ({ word, far: distance(given, word) / Math.max(given.length, word.length) }))
    .sort((a, b) => a.far - b.far);
  return best === undefined || best.far > DIFFERENT_SHARE ? null : best.word;
};
