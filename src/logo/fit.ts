import { markAsUntransferable } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import type { Logo, LogoGrid } from '../../workers/protocol.ts';

interface FoundPixels {
  readonly logo: Logo;
  readonly sha256: string;
}

interface Box {
  readonly width: number;
  readonly height: number;
}

interface Wanted {
  readonly logo: Logo;
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * Pixels of the logo for each pixel of the picture. Where the picture is smaller than the logo, the rasteriser's
 * bicubic filter reads four pixels in a row: with fewer it blurs, with more it leaves some out.
 */
const OVERSAMPLING = 4;

/** Reads the size from the first chunk of a PNG (PNG specification, 11.2.1). */
const pixelsOf = (png: Uint8Array): { widthPx: number; heightPx: number } => {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return { widthPx: view.getUint32(16), heightPx: view.getUint32(20) };
};

const shrink = async ({ logo, widthPx, heightPx }: Wanted): Promise<Logo> => {
  const pixels = await sharp(logo.png).resize(widthPx, heightPx, { fit: 'fill' }).png().toBuffer();
  const png = new Uint8Array(pixels);
  markAsUntransferable(png.buffer);
  return { ...logo, png };
};

/** Of the longer side: more pixels than the modules that a logo may cover. */
const GRID_SIDE_PX = 128;
/** 33 kB each. */
const GRIDS_MAX = 64;

const reduce = async ({ png, widthPx, heightPx }: Logo): Promise<LogoGrid> => {
  const scale = GRID_SIDE_PX / Math.max(widthPx, heightPx, GRID_SIDE_PX);
  const columns = Math.max(1, Math.round(widthPx * scale));
  const rows = Math.max(1, Math.round(heightPx * scale));
  // Other filters overshoot at edges, so that a dark edge would make white darker.
  const reduced = sharp(png).resize(columns, rows, { fit: 'fill', kernel: 'linear' });
  const rgba = await reduced.toColourspace('srgb').ensureAlpha().raw().toBuffer();
  const luma = new Uint8Array(columns * rows);
  const alpha = new Uint8Array(columns * rows);
  for (let i = 0; i < luma.length; i += 1) {
    const at = 4 * i;
    alpha[i] = rgba[at + 3]!;
    const opaque = 0.299 * rgba[at]! + 0.587 * rgba[at + 1]! + 0.114 * rgba[at + 2]!;
    luma[i] = Math.round((opaque * alpha[i]!) / 255);
  }
  return { columns, rows, luma, alpha };
};

/**
 * Makes a function that returns what the grade needs of a logo. Each logo is decoded once for all requests that use it.
 */
const createLogoGrids = () => {
  const grids = new LRUCache<string, LogoGrid, Logo>({
    max: GRIDS_MAX,
    ignoreFetchAbort: true,
    fetchMethod: (_sha256, _stale, { context }) => reduce(context),
  });
  return async ({ logo, sha256 }: FoundPixels): Promise<LogoGrid> => {
    const grid = await grids.fetch(sha256, { context: logo });
    if (grid === undefined) throw new Error('a logo that was decoded before could not be reduced');
    return grid;
  };
};

/**
 * Makes a function that scales a logo down to about the pixels that a picture needs, and adds its grid, by which it is
 * graded. A logo that is small enough keeps its pixels. Each size of a logo is made once for all requests and kept,
 * within `cacheMaxBytes`.
 */
export const createLogoFitter = (cacheMaxBytes: number) => {
  const gridOf = createLogoGrids();
  const fitted = new LRUCache<string, Logo, Wanted>({
    maxSize: cacheMaxBytes,
    sizeCalculation: ({ png }, key) => png.byteLength + key.length + 500,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => shrink(context),
  });

  const fit = async ({ logo: found, sha256 }: FoundPixels, box: Box): Promise<Logo> => {
    // Paths are for vectors, and this is for bitmaps.
    const { vector: _, ...logo } = found;
    const scale = OVERSAMPLING * Math.min(box.width / logo.widthPx, box.height / logo.heightPx);
    const widthPx = Math.max(1, Math.round(logo.widthPx * scale));
    const heightPx = Math.max(1, Math.round(logo.heightPx * scale));
    const has = pixelsOf(logo.png);
    if (has.widthPx <= widthPx || has.heightPx <= heightPx) return logo;
    const context = { logo, widthPx, heightPx };
    const smaller = await fitted.fetch(`${sha256} ${widthPx} ${heightPx}`, { context });
    if (smaller === undefined) throw new Error('a logo that was decoded before could not be scaled');
    return smaller;
  };

  /**
   * @param box The part of the picture, in pixels, into which the logo is fitted with its proportions. `null`: it keeps
   *   its pixels.
   */
  return async (found: FoundPixels, box: Box | null): Promise<Logo> => {
    const [logo, grid] = await Promise.all([box === null ? found.logo : fit(found, box), gridOf(found)]);
    return { ...logo, grid };
  };
};

/** Scales a logo for a picture; see `createLogoFitter`. */
export type LogoFitter = ReturnType<typeof createLogoFitter>;
