/**
 * Saves the rows of a part in slices, each with an entry in the journal, so that an interrupted command resumes with
 * the next.
 */
import { filePath } from '../../csv/file-columns.ts';
import { PART_ROWS } from '../../db/tables/batches/parts.ts';
import type { RowResult } from '../bulk/journal.ts';
import type { Work } from '../bulk/run.ts';
import type { Status } from '../progress.ts';
import { formatCount } from '../terminal.ts';
import type { PartFile } from './part-file.ts';

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

/** Where rows are saved. */
export interface Saving extends Work {
  readonly status: Status;
  /** Why a row was not made, and its row in the file if the gateway says it; `null` when it was never begun. */
  errorOf(row: number): { readonly error: string; readonly fileRow: number | null } | null;
}

/** Divides a part without a remainder. */
const SLICE_ROWS = 500;
const SLICES_OF_PART = PART_ROWS / SLICE_ROWS;
/** Files that are written at once. */
const TOGETHER = 16;

const stem = (file: string): string => file.replace(/^.*\//, '').replace(/\.[a-z]+$/, '');

const placeOf = (row: number, fileRow: number | null) => ({ row, ...(fileRow === null ? {} : { fileRow }) });

const saveRow = async (
  { store, run, errorOf }: Saving,
  part: PartFile | null,
  { row, fileRow, name, content, externalId }: WantedRow,
): Promise<RowResult | null> => {
  const made = part?.rows.get(row);
  if (part === null || made === undefined) {
    const found = errorOf(row);
    if (found === null) return null;
    const place = placeOf(row, fileRow ?? found.fileRow);
    return {
      ...place,
      content: content ?? '',
      error: found.error,
      ...(externalId === null ? {} : { externalId }),
    };
  }
  const files = [];
  for (const file of made.files) {
    const path = filePath(name ?? stem(file.file), file.format, run.files.formats);
    files.push({ format: file.format, file: path, sha256: await store.save(path, await part.read(file)) });
  }
  const { slug, shortUrl, grade, warnings } = made;
  return {
    ...placeOf(row, fileRow ?? made.fileRow),
    ...(made.externalId === '' ? {} : { externalId: made.externalId }),
    content: content ?? made.content,
    files,
    ...(grade === null ? {} : { grade }),
    warnings,
    ...(slug === '' ? {} : { slug, shortUrl }),
  };
};

const sliceOf = (row: number): number => Math.floor((row - 1) / SLICE_ROWS);

/** Whether all slices of a part are saved. */
export const isPartSaved = (isDone: (slice: number) => boolean, n: number, rows: number): boolean => {
  const first = (n - 1) * SLICES_OF_PART;
  const last = Math.min(first + SLICES_OF_PART - 1, sliceOf(rows));
  for (let slice = first; slice <= last; slice += 1) if (!isDone(slice)) return false;
  return true;
};

/**
 * Saves the rows of a part that are not saved yet.
 *
 * @param rows All rows of the part.
 * @param part `null`: none was made.
 */
export const saveRows = async (
  saving: Saving,
  part: PartFile | null,
  rows: readonly WantedRow[],
): Promise<void> => {
  const { store, journal, resumed, run, status, interrupted } = saving;
  for (let at = 0; at < rows.length; at += SLICE_ROWS) {
    const slice = rows.slice(at, at + SLICE_ROWS);
    const last = slice.at(-1)!.row;
    if (resumed.isDone(sliceOf(last))) continue;
    interrupted.throwIfAborted();
    const results: RowResult[] = [];
    for (let from = 0; from < slice.length; from += TOGETHER) {
      const saved = slice.slice(from, from + TOGETHER).map((row) => saveRow(saving, part, row));
      results.push(...(await Promise.all(saved)).filter((result) => result !== null));
    }
    await store.flush();
    await journal.end(sliceOf(last), results);
    status.show(`Saved: ${formatCount(last)} of ${formatCount(run.rows)} rows`);
  }
};
