import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createRenderPool, type RenderPool, type RenderPoolOptions } from '../../src/render/pool.ts';
import { until } from '../servers/until.ts';
import { DEFAULT_DESIGN } from '../support/pictures/designs.ts';
import { request, TOO_LATE_MS, task, words } from './requests.ts';

const FAKE_WORKER = new URL('./fake-worker.ts', import.meta.url);
/** Includes the start of a thread, which takes long on a busy machine. */
const HANG_LIMIT_MS = 4000;

const build = (test: Test, overrides: Partial<RenderPoolOptions> = {}) => {
  const log: { level: string; details: object; message: string }[] = [];
  const stuck: number[] = [];
  const pool = createRenderPool(
    {
      threads: 1,
      queueMax: 1000,
      queueMaxBytes: 1e9,
      workerUrl: FAKE_WORKER,
      onStuck: () => stuck.push(1),
      ...overrides,
    },
    {
      error: (details, message) => log.push({ level: 'error', details, message }),
    },
  );
  test.teardown(() => pool.close({ timeoutMs: 0 }));
  return { pool, log, stuck };
};

/** Keeps one thread and the express thread busy until the test releases them. */
const gate = () => {
  const word = new Int32Array(new SharedArrayBuffer(4));
  const ask = (pool: RenderPool, estimatedMs: number) =>
    pool.render({
      ...request([]),
      tasks: [task('hold', { png: new Uint8Array(word.buffer), widthPx: 1, heightPx: 1 })],
      estimatedMs: [estimatedMs],
      accountId: 'holder',
      kind: 'single',
    });
  return {
    /** Does not occupy the express thread. */
    holdThread: (pool: RenderPool) => ask(pool, 50),
    hold: async (pool: RenderPool, estimatedMs = 50) => {
      const [run] = await Promise.all([ask(pool, estimatedMs), ask(pool, 0)]);
      return run;
    },
    open: () => {
      Atomics.store(word, 0, 1);
      Atomics.notify(word, 0);
    },
  };
};

t.test('is ready when every thread has drawn a picture', async (t) => {
  const { pool } = build(t, { threads: 2 });
  await t.resolves(pool.ready());
});

t.test('never becomes ready with a worker that cannot be loaded', async (t) => {
  const { pool, log } = build(t, { workerUrl: new URL('./no-such-worker.ts', import.meta.url) });
  await t.rejects(pool.ready(), { message: 'a render thread failed to draw its first picture' });
  t.ok(log.length > 0, 'with the reason');
});

t.test('never becomes ready with a worker whose symbols differ from those of the library', async (t) => {
  const { pool, log } = build(t, { workerUrl: new URL('./broken-worker.ts', import.meta.url) });
  await t.rejects(pool.ready(), { message: 'a render thread failed to draw its first picture' });
  const reasons = log.map(({ details }) => String((details as { err?: unknown }).err));
  t.ok(reasons.some((reason) => /symbol of "0123456789" differs from that of qrcode/.test(reason)));
});

t.test('returns results in order, whichever threads and groups drew the tasks', async (t) => {
  const { pool } = build(t, { threads: 2 });
  const texts = Array.from({ length: 100 }, (_, index) => (index % 10 === 3 ? 'fault' : `text ${index}`));
  const estimatedMs = texts.map((_, index) => (index % 7 === 0 ? 50 : 0.3));
  const startedMs = performance.now();
  const runs = await Promise.all([
    pool.render(request(texts, { estimatedMs })),
    pool.render(request(texts, { estimatedMs, accountId: 'ben' })),
    pool.render(request(['alone'], { kind: 'single' })),
    pool.render(request([])),
  ]);
  const elapsedMs = performance.now() - startedMs;
  for (const { queueMs, renderMs } of runs)
    t.ok(queueMs >= 0 && renderMs >= 0 && queueMs + renderMs <= elapsedMs, 'the times are of this request');
  const expected = texts.map((text) => (text === 'fault' ? 'can’t be drawn' : text));
  t.strictSame(runs.map(words), [expected, expected, ['alone'], []]);
  const { completed, faults, lanes, queued, queuedMs, running, queueMs, renderMs } = pool.stats();
  t.strictSame(
    { completed, faults, lanes },
    { completed: 181, faults: 20, lanes: { plain: 181, stamped: 0, layered: 0, reference: 0, vector: 0 } },
  );
  t.strictSame(
    { queued, queuedMs, running },
    { queued: { single: 0, bulk: 0, batch: 0 }, queuedMs: 0, running: 0 },
  );
  t.equal(queueMs.count, 201);
  const { plain, stamped, reference } = renderMs;
  t.strictSame([plain.count, plain.sum, stamped.count, reference.count], [181, 181, 0, 0]);
  t.equal(plain.counts[plain.bounds.indexOf(1)], 181, 'a limit includes its own value');
});

