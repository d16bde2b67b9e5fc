import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { MemoryRateStore } from '../../src/http/limits/rate-limit.ts';
import { fieldsOf } from '../support/fields-of.ts';

const createStore = () => {
  const store = new MemoryRateStore();
  return (key: string, windowMs: number) => {
    let state = { current: 0, ttl: 0 };
    store.incr(
      key,
      (_, counted) => {
        state = counted!;
      },
      windowMs,
    );
    return state;
  };
};

t.test('requests of a key are counted until its window ends', async (t) => {
  const count = createStore();
  t.strictSame(count('a', 60_000), { current: 1, ttl: 60_000 });
  await sleep(2);
  const second = count('a', 60_000);
  t.equal(second.current, 2);
  t.ok(second.ttl < 60_000 && second.ttl > 0, `${second.ttl} ms are left`);
  t.equal(count('b', 60_000).current, 1);
});

t.test('the count of a key starts again after its window', async (t) => {
  const count = createStore();
  count('a', 5);
  count('a', 5);
  await sleep(10);
  t.strictSame(count('a', 5), { current: 1, ttl: 5 });
});

t.test('an answer does not change when further requests are counted', async (t) => {
  const count = createStore();
  const states = [count('a', 60_000), count('a', 60_000), count('a', 60_000)];
  t.strictSame(fieldsOf(states, 'current'), [1, 2, 3]);
});

t.test('a new window always has its full length', async (t) => {
  const count = createStore();
  const windows = Array.from({ length: 1_000 }, (_, key) => count(String(key), 60_000).ttl);
  t.strictSame([...new Set(windows)], [60_000]);
});
