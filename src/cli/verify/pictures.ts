import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entry } from '../../verify/receipt/statement.ts';

/** How the pictures of a folder compare with those of a receipt. */
export interface Compared {
  readonly pictures: number;
  /** Names of pictures that the receipt does not have: changed, or of other codes. */
  readonly unknown: readonly string[];
  /** Pictures of the receipt that the folder does not have. */
  readonly absent: number;
}

/** Compares the PNG files of a folder, not those of folders in it, with the codes of a receipt by their SHA-256. */
export const comparePictures = async (folder: string, codes: readonly Entry[]): Promise<Compared> => {
  const known = new Set(codes.flatMap(({ sha256 }) => sha256 ?? []));
  const absent = new Set(known);
  const names = (await readdir(folder)).filter((name) => name.toLowerCase().endsWith('.png')).sort();
  const unknown: string[] = [];
  for (const name of names) {
    const sha256 = createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex');
    if (!known.has(sha256)) unknown.push(name);
    absent.delete(sha256);
  }
  return { pictures: names.length, unknown, absent: absent.size };
};
