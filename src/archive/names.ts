/** The names of the files of codes in archives, and on sheets that belong to them. */
import { createHash } from 'node:crypto';
import { asText } from '../csv/formula.ts';
import { toFileStem } from '../texts.ts';
import { fileWords, nameByNumber } from '../zip/records.ts';

/** What people know a code by. */
type Known = { readonly name: string | null; readonly content: string; readonly slug: string | null };

/** With a number, a name has less than 100 bytes, so that an archive can keep those of a million codes. */
const NAME_MAX_BYTES = 64;
const INDEX_DIGITS = 5;

/** Returns the words of a code without a name; '' when it has none in Latin script. */
export const codeWords = ({ content, slug }: Omit<Known, 'name'>): string => fileWords(slug ?? content);

/** Returns a hash of 48 bits of what file systems compare: many ignore case. */
const keyOf = (name: string): number =>
  createHash('sha256').update(name.toUpperCase()).digest().readUIntBE(0, 6);

/** Returns a name that no spreadsheet evaluates, so that a manifest can have it as it is. */
const stemOf = (name: string): string => {
  const stem = toFileStem(name, NAME_MAX_BYTES);
  return asText(stem) === stem ? stem : `_${stem}`;
};

/**
 * Makes the function that names the files of codes in their order, without extension. A code with a name gives it to its
 * files, with its index if an earlier code has it; others have their index and what they say: `00012-example-com`.
 */
export const createNamer = () => {
  const taken = new Set<number>();
  let index = 0;
  return (code: Known): string => {
    index += 1;
    let name = code.name === null ? nameByNumber(index, INDEX_DIGITS, codeWords(code)) : stemOf(code.name);
    while (taken.has(keyOf(name))) name += ` (${index})`;
    taken.add(keyOf(name));
    return name;
  };
};
