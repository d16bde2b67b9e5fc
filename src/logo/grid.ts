import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import type { Logo, LogoGrid } from '../../workers/protocol.ts';

/** Of the longer side: more pixels than the modules that a logo may cover. */
const SIDE_PX = 128;
/** 33 kB each. */
const MAX_GRIDS = 64;

const reduce = async ({ png, widthPx, heightPx }: Logo): Promise<LogoGrid> => {
  const scale = SIDE_PX / Math.max(widthPx, heightPx, SIDE_PX);
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
export const createLogoGrids = () => {
  const grids = new LRUCache<string, LogoGrid, Logo>({
    max: MAX_GRIDS,
    ignoreFetchAbort: true,
    fetchMethod: (_sha256, _stale, { context }) => reduce(context),
  });
  return async ({ logo, sha256 }: { readonly logo: Logo; readonly sha256: string }): Promise<LogoGrid> => {
    const grid = await grids.fetch(sha256, { context: logo });
    if (grid === undefined) throw new Error('a logo that was decoded before could not be reduced');
    return grid;
  };
};
