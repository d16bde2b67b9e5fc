import { LRUCache } from 'lru-cache';
import type { Geometry } from '../design/geometry.ts';
import { CENTRE_INSET, CENTRE_MODULES, FINDER_MODULES } from '../design/modules.ts';
import { type DotType, isLone } from '../lists.ts';
import type { Design, Logo } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { backdropOf, logoKeyOf } from './backdrop.ts';
import { deflateGlyphs, type GlyphPicture } from './deflate/deflate-glyphs.ts';
import { type GlyphCode, glyphCodeOf } from './deflate/glyph-code.ts';
import { figureOf, type Glyph, tileOf } from './deflate/glyph-rows.ts';
import { centreOf, glyphLinesOf, type Mask, randomSymbol, ringOf, tilesOf } from './glyphs.ts';
import type { Patch } from './kept-layers.ts';
import { type SolidColors, wholePixels } from './lane.ts';
import { type PixelColor, paintOver, paletteOf } from './pixels.ts';
import { COLOR_TYPE, pngOf } from './png-file.ts';

/** Everything that pictures of one style, size and set of colours share. */
interface GlyphAtlas {
  /** Straight RGBA. Index 0 is the background. */
  readonly palette: Uint8Array;
  readonly code: GlyphCode;
}

/** A palette holds 256 colours. With a logo of many colours there may be more. */
const TOO_MANY_COLORS = 'too many colours';
const MAX_COLORS = 256;

/**
 * The code of a style and version takes 10 kB at 300 px and at most 110 kB at 2000 px, with a logo up to two bytes more
 * for each pixel of it. Palettes hold only the key of their code, so evicting a code frees its memory.
 */
const MAX_CODE_BYTES = 16 * 1024 * 1024;
const codes = new LRUCache<string, GlyphCode>({
  maxSize: MAX_CODE_BYTES,
  sizeCalculation: ({ rows, codes: { bits, counts } }) =>
    4096 + rows.byteLength + bits.byteLength + counts.byteLength,
});

/** At most 1 kB for each set of colours, and its key. */
const MAX_PALETTES = 2048;
interface Colors {
  readonly palette: Uint8Array;
  readonly codeKey: string;
}
const palettes = new LRUCache<string, Colors | typeof TOO_MANY_COLORS>({ max: MAX_PALETTES });

/** What an atlas is made for. */
interface AtlasRequest {
  readonly design: Design;
  readonly solidColors: SolidColors;
  readonly geometry: Geometry;
}

/** A logo over the background, drawn by the reference; `key` names its content and place. */
interface LogoPatch {
  readonly key: string;
  patch(): Patch;
}

/**
 * Returns the atlas of a design, kept for the next picture of its style, size, colours and logo; `null` for more
 * than 256 colours, which only a logo can cause. Styles that differ in colours alone share a code.
 */
const glyphAtlasOf = (request: AtlasRequest, logo: LogoPatch | null): GlyphAtlas | null => {
  const { design, solidColors, geometry } = request;
  const { dots, cornersSquare, cornersDot, widthPx } = design;
  const { background, dots: dot, ring, centre } = solidColors;
  const { modulePx, moduleCount, xPx } = geometry;
  const style = [modulePx, moduleCount, xPx, widthPx, dots.type, cornersSquare.type, cornersDot.type].join(
    ' ',
  );
  const key = `${style} ${background} ${dot} ${ring} ${centre} ${logo === null ? '' : logo.key}`;
  const known = palettes.get(key);
  if (known === TOO_MANY_COLORS) return null;
  const code = known && codes.get(known.codeKey);
  if (code) return { palette: known.palette, code };
  const figures = figuresOf(request, logo === null ? null : logo.patch());
  if (figures === null) {
    palettes.set(key, TOO_MANY_COLORS);
    return null;
  }
  const codeKey = logo === null ? `${style} ${figures.ramps}` : key;
  const shared = codes.get(codeKey) ?? makeCode(request, figures);
  codes.set(codeKey, shared);
  palettes.set(key, { palette: figures.palette, codeKey });
  return { palette: figures.palette, code: shared };
};

