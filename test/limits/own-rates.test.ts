import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { createOwnRates } from '../../src/http/limits/own-rates.ts';
import { fieldsOf } from '../support/fields-of.ts';

t.test('requests of a name are counted until its window ends', async (t) => {
  const count = createOwnRates(60_000);
  t.strictSame(count('a'), { requests: 1, leftMs: 60_000 });
  await sleep(2);
  const second = count('a');
  t.equal(second.requests, 2);
  t.ok(second.leftMs < 60_000 && second.leftMs > 0, `${second.leftMs} ms are left`);
  t.equal(count('b').requests, 1);
});

t.test('the count of a name starts again after its window', async (t) => {
  const count = createOwnRates(5);
  count('a');
  count('a');
  await sleep(10);
  t.strictSame(count('a'), { requests: 1, leftMs: 5 });
});

t.test('an answer does not change when further requests are counted', async (t) => {
  const count = createOwnRates(60_000);
  const states = [count('a'), count('a'), count('a')];
  t.strictSame(fieldsOf(states, 'requests'), [1, 2, 3]);
});

t.test('a new window always has its full length', async (t) => {
  const count = createOwnRates(60_000);
  const windows = Array.from({ length: 1_000 }, (_, key) => count(String(key)).leftMs);
  t.strictSame([...new Set(windows)], [60_000]);
});
