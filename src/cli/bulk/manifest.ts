import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileCells, fileColumns } from '../../csv/file-columns.ts';
import { csvLines } from '../../csv/write.ts';
import { type Done, type RowResult, readJournal } from './journal.ts';

/** What was written: how many rows, and how many of them failed. */
export interface Manifest {
  readonly path: string;
  readonly rows: number;
  readonly failed: number;
  /** How many pictures have a grade below 4. */
  readonly belowBest: number;
  /** The lowest grade of a picture; `null` without pictures. */
  readonly lowestGrade: number | null;
  /** The first 20 rows that failed, for people to read. */
  readonly firstFailed: readonly { readonly row: number; readonly error: string }[];
}

const FAILED_SHOWN = 20;

type Cells = Parameters<typeof csvLines>[0][number];

/** The finished calls, ordered by number. Calls finish almost in order, so only a few wait in memory. */
async function* inOrder(journalPath: string): AsyncGenerator<Done> {
  const early = new Map<number, Done>();
  let next = 0;
  for await (const { entry } of readJournal(journalPath)) {
    if (!('done' in entry)) continue;
    early.set(entry.done, entry);
    for (let done = early.get(next); done !== undefined; done = early.get(next)) {
      yield done;
      early.delete(next);
      next += 1;
    }
  }
  // A run that was stopped leaves gaps. These calls come after a gap.
  yield* [...early.values()].sort((a, b) => a.done - b.done);
}

/**
 * Writes `manifest.csv` anew from the journal: each finished row once, in the order of the input. A cell that a
 * spreadsheet would take for a formula begins with an apostrophe.
 *
 * @param options.withIds Whether there is a column `id`.
 * @param shortUrlOf Called for each dynamic row whose short URL is not known.
 */
export const writeManifest = async (
  out: string,
  journalPath: string,
  { formats, withIds = false }: { readonly formats: readonly string[]; readonly withIds?: boolean },
  shortUrlOf: (slug: string) => Promise<string>,
): Promise<Manifest> => {
  const path = join(out, 'manifest.csv');
  const firstFailed: { row: number; error: string }[] = [];
  let rows = 0;
  let failed = 0;
  let belowBest = 0;
  let lowestGrade: number | null = null;

  const count = ({ grade }: RowResult): void => {
    if (grade === undefined) return;
    if (grade < 4) belowBest += 1;
    lowestGrade = Math.min(lowestGrade ?? grade, grade);
  };

  const lineOf = async (result: RowResult): Promise<Cells> => {
    const { row, id, content, slug, files = [], grade, warnings, error } = result;
    rows += 1;
    count(result);
    if (error !== undefined) failed += 1;
    if (error !== undefined && firstFailed.length < FAILED_SHOWN) firstFailed.push({ row, error });
    const shortUrl = result.shortUrl ?? (slug === undefined ? '' : await shortUrlOf(slug));
    const ids = withIds ? [id] : [];
    return [row, ...ids, content, slug, shortUrl, ...fileCells(formats, files), grade, warnings, error];
  };

  const file = await open(`${path}.new`, 'w');
  try {
    const ends = ['grade', 'warnings', 'error'];
    const begins = withIds ? ['row', 'id'] : ['row'];
    await file.write(
      csvLines([[...begins, 'content', 'slug', 'short_url', ...fileColumns(formats), ...ends]]),
    );
    for await (const call of inOrder(journalPath)) {
      const lines: Cells[] = [];
      for (const row of call.rows) lines.push(await lineOf(row));
      await file.write(csvLines(lines));
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  return { path, rows, failed, belowBest, lowestGrade, firstFailed };
};
