/** Reads the pictures of a folder on the disk, and compares all files with the folder's manifest. */
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import type { CodeFile } from '../csv/file-columns.ts';
import type { Readers } from '../reading/readers.ts';
import { ok, type Result, refused } from '../result.ts';
import { explain, type Judgement, judge, judgeMissing } from '../verify/judge.ts';
import { hashOf } from './files.ts';
import { type ManifestRow, readManifest } from './manifest.ts';

/**
 * `compared`: no reader accepts files of this kind, such as vectors and barcodes, and the file matches the manifest. Others as `ReadingResult`.
 */
type FileResult = Judgement['result'] | 'compared';

interface FileJudgement extends Omit<Judgement, 'result'> {
  readonly result: FileResult;
}

/** A row with a file that is not all right. */
interface Trouble extends Omit<Judgement, 'read' | 'misread'> {
  readonly row: string;
  readonly file_row: string | null;
  readonly file: string;
  /** What is wrong, for a person. */
  readonly what: string;
}

/** What was found in a folder. */
export type FolderReport = Awaited<ReturnType<typeof verifyFolder>>;

/** Pictures are never that large. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** A bitmap in millimetres has 4096 pixels a side at most. */
const MAX_PIXELS = 4096 * 4096;
const TROUBLES_MAX = 1000;
/** From the best to the worst. */
const ORDER: readonly FileResult[] = ['compared', 'passed', 'weak', 'missing', 'failed'];
const CHANGED = 'the file was changed after the manifest was written';

/** Whether the name is that of a file in the folder, or in a subfolder that is named after a format. */
const staysInside = (file: string): boolean =>
  !/[\\\0]/.test(file) && file.replace(/^[a-z]+\//, '') === basename(file) && basename(file) !== '..';

/** Returns the file's bytes, or why there are none. */
const readBytes = async (folder: string, file: string): Promise<Result<Buffer, string>> => {
  // A manifest may come from anywhere. It names files of its own folder only.
  if (!staysInside(file)) return refused('its name leads out of the folder');
  const path = join(folder, file);
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) return refused('the file is missing');
  if (found.size > MAX_FILE_BYTES) return refused('the file is too large for a picture');
  return ok(await readFile(path));
};

/** Returns what the readers accept; `null` for a format that is not a bitmap. A broken WebP is returned unchanged. */
const toPng = async (format: string, bytes: Buffer): Promise<Uint8Array | null> => {
  if (format === 'png') return bytes;
  if (format !== 'webp') return null;
  return sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .png()
    .toBuffer()
    .catch(() => bytes);
};

const judgeFile = async (
  readers: Pick<Readers, 'read'>,
  folder: string,
  { format, file, sha256 }: CodeFile,
  { right, isBarcode }: Pick<ManifestRow, 'right' | 'isBarcode'>,
): Promise<FileJudgement> => {
  const expected = right[0]!;
  const found = await readBytes(folder, file);
  if (!found.ok) return judgeMissing(expected, found.fault);
  const bytes = found.value;
  const isChanged = hashOf(bytes) !== sha256;
  const png = isBarcode ? null : await toPng(format, bytes);
  const judgement =
    png === null
      ? { ...judgeMissing(expected, CHANGED), result: 'compared' as const }
      : judge(await readers.read(png), right);
  return isChanged ? { ...judgement, result: 'failed', fault: CHANGED } : judgement;
};

interface JudgedRow {
  readonly row: ManifestRow;
  /** The worst file, the first of several; '' when there is none. */
  readonly file: string;
  readonly judgement: FileJudgement;
  /** Formats of the files that were compared and not read. */
  readonly unread: readonly string[];
}

const judgeRow = async (
  readers: Pick<Readers, 'read'>,
  folder: string,
  row: ManifestRow,
): Promise<JudgedRow> => {
  const none = judgeMissing(row.right[0]!, row.error || 'the manifest names no picture');
  // A row that has an error may lack some of its files only.
  let worst: Pick<JudgedRow, 'file' | 'judgement'> | null =
    row.error === '' ? null : { file: '', judgement: none };
  const unread: string[] = [];
  for (const file of row.files) {
    const judgement = await judgeFile(readers, folder, file, row);
    if (judgement.result === 'compared') unread.push(file.format);
    if (worst === null || ORDER.indexOf(judgement.result) > ORDER.indexOf(worst.judgement.result)) {
      worst = { file: file.file, judgement };
    }
  }
  return { row, ...(worst ?? { file: '', judgement: none }), unread };
};

const troubleOf = ({ row, file, judgement }: JudgedRow): Trouble | null => {
  const { result, read, misread, ...rest } = judgement;
  if (result === 'compared') return null;
  const what = explain({ result, read, ...(misread === undefined ? {} : { misread }), ...rest });
  return what === null ? null : { row: row.number, file_row: row.fileRow, file, what, result, ...rest };
};

/**
 * Reads every PNG and WebP that the manifest names, and compares all files with their SHA-256.
 *
 * @param together Rows whose files are in memory at a time, one of each.
 * @param onRead Called after each, with the number of rows so far.
 * @throws {CliFault} when there is no manifest.
 */
export const verifyFolder = async (
  readers: Pick<Readers, 'read'>,
  folder: string,
  together: number,
  onRead: (codes: number) => void,
) => {
  // A code counts by its worst file. `compared`: it has no file that a reader accepts, and all match the manifest.
  const results = { codes: 0, passed: 0, weak: 0, failed: 0, missing: 0, compared: 0 };
  /** Files that were compared by their SHA-256 and not read: of each format. */
  const unread: Record<string, number> = {};
  /** The first ones, in the order of the manifest. */
  const troubles: Trouble[] = [];
  const underWay: Promise<JudgedRow>[] = [];

  const takeFirst = async (): Promise<void> => {
    const judged = await underWay.shift()!;
    results.codes += 1;
    results[judged.judgement.result] += 1;
    for (const format of judged.unread) unread[format] = (unread[format] ?? 0) + 1;
    onRead(results.codes);
    const trouble = troubleOf(judged);
    if (trouble !== null && troubles.length < TROUBLES_MAX) troubles.push(trouble);
  };

  for await (const row of readManifest(join(folder, 'manifest.csv'))) {
    if (underWay.length >= together) await takeFirst();
    const judged = judgeRow(readers, folder, row);
    // The loop may end before this is awaited, when the manifest is broken further down.
    judged.catch(() => {});
    underWay.push(judged);
  }
  while (underWay.length > 0) await takeFirst();
  return { results, unread, troubles };
};
