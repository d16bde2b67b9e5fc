/** Logos in black and white. */
import { imageElement, svgElement } from '../../design/markup.ts';
import type { Logo } from '../../protocol.ts';
import { straightColor } from '../../raster/pixels.ts';
import { encodePixels } from '../../raster/png.ts';
import { rasterise } from '../../raster/rasterise.ts';
import { lightOf } from './bitmap.ts';

/** More than the dots of a logo on most labels. A document keeps each of its logos: at most 32 kB of dots. */
const SIDE_MAX_PX = 512;
const HALF_ALPHA = 128;
const LIGHTS = 256;

/**
 * Returns the light below which a picture is black: the one that separates dark and light best, with the highest variance
 * between the two (N. Otsu, "A Threshold Selection Method from Gray-Level Histograms", IEEE SMC 9, 1979). Of several the
 * middle one. A picture of one tone is black, unless it is white.
 *
 * @param counts How many pixels have each light.
 */
export const findThreshold = (counts: Uint32Array): number => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const sumOfAll = counts.reduce((sum, count, light) => sum + count * light, 0);
  let [below, sumBelow, most] = [0, 0, 0];
  let [first, last] = [LIGHTS - 2, LIGHTS - 2];
  for (let light = 0; light < LIGHTS - 1; light += 1) {
    below += counts[light]!;
    sumBelow += counts[light]! * light;
    const above = total - below;
    if (below === 0 || above === 0) continue;
    const variance = below * above * (sumBelow / below - (sumOfAll - sumBelow) / above) ** 2;
    if (variance > most) [most, first] = [variance, light];
    if (variance === most) last = light;
  }
  return Math.floor((first + last) / 2) + 1;
};

/** Returns a logo whose pixels are black, white or fully transparent, with the same proportions. */
export const logoInBlackAndWhite = ({ png, widthPx, heightPx }: Logo): Logo => {
  const scale = Math.min(1, SIDE_MAX_PX / Math.max(widthPx, heightPx));
  const [width, height] = [widthPx, heightPx].map((px) => Math.max(1, Math.round(px * scale)));
  const size = { width: width!, height: height! };
  const pixels = rasterise(svgElement(size, imageElement(png, { ...size, preserveAspectRatio: 'none' })));
  const counts = new Uint32Array(LIGHTS);
  for (const color of pixels.colors) counts[lightOf(color)]! += 1;
  const threshold = findThreshold(counts);
  const colors = pixels.colors.map((color) => {
    if (color >>> 24 < HALF_ALPHA) return 0;
    return lightOf(straightColor(color) | 0xff000000) < threshold ? 0xff000000 : 0xffffffff;
  });
  return { png: encodePixels({ ...pixels, colors }), widthPx, heightPx };
};
