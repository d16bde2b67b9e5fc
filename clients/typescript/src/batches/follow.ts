/** Waits for a batch, and names its parts as they are made. */
import type { Call, CallOptions } from '../call.ts';
import type { Operation } from '../request.ts';
import { pause } from '../retries.ts';

/** What a batch says of itself, as far as waiting needs it. */
export interface BatchState {
  readonly state: string;
}

/** A part that can be downloaded. */
export interface BatchPart {
  /** From 1. */
  readonly n: number;
  readonly codes: number;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Options of waiting. */
export interface FollowOptions<Batch> extends CallOptions {
  /** Receives the batch each time it is looked at. */
  onProgress?(batch: Batch): void;
}

const GET = { method: 'GET', auth: 'key' } as const;
const BATCH: Operation = { ...GET, path: '/api/v1/batches/{id}' };
const PARTS: Operation = { ...GET, path: '/api/v1/batches/{id}/parts' };

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;
const ENDED: ReadonlySet<string> = new Set(['done', 'failed', 'cancelled', 'expired']);

/** Whether a batch has come to its end. */
export const hasEnded = ({ state }: BatchState): boolean => ENDED.has(state);

/**
 * Yields the parts of a batch in order, each as soon as it has all of its rows, with the batch as it is then. Returns
 * the batch when it has ended. A part without any code is left out.
 *
 * @throws {TesseraError}
 */
export async function* followBatch<Batch extends BatchState>(
  call: Call,
  id: string,
  { onProgress, ...options }: FollowOptions<Batch> = {},
): AsyncGenerator<{ readonly part: BatchPart; readonly batch: Batch }, Batch, undefined> {
  const path = { id };
  const partsNow = async (): Promise<readonly BatchPart[]> =>
    ((await call(PARTS, { path }, options)).data as { readonly data: readonly BatchPart[] }).data;
  let next = 1;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
    // A part that is listed before the batch is seen running has all of its rows. One that a cancellation closed is not
    // mistaken for such a part, because the batch is then seen finishing.
    const early = await partsNow();
    const batch = (await call(BATCH, { path }, options)).data as Batch;
    onProgress?.(batch);
    const isOver = hasEnded(batch);
    for (const part of isOver ? await partsNow() : batch.state === 'running' ? early : []) {
      if (part.n < next) continue;
      if (part.n > next && !isOver) break;
      yield { part, batch };
      next = part.n + 1;
    }
    if (isOver) return batch;
    await pause(waitMs, options.signal);
  }
}
