/** The order in which tasks start, with threads that the tests control. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { createMeter } from '../../src/render/meter.ts';
import { createDispatcher } from '../../src/render/queue/dispatcher.ts';
import type { RenderKind, RenderRun } from '../../src/render/request.ts';
import type { Ran } from '../../src/render/threads.ts';
import type { RenderTask } from '../../workers/protocol.ts';
import { request, words } from './requests.ts';

/** A dispatcher with threads that answer when the test says so. */
const buildDispatcher = (threads: number, renderMs = 1) => {
  const begun: (() => void)[] = [];
  /** The first text of each group that was started. */
  const texts: string[] = [];
  /** The texts of all tasks that were started. */
  const drawn: string[] = [];
  const run = (tasks: readonly RenderTask[]) =>
    new Promise<Ran>((resolve) => {
      const results = tasks.map(({ text }) => ({
        ok: true as const,
        value: {
          bytes: Buffer.from(text),
          lane: 'plain' as const,
          grade: 4 as const,
          warnings: '',
          renderMs,
        },
      }));
      texts.push(tasks[0]!.text);
      drawn.push(...tasks.map(({ text }) => text));
      begun.push(() => resolve({ ok: true, value: results }));
    });
  const options = { threads, queueMax: 1000, queueMaxBytes: 1e9 };
  return {
    begun,
    texts,
    drawn,
    dispatcher: createDispatcher(options, { run, stuck: 0, close: async () => {} }, createMeter()),
  };
};

t.test('a task past its deadline never starts, even if no sweep ran before a thread is free', async (t) => {
  const { dispatcher, begun } = buildDispatcher(1);
  const first = dispatcher.submit(request(['first']));
  const late = dispatcher.submit(request(['late'], { deadlineMs: Date.now() + 5 }));
  for (const end = Date.now() + 10; Date.now() < end; );
  // Promises run before timers, so no sweep has run when the thread becomes free.
  begun[0]!();
  t.strictSame([...words(await first), ...words(await late)], ['first', 'deadline']);
  t.equal(begun.length, 1);
});

t.test('a task that finds an idle thread does not wait', async (t) => {
  const { dispatcher, begun } = buildDispatcher(2);
  const long = dispatcher.submit(request(['long'], { estimatedMs: [5000] }));
  t.equal(dispatcher.waitMs('ben', 'bulk', 1), 0);
  const other = dispatcher.submit(request(['other'], { estimatedMs: [5000] }));
  t.ok(dispatcher.waitMs('ben', 'bulk', 1) > 4000, 'half of 10 s');
  begun[0]!();
  begun[1]!();
  await Promise.all([long, other]);
  t.equal(dispatcher.waitMs('ben', 'bulk', 1), 0);
  t.ok(dispatcher.snapshot().pace < 1, 'estimated waits shrink when tasks end sooner than estimated');
});

t.test('a single call does not wait while batches occupy all threads', async (t) => {
  const { dispatcher, begun } = buildDispatcher(2);
  const ask = (name: string, kind: RenderKind) =>
    dispatcher.submit(request([name], { kind, estimatedMs: [kind === 'bulk' ? 5000 : 8] }));
  const batches = [ask('b0', 'bulk'), ask('b1', 'bulk'), ask('b2', 'bulk')];
  t.equal(begun.length, 2, 'batches do not use the express thread');
  t.equal(dispatcher.waitMs('ben', 'single', 1), 0);
  const first = ask('s0', 'single');
  t.equal(begun.length, 3);
  const second = ask('s1', 'single');
  t.equal(begun.length, 3, 'there is only one express thread');
  t.ok(dispatcher.waitMs('ben', 'single', 1) > 4000);
  begun[2]!();
  t.strictSame(words(await first), ['s0']);
  t.equal(begun.length, 4, 'the next single call gets it');
  begun[0]!();
  await batches[0];
  t.equal(begun.length, 4, 'another batch starts only when a batch and the single call have ended');
  begun[3]!();
  t.strictSame(words(await second), ['s1']);
  t.equal(begun.length, 5);
  begun[1]!();
  begun[4]!();
  t.strictSame((await Promise.all(batches)).flatMap(words), ['b0', 'b1', 'b2']);
});

