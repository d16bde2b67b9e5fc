/** Lines of text: what of a text the font has, and how it breaks to a width. Pure. */

/** Replaces characters that the font lacks and those that are written from right to left. */
export const MISSING = '\u25a1';
const ELLIPSIS = '\u2026';
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

/** A line may break after one of these. */
const BREAKS = new Set([...' -/?&=.,;:_+#']);

/** Returns the place where the part of a line that fits ends: after a break if there is one in its second half. */
const endOf = (line: readonly string[], from: number, fits: number): number => {
  if (fits >= line.length) return line.length;
  for (let end = fits; end > from + (fits - from) / 2; end -= 1) if (BREAKS.has(line[end - 1]!)) return end;
  return fits;
};

/**
 * Breaks lines to a width, and cuts what does not fit: the last line then ends with an ellipsis. Each returned line is
 * at most `width` wide; there are at most `linesMax`. Also returns whether anything was cut.
 */
export const fitLines = (
  lines: readonly (readonly string[])[],
  { width, linesMax }: { readonly width: number; readonly linesMax: number },
  widthOf: (character: string) => number,
): { readonly lines: readonly string[]; readonly isCut: boolean } => {
  const fitted: string[] = [];
  let isCut = false;
  /** Returns how far the characters from `from` reach within `room`. */
  const reach = (line: readonly string[], from: number, room: number): number => {
    let left = room;
    let end = from;
    while (end < line.length && widthOf(line[end]!) <= left) {
      left -= widthOf(line[end]!);
      end += 1;
    }
    return end;
  };
  const cut = (line: readonly string[], from: number): string => {
    const room = width - widthOf(ELLIPSIS);
    if (room < 0) return '';
    return `${line
      .slice(from, reach(line, from, room))
      .join('')
      .trimEnd()}${ELLIPSIS}`;
  };

  for (const [index, line] of lines.entries()) {
    const linesAfter = lines.length - index - 1;
    let from = 0;
    do {
      const fits = reach(line, from, width);
      const isLast = fitted.length === linesMax - 1;
      const linesLeft = linesMax - fitted.length - 1;
      if (fits < line.length && (isLast || linesLeft < linesAfter + 1)) {
        fitted.push(cut(line, from));
        isCut = true;
        break;
      }
      const end = endOf(line, from, fits);
      if (end === from && line.length > 0) return { lines: fitted, isCut: true }; // not even one character fits
      fitted.push(line.slice(from, end).join('').trim());
      from = end;
    } while (from < line.length && fitted.length < linesMax);
    if (fitted.length < linesMax) continue;
    isCut ||= lines.slice(index + 1).some(({ length }) => length > 0);
    break;
  }
  return { lines: fitted, isCut };
};
