import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../log.ts';

export interface Loop {
  /** Resolves when a round that was running has ended. */
  stop(): Promise<void>;
}

/** Pauses differ by up to this share, so that gateways started together don't stay in step. */
const JITTER = 0.2;
/** The least pause after a failure. */
const FAILED_PAUSE_MS = 500;

/**
 * Runs `round` again and again, never two at once, with about `pauseMs` between the end of one and the start of
 * the next; a round that resolves with `'more'` is followed at once by another. A failing round is logged
 * when an outage begins, and its end is logged too.
 */
export const startLoop = (
  name: string,
  pauseMs: number,
  round: () => Promise<'more' | 'idle'>,
  log: Log,
): Loop => {
  const stopping = new AbortController();
  let failing = false;

  const runOnce = async (): Promise<'more' | 'idle'> => {
    try {
      const next = await round();
      if (failing) log.info({ loop: name }, 'works again');
      failing = false;
      return next;
    } catch (err) {
      if (!failing) log.error({ loop: name, err }, 'fails; tried again until it works');
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
