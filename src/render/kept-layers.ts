import { LRUCache } from 'lru-cache';
import type { SharedLayers } from '../../workers/plan.ts';

/** Layers of pictures, by their name. */
export interface KeptLayers extends SharedLayers {
  readonly key: string;
}

/** As for the layers themselves: what an entry takes besides its pixels. */
const ENTRY_BYTES = 4096;

/**
 * Knows which layers the threads were asked for lately and so probably keep: pictures with them take a fraction of the time
 * of the first.
 *
 * @param maxBytes What a thread keeps.
 */
export const createKeptLayers = (maxBytes: number) => {
  const known = new LRUCache<string, KeptLayers>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => ENTRY_BYTES + bytes,
  });
  return {
    /** Returns the estimated milliseconds of the layers that are drawn first, and expects them to be kept from now on. */
    missingMs(layers: KeptLayers | null): number {
      if (layers === null || known.get(layers.key) !== undefined) return 0;
      known.set(layers.key, layers);
      return layers.estimatedMs;
    },
    /** Expects layers no more: the task that would have drawn them was refused. */
    forget(layers: KeptLayers | null): void {
      if (layers !== null) known.delete(layers.key);
    },
  };
};
