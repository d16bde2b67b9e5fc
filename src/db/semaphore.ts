import { within } from '../execution/time-limits.ts';
import { databaseFault } from './faults.ts';

/** How many callers may wait, for how long, and the messages for those refused. */
export interface LineBounds {
  readonly maxWaiting: number;
  readonly waitMs: number;
  readonly full: string;
  readonly late: string;
}

/** Creates a FIFO queue of callers. */
export const createLine = <Turn>({ maxWaiting, waitMs, full, late }: LineBounds) => {
  const waiting = new Set<(turn: Turn) => void>();
  return {
    /** Waits for a turn. Fails with `DATABASE_BUSY` when too many callers wait, or this one waits too long. */
    wait(): Promise<Turn> {
      if (waiting.size >= maxWaiting) return Promise.reject(databaseFault('DATABASE_BUSY', full));
      let admit: (turn: Turn) => void = () => {};
      const admitted = new Promise<Turn>((resolve) => {
        admit = resolve;
        waiting.add(admit);
      });
      return within(admitted, waitMs, () => {
        waiting.delete(admit);
        return databaseFault('DATABASE_BUSY', late);
      });
    },
    /** Gives the caller that has waited longest its turn. Returns `false` when nobody waits. */
    admit(turn: () => Turn): boolean {
      const [admit] = waiting;
      if (admit === undefined) return false;
      waiting.delete(admit);
      admit(turn());
      return true;
    },
  };
};

/** A bulk call is drawn within half of its reservation's time to live (30 s) and must be saved within the other half. */
const WAIT_MAX_MS = 20_000;

/**
 * Creates a semaphore: a function that runs its argument. At most `max` calls run at a time, and the others wait in
 * FIFO order. Without it, concurrent bulk calls would compete for all connections and fail after a second.
 *
 * The function fails with `DATABASE_BUSY` when too many callers wait, or one waits longer than `WAIT_MAX_MS`.
 */
export const createSemaphore = (max: number) => {
  const line = createLine<void>({
    maxWaiting: 1000,
    waitMs: WAIT_MAX_MS,
    full: 'too many calls wait to be saved',
    late: `too many calls are being saved: ${WAIT_MAX_MS} ms were not enough`,
  });
  let running = 0;
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (running < max) running += 1;
    else await line.wait();
    try {
      return await run();
    } finally {
      if (!line.admit(() => {})) running -= 1;
    }
  };
};