t.test('a picture that crashes the renderer does not make other pictures fail', async (t) => {
  for (const verb of ['throw', 'exit', 'lose']) {
    const { pool, log } = build(t);
    const { hold, open } = gate();
    const held = hold(pool);
    const run = pool.render(request(['a', 'b', verb, 'c']));
    const neighbour = pool.render(request(['d', 'e'], { accountId: 'ben' }));
    open();
    t.strictSame(words(await run), ['a', 'b', 'crashed', 'c'], verb);
    t.strictSame(words(await neighbour), ['d', 'e'], `${verb}: others`);
    t.strictSame(words(await held), ['hold']);
    t.ok(log.every(({ level }) => level === 'error') && log.length > 0, `${verb}: is logged`);
    t.strictSame(words(await pool.render(request(['after']))), ['after'], `${verb}: the pool goes on`);
    t.equal(pool.stats().failures.crashed, 1);
  }
});

t.test('a hanging picture fails alone, is not retried, and costs one thread', async (t) => {
  const { pool, log, stuck } = build(t, { waitLimitMs: HANG_LIMIT_MS, hangLimitMs: HANG_LIMIT_MS });
  await pool.ready();
  const { hold, open } = gate();
  const held = hold(pool);
  const never = new Int32Array(new SharedArrayBuffer(4));
  const hanging = task('hold', { png: new Uint8Array(never.buffer), widthPx: 1, heightPx: 1 });
  const run = pool.render({
    ...request(['a', 'b', '', 'c']),
    tasks: [task('a'), task('b'), hanging, task('c')],
    deadlineMs: Date.now() + HANG_LIMIT_MS,
  });
  open();
  t.strictSame(words(await run), ['a', 'b', 'hung', 'c'], 'its neighbours are drawn');
  t.strictSame(words(await held), ['hold']);
  t.equal(log.filter(({ message }) => message === 'group of render tasks failed').length, 1);
  t.match(log, [{ details: { hungAt: 2 } }]);
  t.equal(stuck.length, 0);
});

t.test('a group of slow pictures does not count as hanging', async (t) => {
  const { pool } = build(t, { waitLimitMs: HANG_LIMIT_MS, hangLimitMs: HANG_LIMIT_MS });
  await pool.ready();
  const { hold, open } = gate();
  const held = hold(pool);
  const slow = `sleep ${HANG_LIMIT_MS * 0.6}`;
  const run = pool.render(request([slow, slow, 'c']));
  open();
  await held;
  t.strictSame(words(await run), [slow, slow, 'c']);
});

t.test('a picture hangs by the processor time of its thread, not by the time that passes', async (t) => {
  const { pool } = build(t, { hangLimitMs: 500, waitLimitMs: 120_000 });
  await pool.ready();
  t.strictSame(words(await pool.render(request(['sleep 2000', 'spin 200']))), ['sleep 2000', 'spin 200']);
  t.strictSame(words(await pool.render(request(['spin 60000']))), ['hung']);
});

t.test('a hundred large pictures delay another account by one, and small pictures not at all', async (t) => {
  const { pool } = build(t);
  const { holdThread, open } = gate();
  const held = holdThread(pool);
  const order: string[] = [];
  const ask = (name: string) =>
    pool.render(request([name], { accountId: name, estimatedMs: [150] })).then(() => order.push(name));
  const greedy = Array.from({ length: 100 }, () => ask('greedy'));
  const modest = ask('modest');
  const single = await pool.render(request(['single'], { accountId: 'single', kind: 'single' }));
  t.strictSame(words(single), ['single']);
  t.strictSame(order, [], 'the small picture is drawn before any of them');
  open();
  await Promise.all([held, ...greedy, modest]);
  t.ok(order.indexOf('modest') <= 2, order.slice(0, 4).join());
  t.equal(order.length, 101);
});

