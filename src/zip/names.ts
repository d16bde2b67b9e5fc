/** Short enough for the file names of every file system, and for an archive that keeps the names of a million files. */
export const WORDS_MAX_CHARACTERS = 40;

/** Reduces a text to its ASCII letters and digits, with `-` for whatever is between them, for a file name. */
export const fileWords = (text: string): string =>
  text
    .slice(0, 500)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/^https?:\/\//i, '')
    .replace(/[^0-9A-Za-z]+/g, '-')
    .slice(0, WORDS_MAX_CHARACTERS)
    .replace(/^-|-$/g, '');

/**
 * Returns a file name without extension: a number, and words that identify the file to people. The number makes names
 * unique, and keeps them from being a path or a device name.
 */
export const nameByNumber = (number: number, digits: number, words: string): string =>
  `${String(number).padStart(digits, '0')}${words === '' ? '' : `-${words}`}`;
