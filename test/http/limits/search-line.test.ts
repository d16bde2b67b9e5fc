/** An account runs one search at a time. */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import t from 'tap';
import { createSearchLine } from '../../../src/http/limits/places.ts';
import { until } from '../../servers/until.ts';
import { sharedApp } from '../../support/app/app.ts';
import { deferred } from '../../support/deferred.ts';

/** A client that can disconnect. */
const createClient = () => {
  const raw = Object.assign(new EventEmitter(), { closed: false });
  return { reply: { raw } as unknown as FastifyReply, goAway: () => raw.emit('close') };
};

t.test('searches run one after the other in an account, and in parallel across accounts', async (t) => {
  const line = createSearchLine({ maxWaiting: 2, waitMs: 10_000 });
  const first = deferred();
  const order: string[] = [];
  const search = (name: string, account = 'a', ended = Promise.resolve()) =>
    line.run(account, createClient().reply, async () => {
      order.push(name);
      await ended;
      return name;
    });
  const running = search('first', 'a', first.promise);
  const waiting = [search('second'), search('third')];
  await t.rejects(search('fourth'), { code: 'rate_limited', retryAfterS: 1 });
  t.equal(await search('other', 'b'), 'other');
  t.strictSame(order, ['first', 'other']);
  first.resolve();
  t.strictSame(await Promise.all([running, ...waiting]), ['first', 'second', 'third']);
  t.strictSame(order, ['first', 'other', 'second', 'third']);
  t.equal(await search('after'), 'after', 'the place is free');
});

t.test('a client that disconnects leaves the queue, and its search is aborted', async (t) => {
  const line = createSearchLine({ maxWaiting: 1, waitMs: 60_000 });
  const [typing, typed] = [createClient(), createClient()];
  const running = line.run('a', typing.reply, async (signal) => {
    await until(() => signal.aborted, { pauseMs: 1 });
    return 'ended';
  });
  const waiting = line.run('a', typed.reply, async () => t.fail('a search that nobody waits for has run'));
  typed.goAway();
  const left = waiting.then(String, ({ code }) => code);
  t.equal(await Promise.race([left, sleep(5000, 'it waits', { ref: false })]), 'rate_limited', 'at once');
  const next = line.run('a', createClient().reply, async () => 'found');
  typing.goAway();
  t.strictSame(await Promise.all([running, next]), ['ended', 'found']);
});

t.test('a client that has already disconnected does not wait, and its search starts aborted', async (t) => {
  const line = createSearchLine({ maxWaiting: 1, waitMs: 10_000 });
  const gone = () =>
    ({ raw: Object.assign(new EventEmitter(), { closed: true }) }) as unknown as FastifyReply;
  t.equal(await line.run('a', gone(), async (signal) => signal.aborted), true);
  t.equal(await line.run('a', createClient().reply, async (signal) => signal.aborted), false);
  const slow = deferred();
  const running = line.run('a', createClient().reply, () => slow.promise);
  await t.rejects(
    line.run('a', gone(), async () => {}),
    { code: 'rate_limited' },
  );
  slow.resolve();
  await running;
});

t.test('a search that has waited leaves no timer behind', async (t) => {
  const line = createSearchLine({ maxWaiting: 1, waitMs: 60_000 });
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const first = deferred();
  const running = line.run('a', createClient().reply, () => first.promise);
  const before = timers();
  const waiting = line.run('a', createClient().reply, async () => {});
  t.equal(timers(), before + 1);
  first.resolve();
  await Promise.all([running, waiting]);
  t.equal(timers(), before);
});

t.test('a search that waits too long is refused, and one that fails frees its place', async (t) => {
  const line = createSearchLine({ maxWaiting: 1, waitMs: 20 });
  const slow = deferred();
  const running = line.run('a', createClient().reply, () => slow.promise);
  await t.rejects(
    line.run('a', createClient().reply, async () => {}),
    { code: 'rate_limited' },
  );
  slow.resolve();
  await running;
  const fail = (error: Error) => line.run('a', createClient().reply, () => Promise.reject(error));
  await t.rejects(fail(new Error('x')), { message: 'x' });
  await t.rejects(fail(Object.assign(new Error('x'), { code: 'DATABASE_TIME_LIMIT' })), {
    code: 'time_limit',
    retryAfterS: 2,
  });
});

t.test(
  'of twelve parallel searches of an account four run at a time, the others get a Retry-After',
  async (t) => {
    const { call, account } = await sharedApp();
    const { key } = await account();
    for (const list of ['codes', 'folders']) {
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => call({ url: `/api/v1/${list}?search=nothing`, key })),
      );
      const refused = answers.filter(({ status }) => status === 429);
      const ran = answers.filter(({ status }) => status === 200).length;
      // One that ends before the last one comes leaves its place to it.
      t.ok(ran >= 4 && ran < 12, `${ran} run`);
      t.equal(refused.length, 12 - ran);
      t.match(refused[0], { headers: { 'retry-after': '1' }, json: { error: 'Rate limit exceeded' } });
    }
  },
);
