/** Work that gateways share through leases in the database: rounds that poll for it, and renewal of its leases. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { countLoopFailure, type LoopName } from './loops.ts';
import { waitAtMost } from './time-limits.ts';

/** How long after a gateway was killed another one takes over its work. */
export const LEASE_MS = 20_000;
const RENEW_MS = 5000;
const LOOK_EVERY_MS = 2000;
const AFTER_FAILURE_MS = 10_000;

/**
 * Does work while renewing its lease. When the lease cannot be renewed, another gateway takes over, and this one's
 * writes are rejected.
 */
export const runWhileRenewed = async <T>(
  renew: () => Promise<unknown>,
  work: () => Promise<T>,
  everyMs = RENEW_MS,
): Promise<T> => {
  const renewal = setInterval(() => void renew().catch(() => {}), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
  }
};

/**
 * Creates rounds of work, which run until `end`. A waiting round does not keep the process alive.
 *
 * @param loop Under which failed rounds are counted.
 */
export const createRounds = (loop: LoopName, log: Pick<Log, 'warn'>) => {
  const ending = new AbortController();
  const running: Promise<void>[] = [];
  /** Aborted with `ending` too: combining both signals for each pause would leak memory on Node 20. */
  let awake = new AbortController();

  const pause = (ms: number, signal: AbortSignal): Promise<void> =>
    sleep(ms, undefined, { signal, ref: false }).catch(() => {});

  const rest = async (ms: number): Promise<void> => {
    await pause(ms, awake.signal);
    if (awake.signal.aborted && !ending.signal.aborted) awake = new AbortController();
  };

  const repeat = async (failure: string, round: () => Promise<void>, failed: () => Promise<void>) => {
    while (!ending.signal.aborted) {
      try {
        await round();
      } catch (err) {
        if (ending.signal.aborted) return;
        countLoopFailure(loop);
        log.warn({ err }, failure);
        await failed();
      }
    }
  };

  return {
    isEnding: (): boolean => ending.signal.aborted,

    /** Looks for work now instead of a little later. */
    wake(): void {
      // In a turn of its own, for which the account whose call has woken it does not pay.
      setImmediate(() => awake.abort());
    },

    /**
     * Calls `work` repeatedly: at once while it returns that there was some, otherwise after two seconds. A failure is
     * logged as `failure`, and followed by a pause.
     */
    work(failure: string, work: () => Promise<boolean>): void {
      const round = async (): Promise<void> => {
        if (!(await work())) await rest(LOOK_EVERY_MS);
      };
      running.push(repeat(failure, round, () => rest(AFTER_FAILURE_MS)));
    },

    /** Runs `task` periodically, whether there is work or not. */
    every(failure: string, everyMs: number, task: () => Promise<void>): void {
      const round = async (): Promise<void> => {
        await task();
        await pause(everyMs, ending.signal);
      };
      running.push(repeat(failure, round, () => pause(Math.max(everyMs, AFTER_FAILURE_MS), ending.signal)));
    },

    /** Ends all rounds, and waits for them for at most `timeoutMs`. @param last Ends what must end after the rounds. */
    async end(timeoutMs: number, last: () => Promise<unknown> = async () => {}): Promise<void> {
      ending.abort();
      awake.abort();
      await waitAtMost(Promise.all(running).then(last), timeoutMs);
    },
  };
};
