/** Files of rows that are given out again: the stored ones, byte for byte. Nothing is drawn, numbered or charged. */
import { listFragmentsOf, type RowRange } from '../../db/tables/batches/parts.ts';
import type { Part } from '../../zip/fragments.ts';
import { selectFiles } from '../../zip/selection.ts';
import { MANIFEST, MANIFEST_HEADER, type PartParts, ROW_DIGITS, stored } from './files.ts';

/** The files of rows, as a ZIP. */
export interface Reprinted {
  readonly part: Part;
  /** The rows that have files, in their order. */
  readonly rows: readonly number[];
}

/** Returns ascending numbers as ranges. */
export const rangesOf = (rows: readonly number[]): readonly RowRange[] => {
  const ranges: [number, number][] = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === row - 1) last[1] = row;
    else ranges.push([row, row]);
  }
  return ranges;
};

/** Finds the files of some rows of a batch. @param rows In ascending order, each once. */
export const openReprint = async (
  { sql, store }: PartParts,
  batchId: string,
  rows: readonly number[],
): Promise<Reprinted> => {
  const wanted = new Set(rows);
  const found = new Set<number>();
  const fragments = stored(batchId, await listFragmentsOf(sql, batchId, rangesOf(rows)));
  const part = await selectFiles(
    store,
    fragments,
    {
      manifest: { name: MANIFEST, header: MANIFEST_HEADER },
      isFile(name) {
        const row = Number(name.slice(0, ROW_DIGITS));
        if (wanted.has(row)) found.add(row);
        return wanted.has(row);
      },
      isLine: (line) => wanted.has(Number(line.slice(0, line.indexOf(',')))),
    },
    new Date(),
  );
  return { part, rows: rows.filter((row) => found.has(row)) };
};
