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

interface State {
  readonly current: number;
  readonly ttl: number;
}

const count = (rates: SharedRates, key: string): Promise<State> =>
  new Promise((resolve, reject) => {
    rates.count(key, (error, state) => (state === undefined ? reject(error) : resolve(state)));
  });

const connect = async (t: Test): Promise<SharedRates> => {
  const rates = connectRates(redis.url, 60_000, silent);
  t.teardown(rates.close);
  const deadlineMs = Date.now() + 10_000;
  while (Date.now() < deadlineMs) {
    const isReady = await count(rates, 'ready').then(
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
  const states = await Promise.all(Array.from({ length: 96 }, (_, i) => count(gateways[i % 2]!, 'both')));
  t.strictSame(
    states.map(({ current }) => current).sort((a, b) => a - b),
    Array.from({ length: 96 }, (_, i) => i + 1),
  );
  t.ok(states.every(({ ttl }) => ttl > 0 && ttl <= 60_000));
});

t.test('simultaneous requests take one run of the script, and each key has its own count', async (t) => {
  const rates = await connect(t);
  const before = await scriptRuns();
  const states = await Promise.all(['a', 'b', 'a', 'c', 'a'].map((key) => count(rates, key)));
  t.equal((await scriptRuns()) - before, 1);
  t.strictSame(fieldsOf(states, 'current'), [1, 1, 2, 1, 3]);
});

t.test('more keys than fit in one run of the script are all counted', async (t) => {
  const rates = await connect(t);
  const keys = Array.from({ length: 600 }, (_, i) => `key ${i}`);
  const before = await scriptRuns();
  for (const place of [1, 2]) {
    const states = await Promise.all(keys.map((key) => count(rates, key)));
    t.ok(states.every(({ current }) => current === place));
  }
  t.equal((await scriptRuns()) - before, 6);
});

t.test('a request does not extend the window, and the count of a key starts again after it', async (t) => {
  const rates = await connect(t);
  await count(rates, 'short');
  await client.pexpire('short', 20_000);
  const second = await count(rates, 'short');
  t.equal(second.current, 2);
  t.ok(second.ttl <= 20_000, `${second.ttl} ms are left`);
  await client.pexpire('short', 0);
  const next = await count(rates, 'short');
  t.equal(next.current, 1);
  t.ok(next.ttl > 20_000, `${next.ttl} ms are left`);
});
