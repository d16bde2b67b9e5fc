/** Text beside a picture as outlines, so that no printer needs a font. */
import { createRequire } from 'node:module';
import { LRUCache } from 'lru-cache';
import type PDFDocument from 'pdfkit';
import { getOrMake } from '../kept.ts';
import type { ShapedGlyph, TextBlock, TextLine } from '../protocol.ts';
import { knownFaceOf, widthShareOf } from '../shaping/chain.ts';
import { type FontFile, type OutlineCommand, openFont } from '../vector/pdf-objects.ts';
import { fontPath, type Weight } from './font.ts';
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
const fonts = new Map<Weight, FontFile>();
const outlines = new Map<string, Outline | 'blank'>();

/** Returns the font of texts. It is loaded with the first text, since that takes a quarter of a second. */
export const textFont = (weight: Weight = 'regular'): FontFile =>
  getOrMake(fonts, weight, () => {
    const pdfkit = require('pdfkit') as typeof PDFDocument;
    return openFont(new pdfkit({ font: null as unknown as string }), fontPath(weight)).file;
  });

/**
 * Returns an outline, relative and in whole units, so that it is the same anywhere.
 *
 * @param widthShare How wide it is drawn, of what the font has.
 */
const writeOutline = (
  commands: readonly OutlineCommand[],
  unitsPerEm: number,
  widthShare: number,
): Outline | 'blank' => {
  const scale = UNITS / unitsPerEm;
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const write = (letter: string, points: readonly number[]): string => {
    const steps = points.map((value, index) => Math.round(value) - (index % 2 === 0 ? x : y));
    [x, y] = points.slice(-2).map(Math.round) as [number, number];
    return letter + steps.join(' ').replaceAll(' -', '-');
  };
  const draw = ({ command, args }: OutlineCommand): string => {
    const points = args.map((value, index) => value * scale * (index % 2 === 0 ? widthShare : -1));
    if (command === 'moveTo') {
      const moved = write('m', points);
      [startX, startY] = [x, y];
      return moved;
    }
    if (command === 'lineTo') return write('l', points);
    if (command === 'bezierCurveTo') return write('c', points);
    if (command === 'closePath') {
      [x, y] = [startX, startY];
      return 'z';
    }
    // The same curve as a cubic: each control point is two thirds of the way to that of the quadratic one.
    const [byX, byY, toX, toY] = points as [number, number, number, number];
    const toward = (from: number, by: number): number => from + (2 / 3) * (by - from);
    return write('c', [toward(x, byX), toward(y, byY), toward(toX, byX), toward(toY, byY), toX, toY]);
  };
  const [first, ...others] = commands;
  if (first === undefined) return 'blank';
  draw(first);
  return { fromX: x, fromY: y, path: others.map(draw).join('') };
};

/** Returns the outline of a letter that is set by itself. */
const outlineOf = (character: string, weight: Weight): Outline | 'blank' =>
  getOrMake(outlines, `${weight} ${character}`, () => {
    const file = textFont(weight);
    const { commands } = file.glyphForCodePoint(character.codePointAt(0)!).path;
    return writeOutline(commands, file.unitsPerEm, NARROWNESS);
  });

/** Glyphs in use: an outline takes some 500 bytes, those of Chinese twice as many. */
const KEPT_GLYPHS = 4000;
const glyphOutlines = new LRUCache<string, Outline | 'blank'>({ max: KEPT_GLYPHS });

/** Returns the outline of a glyph that was set by a font. */
const glyphOutlineOf = ({ font, glyph }: ShapedGlyph): Outline | 'blank' =>
  getOrMake(glyphOutlines, `${font} ${glyph}`, () => {
    const face = knownFaceOf(font);
    return writeOutline(face.outlineOf(glyph).commands, face.unitsPerEm, widthShareOf(font));
  });

/** Returns the outlines of a line and their places in units, from the start of its baseline. */
const outlinesOfLine = (
  { text, shaped }: Pick<TextLine, 'text' | 'shaped'>,
  weight: Weight,
): readonly { readonly outline: Outline; readonly x: number; readonly y: number }[] => {
  const placed =
    shaped === undefined
      ? [...text].map((character, place) => ({
          outline: outlineOf(character, weight),
          ...{ x: place * ADVANCE * UNITS, y: 0 },
        }))
      : shaped.glyphs.map((glyph) => ({
          outline: glyphOutlineOf(glyph),
          ...{ x: glyph.x * UNITS, y: Math.round(-glyph.y * UNITS) },
        }));
  return placed.flatMap(({ outline, x, y }) => (outline === 'blank' ? [] : [{ outline, x, y }]));
};

/** Characters whose regular outlines do not overlap themselves: both rules fill them alike. */
const PLAIN = /^[ -~]*$/;

/** A letter: where its outline begins, in units from the corner of the canvas, and relative path data from there. */
export type PlacedOutline = Readonly<{ x: number; y: number; path: string }>;

/** Path data of a text, its letters one by one, the pixels per unit, and the rule by which it is filled. */
export interface TextOutline {
  readonly path: string;
  readonly letters: readonly PlacedOutline[];
  readonly scalePx: number;
  readonly rule: 'evenodd' | 'nonzero';
}

/** Returns the outlines of a text. Their origin is the corner of the canvas. */
export const outlineText = ({ sizePx, lines, ...block }: TextBlock): TextOutline => {
  const weight: Weight = block.weight ?? 'regular';
  const scalePx = sizePx / UNITS;
  const letters: PlacedOutline[] = [];
  let data = '';
  for (const line of lines) {
    const baseline = Math.round(line.baselinePx / scalePx);
    for (const { outline, ...place } of outlinesOfLine(line, weight)) {
      const x = Math.round(line.xPx / scalePx + place.x) + outline.fromX;
      const y = baseline + place.y + outline.fromY;
      letters.push({ x, y, path: outline.path });
      data += `M${x} ${y}${outline.path}`;
    }
  }
  const isPlain =
    weight === 'regular' && lines.every(({ text, shaped }) => shaped === undefined && PLAIN.test(text));
  return { path: data, letters, scalePx, rule: isPlain ? 'evenodd' : 'nonzero' };
};
