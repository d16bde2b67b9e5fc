import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileCells, fileColumns } from '../../csv/file-columns.ts';
import { csvLines } from '../../csv/write.ts';
import { type Done, type RowResult, readJournal } from './journal.ts';

/** What was written. */
export type Manifest = Awaited<ReturnType<typeof writeManifest>>;

const FAILED_SHOWN = 20;

type Cells = Parameters<typeof csvLines>[0][number];

/** The finished calls, ordered by number. Calls finish almost in order, so only a few wait in memory. */
async function* readInOrder(journalPath: string): AsyncGenerator<Done> {
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

const createTotals = (path: string) => ({
  path,
  rows: 0,
  failed: 0,
  /** How many pictures have a grade below 4. */
  belowBest: 0,
  /** The lowest grade of a picture; `null` without pictures. */
  lowestGrade: null as number | null,
  /** The first 20 rows that failed, for people to read. */
  firstFailed: [] as { readonly row: number; readonly fileRow: number | null; readonly error: string }[],
});

const addRow = (totals: ReturnType<typeof createTotals>, { row, fileRow, grade, error }: RowResult): void => {
  totals.rows += 1;
  if (grade !== undefined) totals.lowestGrade = Math.min(totals.lowestGrade ?? grade, grade);
  if (grade !== undefined && grade < 4) totals.belowBest += 1;
  if (error === undefined) return;
  totals.failed += 1;
  if (totals.firstFailed.length < FAILED_SHOWN)
    totals.firstFailed.push({ row, fileRow: fileRow ?? null, error });
};

/**
 * Writes `manifest.csv` anew from the journal: each finished row once, in the order of the input. A cell that a
 * spreadsheet would take for a formula begins with an apostrophe.
 *
 * @param options.withIds Whether there is a column `external_id`.
 * @param shortUrlOf Called for each dynamic row whose short URL is not known.
 */
export const writeManifest = async (
  out: string,
  journalPath: string,
  { formats, withIds = false }: { readonly formats: readonly string[]; readonly withIds?: boolean },
  shortUrlOf: (slug: string) => Promise<string>,
) => {
  const path = join(out, 'manifest.csv');
  const totals = createTotals(path);

  const toCells = async (result: RowResult): Promise<Cells> => {
    const { row, fileRow, externalId, content, slug, files = [], grade, warnings, error } = result;
    addRow(totals, result);
    const shortUrl = result.shortUrl ?? (slug === undefined ? '' : await shortUrlOf(slug));
    const ids = withIds ? [externalId] : [];
    return [
      row,
      fileRow,
      ...ids,
      content,
      slug,
      shortUrl,
      ...fileCells(formats, files),
      grade,
      warnings,
      error,
    ];
  };

  const file = await open(`${path}.new`, 'w');
  try {
    const begins = ['row', 'file_row', ...(withIds ? ['external_id'] : []), 'content', 'slug', 'short_url'];
    await file.write(csvLines([[...begins, ...fileColumns(formats), 'grade', 'warnings', 'error']]));
    for await (const call of readInOrder(journalPath)) {
      const lines: Cells[] = [];
      for (const row of call.rows) lines.push(await toCells(row));
      await file.write(csvLines(lines));
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  return totals;
};
