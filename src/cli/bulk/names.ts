import { createHash } from 'node:crypto';
import filenamify from 'filenamify';

/** 16 MB of memory, however many names there are. */
const FILTER_BITS = 2 ** 27;
const HASHES = 4;
/** At most 210 bytes in UTF-8. With the row's number and the extension that is below the 255 of a file system. */
const MAX_CHARACTERS = 70;
const ROW_DIGITS = 6;
/** Precedes a row's number. It is replaced in given names, so that no given name looks like a numbered one. */
const MARK = '~';

/**
 * Makes a Bloom filter. It has no false negatives; its false positive rate is 1 in 10^14 after ten thousand names, and
 * 1 in 10^6 after a million.
 */
const createFilter = () => {
  const bits = new Uint8Array(FILTER_BITS / 8);
  /** Whether the text was added before. Adds it. */
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
    .replace(/\.(?:png|webp|svg|pdf|eps)$/i, '')
    .normalize('NFC')
    .trim();
  if (stem === '') return '';
  return filenamify(stem, { replacement: '_', maxLength: MAX_CHARACTERS }).replaceAll(MARK, '_').trim();
};

/**
 * Makes a function that names the files of rows, without extensions. A row gets the wanted name, without characters
 * that file systems refuse, or else its number. When the name was given before, in any case, the row's number is
 * appended. The same rows in the same order get the same names, and no two rows get the same one.
 */
export const createNames = (): ((row: number, wanted: string | null) => string) => {
  const isTaken = createFilter();
  return (row, wanted) => {
    const stem = stemOf(wanted ?? '') || String(row).padStart(ROW_DIGITS, '0');
    const known = isTaken(stem.normalize('NFKC').toLowerCase());
    return `${stem}${known ? `${MARK}${row}` : ''}`;
  };
};
