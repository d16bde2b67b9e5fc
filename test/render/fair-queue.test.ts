import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import t from 'tap';
import { type Amount, createFairQueue, type FairJob } from '../../src/render/queue/fair-queue.ts';

interface Numbered extends FairJob {
  readonly number: number;
}

const ACCOUNTS = ['ann', 'ben', 'cat', 'dan'];
const account = fc.constantFrom(...ACCOUNTS);
const costMs = fc.integer({ min: 1, max: 200 });

let numbers = 0;
const job = (accountId: string, cost: number, deadlineMs = 1000): Numbered => {
  numbers += 1;
  return { accountId, costMs: cost, bytes: 10 * cost, deadlineMs, number: numbers };
};

const amountOf = (jobs: readonly Numbered[]): Amount => ({
  tasks: jobs.length,
  workMs: jobs.reduce((sumMs, { costMs }) => sumMs + costMs, 0),
  bytes: jobs.reduce((sum, { bytes }) => sum + bytes, 0),
});

const takeAll = (queue: ReturnType<typeof createFairQueue<Numbered>>): Numbered[] => {
  const taken: Numbered[] = [];
  while (queue.size > 0) taken.push(...queue.take(0, 1));
  return taken;
};

/** A naive implementation of the paper, which assigns start tags to single jobs on arrival. */
const createModel = () => {
  let waiting: { job: Numbered; startTagMs: number }[] = [];
  let virtualMs = 0;
  const finishTags = new Map<string, number>();
  const ofAccount = (accountId: string) => waiting.filter((entry) => entry.job.accountId === accountId);
  /** Jobs that leave without being served do not delay those behind them. */
  const retag = (accountId: string, firstTagMs: number) => {
    let tagMs = firstTagMs;
    for (const entry of ofAccount(accountId)) {
      entry.startTagMs = tagMs;
      tagMs += entry.job.costMs;
    }
    finishTags.set(accountId, tagMs);
  };
  return {
    get waiting() {
      return waiting.map((entry) => entry.job);
    },
    push(added: Numbered) {
      const startTagMs = Math.max(virtualMs, finishTags.get(added.accountId) ?? 0);
      waiting.push({ job: added, startTagMs });
      finishTags.set(added.accountId, startTagMs + added.costMs);
    },
    mayServe(taken: Numbered): boolean {
      const own = ofAccount(taken.accountId)[0];
      const lowest = Math.min(...waiting.map((entry) => entry.startTagMs));
      return own?.job === taken && own.startTagMs === lowest;
    },
    serve(taken: Numbered) {
      virtualMs = waiting.find((entry) => entry.job === taken)!.startTagMs;
      waiting = waiting.filter((entry) => entry.job !== taken);
    },
    expire(nowMs: number): Numbered[] {
      const firstTags = new Map(ACCOUNTS.map((id) => [id, ofAccount(id)[0]?.startTagMs]));
      const late = waiting.filter((entry) => entry.job.deadlineMs <= nowMs).map((entry) => entry.job);
      waiting = waiting.filter((entry) => entry.job.deadlineMs > nowMs);
      for (const [id, tagMs] of firstTags) if (tagMs !== undefined) retag(id, tagMs);
      return late;
    },
  };
};

const commands = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('push' as const),
        account,
        costMs,
        deadlineMs: fc.integer({ min: 1, max: 99 }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('expire' as const), nowMs: fc.integer({ min: 0, max: 60 }) }),
    },
  ),
  { maxLength: 80, size: 'max' },
);

