const GROUP = /\(([^)]*)\);items="([\d -]*)"/g;

/**
 * Reads `Tessera-Item-Warnings`. Returns the warnings of each item that has some, as `Tessera-Warnings` writes those of
 * one picture.
 */
export const readItemWarnings = (header: string): ReadonlyMap<number, string> => {
  const warnings = new Map<number, string>();
  for (const [, words, items] of header.matchAll(GROUP)) {
    for (const range of items!.split(' ')) {
      const [from, to = from] = range.split('-').map(Number);
      // A call has a hundred items at most.
      for (let i = from!; i <= Math.min(to!, 99); i += 1) warnings.set(i, words!.replaceAll(' ', ', '));
    }
  }
  return warnings;
};
