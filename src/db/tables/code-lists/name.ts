import { toFolderName } from '../folder-name.ts';

const KEY_MAX_CHARACTERS = 200;
const DIGITS = 10;

/** Returns the name of a code in its stored form, or what is wrong with it. The rules are those for folders. */
export const toCodeName = toFolderName;

/**
 * Returns the sort key of a name, at most 200 characters. Comparing keys character by character sorts names as people
 * expect: ignoring case and accents, and `Table 2` before `Table 10`.
 */
export const nameKey = (name: string): string => {
  const folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const padded = folded.replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(DIGITS, '0'));
  return [...padded].slice(0, KEY_MAX_CHARACTERS).join('');
};