t.test('a full queue refuses calls immediately, bulk calls earlier than single calls', async (t) => {
  const { pool } = build(t, { queueMax: 8 });
  const { hold, open } = gate();
  const held = hold(pool);
  const taken = [
    pool.render(request(['1', '2', '3', '4'])),
    pool.render(request(['5', '6'], { accountId: 'ben' })),
  ];
  t.strictSame(pool.stats().queued, { single: 0, bulk: 6, batch: 0 });
  const bulk = request(['x'], { accountId: 'cat' });
  t.notOk(pool.hasRoom(bulk));
  t.strictSame(words(await pool.render(bulk)), ['queue_full']);
  const single = request(['7'], { accountId: 'cat', kind: 'single' });
  t.ok(pool.hasRoom(single), 'the last quarter is reserved for single calls');
  t.notOk(pool.hasRoom({ ...single, accountId: 'ann' }), 'but not for an account that has half of the queue');
  taken.push(pool.render(single), pool.render({ ...single, accountId: 'dan' }));
  t.notOk(pool.hasRoom({ ...single, accountId: 'eve' }));
  const refused = await pool.render(request(['x', 'y'], { accountId: 'eve' }));
  t.strictSame(words(refused), ['queue_full', 'queue_full']);
  open();
  await held;
  t.strictSame((await Promise.all(taken)).flatMap(words), ['1', '2', '3', '4', '5', '6', '7', '7']);
  t.ok(pool.hasRoom(bulk), 'there is room again');
  t.equal(pool.stats().failures.queue_full, 3);
});

t.test('a request that cannot start before its deadline is refused immediately', async (t) => {
  const { pool } = build(t);
  const { hold, open } = gate();
  const held = hold(pool, 5000);
  const soon = request(['soon'], { deadlineMs: Date.now() + 2000 });
  t.notOk(pool.hasRoom(soon));
  t.strictSame(words(await pool.render(soon)), ['queue_full']);
  const patient = pool.render(request(['patient'], { estimatedMs: [9000] }));
  t.ok(pool.retryAfterS() > 5, 'the refusal says when to retry');
  const behind = request(['behind'], { deadlineMs: Date.now() + 10_000, accountId: 'ann' });
  t.notOk(pool.hasRoom(behind), 'the queued work of the same account counts');
  open();
  t.strictSame([...words(await held), ...words(await patient)], ['hold', 'patient']);
  t.equal(pool.retryAfterS(), 1);
});

t.test('tasks past their deadline are dropped while the threads are busy', async (t) => {
  const { pool } = build(t);
  const { hold, open } = gate();
  const held = hold(pool);
  const run = await pool.render(request(['a', 'b'], { deadlineMs: Date.now() + 100 }));
  t.strictSame(words(run), ['deadline', 'deadline']);
  t.equal(run.renderMs, 0, 'none of its tasks ran');
  t.strictSame(words(await pool.render(request(['late'], { deadlineMs: Date.now() - 1 }))), ['deadline']);
  open();
  t.strictSame(words(await held), ['hold'], 'running tasks are not affected');
});

t.test('hanging threads are replaced; the process must end if two cannot be terminated', async (t) => {
  const { pool, stuck, log } = build(t, {
    threads: 3,
    waitLimitMs: HANG_LIMIT_MS,
    hangLimitMs: HANG_LIMIT_MS,
  });
  await pool.ready();
  const pipes = ['one', 'two'].map((name) => join(t.testdir(), name));
  execFileSync('mkfifo', pipes);
  const release = () => pipes.splice(0).map((pipe) => openSync(pipe, 'r+'));
  t.teardown(() => release().forEach(closeSync));
  const inNativeCode = pipes.map((pipe) => pool.render(request([`read ${pipe}`])));
  const inJavaScript = gate().hold(pool);
  const runs = await Promise.all([...inNativeCode, inJavaScript]);
  t.strictSame(runs.flatMap(words), ['hung', 'hung', 'hung']);
  const texts = Array.from({ length: 10 }, (_, index) => `${index}`);
  t.strictSame(words(await pool.render(request(texts))), texts, 'all are replaced meanwhile');
  await until(() => pool.stats().stuckThreads === 2);
  t.equal(stuck.length, 1);
  const hangs = log.filter(({ message }) => message.includes('cannot be stopped'));
  t.equal(hangs.length, 2, 'only native code cannot be terminated');
  const writers = release();
  await until(() => pool.stats().stuckThreads === 0);
  t.pass('a thread that ended later is no longer counted');
  writers.forEach(closeSync);
});

