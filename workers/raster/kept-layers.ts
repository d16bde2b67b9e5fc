import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Box } from '../design/gradient.ts';
import { getOrMake } from '../kept.ts';
import type { Logo } from '../protocol.ts';

/** A rectangle of finished pixels, on whole pixels of the canvas. */
export interface Patch extends Box {
  /** One `PixelColor` for each pixel, row-major. */
  readonly colors: Int32Array;
}

/** Bound for a process that draws by itself: benchmarks, tests and tools. Render threads are given theirs. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
/** What an entry takes besides its pixels: its key, which holds a design, and its objects. */
const ENTRY_BYTES = 4096;

const createCache = (maxBytes: number) =>
  new LRUCache<string, readonly Patch[]>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (patches) =>
      patches.reduce((bytes, { colors }) => bytes + colors.byteLength, ENTRY_BYTES),
  });

let kept = createCache(DEFAULT_MAX_BYTES);

/** Drops all layers and bounds new ones by `maxBytes`. A render thread calls it once, when it starts. */
export const boundLayers = (maxBytes: number): void => {
  kept = createCache(maxBytes);
};

/** Returns the memory of all layers cached in this thread, which never exceeds the bound. */
export const keptLayerBytes = (): number => kept.calculatedSize;

/** Returns the patches of a key, drawn now or kept. A layer larger than the bound is drawn each time. */
export const getLayer = (key: string, draw: () => readonly Patch[]): readonly Patch[] =>
  getOrMake(kept, key, draw);

/** The bytes that were hashed last: the parts of a picture ask in turn, and the tasks of a bulk call share them. */
let hashed: Uint8Array | null = null;
let hash = '';

/** Returns the SHA-256 of a logo's content, in base64: nobody can make two logos collide. */
export const logoHashOf = ({ png }: Logo): string => {
  if (png === hashed) return hash;
  hash = createHash('sha256').update(png).digest('base64');
  hashed = png;
  return hash;
};
