/** Text below a picture as outlines, so that no printer needs a font. */
import { createRequire } from 'node:module';
import type PDFDocument from 'pdfkit';
import { getOrMake } from '../kept.ts';
import type { Design, HexColor, TextBlock } from '../protocol.ts';
import { type FontFile, type OutlineCommand, openFont } from '../vector/pdf-objects.ts';
import { ADVANCE, NARROWNESS } from './text.ts';

/** Where the first line of a letter begins, from the start of the baseline, and how it continues from there. */
interface Outline {
  readonly fromX: number;
  readonly fromY: number;
  readonly path: string;
}

/** Of an em. A letter of few pixels is as exact as renderers are. */
const UNITS = 1000;

const require = createRequire(import.meta.url);
let font: FontFile | null = null;
const outlines = new Map<string, Outline>();

/** Returns the font of texts. It is loaded with the first text, since that takes a quarter of a second. */
export const textFont = (): FontFile => {
  if (font !== null) return font;
  const pdfkit = require('pdfkit') as typeof PDFDocument;
  const path = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf');
  font = openFont(new pdfkit({ font: null as unknown as string }), path).file;
  return font;
};

/** Returns the outline of a letter, relative and in whole units, so that it is the same anywhere. */
const outlineOf = (character: string): Outline =>
  getOrMake(outlines, character, () => {
    const file = textFont();
    const scale = UNITS / file.unitsPerEm;
    let [x, y, startX, startY] = [0, 0, 0, 0];
    const write = (letter: string, points: readonly number[]): string => {
      const steps = points.map((value, index) => Math.round(value) - (index % 2 === 0 ? x : y));
      [x, y] = points.slice(-2).map(Math.round) as [number, number];
      return letter + steps.join(' ').replaceAll(' -', '-');
    };
    const draw = ({ command, args }: OutlineCommand): string => {
      const points = args.map((value, index) => value * scale * (index % 2 === 0 ? NARROWNESS : -1));
      if (command === 'moveTo') {
        const moved = write('m', points);
        [startX, startY] = [x, y];
        return moved;
      }
      if (command === 'lineTo') return write('l', points);
      if (command === 'closePath') {
        [x, y] = [startX, startY];
        return 'z';
      }
      // The same curve as a cubic: each control point is two thirds of the way to that of the quadratic one.
      const [byX, byY, toX, toY] = points as [number, number, number, number];
      const toward = (from: number, by: number): number => from + (2 / 3) * (by - from);
      return write('c', [toward(x, byX), toward(y, byY), toward(toX, byX), toward(toY, byY), toX, toY]);
    };
    const [first, ...others] = file.glyphForCodePoint(character.codePointAt(0)!).path.commands;
    draw(first!);
    return { fromX: x, fromY: y, path: others.map(draw).join('') };
  });

/**
 * Returns path data of a text, to be filled by the even-odd rule, and the pixels per unit. Its origin is the corner of
 * the canvas.
 */
export const outlineText = ({
  sizePx,
  lines,
}: TextBlock): { readonly path: string; readonly scalePx: number } => {
  const scalePx = sizePx / UNITS;
  const letters = lines.flatMap(({ text, xPx, baselinePx }) =>
    [...text].map((character, place) => {
      const { fromX, fromY, path } = outlineOf(character);
      const x = Math.round(xPx / scalePx + place * ADVANCE * UNITS);
      return `M${x + fromX} ${Math.round(baselinePx / scalePx) + fromY}${path}`;
    }),
  );
  return { path: letters.join(''), scalePx };
};

/** Returns the colour of text: that of the dots, or the first of their gradient. */
export const textPaint = ({ dots: { paint } }: Pick<Design, 'dots'>): HexColor =>
  typeof paint === 'string' ? paint : paint.colorStops[0]!.color;
