import { Resvg } from '@resvg/resvg-js';
import { encodePng } from './png.ts';

/**
 * The reference lane: a document that this service composed, drawn by resvg, as PNG bytes that own their whole
 * buffer. Never anyone else's document: resvg reads local files that one names, and neither a native render
 * nor a native crash can be contained.
 */
export function drawReference(svg: string): Uint8Array<ArrayBuffer> {
  // Nothing here has text, and looking for fonts would take longer than drawing.
  const image = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  return encodePng(image.pixels, image.width, image.height);
}
