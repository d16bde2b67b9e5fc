import type { Design, HexColor, Paint } from '../protocol.ts';
import type { Box } from './gradient.ts';
import type { Layer } from './layers.ts';
import { boxPath } from './path.ts';

/** The letters in cells, row by row: where a run of cells begins, and how many they are. */
const LETTERS: Readonly<Record<'T' | 'E' | 'S', readonly (readonly [from: number, cells: number])[]>> = {
  T: [
    [0, 3],
    [1, 1],
    [1, 1],
    [1, 1],
    [1, 1],
  ],
  E: [
    [0, 3],
    [0, 1],
    [0, 2],
    [0, 1],
    [0, 3],
  ],
  S: [
    [0, 3],
    [0, 1],
    [0, 3],
    [2, 1],
    [0, 3],
  ],
};
const WORD = ['T', 'E', 'S', 'T'] as const;
const LETTER_STEP = 4;
/** A word with a cell of space around it. */
const WORD_COLUMNS = WORD.length * LETTER_STEP + 1;
const WORD_ROWS = 7;

/** What the letters add to the background: a red that is light enough on white and dark enough on black to be read over. */
const TINT = { red: 214, green: 0, blue: 0, alpha: 0.3 };

/**
 * Returns the mark of a picture that nobody paid for: the word TEST over the background and under the symbol. It tints
 * only what the symbol leaves free, so the picture reads as well as it would without the mark. The tint is opaque where
 * the background is.
 *
 * @param box The box that the background's paint spans.
 */
export const markLayer = ({ widthPx, heightPx, background }: Design, box: Box): Layer => {
  const cellPx = Math.max(1, Math.floor(Math.min(widthPx / WORD_COLUMNS, heightPx / WORD_ROWS)));
  const lines = Math.max(1, Math.floor(heightPx / (WORD_ROWS * cellPx)));
  const left = Math.round((widthPx - (WORD_COLUMNS - 2) * cellPx) / 2);
  const path = Array.from({ length: lines }, (_, line) =>
    wordPath(left, Math.round((heightPx * (line + 0.5)) / lines - 2.5 * cellPx), cellPx),
  ).join('');
  return { paint: tintPaint(background.paint), box, path };
};

const wordPath = (left: number, top: number, cellPx: number): string =>
  WORD.flatMap((letter, at) =>
    LETTERS[letter].map(([from, cells], row) => {
      const x = left + (at * LETTER_STEP + from) * cellPx;
      return boxPath(x, top + row * cellPx, cells * cellPx, cellPx);
    }),
  ).join('');

const tintPaint = (paint: Paint): Paint =>
  typeof paint === 'string'
    ? tintedColor(paint)
    : { ...paint, colorStops: paint.colorStops.map((stop) => ({ ...stop, color: tintedColor(stop.color) })) };

/** Returns the tint over a colour: W3C Compositing and Blending, "source over". */
const tintedColor = (color: HexColor): HexColor => {
  const byte = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
  const below = (color.length === 9 ? byte(7) / 255 : 1) * (1 - TINT.alpha);
  const alpha = TINT.alpha + below;
  const over = (top: number, at: number) => hex((top * TINT.alpha + byte(at) * below) / alpha);
  const opaque = `#${over(TINT.red, 1)}${over(TINT.green, 3)}${over(TINT.blue, 5)}`;
  return alpha > 0.999 ? opaque : opaque + hex(alpha * 255);
};

const hex = (value: number): string => Math.round(value).toString(16).padStart(2, '0');
