import type { TestScope } from '../servers/server-process.ts';

/** A clock that advances only when the test says so. */
export interface Clock {
  pass(ms: number): void;
}

/** Stops this process's monotonic clock, `performance.now`, until the test ends. */
export const stopClock = (scope: TestScope): Clock => {
  let nowMs = 1e6;
  const { now } = performance;
  performance.now = () => nowMs;
  scope.teardown(() => {
    performance.now = now;
  });
  return {
    pass: (ms) => {
      nowMs += ms;
    },
  };
};
