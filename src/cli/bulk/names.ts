import { createHash } from 'node:crypto';
import filenamify from 'filenamify';

/** 16 MB of memory, however many names there are. */
const FILTER_BITS = 2 ** 27;
const HASHES = 4;
/** In UTF-8 at most 210 bytes; with the number of the row and the ending below the 255 of a file system. */
const MAX_CHARACTERS = 70;
const ROW_DIGITS = 6;
/** Never part of a name that people gave, so what stands before a row's number can't look like another name. */
const MARK = '~';

/**
 * A Bloom filter: forgets no name, and takes a new one for known with a probability of 1 in 10^14 among ten
 * thousand names, 1 in 10^6 among a million.
 */
const createFilter = () => {
  const bits = new Uint8Array(FILTER_BITS / 8);
  /** Whether the text was added before; if not, it is now. */
  return (text: string): boolean => {
    const digest = createHash('sha256').update(text).digest();
    let known = true;
    for (let hash = 0; hash < HASHES; hash += 1) {
      const bit = digest.readUInt32LE(hash * 4) % FILTER_BITS;
      const mask = 1 << (bit & 7);
      if ((bits[bit >>> 3]! & mask) === 0) known = false;
      bits[bit >>> 3]! |= mask;
    }
    return known;
  };
};

const stemOf = (wanted: string): string => {
  const stem = wanted
    .replace(/\.png$/i, '')
    .normalize('NFC')
    .trim();
  if (stem === '') return '';
  return filenamify(stem, { replacement: '_', maxLength: MAX_CHARACTERS }).replaceAll(MARK, '_').trim();
};

/**
 * Makes a function that names pictures: as wanted where a file system takes that, else by the row's number, and
 * with the row's number behind it when the name was given before, upper and lower case alike. The same rows in
 * the same order get the same names, and no two of them the same.
 */
export const createNames = (): ((row: number, wanted: string | null) => string) => {
  const isTaken = createFilter();
  return (row, wanted) => {
    const stem = stemOf(wanted ?? '') || String(row).padStart(ROW_DIGITS, '0');
    const known = isTaken(stem.normalize('NFKC').toLowerCase());
    return `${stem}${known ? `${MARK}${row}` : ''}.png`;
  };
};
