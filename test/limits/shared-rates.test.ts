/** The request counts that gateways share in a real Redis. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { connectRates, type SharedRates } from '../../src/http/limits/shared-rates.ts';
import { startRedis } from '../servers/redis.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { silent } from '../support/silent-log.ts';

const redis = await startRedis(t);
const client = new Redis(redis.url);
t.teardown(() => client.disconnect());

const connect = async (t: Test): Promise<SharedRates> => {
  const rates = connectRates(redis.url, 60_000, silent);
  t.teardown(rates.close);
  const deadlineMs = Date.now() + 10_000;
  while (Date.now() < deadlineMs) {
    const isReady = await rates.count('ready').then(
      () => true,
      () => false,
    );
    if (isReady) return rates;
    await sleep(5);
  }
  throw new Error('Redis was not reached in time');
};

const scriptRuns = async (): Promise<number> =>
  Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(await client.info('commandstats'))?.[1]);

t.test('two gateways that count at the same moment give every request a different number', async (t) => {
  const gateways = [await connect(t), await connect(t)];
  const states = await Promise.all(Array.from({ length: 96 }, (_, i) => gateways[i % 2]!.count('both')));
  t.strictSame(
    states.map(({ requests }) => requests).sort((a, b) => a - b),
    Array.from({ length: 96 }, (_, i) => i + 1),
  );
  t.ok(states.every(({ leftMs }) => leftMs > 0 && leftMs <= 60_000));
});

t.test('simultaneous requests take one run of the script, and each key has its own count', async (t) => {
  const rates = await connect(t);
  const before = await scriptRuns();
  const states = await Promise.all(['a', 'b', 'a', 'c', 'a'].map((key) => rates.count(key)));
  t.equal((await scriptRuns()) - before, 1);
  t.strictSame(fieldsOf(states, 'requests'), [1, 1, 2, 1, 3]);
});

t.test('more keys than fit in one run of the script are all counted', async (t) => {
  const rates = await connect(t);
  const keys = Array.from({ length: 600 }, (_, i) => `key ${i}`);
  const before = await scriptRuns();
  for (const place of [1, 2]) {
    const states = await Promise.all(keys.map((key) => rates.count(key)));
    t.ok(states.every(({ requests }) => requests === place));
  }
  t.equal((await scriptRuns()) - before, 6);
});

t.test('a request does not extend the window, and the count of a key starts again after it', async (t) => {
  const rates = await connect(t);
  await rates.count('short');
  await client.pexpire('short', 20_000);
  const second = await rates.count('short');
  t.equal(second.requests, 2);
  t.ok(second.leftMs <= 20_000, `${second.leftMs} ms are left`);
  await client.pexpire('short', 0);
  const next = await rates.count('short');
  t.equal(next.requests, 1);
  t.ok(next.leftMs > 20_000, `${next.leftMs} ms are left`);
});