t.test('a small picture does not wait for large ones, whichever account they belong to', async (t) => {
  const { dispatcher, begun, texts } = buildDispatcher(1);
  const ask = (name: string, accountId: string, ms: number) =>
    dispatcher.submit(request([name], { kind: 'single', accountId, estimatedMs: [ms] }));
  const large = [0, 1, 2].map((n) => ask(`large ${n}`, 'ann', 54));
  t.strictSame(texts, ['large 0'], 'large pictures do not use the express thread');
  t.equal(dispatcher.waitMs('ben', 'single', 0.1), 0);
  const small = ask('small', 'ben', 0.1);
  t.strictSame(texts, ['large 0', 'small']);
  begun[1]!();
  t.strictSame(words(await small), ['small']);
  t.strictSame(texts, ['large 0', 'small'], 'large pictures still do not');
  for (const n of [0, 2, 3]) {
    begun[n]!();
    await delay(0);
  }
  t.strictSame((await Promise.all(large)).flatMap(words), ['large 0', 'large 1', 'large 2']);
});

t.test('accounts take turns on the express thread', async (t) => {
  const { dispatcher, begun, texts } = buildDispatcher(1);
  const ask = (accountId: string, ms: number) =>
    dispatcher.submit(request([accountId], { kind: 'single', accountId, estimatedMs: [ms] }));
  const runs = [ask('large', 54), ...Array.from({ length: 20 }, () => ask('greedy', 2)), ask('modest', 2)];
  for (let n = 1; n < begun.length; n += 1) {
    begun[n]!();
    await delay(0);
  }
  t.ok(texts.indexOf('modest') <= 3, texts.join());
  t.equal(begun.length, 22);
  begun[0]!();
  await Promise.all(runs);
});

t.test('a steady stream of small pictures does not starve large ones and batches', async (t) => {
  for (const [kind, ms] of [
    ['single', 54],
    ['bulk', 0.1],
  ] as const) {
    const { dispatcher, begun, texts } = buildDispatcher(1);
    const small = () =>
      dispatcher.submit(request(['small'], { kind: 'single', accountId: 'ann', estimatedMs: [2] }));
    const runs = Array.from({ length: 10 }, small);
    const waiting = dispatcher.submit(request(['waiting'], { kind, accountId: 'ben', estimatedMs: [ms] }));
    t.strictSame(texts, ['small', 'waiting'], kind);
    for (let n = 0; n < begun.length; n += 1) {
      begun[n]!();
      await delay(0);
    }
    await Promise.all([...runs, waiting]);
  }
});

/** A dispatcher with one thread whose groups end as the test says. */
const buildFailing = () => {
  const ended: ((ran: Ran) => void)[] = [];
  const groups: string[][] = [];
  const run = (tasks: readonly RenderTask[]) => {
    groups.push(tasks.map(({ text }) => text));
    return new Promise<Ran>((resolve) => ended.push(resolve));
  };
  const options = { threads: 1, queueMax: 1000, queueMaxBytes: 1e9 };
  const dispatcher = createDispatcher(options, { run, stuck: 0, close: async () => {} }, createMeter());
  return { ended, groups, dispatcher };
};

t.test('tasks of a crashed group run alone, and those of batches never on the express thread', async (t) => {
  const { ended, groups, dispatcher } = buildFailing();
  const batch = dispatcher.submit(request(['a', 'b', 'c']));
  ended[0]!({ ok: false, fault: { hungAt: null, cause: 'a crash' } });
  await delay(0);
  t.strictSame(groups, [['a', 'b', 'c'], ['a']], 'the express thread stays free for single calls');
  for (let n = 1; n < 4; n += 1) {
    ended[n]!({ ok: false, fault: { hungAt: null, cause: 'a crash' } });
    await delay(0);
  }
  t.strictSame(groups.slice(1), [['a'], ['b'], ['c']]);
  t.strictSame(words(await batch), ['crashed', 'crashed', 'crashed']);
});

