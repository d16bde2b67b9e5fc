/**
 * Encodings: WHATWG's Encoding Standard, as far as the runtime decodes it, and how bytes read in each, the likeliest
 * first.
 */
import { ok, type Result, refused } from '../result.ts';

/** With a byte order mark, this label leaves the order of bytes to it. */
export const UTF_16 = 'utf-16';

/** Returns the name of the encoding of a label, or says that there is none. */
export const readEncoding = (label: string): Result<string, string> => {
  const written = label.trim().toLowerCase();
  if (written === UTF_16) return ok(UTF_16);
  try {
    return ok(new TextDecoder(written).encoding);
  } catch {
    const shown = JSON.stringify(label.slice(0, 40));
    return refused(`${shown} is not an encoding that can be read; name one of the WHATWG Encoding Standard`);
  }
};

/** The encodings in which people save tables, by the languages of Windows first; the likeliest win ties. */
const COMMON = [
  'windows-1252',
  'windows-1251',
  'windows-1250',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
  'euc-jp',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'koi8-r',
  'ibm866',
  'macintosh',
  'iso-8859-2',
  'iso-8859-15',
] as const;

const WINDOWS_1252 = 'windows-1252';
/** The characters of its bytes 0x80 to 0x9f. Five have none: they stay controls. */
const HIGH = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Decodes bytes strictly. Windows-1252 is decoded here, because Node 20 takes it for Latin-1.
 *
 * @param isCut Whether the last character may be incomplete; it is left out.
 * @throws {TypeError} for bytes that are not in the encoding.
 */
export const decodeStrictly = (bytes: Uint8Array, encoding: string, isCut: boolean): string => {
  if (encoding !== WINDOWS_1252)
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  const text = new TextDecoder('latin1').decode(bytes);
  return text.replace(/[\u0080-\u009f]/g, (byte: string) => HIGH[byte.charCodeAt(0) - 0x80]!);
};

/** A text in one encoding. */
export interface Reading {
  readonly encoding: string;
  readonly text: string;
}

const READINGS_MAX = 8;
/** Bytes that are shown. */
const SHOWN = { before: 60, length: 160 } as const;
/** Below space, digits and letters: no second byte of a character, except in ISO-2022-JP and UTF-16. */
const SEPARATES_BELOW = 0x30;

const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Hebrew', 'Arabic', 'Thai', 'Hangul'].map(
  (name) => new RegExp(`^\\p{Script=${name}}$`, 'u'),
);
const LATIN = 0;
/** Japanese mixes three scripts in a word. */
const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]$/u;
const LETTER = /^[\p{L}\p{M}]$/u;
/** What no table has: controls, private and unassigned characters. */
const IMPOSSIBLE = /[\p{Co}\p{Cn}]|(?![\t\r\n])\p{Cc}/u;
const HALF_WIDTH = /^[\uff61-\uff9f]$/;
/** Usual in texts outside ASCII. */
const USUAL = /^[\p{P}\p{Sc}\p{Zs}°№®©™]$/u;

const scriptOf = (letter: string): number =>
  EAST_ASIAN.test(letter) ? SCRIPTS.length : SCRIPTS.findIndex((script) => script.test(letter));

const isSmall = (letter: string): boolean => letter !== letter.toUpperCase();
const isCapital = (letter: string): boolean => letter !== letter.toLowerCase();

/**
 * Grades a letter by the one in front of it in its word: wrong readings mix scripts, and capitals into words, and have
 * several Latin letters outside ASCII in a row.
 */
const gradeLetter = (letter: string, before: string | undefined): number => {
  if (HALF_WIDTH.test(letter)) return 0.2;
  if (before === undefined || !LETTER.test(before)) return 1;
  const script = scriptOf(letter);
  if (script !== scriptOf(before)) return -1;
  if (script === LATIN && before > '\x7f' && letter > '\x7f') return -1;
  return isSmall(before) && isCapital(letter) ? -1 : 1;
};

/** Returns how much a text looks like one in some language, up to 1. */
const gradeText = (text: string): number => {
  const characters = [...text];
  const grades = characters.flatMap((character, at) => {
    const before = characters[at - 1];
    const touches = before !== undefined && before > '\x7f' && LETTER.test(before);
    if (character <= '\x7f' && !(touches && LETTER.test(character))) return [];
    if (LETTER.test(character)) return [gradeLetter(character, before)];
    return [USUAL.test(character) ? 0.3 : -1];
  });
  return grades.length === 0 ? 0 : grades.reduce((sum, grade) => sum + grade, 0) / grades.length;
};

const readIn = (bytes: Uint8Array, encoding: string): readonly (Reading & { readonly grade: number })[] => {
  try {
    // The end may be in the middle of a character.
    const text = decodeStrictly(bytes, encoding, true);
    return IMPOSSIBLE.test(text) ? [] : [{ encoding, text: text.trim(), grade: gradeText(text) }];
  } catch {
    return [];
  }
};

/** Cuts out the bytes around a place. */
const cutAround = (line: Uint8Array, place: number): Uint8Array => {
  let start = Math.max(0, place - SHOWN.before);
  while (start > 0 && start < place && line[start - 1]! >= SEPARATES_BELOW) start += 1;
  return line.subarray(start, start + SHOWN.length);
};

/**
 * Returns how a line reads around one of its bytes.
 *
 * @param encodings Those in question.
 */
export const readingsOf = (
  line: Uint8Array,
  place: number,
  encodings: readonly string[] = COMMON,
): readonly Reading[] =>
  encodings
    .flatMap((encoding) => readIn(cutAround(line, place), encoding))
    .sort((a, b) => b.grade - a.grade)
    .slice(0, READINGS_MAX)
    .map(({ encoding, text }) => ({ encoding, text }));
