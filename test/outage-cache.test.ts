import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createOutageCache, type OutageCacheOptions } from '../src/outage-cache/outage-cache.ts';
import { silent } from './support/silent-log.ts';

interface Value {
  readonly name: string;
}

/** A cache in front of a table that can be unavailable or slow, with a fake clock. */
const build = (t: Test, options: Partial<OutageCacheOptions<Value>> = {}) => {
  const logged: string[] = [];
  const world = {
    rows: new Map<string, Value>([['a', { name: 'first' }]]),
    asked: [] as string[],
    nowMs: 1_000_000,
    live: true,
    isUnavailable: false,
    /** While set, loads read immediately but answer only when it resolves. */
    hold: undefined as Promise<unknown> | undefined,
  };
  t.intercept(performance, 'now', { value: () => world.nowMs });
  const cache = createOutageCache<Value>(
    {
      what: 'values',
      load: async (key) => {
        world.asked.push(key);
        const row = world.rows.get(key) ?? null;
        await world.hold;
        if (world.isUnavailable) throw new Error('the database is unavailable');
        return row;
      },
      isLive: () => world.live,
      max: 100,
      freshMs: 60_000,
      unknownMs: 900,
      freshWithoutNewsMs: 900,
      staleMs: 600_000,
      maxLoads: 10,
      loadTimeoutMs: 1000,
      refreshTimeoutMs: 1000,
      retryMs: 500,
      whileFailing: 'spare',
      ...options,
    },
    { ...silent, info: (_, message) => logged.push(message), warn: (_, message) => logged.push(message) },
  );
  return { world, cache, logged };
};

const hold = () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release };
};

t.test('while loads fail, one caller per retry interval loads, and the others do not wait', async (t) => {
  const { world, cache } = build(t);
  await cache.get('a');
  cache.outdateAll();
  world.isUnavailable = true;
  t.strictSame(await cache.get('a'), { name: 'first' }, 'an outdated value is returned');
  t.equal(world.asked.length, 2);
  world.hold = new Promise(() => {});
  for (let i = 0; i < 10; i += 1) t.strictSame(await cache.get('a'), { name: 'first' });
  for (let i = 0; i < 10; i += 1) await t.rejects(cache.get('unseen'), /cannot be looked up/);
  t.equal(world.asked.length, 2, 'nothing is loaded within the retry interval');
  world.nowMs += 500;
  for (let i = 0; i < 10; i += 1) t.strictSame(await cache.get('a'), { name: 'first' });
  for (let i = 0; i < 10; i += 1) await t.rejects(cache.get('unseen'), /cannot be looked up/);
  t.equal(world.asked.length, 3, 'then once');
  world.nowMs += 500;
  world.hold = undefined;
  world.isUnavailable = false;
  t.equal(await cache.get('unseen'), null, 'the first caller after it waits for the answer');
});

t.test('the log gets one line when loads start to fail, and one when they work again', async (t) => {
  const { world, cache, logged } = build(t);
  await cache.get('a');
  t.strictSame(logged, []);
  world.isUnavailable = true;
  for (const key of ['b', 'c', 'd']) {
    world.nowMs += 500;
    await t.rejects(cache.get(key));
  }
  t.strictSame(logged, ['values cannot be looked up; serving cached ones']);
  world.isUnavailable = false;
  for (const key of ['e', 'f']) {
    world.nowMs += 500;
    await cache.get(key);
  }
  t.strictSame(logged.slice(1), ['values can be looked up again']);
});

t.test('a dropped value is not used in an outage, even if its load began before the drop', async (t) => {
  const { world, cache } = build(t);
  await cache.get('a');
  cache.drop(({ name }) => name === 'first');
  const { held, release } = hold();
  world.hold = held;
  const early = cache.get('a');
  cache.drop(({ name }) => name === 'first');
  world.hold = undefined;
  world.rows.set('a', { name: 'second' });
  t.strictSame(await cache.get('a'), { name: 'second' }, 'a caller after the drop joins no earlier load');
  cache.drop(({ name }) => name === 'second');
  release();
  t.strictSame(await early, { name: 'first' }, 'a caller before the drop gets the old value');
  world.isUnavailable = true;
  await t.rejects(cache.get('a'));
  t.notOk(cache.has('a'));
});

