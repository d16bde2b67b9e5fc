/** Decides what of a text can be printed, and how it fits. Pure. */

/** Replaces characters that the font lacks and those that are written from right to left. */
export const MISSING = '\u25a1';
const ELLIPSIS = '\u2026';
/** Far more than fits on a label. Longer texts are cut before anything else is done with them. */
const TEXT_MAX_CHARACTERS = 2000;

const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
const SPACES = /[\t\p{Zs}]+/gu;
/** Controls, directional marks and joiners, which are invisible, and combining marks that composed with no letter. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{M}\p{Variation_Selector}]/gu;
/** Lines are set from left to right without shaping. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\ufb1d-\ufdff\ufe70-\ufeff]/gu;

/**
 * Returns the lines of a text with what can be printed of it: composed, without controls, with one space for several,
 * and with `MISSING` for what the font does not have.
 */
export const printableLines = (
  text: string,
  has: (character: string) => boolean,
): readonly (readonly string[])[] =>
  text
    .slice(0, TEXT_MAX_CHARACTERS)
    .toWellFormed()
    .normalize('NFC')
    .split(LINE_END)
    .map((line) => {
      const seen = line.replace(SPACES, ' ').replace(UNSEEN, '').replace(RIGHT_TO_LEFT, MISSING).trim();
      return [...seen].map((character) => (has(character) ? character : MISSING));
    });

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
 * at most `width` wide; there are at most `linesMax`.
 */
export const fitLines = (
  lines: readonly (readonly string[])[],
  { width, linesMax }: { readonly width: number; readonly linesMax: number },
  widthOf: (character: string) => number,
): readonly string[] => {
  const fitted: string[] = [];
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
        break;
      }
      const end = endOf(line, from, fits);
      if (end === from && line.length > 0) return fitted; // not even one character fits
      fitted.push(line.slice(from, end).join('').trim());
      from = end;
    } while (from < line.length && fitted.length < linesMax);
    if (fitted.length === linesMax) break;
  }
  return fitted;
};
