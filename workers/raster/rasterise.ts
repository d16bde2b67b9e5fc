import { Resvg } from '@resvg/resvg-js';
import { wordsOf } from './pixels.ts';

/** Pixels in a rectangle, row-major. */
export interface Pixels {
  readonly widthPx: number;
  readonly heightPx: number;
  /** One `PixelColor` for each pixel. */
  readonly colors: Int32Array;
}

/**
 * Draws a document with resvg.
 *
 * `svg` must come from our own composition, never from anyone else: resvg reads local files that a document names, and
 * neither a long native render nor a native crash can be contained.
 */
export const rasterise = (svg: string): Pixels => {
  // No document has text, and looking for fonts would take longer than drawing.
  const { pixels, width, height } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  return { widthPx: width, heightPx: height, colors: wordsOf(pixels) };
};
