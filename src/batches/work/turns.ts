/** Turns of the event loop: work on many rows leaves it to others every few milliseconds. */
import { setImmediate } from 'node:timers/promises';

const TURN_MS = 2;

/** Calls `work` for each item in order. */
export const inTurns = async <T>(items: readonly T[], work: (item: T) => void): Promise<void> => {
  let endMs = performance.now() + TURN_MS;
  for (const item of items) {
    work(item);
    if (performance.now() < endMs) continue;
    await setImmediate();
    endMs = performance.now() + TURN_MS;
  }
};
