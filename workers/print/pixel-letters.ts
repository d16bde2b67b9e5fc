/**
 * Letters of bitmaps. They stand on quarters of pixels across and on whole pixels down, and their outlines are lines
 * between 64ths of pixels. resvg calculates with 256ths, so it draws a letter the same on every pixel.
 */
import { LRUCache } from 'lru-cache';
import { getOrMake } from '../kept.ts';
import type { ShapedGlyph, ShapedText, TextBlock } from '../protocol.ts';
import { knownFaceOf, widthShareOf } from '../shaping/chain.ts';
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

/** Between the parts of a glyph's key. No font has it as a character. */
const PART = '\t';

/** Returns by what a glyph at some height over its baseline is known among letters. */
const keyOfGlyph = ({ font, glyph, y }: ShapedGlyph, sizePx: number): string =>
  [font, glyph, Math.round(y * sizePx * PIXEL_UNITS)].join(PART);

const glyphOutlineOf = (key: string, sizePx: number): PixelOutline => {
  const [font, glyph, y] = key.split(PART) as [string, string, string];
  const face = knownFaceOf(font);
  const { commands } = face.outlineOf(Number(glyph));
  const scale = (sizePx * PIXEL_UNITS) / face.unitsPerEm;
  return writeOutline(commands, scale, { widthShare: widthShareOf(font), raised: Number(y) });
};

const letterOutlineOf = (character: string, { weight, sizePx }: LetterStyle): PixelOutline => {
  const file = textFont(weight);
  const scale = (sizePx * PIXEL_UNITS) / file.unitsPerEm;
  const { commands } = file.glyphForCodePoint(character.codePointAt(0)!).path;
  return writeOutline(commands, scale, { widthShare: NARROWNESS, raised: 0 });
};

/** Returns the outline of a letter, which is filled by the rule `nonzero`. @param character Or the key of a glyph. */
export const pixelOutlineOf = (character: string, style: LetterStyle): PixelOutline =>
  getOrMake(outlines, `${styleKeyOf(style)} ${character}`, () =>
    character.includes(PART) ? glyphOutlineOf(character, style.sizePx) : letterOutlineOf(character, style),
  );

/** Most lines for a curve. */
const LINES_MAX = 64;

/** Returns how many lines are nowhere further than a unit from a quadratic curve. */
const linesOf = (x0: number, y0: number, x1: number, y1: number, x2: number, y2: number): number => {
  const bend = Math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2);
  return Math.min(LINES_MAX, Math.max(1, Math.ceil(Math.sqrt(bend) / 2)));
};

/** Returns how many lines are nowhere further than a unit from a cubic curve. */
const linesOfCubic = ([x0, y0, x1, y1, x2, y2, x3, y3]: readonly number[]): number => {
  const first = Math.hypot(x0! - 2 * x1! + x2!, y0! - 2 * y1! + y2!);
  const second = Math.hypot(x1! - 2 * x2! + x3!, y1! - 2 * y2! + y3!);
  return Math.min(LINES_MAX, Math.max(1, Math.ceil(Math.sqrt((3 * Math.max(first, second)) / 4))));
};

/** Returns the ends of the lines of a cubic curve. */
const pointsOfCubic = (points: readonly number[]): readonly (readonly [number, number])[] => {
  const lines = linesOfCubic(points);
  return Array.from({ length: lines }, (_, line) => {
    const share = (line + 1) / lines;
    const rest = 1 - share;
    const weights = [rest ** 3, 3 * rest ** 2 * share, 3 * rest * share ** 2, share ** 3];
    const sum = (from: number): number =>
      Math.round(weights.reduce((total, weight, at) => total + weight * points[from + 2 * at]!, 0));
    return [sum(0), sum(1)];
  });
};

/** @param drawn How wide it is drawn, of what the font has, and how many units it is raised. */
const writeOutline = (
  commands: readonly OutlineCommand[],
  scale: number,
  { widthShare, raised }: Readonly<Record<'widthShare' | 'raised', number>>,
): PixelOutline => {
  if (commands.length === 0) return BLANK;
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
    const points = args.map((value, at) =>
      at % 2 === 0 ? value * scale * widthShare : -value * scale - raised,
    );
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
    if (command === 'bezierCurveTo') {
      for (const [toX, toY] of pointsOfCubic([x, y, ...points])) {
        step('l', toX, toY);
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

/** A letter, which may be the key of a glyph, and its place across in units. */
export type PlacedLetter = Readonly<{ character: string; x: number }>;

/** Places stand on quarters of pixels. */
const placeOf = (xPx: number): number => Math.round(xPx * STEPS) * STEP_UNITS;

/** Returns the glyphs of a line that is shaped, from left to right by where they are drawn: marks may reach back. */
const placeGlyphs = ({ glyphs }: ShapedText, xPx: number, style: LetterStyle): readonly PlacedLetter[] => {
  const letters = glyphs.map((glyph) => {
    const character = keyOfGlyph(glyph, style.sizePx);
    const x = placeOf(xPx + glyph.x * style.sizePx);
    return { character, x, left: Math.floor(x / PIXEL_UNITS) + pixelOutlineOf(character, style).leftPx };
  });
  return letters.sort((one, other) => one.left - other.left);
};

/** Returns where the letters of a text stand. */
export const placeLetters = ({ lines, ...text }: TextBlock): readonly PlacedLine[] =>
  lines.map(({ text: written, xPx, baselinePx, shaped }) => ({
    baselinePx: Math.round(baselinePx),
    letters:
      shaped === undefined
        ? [...written].map((character, place) => ({
            character,
            x: placeOf(xPx + place * ADVANCE * text.sizePx),
          }))
        : placeGlyphs(shaped, xPx, styleOf(text)),
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