t.test('a value of an earlier load never replaces one of a later load', async (t) => {
  const { world, cache } = build(t);
  const { held, release } = hold();
  world.hold = held;
  const early = cache.get('a');
  cache.outdateAll();
  world.hold = undefined;
  world.nowMs += 1;
  world.rows.set('a', { name: 'second' });
  t.strictSame(await cache.get('a'), { name: 'second' });
  release();
  t.strictSame(await early, { name: 'first' });
  t.strictSame(cache.peek('a'), { name: 'second' });
  cache.outdateAll();
  world.isUnavailable = true;
  t.strictSame(await cache.get('a'), { name: 'second' }, 'not in an outage either');
});

t.test('a negative answer is cached briefly, and dropped when a change is announced', async (t) => {
  const { world, cache } = build(t);
  t.equal(await cache.get('b'), null);
  t.ok(cache.has('b'));
  t.equal(await cache.get('b'), null);
  t.equal(world.asked.length, 1);
  world.rows.set('b', { name: 'made' });
  cache.drop(() => false);
  t.notOk(cache.has('b'));
  t.strictSame(await cache.get('b'), { name: 'made' });
  world.rows.delete('b');
  cache.outdate('b');
  t.equal(await cache.get('b'), null);
  world.nowMs += 900;
  t.notOk(cache.has('b'), 'it has expired');
  t.strictSame(cache.stats(), { entries: 0, hits: 1, misses: 3 });
});

t.test('the number of concurrent loads and the wait of each caller are limited', async (t) => {
  const { world, cache } = build(t, { maxLoads: 2, loadTimeoutMs: 5, whileFailing: 'ask' });
  const { held, release } = hold();
  world.hold = held;
  const answers = await Promise.allSettled(['a', 'b', 'c'].map(cache.get));
  t.strictSame(new Set(answers.map(({ status }) => status)), new Set(['rejected']));
  t.equal(world.asked.length, 2);
  release();
  await sleep(1);
  t.strictSame(cache.peek('a'), { name: 'first' }, 'a late answer is cached');
});

t.test('while loads fail, a copy has what is not in memory, and what it lacks stays unknown', async (t) => {
  const copied: string[] = [];
  const copy = new Map<string, Value>([['a', { name: 'old' }]]);
  const { world, cache } = build(t, {
    whileFailing: 'ask',
    loadCopy: async (key) => {
      copied.push(key);
      return copy.get(key) ?? null;
    },
  });
  await t.resolves(cache.get('none'), 'the copy is not asked while the database answers');
  t.strictSame(copied, []);
  world.isUnavailable = true;
  t.same(await cache.get('a'), { name: 'old' });
  t.same(await cache.get('a'), { name: 'old' });
  t.strictSame(copied, ['a'], 'it stays in memory');
  await t.rejects(cache.get('b'), /the database is unavailable/);

  world.isUnavailable = false;
  world.rows.set('b', { name: 'new' });
  t.same(await cache.get('b'), { name: 'new' }, 'what the copy lacks is asked of the database');
  t.equal(cache.peek('a'), undefined, 'what a copy gave is never fresh');
  t.same(await cache.get('a'), { name: 'first' });
  t.same(cache.peek('a'), { name: 'first' });
});

t.test('what a copy gives replaces no value, and news outdates it', async (t) => {
  const { held, release } = hold();
  const { world, cache } = build(t, {
    whileFailing: 'ask',
    loadCopy: async () => {
      await held;
      return { name: 'old' };
    },
  });
  world.isUnavailable = true;
  const slow = cache.get('a');
  await sleep(0);
  world.isUnavailable = false;
  world.nowMs += 1;
  cache.outdate('a');
  const fast = cache.get('a');
  release();
  t.same(await slow, { name: 'old' });
  await fast;
  t.same(await cache.get('a'), { name: 'first' });
});
