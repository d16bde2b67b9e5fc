import { LRUCache } from 'lru-cache';
import type { Design } from '../protocol.ts';
import { type PixelColor, paintOver, paletteOf } from './blend.ts';
import { centreOf, type Mask, ringOf, tilesOf } from './glyph-masks.ts';
import type { Patch } from './layers/kept-layers.ts';
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
  /** The logo over the background, as one glyph, and where it lies. */
  readonly logo: { readonly glyphs: Glyphs; readonly xPx: number; readonly yPx: number } | null;
}

/** A palette holds 256 colours. With a logo of many colours there may be more. */
const TOO_MANY_COLORS = 'too many colours';
const MAX_COLORS = 256;

/** An atlas takes 6 to 13 kB at 300 px and at most 80 kB at 2000 px, so there is room for 200 styles at least. */
const MAX_CACHE_BYTES = 16 * 1024 * 1024;
const glyphBytes = ({ offsets, values }: Glyphs): number => offsets.byteLength + values.byteLength;
const cache = new LRUCache<string, GlyphAtlas | typeof TOO_MANY_COLORS>({
  maxSize: MAX_CACHE_BYTES,
  sizeCalculation: (atlas) => {
    if (atlas === TOO_MANY_COLORS) return 2048;
    const { tiles, ring, centre, logo } = atlas;
    const glyphs = [tiles, ring, centre, ...(logo === null ? [] : [logo.glyphs])];
    return glyphs.reduce((bytes, each) => bytes + glyphBytes(each), 2048);
  },
});

/** What an atlas is made for. */
export interface AtlasRequest {
  readonly design: Design;
  readonly solidColors: SolidColors;
  readonly modulePx: number;
  /** Row of the canvas in which the symbol begins. */
  readonly yPx: number;
  /** Length of a scanline with its filter byte. */
  readonly stride: number;
}

/** A logo over the background, drawn by the reference; `key` names its content and place. */
export interface LogoPatch {
  readonly key: string;
  patch(): Patch;
}

/**
 * Returns the atlas of a design, kept for the next picture of its style, size, colours and logo; `null` when that is
 * more than 256 colours, which only a logo can be.
 */
export function glyphAtlasOf(request: AtlasRequest, logo: LogoPatch | null): GlyphAtlas | null {
  const { design, solidColors, modulePx, stride } = request;
  const { dots, cornersSquare, cornersDot } = design;
  const colors = [solidColors.background, solidColors.dots, solidColors.ring, solidColors.centre];
  const style = [modulePx, stride, dots.type, cornersSquare.type, cornersDot.type, ...colors];
  const key = [...style, logo === null ? '' : logo.key].join(' ');
  const known = cache.get(key);
  const atlas = known ?? createGlyphAtlas(request, logo === null ? null : logo.patch());
  if (known === undefined) cache.set(key, atlas);
  return atlas === TOO_MANY_COLORS ? null : atlas;
}

/** Palette entries are numbered in the order in which their colours are met, the background first. */
function createGlyphAtlas(
  { design, solidColors, modulePx, yPx, stride }: AtlasRequest,
  logo: Patch | null,
): GlyphAtlas | typeof TOO_MANY_COLORS {
  const { dots, cornersSquare, cornersDot } = design;
  const indexes = new Map([[solidColors.background, 0]]);
  const indexOf = (color: PixelColor): number => {
    const known = indexes.get(color) ?? indexes.size;
    indexes.set(color, known);
    return known;
  };
  const glyphsIn = (color: PixelColor, { widthPx, coverage, levels }: Mask): Glyphs => {
    const ramp = new Uint8Array(256);
    for (const level of levels) ramp[level] = indexOf(paintOver(color, level, solidColors.background));
    const indices = coverage.map((level) => ramp[level]!);
    return encodeGlyphs({ indices, widthPx, heightPx: widthPx, firstPx: 0 }, modulePx, stride);
  };
  const tiles = glyphsIn(solidColors.dots, tilesOf(dots.type, modulePx));
  const ring = glyphsIn(solidColors.ring, ringOf(cornersSquare.type, dots.type, modulePx));
  const centre = glyphsIn(solidColors.centre, centreOf(cornersDot.type, dots.type, modulePx));
  const logoIndices = Array.from(logo?.colors ?? [], indexOf);
  if (indexes.size > MAX_COLORS) return TOO_MANY_COLORS;

  const palette = paletteOf([...indexes.keys()]);
  if (logo === null) return { palette, tiles, ring, centre, logo };
  const { x, y, width, height } = logo;
  // One row of background below ends the differences of the last row.
  const indices = new Uint8Array(width * (height + 1));
  indices.set(logoIndices);
  const glyphs = encodeGlyphs(
    { indices, widthPx: width, heightPx: height + 1, firstPx: y - yPx },
    modulePx,
    stride,
  );
  return { palette, tiles, ring, centre, logo: { glyphs, xPx: x, yPx: y } };
}

/** Glyphs as palette indices, one below the other. */
interface IndexedGlyphs {
  readonly indices: Uint8Array;
  readonly widthPx: number;
  /** Height of one glyph. */
  readonly heightPx: number;
  /** Rows from the beginning of a module down to the first row of a glyph. */
  readonly firstPx: number;
}

function encodeGlyphs(
  { indices, widthPx, heightPx, firstPx }: IndexedGlyphs,
  modulePx: number,
  stride: number,
): Glyphs {
  const firsts = [0];
  const offsets: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < indices.length; i += 1) {
    const [row, x] = [Math.floor(i / widthPx) % heightPx, i % widthPx];
    const isUnfiltered = (firstPx + row) % modulePx === 0;
    const above = isUnfiltered || row === 0 ? 0 : indices[i - widthPx]!;
    const value = (indices[i]! - above) & 0xff;
    if (value !== 0) {
      offsets.push(row * stride + x);
      values.push(value);
    }
    if ((i + 1) % (widthPx * heightPx) === 0) firsts.push(values.length);
  }
  return {
    sidePx: widthPx,
    firsts: Uint32Array.from(firsts),
    offsets: Uint32Array.from(offsets),
    values: Uint8Array.from(values),
  };
}
