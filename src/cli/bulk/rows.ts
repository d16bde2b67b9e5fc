/** Saves the rows of a part: their files under the names of the run, and what became of each row. */
import { type BatchPart, hasEnded } from '../../../clients/typescript/src/batches/follow.ts';
import { filePath } from '../../csv/file-columns.ts';
import { formatCount } from '../terminal.ts';
import { type BatchBody, formatError, getErrors } from './batch.ts';
import type { PartFile } from './part-file.ts';
import type { RowResult } from './saved.ts';
import type { Work } from './work.ts';

/** A row as its input has it. */
export interface WantedRow {
  readonly row: number;
  /** Its row in the file; `null`: as the gateway says. */
  readonly fileRow: number | null;
  /** Name of its files without extension; `null`: as the gateway names them. */
  readonly name: string | null;
  /** `null`: as the manifest of the part has it. */
  readonly content: string | null;
  readonly externalId: string | null;
}

/** Returns why a row was not made, and its row in the file if the gateway says it; `null` when it was never begun. */
type ErrorOf = (row: number) => { readonly error: string; readonly fileRow: number | null } | null;

/** Files that are written at once. */
const TOGETHER = 16;
const UNKNOWN_ERROR = 'it was not made; the gateway keeps the errors of some 10,000 rows';

/** Reads why rows of a part were not made. @param rows How many it has. */
export const readErrors = async (
  { call }: Work,
  batch: BatchBody,
  part: BatchPart | null,
  rows: number,
): Promise<ErrorOf> => {
  const isWhole = part?.codes === rows || (batch.failed === 0 && batch.errors === 0);
  const errors = isWhole ? [] : await getErrors(call, batch.id);
  const found = new Map(
    errors.map((line) => [line.row, { error: formatError(line), fileRow: line.file_row ?? null }]),
  );
  // All rows of a part are made or failed, unless the batch ended before.
  const isCut = hasEnded(batch) && batch.state !== 'done';
  const unknown = isCut ? null : { error: UNKNOWN_ERROR, fileRow: null };
  return (row) => found.get(row) ?? unknown;
};

const stem = (file: string): string => file.replace(/^.*\//, '').replace(/\.[a-z]+$/, '');

const saveRow = async (
  { store, run }: Work,
  part: PartFile | null,
  { row, fileRow, name, content, externalId }: WantedRow,
  errorOf: ErrorOf,
): Promise<RowResult | null> => {
  const made = part?.rows.get(row);
  const found = made === undefined ? errorOf(row) : null;
  if (made === undefined && found === null) return null;
  const place = fileRow ?? (made ?? found)?.fileRow ?? null;
  const known = {
    ...{ row, content: content ?? made?.content ?? '' },
    ...(place === null ? {} : { fileRow: place }),
  };
  const id = made?.externalId || externalId;
  const owned = id ? { ...known, externalId: id } : known;
  if (part === null || made === undefined) return { ...owned, error: found!.error };
  const files = [];
  for (const file of made.files) {
    const path = filePath(name ?? stem(file.file), file.format, run.formats);
    files.push({ format: file.format, file: path, sha256: await store.save(path, await part.read(file)) });
  }
  const { slug, shortUrl, grade, warnings } = made;
  return {
    ...{ ...owned, files, warnings },
    ...(grade === null ? {} : { grade }),
    ...(slug === '' ? {} : { slug, shortUrl }),
  };
};

/**
 * Saves the files of a part, and returns what became of its rows. Those that were never begun are left out.
 *
 * @param part `null`: no row was made.
 * @param rows All rows of the part.
 */
export const saveRows = async (
  work: Work,
  part: PartFile | null,
  rows: readonly WantedRow[],
  errorOf: ErrorOf,
): Promise<readonly RowResult[]> => {
  const { store, run, status, interrupted } = work;
  const results: RowResult[] = [];
  for (let from = 0; from < rows.length; from += TOGETHER) {
    interrupted.throwIfAborted();
    const slice = rows.slice(from, from + TOGETHER);
    const saved = await Promise.all(slice.map((row) => saveRow(work, part, row, errorOf)));
    results.push(...saved.filter((result) => result !== null));
    status.show(`Saved: ${formatCount(slice.at(-1)!.row)} of ${formatCount(run.rows)} rows`);
  }
  await store.flush();
  return results;
};
