/** What runs again and again in the background of this process, and counts of its failed rounds. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';

const LOOPS = [
  'batch_store',
  'batches',
  'changes',
  'directory',
  'domains',
  'drain',
  'key_uses',
  'link_jobs',
  'reaper',
  'redis_memory',
  'scan_stream',
  'scans',
  'standings',
  'sweep',
  'unknown_slugs',
  'upkeep',
  'verifications',
  'webhooks',
] as const;

/** What runs again and again, and tries again after a failure. */
export type LoopName = (typeof LOOPS)[number];

const counts = new Map<LoopName, number>(LOOPS.map((loop) => [loop, 0]));

/** Counts a round that failed, and that is tried again. */
export const countLoopFailure = (loop: LoopName): void => void counts.set(loop, (counts.get(loop) ?? 0) + 1);

/** Returns the failed rounds since the start of the process; 0 where none has failed. */
export const loopFailures = (): Readonly<Record<string, number>> => Object.fromEntries(counts);

/** A loop that runs until it is stopped. */
export interface Loop {
  /** Begins no further round; resolves when the running one has ended. */
  stop(): Promise<void>;
}

/** Jitter of the pauses, as a share, so that gateways that started together do not stay in step. */
const JITTER = 0.2;
/** The shortest pause after a failed round. */
const FAILED_PAUSE_MS = 500;

/**
 * Runs `round` again and again, one at a time. About `pauseMs` pass between two rounds; after a round that resolves
 * with `'more'` the next begins at once. In a run of failures, the first one and the recovery are logged.
 */
export const startLoop = (
  name: LoopName,
  pauseMs: number,
  round: () => Promise<'more' | 'idle'>,
  log: Log,
): Loop => {
  const stopping = new AbortController();
  let failing = false;

  const runOnce = async (): Promise<'more' | 'idle'> => {
    try {
      const next = await round();
      if (failing) log.info({ loop: name }, 'loop works again');
      failing = false;
      return next;
    } catch (err) {
      countLoopFailure(name);
      if (!failing) log.error({ loop: name, err }, 'loop failed; will retry');
      failing = true;
      return 'idle';
    }
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if ((await runOnce()) === 'more') continue;
      const jitteredMs =
        (failing ? Math.max(pauseMs, FAILED_PAUSE_MS) : pauseMs) * (1 + JITTER * (2 * Math.random() - 1));
      await sleep(jitteredMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
};
