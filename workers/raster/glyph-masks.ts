import { LRUCache } from 'lru-cache';
import { dotPath } from '../design/dots.ts';
import { CENTRE_INSET, CENTRE_MODULES, centrePath, FINDER_MODULES, ringPath } from '../design/finders.ts';
import { element } from '../design/markup.ts';
import type { CornerType, DotType } from '../protocol.ts';
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

/**
 * A finder pattern at 2000 px takes at most 0.5 MB and the tiles of a style 0.15 MB, so there is room for all
 * styles at many sizes.
 */
const MAX_CACHE_BYTES = 16 * 1024 * 1024;
const cache = new LRUCache<string, Mask>({
  maxSize: MAX_CACHE_BYTES,
  sizeCalculation: ({ coverage }) => coverage.length + 1024,
});

/** Returns the sixteen tiles of a style at one size, one below the other, ordered by neighbour mask. */
export function tilesOf(type: DotType, modulePx: number): Mask {
  return cached(`dots ${type} ${modulePx}`, modulePx, TILES * modulePx, () => {
    const tiles = Array.from({ length: TILES }, (_, i) => dotPath(type, i, 0, i * modulePx, modulePx));
    return tiles.join('');
  });
}

/** Returns the ring of a finder pattern: a box of seven modules. A `null` type draws it from dots of type `dots`. */
export function ringOf(type: CornerType | null, dots: DotType, modulePx: number): Mask {
  const sidePx = FINDER_MODULES * modulePx;
  return cached(`ring ${type ?? `cells ${dots}`} ${modulePx}`, sidePx, sidePx, () =>
    ringPath(type, dots, 0, 0, modulePx),
  );
}

/** Returns the centre of a finder pattern: a box of three modules. A `null` type draws it from dots of type `dots`. */
export function centreOf(type: CornerType | null, dots: DotType, modulePx: number): Mask {
  const sidePx = CENTRE_MODULES * modulePx;
  const insetPx = CENTRE_INSET * modulePx;
  return cached(`centre ${type ?? `cells ${dots}`} ${modulePx}`, sidePx, sidePx, () =>
    centrePath(type, dots, -insetPx, -insetPx, modulePx),
  );
}

function cached(key: string, widthPx: number, heightPx: number, path: () => string): Mask {
  const known = cache.get(key);
  if (known) return known;
  const mask = coverageOf(path(), widthPx, heightPx);
  cache.set(key, mask);
  return mask;
}

/** Draws white on transparent; the alpha of each pixel is its coverage. */
function coverageOf(path: string, widthPx: number, heightPx: number): Mask {
  const size = { width: widthPx, height: heightPx };
  const shape = element('path', { fill: '#fff', d: path });
  const svg = element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size }, shape);
  const coverage = Uint8Array.from(rasterise(svg).colors, (color) => color >>> 24);
  const levels = [...new Set(coverage)].filter((level) => level > 0);
  return { widthPx, coverage, levels };
}
