import { within } from '../time-limit.ts';
import { databaseFault } from './faults.ts';

/** The next one is refused at once. */
const WAITING_MAX = 1000;
/** A batch has been drawn within half a reservation's time to live (30 s), and is to be saved within the other half. */
const WAIT_MAX_MS = 20_000;

/**
 * Lets `max` at a time run, the others in the order in which they came. Many batches that are drawn at the same time
 * would otherwise wait for connections, which are given up after a second, and take them from everything else.
 *
 * Fails with DATABASE_BUSY when too many wait, or no place becomes free in time.
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
      return Promise.reject(databaseFault('DATABASE_BUSY', 'too many batches wait to be saved'));
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
        `too many batches are being saved: ${WAIT_MAX_MS} ms were not enough`,
      );
    });
  };

  /** The place goes to whoever has waited longest. */
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
