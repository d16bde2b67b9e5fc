/**
 * Letters of bitmaps. They stand on quarters of pixels across and on whole pixels down, and their outlines are lines
 * between 64ths of pixels. resvg calculates with 256ths, so it draws a letter the same on every pixel.
 */
import { LRUCache } from 'lru-cache';
import { getOrMake } from '../kept.ts';
import type { TextBlock } from '../protocol.ts';
import type { OutlineCommand } from '../vector/pdf-objects.ts';
import type { Weight } from './font.ts';
import { textFont } from './letters.ts';
import { ADVANCE, NARROWNESS } from './text.ts';

/** Units of outlines and places in a pixel. */
export const PIXEL_UNITS = 64;
const STEPS = 4;
const STEP_UNITS = PIXEL_UNITS / STEPS;

/** What all letters of a text have in common. */
export type LetterStyle = Readonly<{ weight: Weight; sizePx: number }>;

/** An outline in units, from the start of its baseline, with y downwards. */
export interface PixelOutline {
  /** Where its first line begins, and relative path data from there; '' for a letter that is blank. */
  readonly fromX: number;
  readonly fromY: number;
  readonly path: string;
  /** The whole pixels that it reaches. */
  readonly leftPx: number;
  readonly topPx: number;
  readonly rightPx: number;
  readonly bottomPx: number;
}

const MAX_BYTES = 4 * 1024 * 1024;
const outlines = new LRUCache<string, PixelOutline>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ path }) => 256 + path.length,
});

const BLANK: PixelOutline = { fromX: 0, fromY: 0, path: '', leftPx: 0, topPx: 0, rightPx: 0, bottomPx: 0 };

/** Returns by what a style is kept. */
export const styleKeyOf = ({ weight, sizePx }: LetterStyle): string => `${weight} ${sizePx}`;

/** Returns the outline of a letter, which is filled by the rule `nonzero`. */
export const pixelOutlineOf = (character: string, style: LetterStyle): PixelOutline =>
  getOrMake(outlines, `${styleKeyOf(style)} ${character}`, () => {
    const file = textFont(style.weight);
    const scale = (style.sizePx * PIXEL_UNITS) / file.unitsPerEm;
    const { commands } = file.glyphForCodePoint(character.codePointAt(0)!).path;
    return commands.length === 0 ? BLANK : writeOutline(commands, scale);
  });

/** Most lines for a curve. */
const LINES_MAX = 64;

/** Returns how many lines are nowhere further than a unit from a quadratic curve. */
const linesOf = (x0: number, y0: number, x1: number, y1: number, x2: number, y2: number): number => {
  const bend = Math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2);
  return Math.min(LINES_MAX, Math.max(1, Math.ceil(Math.sqrt(bend) / 2)));
};

const writeOutline = (commands: readonly OutlineCommand[], scale: number): PixelOutline => {
  let path = '';
  let [x, y, startX, startY, fromX, fromY] = [0, 0, 0, 0, 0, 0];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const step = (letter: 'm' | 'l', toX: number, toY: number): void => {
    const [dx, dy] = [toX - x, toY - y];
    if (letter === 'l' && dx === 0 && dy === 0) return;
    path += `${letter}${dx}${dy < 0 ? '' : ' '}${dy}`;
    [x, y] = [toX, toY];
  };
  const reach = (): void => {
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
  };
  for (const [index, { command, args }] of commands.entries()) {
    const points = args.map((value, at) => value * scale * (at % 2 === 0 ? NARROWNESS : -1));
    if (command === 'closePath') {
      path += 'z';
      [x, y] = [startX, startY];
      continue;
    }
    if (command === 'quadraticCurveTo') {
      const [byX, byY, toX, toY] = points as [number, number, number, number];
      const [x0, y0] = [x, y];
      const lines = linesOf(x0, y0, byX, byY, toX, toY);
      for (let line = 1; line <= lines; line += 1) {
        const share = line / lines;
        const [first, middle, last] = [(1 - share) ** 2, 2 * share * (1 - share), share ** 2];
        step(
          'l',
          Math.round(first * x0 + middle * byX + last * toX),
          Math.round(first * y0 + middle * byY + last * toY),
        );
        reach();
      }
      continue;
    }
    const [toX, toY] = points.map(Math.round) as [number, number];
    if (index === 0) [fromX, fromY, x, y] = [toX, toY, toX, toY];
    else step(command === 'moveTo' ? 'm' : 'l', toX, toY);
    if (command === 'moveTo') [startX, startY] = [x, y];
    reach();
  }
  return {
    ...{ fromX, fromY, path },
    leftPx: Math.floor(left / PIXEL_UNITS),
    topPx: Math.floor(top / PIXEL_UNITS),
    // A letter may stand between pixels.
    rightPx: Math.ceil(right / PIXEL_UNITS) + 1,
    bottomPx: Math.ceil(bottom / PIXEL_UNITS),
  };
};

/** A line of text: its baseline, and the place of each letter in units. */
export interface PlacedLine {
  readonly baselinePx: number;
  readonly letters: readonly PlacedLetter[];
}

/** A letter and its place across in units. */
export type PlacedLetter = Readonly<{ character: string; x: number }>;

/** Returns where the letters of a text stand. */
export const placeLetters = ({ sizePx, lines }: Pick<TextBlock, 'sizePx' | 'lines'>): readonly PlacedLine[] =>
  lines.map(({ text, xPx, baselinePx }) => ({
    baselinePx: Math.round(baselinePx),
    letters: [...text].map((character, place) => ({
      character,
      x: Math.round((xPx + place * ADVANCE * sizePx) * STEPS) * STEP_UNITS,
    })),
  }));

/** Returns the style of a text. */
export const styleOf = ({ weight, sizePx }: Pick<TextBlock, 'weight' | 'sizePx'>): LetterStyle => ({
  weight: weight ?? 'regular',
  sizePx,
});

/** Returns path data of a letter at a place in units. */
export const letterPath = (character: string, style: LetterStyle, x: number, y: number): string => {
  const { fromX, fromY, path } = pixelOutlineOf(character, style);
  return path === '' ? '' : `M${x + fromX} ${y + fromY}${path}`;
};

/** Returns the outlines of a text as path data in units, from the corner of the canvas. */
export const outlinePixels = (text: TextBlock): string => {
  const style = styleOf(text);
  return placeLetters(text)
    .flatMap(({ baselinePx, letters }) =>
      letters.map(({ character, x }) => letterPath(character, style, x, baselinePx * PIXEL_UNITS)),
    )
    .join('');
};