t.test('the neighbours of a hanging task are drawn even late, and the task itself is not', async (t) => {
  const { ended, groups, dispatcher } = buildFailing();
  const both = dispatcher.submit(request(['hangs', 'neighbour'], { deadlineMs: Date.now() + 20 }));
  await delay(30);
  ended[0]!({ ok: false, fault: { hungAt: 0, cause: 'a hang' } });
  await delay(0);
  t.strictSame(groups, [['hangs', 'neighbour'], ['neighbour']]);
  ended[1]!({ ok: true, value: [{ ok: false, thrown: 'a bug' }] });
  const { outcomes } = await both;
  t.strictSame(outcomes, [
    { ok: false, fault: { reason: 'hung', cause: 'a hang' } },
    { ok: false, fault: { reason: 'crashed', cause: 'a bug' } },
  ]);
});

t.test('no thread is idle while suitable work waits, in any order of events', async (t) => {
  type Event = { readonly kind: RenderKind; readonly estimatedMs: number } | { readonly ends: number };
  const event: fc.Arbitrary<Event> = fc.oneof(
    fc.record({
      kind: fc.constantFrom<RenderKind>('single', 'bulk'),
      estimatedMs: fc.constantFrom(0.1, 1, 9, 50),
    }),
    fc.record({ ends: fc.nat() }),
  );
  const holds = async (threads: number, events: readonly Event[]) => {
    const { dispatcher, begun, drawn: taken, texts } = buildDispatcher(threads);
    const ended = new Set<number>();
    const names: string[] = [];
    const submitted = { short: 0, other: 0 };
    const begunOf = (band: string) => taken.filter((text) => text === band).length;
    const running = () => [...begun.keys()].filter((group) => !ended.has(group));
    const end = async (group: number) => {
      ended.add(group);
      begun[group]!();
      await delay(0);
    };
    const check = () => {
      const groups = running();
      const others = groups.filter((group) => texts[group] === 'other').length;
      assert.ok(others <= threads || groups.length === others);
      assert.ok(groups.length <= threads || (others > 0 && others < groups.length));
      assert.ok(groups.length <= threads + 1);
      const waiting = {
        short: submitted.short - begunOf('short'),
        other: submitted.other - begunOf('other'),
      };
      assert.ok(waiting.short + waiting.other === 0 || groups.length >= threads, 'a thread is idle');
      const expressIdle = groups.length <= threads;
      assert.ok(waiting.short === 0 || others === 0 || !expressIdle, 'a short task waits for a long one');
      assert.ok(waiting.other === 0 || others > 0, 'long tasks wait for short ones');
    };
    const runs: Promise<RenderRun>[] = [];
    for (const happened of events) {
      const groups = running();
      if ('kind' in happened) {
        const { kind, estimatedMs } = happened;
        const band = kind === 'single' && estimatedMs < 8 ? 'short' : 'other';
        submitted[band] += 1;
        names.push(band);
        runs.push(dispatcher.submit(request([band], { kind, estimatedMs: [estimatedMs] })));
      } else if (groups.length > 0) await end(groups[happened.ends % groups.length]!);
      check();
    }
    for (let groups = running(); groups.length > 0; groups = running()) {
      await end(groups[0]!);
      check();
    }
    const drawn = (await Promise.all(runs)).flatMap(words);
    assert.deepEqual(drawn, names);
  };
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 3 }),
    fc.array(event, { maxLength: 60 }),
    holds,
  );
  await t.resolves(fc.assert(property, { numRuns: 200 }));
});

t.test('slow answers to small pictures do not inflate the estimates of large ones', async (t) => {
  for (const renderMs of [0.1, 1]) {
    const { dispatcher, begun } = buildDispatcher(1, renderMs);
    for (let i = 0; i < 50; i += 1) {
      const small = dispatcher.submit(request(['small'], { estimatedMs: [0.1] }));
      await delay(2);
      begun[i]!();
      await small;
    }
    const large = dispatcher.submit(request(['large'], { estimatedMs: [5000] }));
    const waitMs = dispatcher.waitMs('ben', 'bulk', 1);
    t.ok(waitMs > 4500 && waitMs < 5500, `${Math.round(waitMs)} ms to wait for 5000 ms of work`);
    begun[50]!();
    await large;
  }
});
