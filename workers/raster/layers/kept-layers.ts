import { LRUCache } from 'lru-cache';
import type { Box } from '../../design/gradient.ts';

/** A rectangle of finished pixels, on whole pixels of the canvas. */
export interface Patch extends Box {
  /** One `PixelColor` for each pixel, row-major. */
  readonly colors: Int32Array;
}

/** Share of a process that draws by itself: of benchmarks, tests and tools. Render threads are told theirs. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
/** What an entry takes beside its pixels: its key, which holds a design, and its objects. */
const ENTRY_BYTES = 4096;

let kept = createCache(DEFAULT_MAX_BYTES);

function createCache(maxBytes: number) {
  return new LRUCache<string, readonly Patch[]>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (patches) =>
      patches.reduce((bytes, { colors }) => bytes + colors.byteLength, ENTRY_BYTES),
  });
}

/** Forgets all layers and bounds those to come by `maxBytes`. A render thread calls it once, when it starts. */
export function boundLayers(maxBytes: number): void {
  kept = createCache(maxBytes);
}

/** Memory of all layers that are kept in this thread. Never above the bound. */
export const keptLayerBytes = (): number => kept.calculatedSize;

/**
 * Returns the patches of that key, drawn now or kept from an earlier picture. The layers that were not used for the
 * longest time make room for new ones. A layer larger than the bound is drawn each time.
 */
export function keptLayer(key: string, draw: () => readonly Patch[]): readonly Patch[] {
  const known = kept.get(key);
  if (known) return known;
  const drawn = draw();
  kept.set(key, drawn);
  return drawn;
}
