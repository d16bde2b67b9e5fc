import { toFolderName } from '../folder-name.ts';

const KEY_MAX_CHARACTERS = 200;
const DIGITS = 10;

/** Returns the name of a code in its stored form, or what is wrong with it: the rules are those of folders. */
export const toCodeName = toFolderName;

/**
 * Returns the text by which a name is sorted, at most 200 characters. Names in the order of their keys, character by
 * character, stand as people expect: without regard to case and accents, and `Table 2` before `Table 10`.
 */
export const nameKey = (name: string): string => {
  const folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const padded = folded.replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(DIGITS, '0'));
  return [...padded].slice(0, KEY_MAX_CHARACTERS).join('');
};
