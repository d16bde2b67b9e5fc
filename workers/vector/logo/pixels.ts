import { element } from '../../design/markup.ts';
import type { Inks, Logo } from '../../protocol.ts';
import { straightColor } from '../../raster/png/colors.ts';
import { rasterise } from '../../raster/rasterise.ts';
import { inkOf, type Rgba } from '../colors.ts';

/** The pixels of a logo's PNG, row by row. */
export interface LogoPixels {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Words of straight R, G, B, A from the lowest byte. */
  readonly colors: Int32Array;
}

/** Decodes the PNG of a logo. It reads the size from the first chunk (PNG specification, 11.2.1). */
export function pixelsOf({ png }: Logo): LogoPixels {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const image = element('image', { ...size, href });
  const { widthPx, heightPx, colors } = rasterise(
    element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size }, image),
  );
  return { widthPx, heightPx, colors: colors.map(straightColor) };
}

const rgbaOfWord = (word: number): Rgba => ({
  ...{ red: word & 255, green: (word >>> 8) & 255, blue: (word >>> 16) & 255 },
  alpha: (word >>> 24) / 255,
});

/**
 * Returns the components of all pixels, a byte each: three of RGB or, with the inks of CMYK, four. `look` may change a
 * colour first, by the place of its pixel.
 */
export function componentsOf(
  { colors }: LogoPixels,
  inks: Inks,
  look: (color: Rgba, index: number) => Rgba = (color) => color,
): Uint8Array {
  const count = inks.color === 'cmyk' ? 4 : 3;
  const bytes = new Uint8Array(colors.length * count);
  for (const [i, word] of colors.entries()) {
    const { red, green, blue, alpha } = look(rgbaOfWord(word), i);
    if (count === 3) bytes.set([red, green, blue], i * 3);
    else
      bytes.set(
        inkOf({ red, green, blue, alpha }, inks).map((part) => Math.round(part * 255)),
        i * 4,
      );
  }
  return bytes;
}

/** Returns the alpha of all pixels, a byte each; `null` when all are opaque. */
export function alphaOf({ colors }: LogoPixels): Uint8Array | null {
  const alpha = Uint8Array.from(colors, (word) => word >>> 24);
  return alpha.every((value) => value === 255) ? null : alpha;
}
