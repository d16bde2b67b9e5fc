/** What of a text can be printed with the fonts of a chain: each letter with its marks in one font. */
import { LRUCache } from 'lru-cache';
import { getOrMake } from '../kept.ts';
import type { Weight } from '../print/font.ts';
import { MISSING, TEXT_MAX_CHARACTERS } from '../print/lines.ts';
import { type ChainName, type FontKey, fontsOf, knownFaceOf } from './chain.ts';
import type { Face } from './face.ts';

/** A letter with its marks, which stays whole, and the font that has all of it. */
export interface Letter {
  readonly text: string;
  readonly font: FontKey;
  /** Where letters of one script follow each other, they are set together. */
  readonly script: number;
}

/** A text as it can be printed. */
export interface PrintableLetters {
  readonly lines: readonly (readonly Letter[])[];
  /** Which characters cannot be printed, each once. */
  readonly missing: readonly string[];
  readonly isCut: boolean;
}

const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
const SPACES = /[\t\p{Zs}]+/gu;
/** Invisible characters but those that decide how letters join, and in which direction they are written. */
const UNSEEN = /(?![\u061c\u200c-\u200f\u202a-\u202e\u2066-\u2069])[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
/** Those that are left. No font needs a glyph for them. */
const UNDRAWN = /^[\p{Cf}]$/u;
const MARK = /^\p{M}$/u;
/** Letters of all scripts have them: they are printed in the font of the letters before. */
const SHARED = /^[\p{Script=Common}\p{Script=Inherited}]$/u;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\ufb1d-\ufdff\ufe70-\ufeff]/u;
/** The most marks on a letter. Texts that pile them up have more. */
const MARKS_MAX = 5;

/** Scripts whose letters are set by rules of their own. */
const SCRIPTS = [
  ...['Hebrew', 'Arabic', 'Syriac', 'Thaana', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati'],
  ...['Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Thai', 'Lao', 'Tibetan', 'Myanmar'],
  ...['Ethiopic', 'Khmer', 'Mongolian', 'Hangul', 'Hiragana', 'Katakana', 'Han'],
].map((script) => new RegExp(`^\\p{Script=${script}}`, 'u'));
const FIRST_OF_SCRIPTS = '\u0590';

const scriptOf = (letter: string): number =>
  letter < FIRST_OF_SCRIPTS ? 0 : SCRIPTS.findIndex((script) => script.test(letter)) + 1;

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** What may belong to the character before or after it: UAX #29. */
const JOINED =
  /[\p{M}\p{Cf}\p{Cc}\p{Cn}\p{Regional_Indicator}\p{Emoji_Modifier}\u0e33\u0eb3\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff\uff9e\uff9f]/u;

/** Returns the letters of a line, each with its marks. */
export const graphemesOf = (line: string): readonly string[] =>
  JOINED.test(line) ? Array.from(segmenter.segment(line), ({ segment }) => segment) : [...line];

/** How a letter is printed: `null`, it is not. */
interface Found {
  readonly letter: Omit<Letter, 'script'> | null;
  readonly missing: readonly string[];
  /** `null`: that of the letters around it. */
  readonly script: number | null;
}

const hasAll = (face: Pick<Face, 'has'>, characters: readonly string[]): boolean =>
  characters.every((character) => face.has(character) || UNDRAWN.test(character));

const isShared = (letter: string): boolean => SHARED.test(String.fromCodePoint(letter.codePointAt(0)!));

/** Returns the first font that has all characters, for those of all scripts the last one if it has them. */
const fontFor = (
  characters: readonly string[],
  { chain, weight }: Fonts,
  last: FontKey | null,
): FontKey | null => {
  // Letters of Arabic are not of one width, and the narrow font does not place marks.
  const isProportional = RIGHT_TO_LEFT.test(characters[0]!) || characters.some((one) => MARK.test(one));
  const takes = (key: FontKey, face: Face): boolean =>
    !(isProportional && key.startsWith('mono ')) && hasAll(face, characters);
  if (last !== null && isShared(characters[0]!) && takes(last, knownFaceOf(last))) return last;
  for (const { key, face } of fontsOf(chain, weight)) if (takes(key, face)) return key;
  return null;
};

/** Finds the font of a letter, and what of the letter it lacks. */
const findFont = (grapheme: string, fonts: Fonts, last: FontKey | null): Omit<Found, 'script'> => {
  const characters = [...grapheme];
  const marks = characters.filter((character) => MARK.test(character));
  const isPlaced = !MARK.test(characters[0]!) && marks.length <= MARKS_MAX;
  const whole = isPlaced ? fontFor(characters, fonts, last) : null;
  if (whole !== null) return { letter: { text: grapheme, font: whole }, missing: [] };
  const base = characters.filter((character) => !MARK.test(character));
  const font = base.length === 0 ? null : fontFor(base, fonts, last);
  if (font !== null) return { letter: { text: base.join(''), font }, missing: marks };
  const missing = characters.filter((character) => !UNDRAWN.test(character));
  const box = base.length === 0 ? null : { text: MISSING, font: fontFor([MISSING], fonts, null)! };
  return { letter: box, missing };
};

/** A chain in one weight. */
interface Fonts {
  readonly chain: ChainName;
  readonly weight: Weight;
}

const KEPT_LETTERS = 10_000;
const found = new LRUCache<string, Found>({ max: KEPT_LETTERS });

const findLetter = (grapheme: string, fonts: Fonts, last: FontKey | null): Found =>
  getOrMake(found, `${fonts.chain} ${fonts.weight} ${last} ${grapheme}`, () => ({
    ...findFont(grapheme, fonts, last),
    script: isShared(grapheme) ? null : scriptOf(grapheme),
  }));

/** Letters that all scripts have take the script of those before them, and at the start of a line that of those after. */
const withScripts = (line: readonly Pick<Found, 'letter' | 'script'>[]): readonly Letter[] => {
  const first = line.findIndex(({ script }) => script !== null);
  let script = line[first]?.script ?? 0;
  return line.map((letter, index) => {
    script = letter.script ?? script;
    const { text, font } = letter.letter!;
    if (index >= first) return { text, font, script };
    const next = line[first]!.letter!.font;
    return { text, font: hasAll(knownFaceOf(next), [...text]) ? next : font, script };
  });
};

/**
 * Returns the lines of a text as they can be printed with the fonts of a chain: composed (NFC), without control
 * characters, and with one space for each run of white space. `MISSING` stands for a letter that no font has; a mark that
 * cannot be printed is dropped, and its letter stays.
 */
export const printableLetters = (text: string, chain: ChainName, weight: Weight): PrintableLetters => {
  const missing = new Set<string>();
  const lettersOf = (line: string): readonly Letter[] => {
    const letters: Found[] = [];
    for (const grapheme of graphemesOf(line)) {
      const one = findLetter(grapheme, { chain, weight }, letters.at(-1)?.letter?.font ?? null);
      for (const character of one.missing) missing.add(character);
      if (one.letter !== null) letters.push(one);
    }
    return withScripts(letters);
  };
  const lines = text
    .slice(0, TEXT_MAX_CHARACTERS)
    .toWellFormed()
    .normalize('NFC')
    .split(LINE_END)
    .map((line) => lettersOf(line.replace(SPACES, ' ').replace(UNSEEN, '').trim()));
  return { lines, missing: [...missing], isCut: text.length > TEXT_MAX_CHARACTERS };
};
