import { LRUCache } from 'lru-cache';
import type { Design } from '../protocol.ts';
import { type PixelColor, paintOver, paletteOf } from './blend.ts';
import type { SolidColors } from './solid-colors.ts';
import { centreOf, type Mask, ringOf, tilesOf } from './stamp-masks.ts';

/**
 * Figures as what they leave in scanlines of palette indices: the first row of every module unfiltered, the others
 * as `Up` differences. Only bytes that aren't 0, and these are few.
 */
export interface Stamp {
  /** Side of a figure. */
  readonly sidePx: number;
  /** The bytes of a figure begin at `firsts[figure]` and end before `firsts[figure + 1]`. */
  readonly firsts: Uint32Array;
  /** From the byte of the figure's upper left pixel. */
  readonly offsets: Uint32Array;
  readonly values: Uint8Array;
}

/** All that pictures of one style, size and colouring have in common. */
export interface GlyphAtlas {
  /** Straight RGBA. Index 0 is the background. */
  readonly palette: Uint8Array;
  /** The sixteen tiles of a dot, in the order of their neighbour masks. */
  readonly tiles: Stamp;
  readonly ring: Stamp;
  readonly centre: Stamp;
}

/** An atlas is 6 to 13 kB at 300 px and at most 80 kB at 2000 px: room for some hundred styles at least. */
const MAX_CACHE_BYTES = 16 * 1024 * 1024;
const stampBytes = ({ offsets, values }: Stamp): number => offsets.byteLength + values.byteLength;
const cache = new LRUCache<string, GlyphAtlas>({
  maxSize: MAX_CACHE_BYTES,
  sizeCalculation: ({ tiles, ring, centre }) =>
    2048 + stampBytes(tiles) + stampBytes(ring) + stampBytes(centre),
});

/** `stride` is the length of a scanline, its filter byte included. */
export function atlasOf(design: Design, colors: SolidColors, modulePx: number, stride: number): GlyphAtlas {
  const { dots, cornersSquare, cornersDot } = design;
  const { background, dots: dot, ring, centre } = colors;
  const key = [
    modulePx,
    stride,
    dots.type,
    cornersSquare.type,
    cornersDot.type,
    background,
    dot,
    ring,
    centre,
  ].join(' ');
  const known = cache.get(key);
  if (known) return known;
  const atlas = createAtlas(design, colors, modulePx, stride);
  cache.set(key, atlas);
  return atlas;
}

/** Colours are numbered as they are met, the background first. */
function createAtlas(
  { dots, cornersSquare, cornersDot }: Design,
  colors: SolidColors,
  modulePx: number,
  stride: number,
): GlyphAtlas {
  const palette = [colors.background];
  const indexOf = (color: PixelColor): number => {
    const known = palette.indexOf(color);
    return known < 0 ? palette.push(color) - 1 : known;
  };
  const stampIn = (ink: PixelColor, mask: Mask): Stamp => {
    const ramp = new Uint8Array(256);
    for (const level of mask.levels) ramp[level] = indexOf(paintOver(ink, level, colors.background));
    return stampOf(mask, ramp, modulePx, stride);
  };
  const tiles = stampIn(colors.dots, tilesOf(dots.type, modulePx));
  const ring = stampIn(colors.ring, ringOf(cornersSquare.type, dots.type, modulePx));
  const centre = stampIn(colors.centre, centreOf(cornersDot.type, dots.type, modulePx));
  return { palette: paletteOf(palette), tiles, ring, centre };
}

/** `ramp` gives the palette index for a coverage. The mask's figures are squares below one another. */
function stampOf({ widthPx, coverage }: Mask, ramp: Uint8Array, modulePx: number, stride: number): Stamp {
  const firsts = [0];
  const offsets: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < coverage.length; i += 1) {
    const [row, x] = [Math.floor(i / widthPx), i % widthPx];
    const above = row % modulePx === 0 ? 0 : ramp[coverage[i - widthPx]!]!;
    const value = (ramp[coverage[i]!]! - above) & 0xff;
    if (value !== 0) {
      offsets.push((row % widthPx) * stride + x);
      values.push(value);
    }
    if ((i + 1) % widthPx ** 2 === 0) firsts.push(values.length);
  }
  return {
    sidePx: widthPx,
    firsts: Uint32Array.from(firsts),
    offsets: Uint32Array.from(offsets),
    values: Uint8Array.from(values),
  };
}
