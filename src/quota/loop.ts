import { setTimeout as sleep } from 'node:timers/promises';
import { countLoopFailure, type LoopName } from '../execution/loops.ts';
import type { Log } from '../log.ts';
import type { Quota } from './quota.ts';

/** A loop that runs until it is stopped. */
interface Loop {
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

const PAUSE_MS = 1000;

/** Calls `reap` for the next ones each second. Every gateway runs a reaper, yet each reservation expires only once. */
export const startReaper = (quota: Pick<Quota, 'reap'>, log: Log): Loop =>
  startLoop(
    'reaper',
    PAUSE_MS,
    async () => {
      const reaped = await quota.reap('next');
      if (reaped > 0) log.warn({ reaped }, 'reservations expired; their units were given back');
      return 'idle';
    },
    log,
  );
