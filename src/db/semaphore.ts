import { within } from '../time-limit.ts';
import { databaseFault } from './faults.ts';

/** Callers that may wait; a further one is refused at once. */
const WAITING_MAX = 1000;
/**
 * A bulk call is drawn within half of its reservation's time to live (30 s) and must be saved within the other half.
 */
const WAIT_MAX_MS = 20_000;

/**
 * Creates a semaphore: a function that runs its argument. At most `max` calls run at a time, and the others wait in the
 * order of their calls. Without it, many bulk calls would want all connections at once, and would fail after a second.
 *
 * The function fails with `DATABASE_BUSY` when too many callers wait, or one waits for longer than `WAIT_MAX_MS`.
 */
export const createSemaphore = (max: number) => {
  const waiting = new Set<() => void>();
  let running = 0;

  const enter = (): Promise<void> => {
    if (running < max) {
      running += 1;
      return Promise.resolve();
    }
    if (waiting.size >= WAITING_MAX) {
      return Promise.reject(databaseFault('DATABASE_BUSY', 'too many calls wait to be saved'));
    }
    let admit: () => void = () => {};
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
      waiting.add(admit);
    });
    return within(admitted, WAIT_MAX_MS, () => {
      waiting.delete(admit);
      return databaseFault(
        'DATABASE_BUSY',
        `too many calls are being saved: ${WAIT_MAX_MS} ms were not enough`,
      );
    });
  };

  /** Admits the caller that has waited longest. */
  const leave = (): void => {
    const [admit] = waiting;
    if (admit === undefined) {
      running -= 1;
      return;
    }
    waiting.delete(admit);
    admit();
  };

  return async <T>(run: () => Promise<T>): Promise<T> => {
    await enter();
    try {
      return await run();
    } finally {
      leave();
    }
  };
};
