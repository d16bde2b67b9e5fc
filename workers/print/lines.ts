/** Lines of text: what of a text the font has, and how it breaks to a width. Pure. */

/** Replaces characters that no font has. */
export const MISSING = '\u25a1';
/** Ends a line that is cut. */
export const ELLIPSIS = '\u2026';
/** Longer texts are cut before anything else is done with them. */
export const TEXT_MAX_CHARACTERS = 2000;

const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
const SPACES = /[\t\p{Zs}]+/gu;
/** Controls, directional marks, joiners and variation selectors, which are invisible. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
/** Marks that composed with no letter. Lines are set without placing them. */
const COMBINING = /\p{M}/u;
/** Lines are set from left to right without shaping. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\ufb1d-\ufdff\ufe70-\ufeff]/u;

/** Of the characters before this one, none is a mark that combines, and none is written from right to left. */
const FIRST_COMBINING = '\u0300';

/** A text as it can be printed. */
export interface Printable {
  /** The characters of each line, with `MISSING` for those that cannot be printed. */
  readonly lines: readonly (readonly string[])[];
  /** Which characters cannot be printed, each once. */
  readonly missing: readonly string[];
  /** Whether the text was too long, so that its end was not read. */
  readonly isCut: boolean;
}

/**
 * Returns the lines of a text as they can be printed: composed (NFC), without control characters, and with one space for
 * each run of white space. A combining mark that cannot be printed is dropped, and its letter stays.
 */
export const printableLines = (text: string, has: (character: string) => boolean): Printable => {
  const missing = new Set<string>();
  const printed = (character: string): string => {
    const isSimple = character < FIRST_COMBINING;
    const isMark = !isSimple && COMBINING.test(character);
    if (!isMark && has(character) && (isSimple || !RIGHT_TO_LEFT.test(character))) return character;
    missing.add(character);
    return isMark ? '' : MISSING;
  };
  const lines = text
    .slice(0, TEXT_MAX_CHARACTERS)
    .toWellFormed()
    .normalize('NFC')
    .split(LINE_END)
    .map((line) =>
      [...line.replace(SPACES, ' ').replace(UNSEEN, '').trim()].map(printed).filter((one) => one !== ''),
    );
  return { lines, missing: [...missing], isCut: text.length > TEXT_MAX_CHARACTERS };
};

const UNSEEN_ALONE = /[\p{C}\p{M}\p{Z}]/u;
const MISSING_SHOWN = 8;

/** Says which characters cannot be printed: the code point, and the character if it is seen by itself. */
export const tellCharacters = (missing: readonly string[]): string => {
  const told = missing.slice(0, MISSING_SHOWN).map((character) => {
    const point = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
    return UNSEEN_ALONE.test(character) ? point : `${point} ${character}`;
  });
  const more = missing.length > MISSING_SHOWN ? ` and ${missing.length - MISSING_SHOWN} more` : '';
  return `${told.join(', ')}${more}`;
};

/** A line may break after one of these. */
const BREAKS = new Set([...' -/?&=.,;:_+#']);

/** Returns the place where the part of a line that fits ends: after a break if there is one in its second half. */
const endOf = (line: readonly string[], from: number, fits: number): number => {
  if (fits >= line.length) return line.length;
  for (let end = fits; end > from + (fits - from) / 2; end -= 1) if (BREAKS.has(line[end - 1]!)) return end;
  return fits;
};

/** A part of a line that was broken: its characters, and whether its end is cut. */
export interface Piece {
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly hasEllipsis: boolean;
}

/** Returns the width of a character, which a line has at a place. */
type WidthAt = (character: string, line: number, at: number) => number;

/**
 * Breaks lines to a width, and cuts what does not fit: the last line then ends with an ellipsis. Each piece is at most
 * `width` wide; there are at most `linesMax`. Also returns whether anything was cut.
 */
export const breakLines = (
  lines: readonly (readonly string[])[],
  { width, linesMax }: { readonly width: number; readonly linesMax: number },
  widthOf: WidthAt,
): { readonly pieces: readonly Piece[]; readonly isCut: boolean } => {
  const pieces: Piece[] = [];
  let isCut = false;
  /** Returns how far the characters from `from` reach within `room`. */
  const reach = (line: number, from: number, room: number): number => {
    const characters = lines[line]!;
    let left = room;
    let end = from;
    while (end < characters.length && widthOf(characters[end]!, line, end) <= left) {
      left -= widthOf(characters[end]!, line, end);
      end += 1;
    }
    return end;
  };
  const cut = (line: number, from: number): Piece => {
    const room = width - widthOf(ELLIPSIS, line, -1);
    if (room < 0) return { line, from, to: from, hasEllipsis: false };
    return { line, from, to: reach(line, from, room), hasEllipsis: true };
  };

  for (const [index, line] of lines.entries()) {
    const linesAfter = lines.length - index - 1;
    let from = 0;
    do {
      const fits = reach(index, from, width);
      const isLast = pieces.length === linesMax - 1;
      const linesLeft = linesMax - pieces.length - 1;
      if (fits < line.length && (isLast || linesLeft < linesAfter + 1)) {
        pieces.push(cut(index, from));
        isCut = true;
        break;
      }
      const end = endOf(line, from, fits);
      if (end === from && line.length > 0) return { pieces, isCut: true }; // not even one character fits
      pieces.push({ line: index, from, to: end, hasEllipsis: false });
      from = end;
    } while (from < line.length && pieces.length < linesMax);
    if (pieces.length < linesMax) continue;
    isCut ||= lines.slice(index + 1).some(({ length }) => length > 0);
    break;
  }
  return { pieces, isCut };
};

/** Returns what `breakLines` returns as texts. */
export const fitLines = (
  lines: readonly (readonly string[])[],
  room: { readonly width: number; readonly linesMax: number },
  widthOf: (character: string) => number,
): { readonly lines: readonly string[]; readonly isCut: boolean } => {
  const { pieces, isCut } = breakLines(lines, room, widthOf);
  const textOf = ({ line, from, to, hasEllipsis }: Piece): string => {
    const text = lines[line]!.slice(from, to).join('');
    return hasEllipsis ? `${text.trimEnd()}${ELLIPSIS}` : text.trim();
  };
  return { lines: pieces.map(textOf), isCut };
};
