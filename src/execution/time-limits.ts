/**
 * Limits of time: answers that are waited for no longer than a while, and long work on the event loop that is cut into
 * slices, so that other requests are served in between.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { payerNow, payRest } from './payer.ts';

/**
 * Waits for the answer, and throws the error of `onTimeout` when it does not arrive in time. An answer that arrived
 * while the process was blocked is in time. The work is not cancelled; its late outcome is dropped, even a failure.
 */
export const within = async <T>(
  answer: Promise<T>,
  timeoutMs: number,
  onTimeout: () => Error,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  let last: NodeJS.Immediate | undefined;
  const timeout = new Promise<never>((_, reject) => {
    // When this process was blocked, an answer that has already arrived is read before an immediate runs.
    const end = () => reject(onTimeout());
    timer = setTimeout(() => {
      last = setImmediate(end);
    }, timeoutMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
    clearImmediate(last);
  }
};

/**
 * Waits for some work to end, but at most `timeoutMs`, without telling which came first. Fails when the work fails in
 * time. Waiting does not keep the process alive.
 */
export const waitAtMost = async (ended: Promise<unknown> | null, timeoutMs: number): Promise<void> => {
  await Promise.race([ended, sleep(timeoutMs, undefined, { ref: false })]);
};

/** Slices of the event loop's time for long work. */
export type TimeSlices = ReturnType<typeof createTimeSlices>;

/** Far below the 25 ms that a turn may take, because a step that begins at the end of a slice is not interrupted. */
const SLICE_MS = 4;

/** Half as long, because each batch worker may take one per turn. */
const ITEMS_SLICE_MS = 2;

/** CSV of the shortest rows takes two milliseconds for this many bytes. */
const CHUNK_BYTES = 4096;

/** Creates slices. All work that shares them gets one per turn. All bodies of a gateway must share theirs. */
export const createTimeSlices = (sliceMs = SLICE_MS) => {
  const waiting: (() => void)[] = [];
  const letOneGoOn = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(letOneGoOn);
  };
  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(letOneGoOn);
    });
  return {
    /**
     * Resolves in a later turn of the event loop. One caller continues in each turn, in the order of the calls, so ten
     * large bodies delay a small request no longer than one does. Who pays before it rests, and goes on paying after it.
     */
    async next(): Promise<void> {
      const payer = payerNow();
      await payer?.rest();
      await wait();
      if (payer !== null) payRest(payer);
    },
    /** Begins a slice. The returned function tells whether its time is up, so that `next` is due. */
    slice(): () => boolean {
      const startedMs = performance.now();
      return () => performance.now() - startedMs > sliceMs;
    },
  };
};

/** Calls `work` for each item in order, in slices of its own. */
export const eachInSlices = async <T>(items: readonly T[], work: (item: T) => void): Promise<void> => {
  const slices = createTimeSlices(ITEMS_SLICE_MS);
  let isOver = slices.slice();
  for (const item of items) {
    work(item);
    if (!isOver()) continue;
    await slices.next();
    isOver = slices.slice();
  }
};

/** Splits chunks into small ones, in slices of its own: the reader's work on them counts. */
export async function* chunksInSlices(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const slices = createTimeSlices();
  let isOver = slices.slice();
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += CHUNK_BYTES) {
      yield chunk.subarray(at, at + CHUNK_BYTES);
      if (!isOver()) continue;
      await slices.next();
      isOver = slices.slice();
    }
  }
}
