/** Files of rows that are given out again: the stored ones, byte for byte. Nothing is drawn, numbered or charged. */
import { listFragmentsOf, type RowRange } from '../../db/tables/batches/parts.ts';
import type { Part } from '../../zip/fragments.ts';
import { selectFiles } from '../../zip/selection.ts';
import { type PartedBatch, type PartParts, ROW_DIGITS, stored } from './files.ts';
import { encodingOf, manifestHeader, manifestName, rowOfLine } from './manifest.ts';
import { isPage, writePages } from './pages.ts';

/** The files of rows, as a ZIP. */
export interface Reprinted {
  readonly part: Part;
  /** The rows that have files, in their order. */
  readonly rows: readonly number[];
  /** Yields the PDFs of the rows as one PDF, a page for each. */
  pages(): AsyncIterable<Buffer>;
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
  batch: PartedBatch,
  rows: readonly number[],
): Promise<Reprinted> => {
  const wanted = new Set(rows);
  const found = new Set<number>();
  const isWanted = (name: string): boolean => wanted.has(Number(name.slice(0, ROW_DIGITS)));
  const fragments = stored(batch.id, await listFragmentsOf(sql, batch.id, rangesOf(rows)));
  const part = await selectFiles(
    store,
    fragments,
    {
      manifest: {
        name: manifestName(batch.manifest),
        header: manifestHeader(batch),
        encoding: encodingOf(batch.manifest),
      },
      isFile(name) {
        if (isWanted(name)) found.add(Number(name.slice(0, ROW_DIGITS)));
        return isWanted(name);
      },
      isLine: (line) => wanted.has(rowOfLine(line, batch.manifest)),
    },
    new Date(),
  );
  return {
    part,
    rows: rows.filter((row) => found.has(row)),
    pages: () =>
      writePages({
        ...{ store, fragments, first: null },
        isFile: (name) => isPage(name) && isWanted(name),
        name: `${batch.id} ${rows.join(' ')}`,
      }),
  };
};
