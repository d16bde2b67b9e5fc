/** Words and frames around pictures that are put together pixel by pixel. */
import type { Geometry } from '../../design/geometry.ts';
import type { Design, Logo, Surround } from '../../protocol.ts';
import type { QrSymbol } from '../../symbol/symbol.ts';
import type { Figure } from '../deflate/deflate-rows.ts';
import { RUN } from '../deflate/row-code.ts';
import { layeredPixels, photoRows } from '../layered.ts';
import { type PixelColor, paintOver } from '../pixels.ts';
import { encodePixels } from '../png.ts';
import type { Pixels } from '../rasterise.ts';
import { frameColors } from './frame-rows.ts';
import { coverageOf } from './letters.ts';
import { canvasOf, placeTexts } from './palette.ts';

/** Pixels with what stands around the code, reused. */
let scratch = new Int32Array(0);

/**
 * Draws any other picture whose code is drawn without the reference: the code as in the layered lane, on what is behind
 * it, and the letters pixel by pixel. `null` where only the reference draws it: letters of posters, and texts beyond the
 * canvas.
 *
 * @param bleedPx Pixels on each side of the design that have nothing but background.
 */
export const drawLayeredAround = (
  symbol: QrSymbol,
  design: Design,
  geometry: Geometry,
  logo: Logo | null,
  around: Surround,
  bleedPx: number,
): Uint8Array<ArrayBuffer> | null => {
  const { leftPx, topPx } = around;
  const canvas = canvasOf(design, around);
  const texts = placeTexts(around, canvas);
  if (texts === null) return null;
  const { widthPx, heightPx } = canvas;
  const behind = frameColors(design, around).colors;
  if (scratch.length < behind.length) scratch = new Int32Array(behind.length);
  const colors = scratch.subarray(0, behind.length);
  colors.set(behind);
  const code = layeredPixels(symbol, design, geometry, logo);
  const end = code.widthPx - bleedPx;
  for (let y = bleedPx; y < code.heightPx - bleedPx; y += 1) {
    const row = code.colors.subarray(y * code.widthPx + bleedPx, y * code.widthPx + end);
    colors.set(row, (topPx + y) * widthPx + leftPx + bleedPx);
  }
  for (const { color, lines } of texts)
    for (const { figures } of lines)
      for (const figure of figures) paintFigure({ widthPx, heightPx, colors }, figure, color);
  const { from, to } = photoRows(geometry);
  return encodePixels({ widthPx, heightPx, colors }, { photos: { from: topPx + from, to: topPx + to } });
};

/** Paints letters, whose rows are differences of their steps of coverage. */
const paintFigure = ({ widthPx, heightPx, colors }: Pixels, figure: Figure, color: PixelColor): void => {
  const steps = new Uint8Array(figure.widthPx);
  for (const [row, { from, tokens }] of figure.rows.entries()) {
    if (figure.yPx + row >= heightPx) return;
    let [column, byte] = [from, 0];
    for (const token of tokens) {
      const count = token < RUN ? 1 : token - RUN;
      if (token < RUN) byte = token;
      for (const end = column + count; column < end; column += 1) steps[column]! += byte;
    }
    const start = (figure.yPx + row) * widthPx + figure.xPx;
    for (let x = 0; x < steps.length; x += 1) {
      const step = steps[x]!;
      if (step > 0) colors[start + x] = paintOver(color, coverageOf(step), colors[start + x]!);
    }
  }
};
