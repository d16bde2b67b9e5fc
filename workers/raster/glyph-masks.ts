import { LRUCache } from 'lru-cache';
import { dotPath } from '../design/dots.ts';
import { svgElement, writeElement } from '../design/markup.ts';
import { CENTRE_INSET, CENTRE_MODULES, centrePath, FINDER_MODULES, ringPath } from '../design/modules.ts';
import { getOrMake } from '../kept.ts';
import type { CornerType, DotType } from '../lists.ts';
import { rasterise } from './rasterise.ts';

/** How much of each pixel of its box a glyph covers, row-major, 0 to 255. */
export interface Mask {
  readonly widthPx: number;
  readonly coverage: Uint8Array;
  /** The coverages that occur, without 0. */
  readonly levels: readonly number[];
}

/** One tile for each neighbour mask: four edges, each with or without a neighbour. */
export const TILES = 16;

/** A finder pattern at 2000 px takes at most 0.5 MB and the tiles of a style 0.15 MB. */
const MAX_CACHE_BYTES = 16 * 1024 * 1024;
const cache = new LRUCache<string, Mask>({
  maxSize: MAX_CACHE_BYTES,
  sizeCalculation: ({ coverage }) => coverage.length + 1024,
});

/** Returns the sixteen tiles of a style at one size, one below the other, ordered by neighbour mask. */
export const tilesOf = (type: DotType, modulePx: number): Mask =>
  getMask(`dots ${type} ${modulePx}`, modulePx, TILES * modulePx, () =>
    Array.from({ length: TILES }, (_, i) => dotPath(type, i, 0, i * modulePx, modulePx)).join(''),
  );

/** Returns the ring of a finder pattern: a box of seven modules. A `null` type draws it from dots of type `dots`. */
export const ringOf = (type: CornerType | null, dots: DotType, modulePx: number): Mask => {
  const sidePx = FINDER_MODULES * modulePx;
  return getMask(`ring ${type ?? `cells ${dots}`} ${modulePx}`, sidePx, sidePx, () =>
    ringPath(type, dots, 0, 0, modulePx),
  );
};

/** Returns the centre of a finder pattern: a box of three modules. A `null` type draws it from dots of type `dots`. */
export const centreOf = (type: CornerType | null, dots: DotType, modulePx: number): Mask => {
  const sidePx = CENTRE_MODULES * modulePx;
  const insetPx = CENTRE_INSET * modulePx;
  return getMask(`centre ${type ?? `cells ${dots}`} ${modulePx}`, sidePx, sidePx, () =>
    centrePath(type, dots, -insetPx, -insetPx, modulePx),
  );
};

/** Draws white on transparent; the alpha of each pixel is its coverage. */
const getMask = (key: string, widthPx: number, heightPx: number, path: () => string): Mask =>
  getOrMake(cache, key, () => {
    const shape = writeElement('path', { fill: '#fff', d: path() });
    const { colors } = rasterise(svgElement({ width: widthPx, height: heightPx }, shape));
    const coverage = Uint8Array.from(colors, (color) => color >>> 24);
    const levels = [...new Set(coverage)].filter((level) => level > 0);
    return { widthPx, coverage, levels };
  });
