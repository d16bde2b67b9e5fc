/** The limit for calls that are saved at the same time. */
import fc from 'fast-check';
import t from 'tap';
import { createSemaphore } from '../../src/db/semaphore.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

t.test('at most the given number of calls run, and those that wait start in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
      async (max, fails, choices) => {
        const run = createSemaphore(max);
        const begun: number[] = [];
        const running = new Map<number, () => void>();
        const calls = fails.map((isFailure, i) =>
          run(async () => {
            begun.push(i);
            await new Promise<void>((resolve) => running.set(i, resolve));
            if (isFailure) throw new Error(`call ${i}`);
            return i;
          }),
        );
        const ended = Promise.allSettled(calls);
        for (const [done, choice] of choices.slice(0, fails.length).entries()) {
          await turn();
          const expected = Math.min(max, fails.length - done);
          if (running.size !== expected) throw new Error(`${running.size} run, not ${expected}`);
          const chosen = [...running.keys()][choice % running.size]!;
          running.get(chosen)!();
          running.delete(chosen);
        }
        const outcomes = (await ended).map((one) => one.status === 'fulfilled');
        return (
          fc.stringify(outcomes) === fc.stringify(fails.map((isFailure) => !isFailure)) &&
          fc.stringify(begun) === fc.stringify(fails.map((_, i) => i))
        );
      },
    ),
    { numRuns: 100 },
  );
});

/** Occupies a place until `release` is called. */
const occupy = (run: ReturnType<typeof createSemaphore>) => {
  let release = () => {};
  const first = run(
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  );
  return { first, release: () => release() };
};

t.test('a thousand callers wait, and the next one is refused at once', async (t) => {
  const run = createSemaphore(1);
  const { first, release } = occupy(run);
  let ran = 0;
  const waiting = Array.from({ length: 1000 }, () =>
    run(async () => {
      ran += 1;
    }),
  );
  await t.rejects(
    run(async () => {}),
    { code: 'DATABASE_BUSY' },
  );
  release();
  await Promise.all([first, ...waiting]);
  t.equal(ran, 1000);
  t.equal(await run(async () => 'free again'), 'free again');
});

t.test('a caller that has waited for twenty seconds is refused, and takes no place afterwards', async (t) => {
  const late: (() => void)[] = [];
  const start = globalThis.setTimeout;
  // Other timers of this process continue.
  const setTimer = (end: () => void, delayMs: number) =>
    delayMs === 20_000 ? void late.push(end) : start(end, delayMs);
  const { restore } = t.intercept(globalThis, 'setTimeout', { value: setTimer });
  const run = createSemaphore(1);
  const { first, release } = occupy(run);
  const refused = t.rejects(
    run(async () => 'late'),
    { code: 'DATABASE_BUSY' },
  );
  await turn();
  restore();
  t.ok(late.length > 0, 'a timer of twenty seconds is set');
  for (const end of late) end();
  await refused;
  release();
  await first;
  t.equal(await run(async () => 'next'), 'next');
});
