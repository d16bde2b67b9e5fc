import { setTimeout as sleep } from 'node:timers/promises';

/**
 * For what must happen within a second; the rest is slack for a busy machine. It ends before a gateway that missed a
 * notification refetches an unknown link (`src/links/links.ts`) after ten seconds, or a known one after a minute.
 */
export const WITHIN_A_SECOND = { deadlineMs: 8000 };

/**
 * Calls `holds` until it returns true, and returns how many milliseconds that took. Rethrows errors of `holds`.
 *
 * @param options.deadlineMs When to give up: far beyond the expected time, but within the limit of a test file.
 * @throws {Error} with the source of `holds`, when it has not become true by then.
 */
export const until = async (
  holds: () => boolean | Promise<boolean>,
  { deadlineMs = 240_000, pauseMs = 20 }: { readonly deadlineMs?: number; readonly pauseMs?: number } = {},
): Promise<number> => {
  const startedMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedMs > deadlineMs)
      throw new Error(`not so within ${deadlineMs} ms: ${holds}`);
    await sleep(pauseMs);
  }
  return performance.now() - startedMs;
};
