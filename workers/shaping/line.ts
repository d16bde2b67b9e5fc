/**
 * Sets a line of text: its order by the Unicode Bidirectional Algorithm (UAX #9), which `bidi-js` runs where it is needed,
 * its glyphs by HarfBuzz. Lengths are in ems, from the start of the baseline at the left, with y upwards.
 */
import { createRequire } from 'node:module';
import type { ShapedGlyph, ShapedText } from '../protocol.ts';
import { type FontKey, knownFaceOf, widthShareOf } from './chain.ts';
import type { SetGlyph } from './face.ts';
import type { Letter } from './letters.ts';

/** In which direction a line begins; `auto`: that of its first letter that has one. */
export type Direction = 'ltr' | 'rtl' | 'auto';

/** The level of each UTF-16 unit, odd from right to left, and that of the line. */
export interface Levels {
  readonly levels: Uint8Array;
  readonly base: number;
}

interface Bidi {
  getEmbeddingLevels(
    text: string,
    direction: Direction,
  ): { readonly levels: Uint8Array; readonly paragraphs: readonly { readonly level: number }[] };
}

/** Letters and numbers from right to left, and characters that change directions. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Nothing but letters from right to left, their marks, and spaces. */
const ONLY_RIGHT_TO_LEFT =
  /^(?=\p{L})(?:(?=[\p{L}\p{M}])(?=[\u0590-\u08ff])[\p{Script=Hebrew}\p{Script=Arabic}]| (?=\p{L}))+$/u;

const require = createRequire(import.meta.url);
let bidi: Bidi | null = null;

/** Returns the levels of a line. Most lines have one direction, for which `bidi-js` takes longer than all else. */
export const levelsOf = (text: string, direction: Direction): Levels => {
  if (direction !== 'rtl' && !RIGHT_TO_LEFT.test(text))
    return { levels: new Uint8Array(text.length), base: 0 };
  if (direction !== 'ltr' && ONLY_RIGHT_TO_LEFT.test(text))
    return { levels: new Uint8Array(text.length).fill(1), base: 1 };
  bidi ??= (require('bidi-js') as () => Bidi)();
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, direction);
  return { levels, base: paragraphs[0]?.level ?? 0 };
};

/** Glyphs at their places, and what room they need. */
export interface ShapedLine {
  readonly text: string;
  /** Whether it is written from right to left. */
  readonly isRightToLeft: boolean;
  /** Where what is drawn, and where the pen goes, begins and ends. */
  readonly left: number;
  readonly right: number;
  /** How far it is drawn above and below its baseline. */
  readonly above: number;
  readonly below: number;
  readonly shaped: ShapedText;
  /** The width of each letter of the line as it was given. */
  readonly widths: readonly number[];
}

/** Letters that are set together: of one font, one script and one direction. Places are those in the text. */
interface Run {
  readonly from: number;
  to: number;
  readonly font: FontKey;
  readonly script: number;
  readonly level: number;
}

const runsOf = (letters: readonly Letter[], levels: Uint8Array): readonly Run[] => {
  const runs: Run[] = [];
  let from = 0;
  for (const { text, font, script } of letters) {
    const level = levels[from]!;
    const last = runs.at(-1);
    const to = from + text.length;
    if (last?.font === font && last.script === script && last.level === level) last.to = to;
    else runs.push({ from, to, font, script, level });
    from = to;
  }
  return runs;
};

/** Returns runs from left to right: UAX #9, rule L2. */
const inOrder = (runs: readonly Run[]): readonly Run[] => {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let from = 0; from < ordered.length; from += 1) {
      let to = from;
      while (to < ordered.length && ordered[to]!.level >= level) to += 1;
      ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  }
  return ordered;
};

/** What is set of a line so far. */
interface Setting {
  pen: number;
  left: number;
  right: number;
  above: number;
  below: number;
  readonly glyphs: ShapedGlyph[];
  readonly letters: { readonly text: string; readonly x: number; readonly width: number }[];
  /** By the place in the text of its first character. */
  readonly widths: Map<number, number>;
}

const addGlyph = (setting: Setting, { glyph, x, y, advance }: SetGlyph, font: FontKey): void => {
  const { box } = knownFaceOf(font).outlineOf(glyph);
  const share = widthShareOf(font);
  const at = setting.pen + x * share;
  if (box !== null) {
    setting.glyphs.push({ font, glyph, x: at, y });
    setting.left = Math.min(setting.left, at + box.left * share);
    setting.right = Math.max(setting.right, at + box.right * share);
    setting.above = Math.max(setting.above, y + box.top);
    setting.below = Math.max(setting.below, -(y + box.bottom));
  }
  setting.pen += advance * share;
};

const MARK = /^\p{M}$/u;

/**
 * Returns the characters of letters that are drawn as one, from left to right. Readers of PDF reverse what is written from
 * right to left character by character, so that a mark stands left of its letter there.
 */
const inCharacters = (text: string, x: number, width: number, isRightToLeft: boolean): Setting['letters'] => {
  if (!isRightToLeft) return [{ text, x, width }];
  const characters = [...text].reverse();
  const share = width / Math.max(1, characters.filter((character) => !MARK.test(character)).length);
  let at = x;
  return characters.map((character) => {
    const letter = { text: character, x: at, width: MARK.test(character) ? 0 : share };
    at += letter.width;
    return letter;
  });
};

const addRun = (setting: Setting, text: string, { from, to, font, level }: Run): void => {
  const isRightToLeft = level % 2 === 1;
  const glyphs = knownFaceOf(font).setRun(text, from, to, isRightToLeft);
  const starts = [...new Set(glyphs.map(({ cluster }) => cluster)), to].sort((a, b) => a - b);
  const ends = new Map(starts.map((start, index) => [start, starts[index + 1]]));
  for (let index = 0; index < glyphs.length; ) {
    const { cluster } = glyphs[index]!;
    const x = setting.pen;
    for (; index < glyphs.length && glyphs[index]!.cluster === cluster; index += 1)
      addGlyph(setting, glyphs[index]!, font);
    const width = setting.pen - x;
    const letters = text.slice(cluster, ends.get(cluster));
    setting.letters.push(...inCharacters(letters, x, width, isRightToLeft));
    setting.widths.set(cluster, (setting.widths.get(cluster) ?? 0) + width);
  }
};

/** Orders letters and sets their glyphs. @param direction Of a part of a line: that of the whole line. */
export const shapeLine = (letters: readonly Letter[], direction: Direction): ShapedLine => {
  const text = letters.map((letter) => letter.text).join('');
  const { levels, base } = levelsOf(text, direction);
  const setting: Setting = {
    ...{ pen: 0, left: 0, right: 0, above: 0, below: 0 },
    ...{ glyphs: [], letters: [], widths: new Map() },
  };
  for (const run of inOrder(runsOf(letters, levels))) addRun(setting, text, run);
  let at = 0;
  const widths = letters.map((letter) => {
    const width = setting.widths.get(at) ?? 0;
    at += letter.text.length;
    return width;
  });
  const { left, above, below } = setting;
  return {
    text,
    isRightToLeft: base % 2 === 1,
    right: Math.max(setting.right, setting.pen),
    ...{ left, above, below, widths },
    shaped: { glyphs: setting.glyphs, letters: setting.letters },
  };
};
