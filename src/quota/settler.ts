import { setTimeout as sleep } from 'node:timers/promises';
import { waitAtMost } from '../execution/time-limits.ts';
import type { Log } from '../log.ts';
import { currentTrace, noteSpan, runOutside, type Trace } from '../tracing/trace.ts';
import type { Settle } from './quota.ts';

/** How a settler sends, and the bounds of its queue. */
export interface SettlerOptions {
  /** Settles a group; resolves with the settlements that must be tried again. */
  flush(settles: readonly Settle[]): Promise<readonly Settle[]>;
  /** How long the first settlement waits for others to join it. */
  readonly delayMs: number;
  /** Settlements of one flush. */
  readonly groupMax: number;
  /** Settlements that may wait. A further one is dropped, and its reservation expires in the caller's favour. */
  readonly queueMax: number;
  /** Characters of all waiting answers together; beyond them a settlement is dropped as well. */
  readonly answersMaxChars: number;
  /** The reservation's time to live. An older settlement is dropped, because its reservation has expired. */
  readonly maxAgeMs: number;
  /** How long `close` keeps trying. */
  readonly closeTimeoutMs: number;
}

/** The bounds of the queue and of its end that both ledgers have. */
export const SETTLER_BOUNDS = {
  queueMax: 50_000,
  answersMaxChars: 64 * 1024 * 1024,
  closeTimeoutMs: 5000,
};

interface Entry {
  readonly settle: Settle;
  readonly addedMs: number;
  readonly trace: Trace | undefined;
}

const BACKOFF_MIN_MS = 100;
const BACKOFF_MAX_MS = 2000;
const DROPPED_TOLD_EVERY_MS = 1000;

/**
 * Creates the queue behind `settleLater`. It sends one group at a time, in order, and tries a failed group again
 * after growing pauses. Settling twice changes nothing, so a group that failed half-way is sent again whole.
 */
export const createSettler = (options: SettlerOptions, log: Log) => {
  const queue: Entry[] = [];
  let answersChars = 0;
  let dropped = 0;
  let droppedToldMs = 0;
  let failing = false;
  let running: Promise<void> | null = null;
  const closing = new AbortController();
  let giveUpAtMs = Number.POSITIVE_INFINITY;

  const drop = (count: number, reason: string) => {
    dropped += count;
    // An outage may drop thousands: one line a second is enough.
    if (Date.now() - droppedToldMs < DROPPED_TOLD_EVERY_MS) return;
    droppedToldMs = Date.now();
    log.error({ dropped, reason }, 'settlements dropped; their reservations expire');
  };

  const remove = (count: number) => {
    for (const { settle } of queue.splice(0, count)) answersChars -= settle.answer?.length ?? 0;
  };

  const pause = (ms: number) => sleep(ms, undefined, { signal: closing.signal }).catch(() => undefined);

  const removeStale = () => {
    const oldestMs = Date.now() - options.maxAgeMs;
    const stale = queue.findIndex(({ addedMs }) => addedMs >= oldestMs);
    const count = stale === -1 ? queue.length : stale;
    if (count > 0) drop(count, 'too old');
    remove(count);
  };

  const flushOnce = async (): Promise<void> => {
    const group = queue.slice(0, options.groupMax);
    const undone = new Set(await options.flush(group.map(({ settle }) => settle)));
    remove(group.length);
    const again = group.filter(({ settle }) => undone.has(settle));
    const endMs = Date.now();
    for (const { settle, addedMs, trace } of group)
      if (!undone.has(settle)) noteSpan(trace, 'quota settle', { startMs: addedMs, endMs });
    for (const { settle } of again) answersChars += settle.answer?.length ?? 0;
    queue.unshift(...again);
    if (again.length > 0) throw new Error(`${again.length} of ${group.length} could not be settled yet`);
    if (failing) log.info({}, 'settlements succeed again');
    failing = false;
  };

  const run = async (): Promise<void> => {
    let backoffMs = BACKOFF_MIN_MS;
    await pause(options.delayMs);
    while (queue.length > 0 && Date.now() < giveUpAtMs) {
      try {
        await flushOnce();
        backoffMs = BACKOFF_MIN_MS;
      } catch (err) {
        if (!failing) log.error({ err, waiting: queue.length }, 'settlements failed; will retry');
        failing = true;
        // While closing, `pause` ends at once; `sleep` keeps the loop from spinning.
        await (closing.signal.aborted ? sleep(BACKOFF_MIN_MS) : pause(backoffMs));
        backoffMs = Math.min(backoffMs * 2, BACKOFF_MAX_MS);
        removeStale();
      }
    }
    running = null;
  };

  return {
    /** Queues a settlement, or drops it when the queue is full; never throws. */
    add(settle: Settle): void {
      const chars = settle.answer?.length ?? 0;
      if (queue.length >= options.queueMax || answersChars + chars > options.answersMaxChars) {
        drop(1, 'queue full');
        return;
      }
      answersChars += chars;
      queue.push({ settle, addedMs: Date.now(), trace: currentTrace() });
      running ??= runOutside(run);
    },
    /** Settlements in the queue now. */
    get waiting(): number {
      return queue.length;
    },
    /** Settlements dropped since the start. */
    get dropped(): number {
      return dropped;
    },
    /** Flushes the queue within `closeTimeoutMs`, and drops what is left. */
    async close(): Promise<void> {
      giveUpAtMs = Date.now() + options.closeTimeoutMs;
      closing.abort();
      await waitAtMost(running, options.closeTimeoutMs);
      if (queue.length > 0) drop(queue.length, 'closed while the ledger was unavailable');
      remove(queue.length);
    },
  };
};
