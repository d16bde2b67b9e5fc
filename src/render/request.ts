import { LRUCache } from 'lru-cache';
import type { ThreadTask } from '../../workers/group.ts';
import type { SharedLayers } from '../../workers/plan.ts';
import type { RenderOutcome } from './outcome.ts';

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

/** Single and image requests are drawn before the items of bulk calls, and these before the rows of batches. */
export type RenderKind = 'single' | 'bulk' | 'batch';

/** What admission needs to know of a request. */
export interface RenderLoad {
  readonly accountId: string;
  readonly kind: RenderKind;
  /** Rough time in a thread, for each task. */
  readonly estimatedMs: readonly number[];
  /** Epoch milliseconds (`Date.now()`). Tasks that have not started by then fail. */
  readonly deadlineMs: number;
}

/** Tasks to draw. They are kept until they are drawn and must not be changed meanwhile. */
export interface RenderRequest extends RenderLoad {
  readonly tasks: readonly ThreadTask[];
  /** What `estimatedMs` leaves out of each task, because its thread may keep it from another. */
  readonly layers?: readonly (KeptLayers | null)[];
}

/** What became of a request. */
export interface RenderRun {
  /** One for each task, in order. */
  readonly outcomes: readonly RenderOutcome[];
  /** Time until the first task was handed to a thread. */
  readonly queueMs: number;
  /** Time from then until the last outcome. */
  readonly renderMs: number;
}
