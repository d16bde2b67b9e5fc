import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entry } from '../../verify/receipt/statement.ts';

/** How the pictures of a folder compare with those of a receipt. */
export interface Compared {
  readonly pictures: number;
  /** Names of pictures that the receipt does not have: changed, in another size, or of other codes. */
  readonly unknown: readonly string[];
  /** Pictures of the receipt that the folder does not have. */
  readonly absent: number;
}

const pngsIn = async (folder: string, under: string): Promise<readonly string[]> =>
  (await readdir(join(folder, under)))
    .filter((name) => name.toLowerCase().endsWith('.png'))
    .map((name) => join(under, name));

/** Returns the PNG files right in a folder and, where files stand in folders by format, those in its folder `png`. */
const findPngs = async (folder: string): Promise<readonly string[]> => {
  const below = await pngsIn(folder, 'png').catch(() => []);
  return [...(await pngsIn(folder, '')), ...below].sort();
};

/**
 * Compares the PNG files of a folder with the codes of a receipt by their SHA-256. Files of other formats are left out.
 */
export const comparePictures = async (folder: string, codes: readonly Entry[]): Promise<Compared> => {
  const known = new Set(codes.flatMap(({ sha256 }) => sha256 ?? []));
  const absent = new Set(known);
  const names = await findPngs(folder);
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
