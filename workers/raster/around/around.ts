/**
 * Draws words and frames around pictures of the plain and the stamped lane, without a rasteriser: letters and frames are
 * kept as rows of differences. The pixels are those that the reference draws.
 */
import { LRUCache } from 'lru-cache';
import type { Geometry } from '../../design/geometry.ts';
import { getOrMake } from '../../kept.ts';
import type { Design, Logo, Surround } from '../../protocol.ts';
import type { QrSymbol } from '../../symbol/symbol.ts';
import { endStream, openStream } from '../deflate/bits.ts';
import { beginBlock } from '../deflate/block.ts';
import { writeGlyphRows } from '../deflate/deflate-glyphs.ts';
import {
  addRows,
  beginRows,
  countRows,
  fewestCounts,
  type Modules,
  type Rows,
  type RowsCode,
  type RowTokens,
  rowsCodeOf,
  writeRows,
} from '../deflate/deflate-rows.ts';
import { randomSymbol } from '../glyphs.ts';
import { type SolidColors, wholePixels } from '../lane.ts';
import { paletteOf } from '../pixels.ts';
import { partsOf } from '../plain.ts';
import { COLOR_TYPE, pngOf } from '../png-file.ts';
import { stampedPicture } from '../stamp.ts';
import { edgesOf, frameLayerOf } from './frame-rows.ts';
import { figureLines } from './letters.ts';
import {
  boxOf,
  type Canvas,
  canvasOf,
  colorOn,
  MAX_COLORS,
  paletteFor,
  placeTexts,
  rampOf,
} from './palette.ts';

/** A text of which the codes are made: its letters are as frequent as in captions. */
const SAMPLE = 'Article 0123456789: Room 12, Shelf 345, No. 678 Entrance';
const SAMPLE_PX = 32;
const SAMPLE_WIDTH_PX = 1100;
const NO_EDGES: Rows['edges'] = [];

const sampleText = (): RowTokens => {
  const lines = [{ text: SAMPLE, xPx: 8, baselinePx: SAMPLE_PX }];
  const out = beginRows(SAMPLE_WIDTH_PX + 1, 2 * SAMPLE_PX);
  const text = figureLines({ heightPx: 0, sizePx: SAMPLE_PX, lines })!;
  const rows = { fromRow: 0, toRow: 2 * SAMPLE_PX, ground: 0, modules: null, edges: NO_EDGES, lines: text };
  if (!addRows(out, rows)) throw new Error('the letters of a text overlap');
  return out;
};

/** 3 kB each. */
const MAX_CODES = 256;
const codes = new LRUCache<string, RowsCode>({ max: MAX_CODES });

/** Returns the code for rows of a size. The same rows have the same code, whatever was drawn before. */
const codeFor = (stride: number, rows: Rows, dot = 0): RowsCode => {
  const { fromRow, toRow, ground, modules, lines } = rows;
  const hasText = lines.length > 0;
  const place = modules === null ? '' : `${modules.xPx} ${modules.yPx} ${modules.modulePx} ${modules.size}`;
  const key = `${stride} ${fromRow} ${toRow} ${ground} ${hasText} ${dot} ${place}`;
  return getOrMake(codes, key, () => {
    const counts = fewestCounts();
    const out = beginRows(stride, toRow, fromRow);
    const random = modules && { ...modules, indices: randomIndices(modules.size, dot) };
    if (!addRows(out, { ...rows, modules: random, edges: NO_EDGES, lines: [] }))
      throw new Error('the modules of a symbol overlap');
    countRows(counts, out);
    if (hasText) countRows(counts, sampleText());
    return rowsCodeOf(counts);
  });
};

/** Returns random modules of the background and of the colour of dots. */
const randomIndices = (size: number, dot: number): Uint8Array =>
  randomSymbol(size).modules.map((module) => module * dot);

const modulesOf = (
  symbol: QrSymbol,
  geometry: Geometry,
  { leftPx, topPx }: Surround,
  parts: readonly number[],
): Modules => {
  const { xPx, yPx, modulePx } = wholePixels(geometry);
  const indices = partsOf(symbol);
  for (let i = 0; i < indices.length; i += 1) indices[i] = parts[indices[i]!]!;
  return { xPx: leftPx + xPx, yPx: topPx + yPx, modulePx, size: symbol.size, indices };
};

/**
 * Draws a picture of the plain lane with what stands around it. `null` where it has to be put together pixel by pixel:
 * texts of several colours on one ground, over the edge of a frame, or touching each other; and letters of posters.
 */
