import type { TestScope } from '../servers/server-process.ts';

type Start = typeof setTimeout;

/** Speeds up timers of five seconds and more by this factor until the test ends. Shorter ones are unchanged. */
export const hurry = (scope: TestScope, times: number): void => {
  const { setTimeout: timeout, setInterval: interval } = globalThis;
  const hurried =
    (start: Start) =>
    (run: () => void, ms = 0, ...rest: []) =>
      start(run, ms >= 5000 ? ms / times : ms, ...rest);
  globalThis.setTimeout = hurried(timeout) as unknown as Start;
  globalThis.setInterval = hurried(interval as unknown as Start) as unknown as typeof interval;
  scope.teardown(() => {
    globalThis.setTimeout = timeout;
    globalThis.setInterval = interval;
  });
};
