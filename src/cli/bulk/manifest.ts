import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileCells, fileColumns } from '../../csv/file-columns.ts';
import { csvLines } from '../../csv/write.ts';
import type { RowResult, Saved } from './run-folder.ts';

/** What was written. */
export type Manifest = Awaited<ReturnType<typeof writeManifest>>;

const FAILED_SHOWN = 20;

type Cells = Parameters<typeof csvLines>[0][number];

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
 * Writes `manifest.csv` anew from the saved parts: each row once, in the order of the input. A cell that a spreadsheet
 * would take for a formula begins with an apostrophe.
 *
 * @param options.withIds Whether there is a column `external_id`.
 */
export const writeManifest = async (
  out: string,
  saved: Pick<Saved, 'read'>,
  { formats, withIds }: { readonly formats: readonly string[]; readonly withIds: boolean },
) => {
  const path = join(out, 'manifest.csv');
  const totals = createTotals(path);

  const toCells = (result: RowResult): Cells => {
    const {
      row,
      fileRow,
      externalId,
      content,
      slug,
      shortUrl,
      symbology,
      files = [],
      grade,
      warnings,
      error,
    } = result;
    addRow(totals, result);
    const ids = withIds ? [externalId] : [];
    const begins = [row, fileRow, ...ids, content, slug, shortUrl, symbology];
    return [...begins, ...fileCells(formats, files), grade, warnings, error];
  };

  const file = await open(`${path}.new`, 'w');
  try {
    const ids = withIds ? ['external_id'] : [];
    const begins = ['row', 'file_row', ...ids, 'content', 'slug', 'short_url', 'symbology'];
    await file.write(csvLines([[...begins, ...fileColumns(formats), 'grade', 'warnings', 'error']]));
    for await (const rows of saved.read()) await file.write(csvLines(rows.map(toCells)));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  return totals;
};
