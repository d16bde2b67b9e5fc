/** Pictures of prints, as scanners and phones make them. */
import sharp from 'sharp';
import type { Print } from './print.ts';

/** What happens to a page on its way into a file. */
export interface Fate {
  /** Degrees, clockwise. */
  readonly angle?: number;
  /** Standard deviation of a Gaussian. */
  readonly blurPx?: number;
  /** Rectangles that somebody has painted black: left, top, width and height in pixels. */
  readonly painted?: readonly (readonly [number, number, number, number])[];
  /** Pictures that were stuck on, with their left and top. */
  readonly stuck?: readonly { readonly png: Uint8Array; readonly left: number; readonly top: number }[];
}

/** Returns a page as a scanner's JPEG. */
export const scanOf = async (
  { width, height, rgb }: Print,
  { angle = 0, blurPx, painted = [], stuck = [] }: Fate = {},
): Promise<Buffer> => {
  const black = painted.map(([left, top, wide, high]) => ({
    input: { create: { width: wide, height: high, channels: 3 as const, background: '#000' } },
    ...{ left, top },
  }));
  const pictures = stuck.map(({ png, left, top }) => ({ input: Buffer.from(png), left, top }));
  const page = sharp(Buffer.from(rgb), { raw: { width, height, channels: 3 } }).composite([
    ...black,
    ...pictures,
  ]);
  // Each step of a picture of `sharp` happens in an order of its own.
  const marked = await page.png({ compressionLevel: 1 }).toBuffer();
  const turned = sharp(marked).rotate(angle, { background: '#fff' });
  return (blurPx === undefined ? turned : turned.blur(blurPx)).jpeg({ quality: 85 }).toBuffer();
};
