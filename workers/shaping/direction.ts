/** The direction of letters: the Unicode Bidirectional Algorithm (UAX #9), which `bidi-js` runs where it is needed. */
import { createRequire } from 'node:module';

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
