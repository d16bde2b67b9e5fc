/** Text in black dots. Each letter has the same dots wherever it stands. */
import { LRUCache } from 'lru-cache';
import { svgElement, writeElement } from '../../design/markup.ts';
import { getOrMake } from '../../kept.ts';
import type { ShapedGlyph } from '../../protocol.ts';
import { type Pixels, rasterise } from '../../raster/rasterise.ts';
import { knownFaceOf } from '../../shaping/chain.ts';
import type { DocumentFont, FontFile, OutlineCommand } from '../../vector/pdf-objects.ts';
import type { PlacedCaption, PlacedLine } from '../captions.ts';
import { type Canvas, type Ink, inkOf, lightOf, toCanvas } from './bitmap.ts';

/** A letter, and the distance of its top left corner from the place where it begins on the baseline. */
interface Letter extends Canvas {
  readonly leftDots: number;
  readonly topDots: number;
}

/** A letter, and the place of its top left corner on the page. */
interface PlacedLetter {
  readonly letter: Letter;
  readonly leftDots: number;
  readonly topDots: number;
}

/** Letters in all sizes of a document in Latin script; one at 600 dpi takes 10 kB at most. */
const KEPT_LETTERS = 2000;
/**
 * A dot that a letter covers by a third is black: the strokes of the smallest type at 203 dpi are three quarters of a dot
 * wide, so the half of one may lie in each of two dots. In a letter that would lose a thinner stroke, as the line of `_`
 * is, a quarter is enough.
 */
const BLACK_BELOW = { usual: 170, thin: 195 };
const PT_PER_INCH = 72;

const COMMANDS: Readonly<Record<string, string>> = {
  moveTo: 'M',
  lineTo: 'L',
  quadraticCurveTo: 'Q',
  bezierCurveTo: 'C',
  closePath: 'z',
};

const toPath = (commands: readonly OutlineCommand[]): string =>
  commands.map(({ command, args }) => `${COMMANDS[command]}${args.join(' ')}`).join('');

/** A letter that has less of its area in black dots lacks a stroke. */
const LEAST_SHARE = 0.8;

/** Returns the dots of an outline. */
const blacken = (pixels: Pixels): Canvas => {
  const canvas = toCanvas(pixels, BLACK_BELOW.usual);
  const black = canvas.dots.reduce((sum, dot) => sum + dot, 0);
  const area = pixels.colors.reduce((sum, color) => sum + 255 - lightOf(color), 0) / 255;
  return black < LEAST_SHARE * area ? toCanvas(pixels, BLACK_BELOW.thin) : canvas;
};

/** Returns the dots of an outline. @param scale Dots in a unit of its font. */
const drawOutline = (commands: readonly OutlineCommand[], scale: number): Letter => {
  const points = commands.flatMap(({ args }) => args);
  const xs = points.filter((_, i) => i % 2 === 0).map((x) => x * scale);
  const ys = points.filter((_, i) => i % 2 === 1).map((y) => -y * scale);
  const [leftDots, topDots] = [Math.floor(Math.min(0, ...xs)), Math.floor(Math.min(0, ...ys))];
  const width = Math.max(1, Math.ceil(Math.max(0, ...xs)) - leftDots);
  const height = Math.max(1, Math.ceil(Math.max(0, ...ys)) - topDots);
  // In the outlines of a font y points upwards.
  const transform = `matrix(${scale} 0 0 ${-scale} ${-leftDots} ${-topDots})`;
  const outline = writeElement('path', { transform, d: toPath(commands) });
  return { ...blacken(rasterise(svgElement({ width, height }, outline))), leftDots, topDots };
};

/** Returns the dots of a letter. @param sizeDots That of the type. */
const drawLetter = (file: FontFile, character: string, sizeDots: number): Letter =>
  drawOutline(file.glyphForCodePoint(character.codePointAt(0)!).path.commands, sizeDots / file.unitsPerEm);