t.test('closing completes admitted tasks and refuses new ones', async (t) => {
  const { pool } = build(t);
  const { hold, open } = gate();
  const held = hold(pool);
  const waiting = pool.render(request(['a', 'b']));
  const closed = pool.close({ timeoutMs: TOO_LATE_MS });
  t.notOk(pool.hasRoom(request(['x'])));
  t.strictSame(words(await pool.render(request(['x']))), ['closed']);
  open();
  t.strictSame([...words(await held), ...words(await waiting)], ['hold', 'a', 'b']);
  await closed;
  t.equal(pool.close({ timeoutMs: 0 }), closed, 'closing again returns the same promise');
});

t.test('closing waits for a limited time, then fails the tasks that have not ended', async (t) => {
  const { pool } = build(t);
  const held = gate().hold(pool);
  const waiting = pool.render(request(['a', 'b']));
  await pool.close({ timeoutMs: 50 });
  t.strictSame([...words(await held), ...words(await waiting)], ['closed', 'closed', 'closed']);
});

t.test('a thread that hangs when the pool closes is reported, so the process need not wait', async (t) => {
  const { pool } = build(t);
  await pool.ready();
  const pipe = join(t.testdir(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const hanging = pool.render(request([`read ${pipe}`]));
  await until(() => pool.stats().running === 1);
  await pool.close({ timeoutMs: 50 });
  t.strictSame(words(await hanging), ['closed']);
  t.equal(pool.stats().stuckThreads, 1);
  const writer = openSync(pipe, 'r+');
  await until(() => pool.stats().stuckThreads === 0);
  closeSync(writer);
});

t.test('closing an idle pool returns immediately', async (t) => {
  const { pool } = build(t);
  await t.resolves(pool.close({ timeoutMs: TOO_LATE_MS }));
});

t.test('a task without an estimate throws', async (t) => {
  const { pool } = build(t);
  await t.rejects(pool.render(request(['a'], { estimatedMs: [] })), TypeError);
  await t.rejects(pool.render(request(['a'], { estimatedMs: [Number.NaN] })), TypeError);
});

t.test('the real renderer draws in its threads and frees its memory', async (t) => {
  const fail = (details: object, message: string) => void t.fail(message, details);
  const pool = createRenderPool(
    { threads: 1, queueMax: 1000, queueMaxBytes: 1e9, onStuck: () => t.fail('stuck') },
    { error: fail },
  );
  t.teardown(() => pool.close({ timeoutMs: 0 }));
  await pool.ready();
  const draw = (widthPx: number, format: 'png' | 'svg') => {
    const paint = { type: 'radial', rotationRad: 0, colorStops: [{ offset: 0, color: '#102030' }] } as const;
    const design = { ...DEFAULT_DESIGN, widthPx, heightPx: widthPx, dots: { ...DEFAULT_DESIGN.dots, paint } };
    return pool.render({ ...request(['']), tasks: [{ ...task('https://example.com'), design, format }] });
  };
  const [png] = (await draw(300, 'png')).outcomes;
  t.strictSame(png!.ok && [...png!.value.bytes.subarray(1, 4)], [...Buffer.from('PNG')]);
  const [svg] = (await draw(300, 'svg')).outcomes;
  t.match(svg!.ok && Buffer.from(svg!.value.bytes).toString(), /<svg/);

  const before = process.memoryUsage.rss();
  for (let index = 0; index < 100; index += 1) await draw(700, 'png');
  const grownMb = (process.memoryUsage.rss() - before) / 2 ** 20;
  t.ok(grownMb < 150, `grew by ${grownMb} MB; unfreed pictures would take 360 MB`);
});