export const drawPlainAround = (
  symbol: QrSymbol,
  design: Design,
  geometry: Geometry,
  solidColors: SolidColors,
  around: Surround,
): Uint8Array<ArrayBuffer> | null => {
  const canvas = canvasOf(design, around);
  const { widthPx, heightPx } = canvas;
  const texts = placeTexts(around, canvas);
  if (texts === null) return null;
  const layer = around.frame === undefined ? null : frameLayerOf(design, around, solidColors.background);
  const palette = paletteFor(texts, layer, solidColors);
  if (palette === null) return null;
  const rows: Rows = {
    ...{ fromRow: 0, toRow: heightPx, ground: 0 },
    modules: modulesOf(symbol, geometry, around, palette.parts),
    edges: layer === null ? NO_EDGES : edgesOf(layer, palette.frame),
    lines: texts.flatMap(({ lines }) => lines),
  };
  const code = codeFor(widthPx + 1, rows, palette.parts[1]);
  const out = beginRows(widthPx + 1, heightPx);
  if (!addRows(out, rows)) return null;
  const bits = openStream();
  beginBlock(bits, code.head, true);
  writeRows(bits, out, code);
  const compressed = endStream(bits, out.low, out.high);
  return pngOf(formatOf(canvas, palette.bytes), compressed);
};

const formatOf = (canvas: Canvas, palette: Uint8Array) =>
  ({ ...canvas, bitDepth: 8, colorType: COLOR_TYPE.indexed, palette }) as const;

/**
 * Draws a picture of the stamped lane with texts above and below it. `null` where it has to be put together pixel by
 * pixel: as in `drawPlainAround`, and with more colours than a palette has.
 */
export const drawStampedAround = (
  symbol: QrSymbol,
  design: Design,
  geometry: Geometry,
  solidColors: SolidColors,
  logo: Logo | null,
  around: Surround,
): Uint8Array<ArrayBuffer> | null => {
  const { topPx } = around;
  const canvas = canvasOf(design, around);
  const texts = placeTexts(around, canvas);
  const color = texts === null ? null : colorOn(texts);
  if (texts === null || color === null || color === 'several') return null;
  const stamped = stampedPicture(symbol, design, geometry, solidColors, logo);
  if (stamped === null) return null;
  // The steps of texts follow the background in palettes, so it is there twice.
  const ground = stamped.palette.length / 4;
  const palette = [...stamped.palette, ...paletteOf(rampOf(color, solidColors.background))];
  if (palette.length > 4 * MAX_COLORS) return null;
  const { widthPx, heightPx } = canvas;
  const stride = widthPx + 1;
  const bottomPx = topPx + design.heightPx;
  const lines = texts.flatMap((text) => text.lines);
  const strip = (fromRow: number, toRow: number): Rows => ({
    ...{ fromRow, toRow, ground, modules: null, edges: NO_EDGES },
    lines: lines.filter(({ topPx: top }) => top >= fromRow && top < toRow),
  });
  const [above, below] = [strip(0, topPx), strip(bottomPx, heightPx)];
  const isHeld = holdsLines(above) && holdsLines(below);
  if (!isHeld || above.lines.length + below.lines.length < lines.length) return null;

  const bits = openStream();
  const sums = { low: 1, high: stride * heightPx };
  const writeStrip = (rows: Rows, isLast: boolean): boolean => {
    if (rows.fromRow === rows.toRow) return true;
    const code = codeFor(stride, rows);
    const out = beginRows(stride, heightPx, rows.fromRow);
    Object.assign(out, sums);
    if (!addRows(out, rows)) return false;
    beginBlock(bits, code.head, isLast);
    writeRows(bits, out, code);
    Object.assign(sums, { low: out.low, high: out.high });
    return true;
  };
  if (!writeStrip(above, false)) return null;
  beginBlock(bits, stamped.code.head, bottomPx === heightPx);
  const picture = { ...stamped.picture, heightPx, yPx: topPx + stamped.picture.yPx };
  writeGlyphRows(bits, sums, picture, stamped.code, { fromRow: topPx, toRow: bottomPx });
  if (!writeStrip(below, true)) return null;
  const compressed = endStream(bits, sums.low, sums.high);
  return pngOf(formatOf(canvas, Uint8Array.from(palette)), compressed);
};

/** Whether all letters begin below the first row, which has no differences, and end within the rows. */
const holdsLines = ({ fromRow, toRow, lines }: Rows): boolean =>
  lines.every((line) => line.topPx > fromRow && boxOf(line).bottom <= toRow);