/** The parts of a picture as palette indices. */
interface Figures {
  readonly palette: Uint8Array;
  readonly tiles: Uint8Array;
  readonly finder: Uint8Array;
  /** The modules that a logo hides. */
  readonly logo: Uint8Array | null;
  /** The indices of all levels of coverage: figures of one style and with the same ramps are the same. */
  readonly ramps: string;
}

/**
 * Returns `null` for more than 256 colours. Palette entries are numbered in the order in which their colours are met, the
 * background first.
 */
const figuresOf = ({ design, solidColors, geometry }: AtlasRequest, logo: Patch | null): Figures | null => {
  const { dots, cornersSquare, cornersDot } = design;
  const { modulePx } = wholePixels(geometry);
  const indexes = new Map([[solidColors.background, 0]]);
  const indexOf = (color: PixelColor): number => {
    const known = indexes.get(color) ?? indexes.size;
    indexes.set(color, known);
    return known;
  };
  const ramps: number[] = [];
  const indicesOf = (color: PixelColor, { coverage, levels }: Mask): Uint8Array => {
    const ramp = new Uint8Array(256);
    for (const level of levels) ramp[level] = indexOf(paintOver(color, level, solidColors.background));
    ramps.push(...levels.map((level) => ramp[level]!));
    return coverage.map((level) => ramp[level]!);
  };
  const tiles = indicesOf(solidColors.dots, tilesOf(dots.type, modulePx));
  const finder = indicesOf(solidColors.ring, ringOf(cornersSquare.type, dots.type, modulePx));
  const centre = indicesOf(solidColors.centre, centreOf(cornersDot.type, dots.type, modulePx));
  const insetPx = CENTRE_INSET * modulePx;
  stamp(finder, FINDER_MODULES * modulePx, centre, CENTRE_MODULES * modulePx, insetPx, insetPx);
  const logoIndices = logo && Array.from(logo.colors, indexOf);
  if (indexes.size > MAX_COLORS) return null;
  const palette = paletteOf([...indexes.keys()]);
  const area = logo && logoArea(geometry, logo, Uint8Array.from(logoIndices!));
  return { palette, tiles, finder, logo: area, ramps: ramps.join(' ') };
};

/** Lines of a sample: those with two finder patterns, and as many below. */
const SAMPLE_LINES = 2 * FINDER_MODULES;

/** Makes the code of some figures, numbered as `glyphLinesOf` says. */
const makeCode = ({ design, geometry }: AtlasRequest, { tiles, finder, logo }: Figures): GlyphCode => {
  const { modulePx } = wholePixels(geometry);
  const { moduleCount, hidden } = geometry;
  const finderPx = FINDER_MODULES * modulePx;
  const againPx = (moduleCount - FINDER_MODULES) * modulePx;
  const logoPx = logo === null ? 0 : hidden!.columns * modulePx;
  const finderLines = linesOf(finder, finderPx, modulePx);
  const glyphs = [
    ...linesOf(tiles, modulePx, modulePx).map((line, i) => dotOf(design.dots.type, i, modulePx, line)),
    ...finderLines.map((line) => figureOf(finderPx, line, { periodPx: modulePx })),
    ...finderLines.map((line) => figureOf(finderPx, line, { againPx })),
    ...(logo === null ? [] : linesOf(logo, logoPx, modulePx).map((line) => figureOf(logoPx, line))),
  ];
  const square = { ...geometry, fillerRings: 0, hidden: null };
  const sample = glyphLinesOf(randomSymbol(moduleCount), design, square);
  return glyphCodeOf(glyphs, { ...sample, count: SAMPLE_LINES }, modulePx, design.widthPx + 1);
};

/** Returns a dot. Lone ones are all alike: their tile says how many modules at the left the last one is. */
const dotOf = (type: DotType, tile: number, modulePx: number, indices: Uint8Array): Glyph =>
  isLone(type) ? figureOf(modulePx, indices, { againPx: tile * modulePx }) : tileOf(tile, modulePx, indices);