t.test('the least served account is always next, and no job is lost or repeated', async (t) => {
  const property = fc.property(commands, (steps) => {
    const queue = createFairQueue<Numbered>();
    const model = createModel();
    for (const step of steps) {
      if (step.do === 'push') {
        const added = job(step.account, step.costMs, step.deadlineMs);
        queue.push(added);
        model.push(added);
      } else if (step.do === 'take') {
        const [taken] = queue.take(0, 1);
        if ((taken === undefined) !== (model.waiting.length === 0)) return false;
        if (taken === undefined) continue;
        if (!model.mayServe(taken)) return false;
        model.serve(taken);
      } else {
        const late = new Set(queue.expire(step.nowMs));
        const expected = model.expire(step.nowMs);
        if (late.size !== expected.length || !expected.every((gone) => late.has(gone))) return false;
      }
      if (queue.size !== model.waiting.length) return false;
      if (!isDeepStrictEqual(queue.held, amountOf(model.waiting))) return false;
      for (const id of ACCOUNTS) {
        const own = model.waiting.filter((waits) => waits.accountId === id);
        if (!isDeepStrictEqual(queue.heldBy(id), amountOf(own))) return false;
      }
    }
    const rest = new Set(queue.drain());
    return queue.size === 0 && rest.size === model.waiting.length && model.waiting.every((w) => rest.has(w));
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 500 }));
});

t.test('a newcomer waits for at most one job of every other account', async (t) => {
  const property = fc.property(
    fc.array(fc.tuple(account, costMs), { maxLength: 60, size: 'max' }),
    fc.nat({ max: 40 }),
    (arrivals, served) => {
      const queue = createFairQueue<Numbered>();
      for (const [id, cost] of arrivals) queue.push(job(id, cost));
      for (let index = 0; index < served && queue.size > 0; index += 1) queue.take(0, 1);
      const newcomer = job('newcomer', 5);
      queue.push(newcomer);
      const before = takeAll(queue);
      const waitedFor = before.slice(0, before.indexOf(newcomer)).map(({ accountId }) => accountId);
      return new Set(waitedFor).size === waitedFor.length;
    },
  );
  t.doesNotThrow(() => fc.assert(property, { numRuns: 300 }));
});

t.test('the predicted work before a new job equals the work served before it, except ties', async (t) => {
  const property = fc.property(
    fc.array(fc.tuple(account, costMs, fc.integer({ min: 1, max: 99 })), { maxLength: 60, size: 'max' }),
    fc.nat({ max: 40 }),
    fc.nat({ max: 60 }),
    account,
    (arrivals, served, nowMs, id) => {
      const queue = createFairQueue<Numbered>();
      for (const [other, cost, deadlineMs] of arrivals) queue.push(job(other, cost, deadlineMs));
      for (let index = 0; index < served && queue.size > 0; index += 1) queue.take(0, 1);
      queue.expire(nowMs);
      const foreseenMs = queue.aheadMs(id);
      const added = job(id, 1);
      queue.push(added);
      const order = takeAll(queue);
      const place = order.indexOf(added);
      const beforeMs = order.slice(0, place).reduce((sumMs, { costMs }) => sumMs + costMs, 0);
      // Jobs with the same tag may come before or after: at most one of each other account.
      const behind = order.slice(place + 1);
      const tiesMs = ACCOUNTS.map(
        (other) => behind.find(({ accountId }) => accountId === other)?.costMs ?? 0,
      );
      return foreseenMs >= beforeMs && foreseenMs <= beforeMs + tiesMs.reduce((a, b) => a + b, 0);
    },
  );
  t.doesNotThrow(() => fc.assert(property, { numRuns: 500 }));
});

t.test('service is forgotten at the end of a busy period', async (t) => {
  const queue = createFairQueue<Numbered>();
  queue.push(job('ann', 1000));
  queue.take(0, 1);
  queue.endBusyPeriod();
  queue.push(job('ann', 1));
  queue.push(job('ben', 1));
  t.strictSame(
    takeAll(queue).map(({ accountId }) => accountId),
    ['ann', 'ben'],
  );
});

t.test('forgetting accounts without queued jobs does not change the order', async (t) => {
  const visits = fc.array(fc.tuple(fc.nat({ max: 300 }), costMs), { minLength: 600, maxLength: 600 });
  const property = fc.property(visits, (arrivals) => {
    const queue = createFairQueue<Numbered>();
    const model = createModel();
    for (const [index, [visitor, cost]] of arrivals.entries()) {
      const added = job(`visitor ${visitor}`, cost);
      queue.push(added);
      model.push(added);
      if (index < 3) continue;
      const [taken] = queue.take(0, 1);
      if (!model.mayServe(taken!)) return false;
      model.serve(taken!);
    }
    return true;
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 20 }));
});
