/** The queue of tasks: what is admitted, in which order tasks leave, and what is refused. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import t from 'tap';
import { type Amount, add, limitAmount, NOTHING, shareOf } from '../../src/render/queue/fair-queue.ts';
import {
  BANDS,
  type Band,
  bandOf,
  createRenderQueue,
  type QueuedJob,
} from '../../src/render/queue/render-queue.ts';
import type { RenderKind } from '../../src/render/request.ts';

const ACCOUNTS = ['ann', 'ben', 'cat', 'dan'];
const account = fc.constantFrom(...ACCOUNTS);
const kind = fc.constantFrom<RenderKind>('single', 'bulk');
const DEADLINE_MS = 1000;

const queued = (of: RenderKind, accountId: string, costMs = 1, bytes = 10): QueuedJob => ({
  kind: of,
  accountId,
  costMs,
  bytes,
  deadlineMs: DEADLINE_MS,
});

const amountOf = (jobs: readonly QueuedJob[]): Amount => ({
  tasks: jobs.length,
  workMs: jobs.reduce((sum, { costMs }) => sum + costMs, 0),
  bytes: jobs.reduce((sum, { bytes }) => sum + bytes, 0),
});

const AMPLE: Amount = { tasks: 1e6, workMs: 1e6, bytes: 1e9 };
const tasks = (count: number): Amount => ({ tasks: count, workMs: count, bytes: 10 * count });

t.test('short tasks, long ones and bulk items wait in separate bands; a group has only one', async (t) => {
  const queue = createRenderQueue<QueuedJob>(1);
  queue.push(queued('bulk', 'ann'));
  queue.push(queued('bulk', 'ann', 50));
  queue.push(queued('single', 'ann', 50));
  queue.push(queued('single', 'ann'));
  queue.push(queued('single', 'ben'));
  const groupOf = (band: (typeof BANDS)[number]) =>
    queue.takeGroup(band).map((job) => `${job.kind} ${job.accountId} ${job.costMs}`);
  t.equal(queue.aheadMs('ben', 'bulk'), 52 + 1, 'all single tasks, and one bulk item of another account');
  t.strictSame(groupOf('short'), ['single ann 1', 'single ben 1']);
  t.strictSame(groupOf('short'), []);
  t.strictSame(groupOf('long'), ['single ann 50']);
  t.strictSame(groupOf('bulk'), ['bulk ann 1']);
  t.strictSame(groupOf('bulk'), ['bulk ann 50']);
  t.equal(queue.size, 0);
});

t.test('a group has 2.5 ms of single tasks, 8 ms of bulk items or one longer job', async (t) => {
  const property = fc.property(
    kind,
    fc.array(fc.tuple(account, fc.integer({ min: 0, max: 10 })), {
      minLength: 1,
      maxLength: 100,
      size: 'max',
    }),
    fc.integer({ min: 1, max: 8 }),
    (of, arrivals, threads) => {
      const queue = createRenderQueue<QueuedJob>(threads);
      const mostMs = of === 'single' ? 2.5 : 8;
      for (const [id, cost] of arrivals) queue.push(queued(of, id, cost));
      for (const band of BANDS) {
        while (queue.sizeOf(band) > 0) {
          const shareMs = queue.held.workMs / threads;
          const group = queue.takeGroup(band);
          const { workMs } = amountOf(group);
          if (group.length === 0 || group.length > 64) return false;
          if (group.length > 1 && workMs > Math.min(mostMs, shareMs)) return false;
        }
      }
      return queue.size === 0;
    },
  );
  t.doesNotThrow(() => fc.assert(property));
});

t.test('one account gets at most half of each limit, and bulk items at most three quarters', async (t) => {
  const bounds: readonly Amount[] = [
    { ...AMPLE, tasks: 100 },
    { ...AMPLE, workMs: 100 },
    { ...AMPLE, bytes: 1000 },
  ];
  for (const bound of bounds) {
    const queue = createRenderQueue<QueuedJob>(1);
    const fill = (of: RenderKind, id: string, count: number) => {
      for (let index = 0; index < count; index += 1) queue.push(queued(of, id));
    };
    const admits = (id: string, of: RenderKind, count: number) => queue.admits(id, of, tasks(count), bound);
    t.ok(admits('ann', 'bulk', 50));
    fill('bulk', 'ann', 50);
    t.notOk(admits('ann', 'bulk', 1), 'ann has her half');
    t.notOk(admits('ann', 'single', 1), 'whatever the kind of task');
    t.ok(admits('ben', 'bulk', 25));
    t.notOk(admits('ben', 'bulk', 26), 'a quarter is reserved for single tasks');
    fill('bulk', 'ben', 25);
    t.ok(admits('cat', 'single', 1));
    t.notOk(admits('dan', 'bulk', 1), 'bulk items are refused first');
    fill('single', 'cat', 25);
    t.notOk(admits('dan', 'single', 1), 'full');
  }
});

t.test('a request that finds the queue empty is admitted whatever its size', async (t) => {
  const queue = createRenderQueue<QueuedJob>(1);
  const narrow: Amount = { tasks: 1, workMs: 1, bytes: 1 };
  t.ok(queue.admits('ann', 'bulk', tasks(100), narrow));
  queue.push(queued('bulk', 'ann'));
  t.notOk(queue.admits('ben', 'single', tasks(1), narrow));
});

t.test('a bulk call larger than all limits does not lock out other accounts', async (t) => {
  const queue = createRenderQueue<QueuedJob>(1);
  const bounds: Amount = { tasks: 100, workMs: 100, bytes: 1000 };
  t.ok(queue.admits('ann', 'bulk', tasks(1000), bounds));
  for (let index = 0; index < 1000; index += 1) queue.push(queued('bulk', 'ann'));
  t.notOk(queue.admits('ann', 'single', tasks(1), bounds), 'only ann herself is refused');
  t.ok(queue.admits('ben', 'bulk', tasks(25), bounds));
  t.notOk(queue.admits('ben', 'bulk', tasks(26), bounds));
  t.ok(queue.admits('ben', 'single', tasks(50), bounds));
});

t.test('the limits hold in any order of events, and all counts return to zero', async (t) => {
  const bounds: Amount = { tasks: 60, workMs: 200, bytes: 5000 };
  const request = fc.record({
    of: kind,
    id: account,
    jobs: fc.array(fc.tuple(fc.double({ min: 0, max: 60, noNaN: true }), fc.integer({ min: 1, max: 900 })), {
      minLength: 1,
      maxLength: 20,
    }),
  });
  const step = fc.oneof(
    { weight: 3, arbitrary: request },
    { weight: 3, arbitrary: fc.constantFrom(...BANDS) },
    { weight: 1, arbitrary: fc.constant('expire' as const) },
  );
  const within = (held: Amount, limit: Amount, share: number, largest: Amount): boolean =>
    (['tasks', 'workMs', 'bytes'] as const).every(
      // A request that found its part of the queue empty may exceed the limit.
      (of) => held[of] <= Math.max(limit[of] * share, largest[of]) + 1e-6,
    );
  const property = fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
    const queue = createRenderQueue<QueuedJob>(2);
    let waiting: QueuedJob[] = [];
    let largest = NOTHING;
    for (const happens of steps) {
      if (typeof happens === 'object') {
        const { of, id, jobs } = happens;
        const more = jobs.map(([costMs, bytes]) => queued(of, id, costMs, bytes));
        const amount = amountOf(more);
        if (!queue.admits(id, of, amount, bounds)) continue;
        largest = {
          tasks: Math.max(largest.tasks, amount.tasks),
          workMs: Math.max(largest.workMs, amount.workMs),
          bytes: Math.max(largest.bytes, amount.bytes),
        };
        for (const job of more) queue.push(job);
        waiting.push(...more);
      } else {
        const gone = new Set(happens === 'expire' ? queue.expire(DEADLINE_MS) : queue.takeGroup(happens));
        waiting = waiting.filter((job) => !gone.has(job));
      }
      const counted = queue.held;
      const truth = amountOf(waiting);
      assert.deepEqual([counted.tasks, counted.bytes], [truth.tasks, truth.bytes]);
      assert.ok(Math.abs(counted.workMs - truth.workMs) < 1e-6);
      const cappedOf = (band: Band) =>
        ACCOUNTS.map((id) => waiting.filter((job) => job.accountId === id && bandOf(job) === band))
          .map((jobs) => limitAmount(amountOf(jobs), shareOf(bounds, 1 / 2)))
          .reduce(add);
      assert.ok(within(cappedOf('bulk'), bounds, 3 / 4, NOTHING), 'bulk');
      assert.ok(within(BANDS.map(cappedOf).reduce(add), bounds, 1, NOTHING), 'all');
      for (const id of ACCOUNTS) {
        const own = amountOf(waiting.filter(({ accountId }) => accountId === id));
        assert.ok(within(own, bounds, 1 / 2, largest), id);
      }
    }
    queue.drain();
    assert.deepEqual(queue.held, NOTHING);
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 300 }));
});

t.test('a group has at most 64 jobs, however cheap they are', async (t) => {
  const queue = createRenderQueue<QueuedJob>(1);
  for (let count = 0; count < 100; count += 1) queue.push(queued('bulk', 'ann', 0));
  t.strictSame([queue.takeGroup('bulk').length, queue.takeGroup('bulk').length], [64, 36]);
});