/** Cuts pixels into parts that are as high as a module. */
const linesOf = (indices: Uint8Array, widthPx: number, modulePx: number): readonly Uint8Array[] => {
  const length = widthPx * modulePx;
  return Array.from({ length: indices.length / length }, (_, i) =>
    indices.slice(i * length, (i + 1) * length),
  );
};

/** Returns the pixels of the modules that a logo hides, with the logo. */
const logoArea = (geometry: Geometry, { x, y, width }: Patch, indices: Uint8Array): Uint8Array => {
  const { xPx, yPx, modulePx } = wholePixels(geometry);
  const { moduleCount, hidden } = geometry;
  const { columns, rows } = hidden!;
  const area = new Uint8Array(columns * rows * modulePx * modulePx);
  const left = xPx + ((moduleCount - columns) / 2) * modulePx;
  const top = yPx + ((moduleCount - rows) / 2) * modulePx;
  stamp(area, columns * modulePx, indices, width, x - left, y - top);
  return area;
};

/** Copies the pixels of `figure` that are not background, so that its top left pixel is at (`x`, `y`). */
const stamp = (
  pixels: Uint8Array,
  widthPx: number,
  figure: Uint8Array,
  figurePx: number,
  x: number,
  y: number,
): void => {
  for (const [i, index] of figure.entries()) {
    if (index > 0) pixels[(y + Math.floor(i / figurePx)) * widthPx + x + (i % figurePx)] = index;
  }
};

/** A picture of the stamped lane before it is written. `picture` has the height and the place of its design. */
export interface StampedPicture {
  /** Straight RGBA. Index 0 is the background. */
  readonly palette: Uint8Array;
  readonly code: GlyphCode;
  readonly picture: GlyphPicture;
}

/** Returns a picture as glyphs; they stay valid until the next call. `null` when it has too many colours for a palette. */
export const stampedPicture = (
  symbol: QrSymbol,
  design: Design,
  geometry: Geometry,
  solidColors: SolidColors,
  logo: Logo | null,
): StampedPicture | null => {
  const { widthPx, heightPx } = design;
  const { xPx, yPx, modulePx, fillerRings } = wholePixels(geometry);
  const patch = logo && {
    key: `${logoKeyOf(geometry, logo)} ${xPx} ${yPx} ${JSON.stringify(geometry.hidden)}`,
    patch: () => backdropOf(symbol, design, geometry, logo).logo!,
  };
  const atlas = glyphAtlasOf({ design, solidColors, geometry }, patch);
  if (atlas === null) return null;
  const insetPx = fillerRings * modulePx;
  const lines = glyphLinesOf(symbol, design, geometry);
  return { ...atlas, picture: { heightPx, stride: widthPx + 1, modulePx, yPx: yPx - insetPx, lines } };
};

/**
 * Draws in the stamped lane: dots and corners of any style, in solid colours on whole pixels. resvg draws each glyph
 * once for each size; its coverage is kept as a mask. A picture is those glyphs side by side in an indexed image whose
 * palette is the ramp from the background to each colour. No two glyphs share a pixel, so each pixel has one colour
 * over the background. resvg uses some 30 levels of coverage between none and all, so three colours never need more
 * than 256 palette entries. A logo, whose modules must be hidden, is glyphs too; returns `null` when its colours do
 * not fit the palette.
 */
export const drawStamped = (
  symbol: QrSymbol,
  design: Design,
  geometry: Geometry,
  solidColors: SolidColors,
  logo: Logo | null,
): Uint8Array<ArrayBuffer> | null => {
  const { widthPx, heightPx } = design;
  const stamped = stampedPicture(symbol, design, geometry, solidColors, logo);
  if (stamped === null) return null;
  const { palette, code, picture } = stamped;
  const format = { widthPx, heightPx, bitDepth: 8, colorType: COLOR_TYPE.indexed, palette } as const;
  return pngOf(format, deflateGlyphs(picture, code));
};
