import { encodePixels } from './png/png.ts';
import { rasterise } from './rasterise.ts';

/** Draws a document of `composeSvg` in the reference lane, by resvg. The array owns its whole buffer. */
export const drawReference = (svg: string): Uint8Array<ArrayBuffer> => encodePixels(rasterise(svg));
