import { LRUCache } from 'lru-cache';
import type { Design } from '../protocol.ts';
import { type PixelColor, paintOver, paletteOf } from './blend.ts';
import { centreOf, type Mask, ringOf, tilesOf } from './glyph-masks.ts';
import type { SolidColors } from './solid-colors.ts';

/**
 * Glyphs as the bytes that they write into scanlines of palette indices. The first row of every module is
 * unfiltered; the other rows hold `Up` differences. Only bytes other than 0 are stored, and these are few.
 */
export interface Glyphs {
  /** Side of one glyph. */
  readonly sidePx: number;
  /** The bytes of glyph `i` begin at `firsts[i]` and end before `firsts[i + 1]`. */
  readonly firsts: Uint32Array;
  /** Position of each byte, counted from the byte of the glyph's top left pixel. */
  readonly offsets: Uint32Array;
  readonly values: Uint8Array;
}

/** Everything that pictures of one style, size and set of colours share. */
export interface GlyphAtlas {
  /** Straight RGBA. Index 0 is the background. */
  readonly palette: Uint8Array;
  /** The sixteen tiles of a dot, ordered by neighbour mask. */
  readonly tiles: Glyphs;
  readonly ring: Glyphs;
  readonly centre: Glyphs;
}

/** An atlas takes 6 to 13 kB at 300 px and at most 80 kB at 2000 px, so there is room for 200 styles at least. */
const MAX_CACHE_BYTES = 16 * 1024 * 1024;
const glyphBytes = ({ offsets, values }: Glyphs): number => offsets.byteLength + values.byteLength;
const cache = new LRUCache<string, GlyphAtlas>({
  maxSize: MAX_CACHE_BYTES,
  sizeCalculation: ({ tiles, ring, centre }) =>
    2048 + glyphBytes(tiles) + glyphBytes(ring) + glyphBytes(centre),
});

/**
 * Returns the atlas of a design, kept for the next picture of its style, size and colours. `stride` is the length of a
 * scanline with its filter byte.
 */
export function glyphAtlasOf(
  design: Design,
  solidColors: SolidColors,
  modulePx: number,
  stride: number,
): GlyphAtlas {
  const { dots, cornersSquare, cornersDot } = design;
  const colors = [solidColors.background, solidColors.dots, solidColors.ring, solidColors.centre];
  const key = [modulePx, stride, dots.type, cornersSquare.type, cornersDot.type, ...colors].join(' ');
  const known = cache.get(key);
  if (known) return known;
  const atlas = createGlyphAtlas(design, solidColors, modulePx, stride);
  cache.set(key, atlas);
  return atlas;
}

/** Palette entries are numbered in the order in which their colours are met, the background first. */
function createGlyphAtlas(
  { dots, cornersSquare, cornersDot }: Design,
  solidColors: SolidColors,
  modulePx: number,
  stride: number,
): GlyphAtlas {
  const colors = [solidColors.background];
  const indexOf = (color: PixelColor): number => {
    const known = colors.indexOf(color);
    return known < 0 ? colors.push(color) - 1 : known;
  };
  const glyphsIn = (color: PixelColor, mask: Mask): Glyphs => {
    const ramp = new Uint8Array(256);
    for (const level of mask.levels) ramp[level] = indexOf(paintOver(color, level, solidColors.background));
    return encodeGlyphs(mask, ramp, modulePx, stride);
  };
  const tiles = glyphsIn(solidColors.dots, tilesOf(dots.type, modulePx));
  const ring = glyphsIn(solidColors.ring, ringOf(cornersSquare.type, dots.type, modulePx));
  const centre = glyphsIn(solidColors.centre, centreOf(cornersDot.type, dots.type, modulePx));
  return { palette: paletteOf(colors), tiles, ring, centre };
}

/** `ramp` maps a coverage to its palette index. The mask holds square glyphs, one below the other. */
function encodeGlyphs(
  { widthPx, coverage }: Mask,
  ramp: Uint8Array,
  modulePx: number,
  stride: number,
): Glyphs {
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
