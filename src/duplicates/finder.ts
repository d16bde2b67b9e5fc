/** Finds rows that repeat an earlier one while they are read in their order. */
import { createFirstSeen, hashText } from './first-seen.ts';
import { DUPLICATE_KINDS, type DuplicateKind, type PlacedDuplicate, type RowKeys } from './rules.ts';

/** Makes a finder. It takes some 35 MB of memory for a million rows. */
export const createDuplicateFinder = () => {
  const seen = Object.fromEntries(DUPLICATE_KINDS.map((kind) => [kind, createFirstSeen()])) as Readonly<
    Record<DuplicateKind, ReturnType<typeof createFirstSeen>>
  >;
  const fileRows: number[] = [];
  /** Takes the next row, and returns what it repeats, or `null`. @param fileRow Its row in the file. */
  return (fileRow: number, keys: RowKeys): PlacedDuplicate | null => {
    const row = fileRows.push(fileRow);
    let found: PlacedDuplicate | null = null;
    for (const kind of DUPLICATE_KINDS) {
      const key = keys[kind];
      const firstRow = key === undefined ? null : seen[kind].look(hashText(key), row);
      if (firstRow !== null)
        found ??= { row, firstRow, kind, fileRow, firstFileRow: fileRows[firstRow - 1]! };
    }
    return found;
  };
};