/** Returns the dots of a glyph that was set by a font. */
const drawGlyph = ({ font, glyph }: ShapedGlyph, sizeDots: number): Letter => {
  const face = knownFaceOf(font);
  return drawOutline(face.outlineOf(glyph).commands, sizeDots / face.unitsPerEm);
};

/** Sets the dots of a letter on a canvas, from a place on; what lies outside of the canvas is left out. */
const stamp = (canvas: Canvas, { dots, widthDots, heightDots }: Letter, left: number, top: number): void => {
  for (let i = 0; i < widthDots * heightDots; i += 1) {
    const x = left + (i % widthDots);
    const y = top + Math.floor(i / widthDots);
    if (dots[i] === 0 || x < 0 || y < 0 || x >= canvas.widthDots || y >= canvas.heightDots) continue;
    canvas.dots[y * canvas.widthDots + x] = 1;
  }
};

/** Makes the function that draws captions. @param page Nothing is drawn outside of it. */
export const createLetters = (
  { file, widthOf }: Pick<DocumentFont, 'file' | 'widthOf'>,
  page: Readonly<Record<'widthDots' | 'heightDots', number>>,
  dpi: number,
) => {
  const kept = new LRUCache<string, Letter>({ max: KEPT_LETTERS });
  const dotsPerPt = dpi / PT_PER_INCH;

  const letterOf = (character: string, sizeDots: number): Letter =>
    getOrMake(kept, `${character} ${sizeDots}`, () => drawLetter(file, character, sizeDots));

  const placeGlyph = (glyph: ShapedGlyph, { xPt, yPt }: PlacedLine, sizePt: number): PlacedLetter => {
    const sizeDots = sizePt * dotsPerPt;
    const letter = getOrMake(kept, `${glyph.font} ${glyph.glyph} ${sizeDots}`, () =>
      drawGlyph(glyph, sizeDots),
    );
    const leftDots = Math.round(xPt * dotsPerPt + glyph.x * sizeDots) + letter.leftDots;
    const baselineDots = Math.round(yPt * dotsPerPt) - Math.round(glyph.y * sizeDots);
    return { letter, leftDots, topDots: baselineDots + letter.topDots };
  };

  const placeLetters = ({ sizePt, lines }: PlacedCaption): readonly PlacedLetter[] =>
    lines.flatMap((line) => {
      const { text, xPt, yPt, shaped } = line;
      if (shaped !== undefined) return shaped.glyphs.map((glyph) => placeGlyph(glyph, line, sizePt));
      const baselineDots = Math.round(yPt * dotsPerPt);
      let penPt = xPt;
      return [...text].map((character) => {
        const letter = letterOf(character, sizePt * dotsPerPt);
        const leftDots = Math.round(penPt * dotsPerPt) + letter.leftDots;
        penPt += widthOf(character) * sizePt;
        return { letter, leftDots, topDots: baselineDots + letter.topDots };
      });
    });

  /** Returns the ink of a caption on the page; `null`: it has none. */
  return (caption: PlacedCaption): Ink | null => {
    const letters = placeLetters(caption);
    if (letters.length === 0) return null;
    const within = (value: number, most: number): number => Math.min(Math.max(value, 0), most);
    const spanOf = (starts: readonly number[], ends: readonly number[], most: number) => {
      const from = within(Math.min(...starts), most);
      return { from, length: Math.max(0, within(Math.max(...ends), most) - from) };
    };
    const across = spanOf(
      letters.map(({ leftDots }) => leftDots),
      letters.map(({ leftDots, letter }) => leftDots + letter.widthDots),
      page.widthDots,
    );
    const down = spanOf(
      letters.map(({ topDots }) => topDots),
      letters.map(({ topDots, letter }) => topDots + letter.heightDots),
      page.heightDots,
    );
    const size = { widthDots: across.length, heightDots: down.length };
    const canvas = { ...size, dots: new Uint8Array(across.length * down.length) };
    for (const { letter, leftDots, topDots } of letters)
      stamp(canvas, letter, leftDots - across.from, topDots - down.from);
    return inkOf(canvas, across.from, down.from);
  };
};
