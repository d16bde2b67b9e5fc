import { encodePixels } from './png/png.ts';
import { rasterise } from './rasterise.ts';

/**
 * Draws in the reference lane: resvg draws a document of `composeSvg`, and the result is a PNG whose array owns its
 * whole buffer.
 */
export const drawReference = (svg: string): Uint8Array<ArrayBuffer> => encodePixels(rasterise(svg));
