/** Which task is begun when, over threads that the tests hold in their hands. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { createDispatcher } from '../../src/render/dispatcher.ts';
import { createMeter } from '../../src/render/meter.ts';
import type { RenderKind, RenderRun } from '../../src/render/request.ts';
import type { Ran } from '../../src/render/threads.ts';
import type { RenderTask } from '../../workers/protocol.ts';
import { request, words } from './requests.ts';

/** A dispatcher over threads that answer when the test says so. */
const buildDispatcher = (threads: number, renderMs = 1) => {
  const begun: (() => void)[] = [];
  /** The first text of each group begun. */
  const texts: string[] = [];
  const run = (tasks: readonly RenderTask[]) =>
    new Promise<Ran>((resolve) => {
      const results = tasks.map(({ text }) => ({
        ok: true as const,
        bytes: Buffer.from(text),
        lane: 'plain' as const,
        renderMs,
      }));
      texts.push(tasks[0]!.text);
      begun.push(() => resolve({ ok: true, results }));
    });
  const options = { threads, queueMax: 1000 };
  return {
    begun,
    texts,
    dispatcher: createDispatcher(options, { run, stuck: 0, close: async () => {} }, createMeter()),
  };
};

t.test('a task past its deadline is not begun, however late a thread comes back', async (t) => {
  const { dispatcher, begun } = buildDispatcher(1);
  const first = dispatcher.submit(request(['first']));
  const late = dispatcher.submit(request(['late'], { deadlineMs: Date.now() + 5 }));
  for (const end = Date.now() + 10; Date.now() < end; );
  // Promises go before timers: no sweep has run when the thread is found to be free.
  begun[0]!();
  t.strictSame([...words(await first), ...words(await late)], ['first', 'deadline']);
  t.equal(begun.length, 1);
});

t.test('whoever finds a thread idle does not wait, whatever the others do', async (t) => {
  const { dispatcher, begun } = buildDispatcher(2);
  const long = dispatcher.submit(request(['long'], { estimatedMs: [5000] }));
  t.equal(dispatcher.waitMs('ben', 'bulk'), 0);
  const other = dispatcher.submit(request(['other'], { estimatedMs: [5000] }));
  t.ok(dispatcher.waitMs('ben', 'bulk') > 4000, 'half of 10 s');
  begun[0]!();
  begun[1]!();
  await Promise.all([long, other]);
  t.equal(dispatcher.waitMs('ben', 'bulk'), 0);
  t.ok(dispatcher.snapshot().pace < 1, 'tasks that end sooner than estimated are learnt from');
});

t.test('a single does not wait for the batches that hold all threads', async (t) => {
  const { dispatcher, begun } = buildDispatcher(2);
  const ask = (name: string, kind: RenderKind) =>
    dispatcher.submit(request([name], { kind, estimatedMs: [5000] }));
  const batches = [ask('b0', 'bulk'), ask('b1', 'bulk'), ask('b2', 'bulk')];
  t.equal(begun.length, 2, 'the express thread is not for batches');
  t.equal(dispatcher.waitMs('ben', 'single'), 0);
  const first = ask('s0', 'single');
  t.equal(begun.length, 3);
  const second = ask('s1', 'single');
  t.equal(begun.length, 3, 'there is one such thread');
  t.ok(dispatcher.waitMs('ben', 'single') > 4000);
  begun[2]!();
  t.strictSame(words(await first), ['s0']);
  t.equal(begun.length, 4, 'and the next single has it');
  begun[0]!();
  await batches[0];
  t.equal(begun.length, 4, 'a batch that ends makes room only when the single has ended too');
  begun[3]!();
  t.strictSame(words(await second), ['s1']);
  t.equal(begun.length, 5);
  begun[1]!();
  begun[4]!();
  t.strictSame((await Promise.all(batches)).flatMap(words), ['b0', 'b1', 'b2']);
});

t.test('whatever comes and ends when, no thread is idle while work waits for it', async (t) => {
  type Event = { readonly kind: RenderKind; readonly estimatedMs: number } | { readonly ends: number };
  const event: fc.Arbitrary<Event> = fc.oneof(
    fc.record({
      kind: fc.constantFrom<RenderKind>('single', 'bulk'),
      estimatedMs: fc.constantFrom(0.1, 1, 50),
    }),
    fc.record({ ends: fc.nat() }),
  );
  const holds = async (threads: number, events: readonly Event[]) => {
    const { dispatcher, begun, texts } = buildDispatcher(threads);
    const ended = new Set<number>();
    const running = () => [...begun.keys()].filter((group) => !ended.has(group));
    const end = async (group: number) => {
      ended.add(group);
      begun[group]!();
      await delay(0);
    };
    const check = () => {
      const groups = running();
      const batches = groups.filter((group) => texts[group] === 'bulk').length;
      const { single, bulk } = dispatcher.snapshot().queued;
      assert.ok(batches <= threads && groups.length <= threads + 1);
      assert.ok(groups.length <= threads || (batches > 0 && batches < groups.length));
      assert.ok(single + bulk === 0 || groups.length >= threads, 'a thread is idle');
      assert.ok(single === 0 || batches === 0 || groups.length > threads, 'the express thread is idle');
    };
    const runs: Promise<RenderRun>[] = [];
    for (const happened of events) {
      const groups = running();
      if ('kind' in happened) {
        const { kind, estimatedMs } = happened;
        runs.push(dispatcher.submit(request([kind], { kind, estimatedMs: [estimatedMs] })));
      } else if (groups.length > 0) await end(groups[happened.ends % groups.length]!);
      check();
    }
    for (let groups = running(); groups.length > 0; groups = running()) {
      await end(groups[0]!);
      check();
    }
    const drawn = (await Promise.all(runs)).flatMap(words);
    assert.deepEqual(
      drawn,
      events.flatMap((happened) => ('kind' in happened ? [happened.kind] : [])),
    );
  };
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 3 }),
    fc.array(event, { maxLength: 60 }),
    holds,
  );
  await t.resolves(fc.assert(property, { numRuns: 200 }));
});

t.test('small pictures that are long on their way do not make large ones look slow', async (t) => {
  for (const renderMs of [0.1, 1]) {
    const { dispatcher, begun } = buildDispatcher(1, renderMs);
    for (let i = 0; i < 50; i += 1) {
      const small = dispatcher.submit(request(['small'], { estimatedMs: [0.1] }));
      await delay(2);
      begun[i]!();
      await small;
    }
    const large = dispatcher.submit(request(['large'], { estimatedMs: [5000] }));
    const waitMs = dispatcher.waitMs('ben', 'bulk');
    t.ok(waitMs > 4500 && waitMs < 5500, `${Math.round(waitMs)} ms to wait for 5000 ms of work`);
    begun[50]!();
    await large;
  }
});
