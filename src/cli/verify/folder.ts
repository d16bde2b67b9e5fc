/** Reads the pictures of a folder on the disk, and compares them with the folder's manifest. */
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readers } from '../../reading/readers.ts';
import { explain, type Judgement, judge, missing, type ReadingResult } from '../../verify/judge.ts';
import { type ManifestRow, readManifest } from './manifest.ts';

/** A row whose picture is not all right. */
export interface Trouble extends Omit<Judgement, 'read' | 'misread'> {
  readonly row: string;
  readonly file: string;
  /** What is wrong, for a person. */
  readonly what: string;
}

/** What was found in a folder. */
export interface FolderReport {
  readonly results: Readonly<Record<ReadingResult | 'codes', number>>;
  /** The first ones, in the order of the manifest. */
  readonly troubles: readonly Trouble[];
}

/** No picture of ours is that large. */
const MAX_PICTURE_BYTES = 64 * 1024 * 1024;
const TROUBLES_MAX = 1000;

/** Returns the file's bytes, or why there are none. */
const readPicture = async (folder: string, file: string): Promise<Buffer | string> => {
  // A manifest may come from anywhere. It names files of its own folder only.
  if (file !== basename(file) || /[\\\0]/.test(file)) return 'its name leads out of the folder';
  const path = join(folder, file);
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) return 'the file is missing';
  return found.size > MAX_PICTURE_BYTES ? 'the file is too large for a picture' : readFile(path);
};

const judgeRow = async (
  readers: Pick<Readers, 'read'>,
  folder: string,
  row: ManifestRow,
): Promise<Judgement> => {
  const expected = row.right[0]!;
  if (row.file === '') return missing(expected, row.error || 'the manifest names no picture');
  const picture = await readPicture(folder, row.file);
  if (typeof picture === 'string') return missing(expected, picture);
  const reading = await readers.read(picture);
  const judgement = judge(reading, row.right);
  if (reading.sha256 === row.sha256) return judgement;
  return { ...judgement, result: 'failed', fault: 'the picture was changed after the manifest was written' };
};

/**
 * Reads every picture that the manifest names.
 *
 * @param together Pictures that are in memory at a time.
 * @param onRead Called after each, with the number of rows so far.
 * @throws {CliFault} when there is no manifest.
 */
export const verifyFolder = async (
  readers: Pick<Readers, 'read'>,
  folder: string,
  together: number,
  onRead: (codes: number) => void,
): Promise<FolderReport> => {
  const results = { codes: 0, passed: 0, weak: 0, failed: 0, missing: 0 };
  const troubles: Trouble[] = [];
  const underWay: { readonly row: ManifestRow; readonly judged: Promise<Judgement> }[] = [];

  const takeFirst = async (): Promise<void> => {
    const { row, judged } = underWay.shift()!;
    const judgement = await judged;
    results.codes += 1;
    results[judgement.result] += 1;
    onRead(results.codes);
    const what = explain(judgement);
    if (what === null || troubles.length === TROUBLES_MAX) return;
    const { read: _, misread: __, ...rest } = judgement;
    troubles.push({ row: row.number, file: row.file, what, ...rest });
  };

  for await (const row of readManifest(join(folder, 'manifest.csv'))) {
    if (underWay.length >= together) await takeFirst();
    const judged = judgeRow(readers, folder, row);
    // The loop may end before it is awaited, when the manifest is broken further down.
    judged.catch(() => {});
    underWay.push({ row, judged });
  }
  while (underWay.length > 0) await takeFirst();
  return { results, troubles };
};
