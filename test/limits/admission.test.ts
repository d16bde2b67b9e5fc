/** Bounded admission. */
import fc from 'fast-check';
import t from 'tap';
import { createAdmission } from '../../src/limits/admission.ts';

const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'leave'), { maxLength: 60 });
const bound = fc.integer({ min: 1, max: 4 });

t.test('places are granted up to both limits, and become free when they are given back', async () => {
  fc.assert(
    fc.property(bound, bound, keys, (maxRunning, maxRunningPerKey, steps) => {
      const admission = createAdmission({ maxRunning, maxRunningPerKey });
      const open: { key: string; leave: () => void }[] = [];
      return steps.every((key) => {
        if (key === 'leave') {
          const { leave } = open.shift() ?? {};
          leave?.();
          // Only the first call has an effect.
          leave?.();
          return admission.stats().running === open.length;
        }
        const isFree =
          open.length < maxRunning && open.filter((one) => one.key === key).length < maxRunningPerKey;
        const leave = admission.tryEnter(key);
        if (leave !== null) open.push({ key, leave });
        return (leave !== null) === isFree;
      });
    }),
    { numRuns: 500 },
  );
});

t.test('a failed job frees its place, and without a queue a job is refused instead of waiting', async (t) => {
  const admission = createAdmission({ maxRunningPerKey: 1 });
  const failing = admission.run('a', () => Promise.reject(new Error('no')));
  t.equal(await admission.run('a', async () => 'x'), null);
  await t.rejects(failing, { message: 'no' });
  t.equal(await admission.run('a', async () => 'x'), 'x');
});

const bounds = {
  maxRunning: 2,
  maxRunningPerKey: 1,
  maxWaiting: 5,
  maxWaitingPerKey: 3,
  maxWaitMs: 60_000,
};

t.test('keys take turns, within all limits', async (t) => {
  const plan = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 3 })), {
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(plan, async (jobs) => {
      const admission = createAdmission(bounds);
      const running: string[] = [];
      let isWithin = true;
      const job = (account: string, pauses: number) => async () => {
        running.push(account);
        const own = running.filter((other) => other === account).length;
        isWithin &&= running.length <= 2 && own === 1 && admission.stats().waiting <= 5;
        for (let i = 0; i < pauses; i++) await new Promise(setImmediate);
        running.splice(running.indexOf(account), 1);
        if (pauses === 3) throw new Error('job failed');
        return account;
      };
      const results = await Promise.allSettled(
        jobs.map(([account, pauses]) => admission.run(account, job(account, pauses))),
      );
      const { running: left, waiting } = admission.stats();
      const isTold = results.every(
        (result, i) => result.status === 'rejected' || result.value === null || result.value === jobs[i]?.[0],
      );
      return isWithin && isTold && left === 0 && waiting === 0;
    }),
  );
  const admission = createAdmission({ ...bounds, maxRunning: 1 });
  const order: string[] = [];
  const take = (account: string) => admission.run(account, async () => void order.push(account));
  await Promise.all([take('a'), take('a'), take('a'), take('b'), take('c'), take('b')]);
  t.same(order, ['a', 'b', 'c', 'a', 'b', 'a'], 'the key that had the last turn waits for the others');
  const full = Array.from({ length: 6 }, () => take('a'));
  t.same(
    (await Promise.all(full)).map((result) => result === null),
    [false, false, false, false, true, true],
  );
});

t.test('callers are refused when they wait too long or when admission closes', async (t) => {
  const admission = createAdmission({ ...bounds, maxRunning: 1, maxWaitMs: 20 });
  let free = () => {};
  const first = admission.run(
    'a',
    () =>
      new Promise<string>((resolve) => {
        free = () => resolve('done');
      }),
  );
  t.equal(await admission.run('b', async () => 'late'), null);
  const closing = createAdmission({ ...bounds, maxRunning: 1 });
  const held = closing.run('a', () => new Promise((resolve) => setTimeout(resolve, 30)));
  const waiter = closing.run('b', async () => 'never');
  closing.close();
  t.equal(await waiter, null);
  t.equal(await closing.run('c', async () => 'never'), null);
  await held;
  free();
  t.equal(await first, 'done');
  const inTime = [admission.run('a', async () => 'first'), admission.run('b', async () => 'second')];
  t.same(await Promise.all(inTime), ['first', 'second']);
  // Longer than the maximum wait: a granted turn is not revoked.
  await new Promise((resolve) => setTimeout(resolve, 60));
  t.same(admission.stats(), { running: 0, waiting: 0 });
});
