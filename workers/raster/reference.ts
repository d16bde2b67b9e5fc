import { Resvg } from '@resvg/resvg-js';
import { encodePng } from './png.ts';

/**
 * Draws in the reference lane: resvg draws a document, and the result is a PNG whose array owns its whole buffer.
 *
 * `svg` must come from `composeSvg`, never from anyone else: resvg reads local files that a document names, and neither
 * a long native render nor a native crash can be contained.
 */
export function drawReference(svg: string): Uint8Array<ArrayBuffer> {
  // No document has text, and looking for fonts would take longer than drawing.
  const image = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  return encodePng(image.pixels, image.width, image.height);
}
