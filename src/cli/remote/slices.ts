/**
 * Saves the rows of a part in slices, each with an entry in the journal, so that an interrupted command goes on with
 * the next.
 */

import { filePath } from '../../csv/file-columns.ts';
import { PART_ROWS } from '../../db/tables/batches/parts.ts';
import type { Journal, RowResult } from '../bulk/journal.ts';
import type { Store } from '../bulk/store.ts';
import type { PartFile, PartRow } from './part-file.ts';

/** A row as its input has it. */
export interface WantedRow {
  readonly row: number;
  /** Name of its files without extension; `null`: as the gateway names them. */
  readonly name: string | null;
  /** `null`: as the manifest of the part has it. */
  readonly content: string | null;
  readonly id: string | null;
}

/** Where rows are saved. */
export interface SaveParts {
  readonly store: Store;
  readonly journal: Journal;
  readonly formats: readonly string[];
  readonly signal: AbortSignal;
  isDone(slice: number): boolean;
  /** Why a row was not made; `null` when it was never begun. */
  errorOf(row: number): string | null;
  /** Told after each slice. */
  onSaved(rows: readonly RowResult[]): void;
}

/** Divides a part without a rest. */
const SLICE_ROWS = 500;
const SLICES_OF_PART = PART_ROWS / SLICE_ROWS;
/** Files that are written at once. */
const TOGETHER = 16;

const stem = (file: string): string => file.replace(/^.*\//, '').replace(/\.[a-z]+$/, '');

const saveRow = async (
  { store, formats, errorOf }: SaveParts,
  part: PartFile | null,
  { row, name, content, id }: WantedRow,
): Promise<RowResult | null> => {
  const made: PartRow | undefined = part?.rows.get(row);
  if (part === null || made === undefined) {
    const error = errorOf(row);
    return error === null ? null : { row, content: content ?? '', error, ...(id === null ? {} : { id }) };
  }
  const files = [];
  for (const file of made.files) {
    const path = filePath(name ?? stem(file.file), file.format, formats);
    files.push({ format: file.format, file: path, sha256: await store.save(path, await part.read(file)) });
  }
  const { slug, shortUrl, grade, warnings } = made;
  return {
    row,
    ...(made.id === '' ? {} : { id: made.id }),
    content: content ?? made.content,
    files,
    ...(grade === null ? {} : { grade }),
    warnings,
    ...(slug === '' ? {} : { slug, shortUrl }),
  };
};

const saveSlice = async (
  parts: SaveParts,
  part: PartFile | null,
  rows: readonly WantedRow[],
): Promise<readonly RowResult[]> => {
  const results: RowResult[] = [];
  for (let at = 0; at < rows.length; at += TOGETHER) {
    const saved = await Promise.all(rows.slice(at, at + TOGETHER).map((row) => saveRow(parts, part, row)));
    results.push(...saved.filter((result) => result !== null));
  }
  await parts.store.flush();
  return results;
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
  parts: SaveParts,
  part: PartFile | null,
  rows: readonly WantedRow[],
): Promise<void> => {
  for (let at = 0; at < rows.length; at += SLICE_ROWS) {
    const slice = rows.slice(at, at + SLICE_ROWS);
    const index = sliceOf(slice[0]!.row);
    if (parts.isDone(index)) continue;
    parts.signal.throwIfAborted();
    const results = await saveSlice(parts, part, slice);
    await parts.journal.end(index, results);
    parts.onSaved(results);
  }
};
