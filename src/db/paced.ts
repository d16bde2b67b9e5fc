import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MAX_MS = 1000;

/**
 * Runs a step of the upkeep, then waits as long as it took, at most a second, so upkeep uses half of one connection.
 */
export const runPaced = async <T>(step: () => Promise<T>): Promise<T> => {
  const startMs = performance.now();
  const done = await step();
  await sleep(Math.min(PAUSE_MAX_MS, performance.now() - startMs), undefined, { ref: false });
  return done;
};
