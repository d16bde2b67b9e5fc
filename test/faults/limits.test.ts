/** Limits that hold across gateways, that no fault turns into an error, and that cost the stores little. */
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { createGuesses } from '../../src/http/limits/guesses.ts';
import { startRedis } from '../servers/redis.ts';
import { freePort, type TestScope } from '../servers/server-process.ts';
import type { Answer, Call } from '../support/app/app.ts';
import { SAME_ORIGIN, signIn } from '../support/app/session.ts';
import { rounded, type Stores, startOn, startStores, timed, until } from './stack.ts';

/** One node that owns all slots: the difference for a client is that it must look up the node of a key. */
const startCluster = async (scope: TestScope): Promise<string> => {
  const port = String(await freePort());
  const args = ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1', '--cluster-port', port];
  const { url } = await startRedis(scope, { args });
  const client = new Redis(url);
  await client.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
  client.disconnect();
  return url.replace('redis:', 'redis+cluster:');
};

const PER_SECOND = 10;

/**
 * Two gateways, and calls of one account with its three keys and a dashboard session in turn. Their bodies are
 * refused at no cost, after the limit was checked.
 */
const startGateways = async (t: Test, stores: Stores, more: Record<string, string> = {}) => {
  const env = { RATE_LIMIT_PER_SECOND: String(PER_SECOND), ...more };
  const gateways = [await startOn(stores, t, env), await startOn(stores, t, env)];
  // A gateway that has just connected to a Cluster may not know its nodes yet.
  let account = await gateways[0]!.account();
  await until(t, 'there is an account', async () => {
    if (account.key === undefined) account = await gateways[0]!.account();
    return account.key !== undefined;
  });
  const { id, key } = account;
  const makeKey = async (more: object = {}): Promise<string> =>
    (await gateways[0]!.admin('POST', `/accounts/${id}/keys`, { name: 'one more', ...more })).json.key;
  const holders = [
    { key },
    { key: await makeKey() },
    { key: await makeKey() },
    { headers: { ...SAME_ORIGIN, cookie: await signIn(gateways[0]!, key) } },
  ];
  const askWith = (holder: Pick<Call, 'key' | 'headers'>, i: number): Promise<Answer> =>
    gateways[i % 2]!.call({ method: 'POST', url: '/api/v1/qr', body: {}, ...holder });
  const ask = (i: number): Promise<Answer> => askWith(holders[(i >> 1) % holders.length]!, i);
  const askAll = (count: number) => Promise.all(Array.from({ length: count }, (_, i) => timed(() => ask(i))));
  return { ask, askAll, askWith, makeKey };
};

const areCountedTogether = async (t: Test, { ask, askAll }: Awaited<ReturnType<typeof startGateways>>) => {
  await askAll(2);
  await until(t, 'a new second has begun', async () =>
    String((await ask(0)).headers.ratelimit).startsWith(`"burst";r=${PER_SECOND - 1};`),
  );
  const startedMs = performance.now();
  const answers = await askAll(40);
  const seconds = Math.ceil((performance.now() - startedMs) / 1000);
  const passed = answers.filter(({ status }) => status === 400).length;
  t.ok(passed <= PER_SECOND * (1 + seconds) - 1, `${passed} of 40 passed`);
  const refused = answers.filter(({ status }) => status === 429);
  t.equal(passed + refused.length, 40);
  for (const { headers, json } of refused) {
    t.match(json, { error: 'Rate limit exceeded', details: /^This account/ });
    t.match(headers, {
      'retry-after': '1',
      'ratelimit-policy': `"burst";q=${PER_SECOND};w=1`,
      ratelimit: '"burst";r=0;t=1',
    });
  }
};

/** Twenty calls with a key that is limited to two a second, in an account with a limit of ten. */
const isLimitedApart = async (
  t: Test,
  askAll: (count: number) => Promise<readonly Answer[]>,
  askSlow: (i: number) => Promise<Answer>,
) => {
  await until(t, 'a new second has begun', async () =>
    String((await askSlow(0)).headers.ratelimit).startsWith(`"key";r=1;t=1, "burst";r=${PER_SECOND - 1};`),
  );
  const startedMs = performance.now();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => askSlow(i)));
  const others = await askAll(PER_SECOND / 2);
  const seconds = Math.ceil((performance.now() - startedMs) / 1000);
  const passed = answers.filter(({ status }) => status === 400);
  t.ok(passed.length >= 1 && passed.length <= 2 * (1 + seconds) - 1, `${passed.length} of 20 passed`);
  for (const { headers, json } of answers.filter(({ status }) => status === 429)) {
    t.match(json.details, /^This key may send 2 requests a second/);
    t.match(headers, { 'ratelimit-policy': '"key";q=2;w=1', ratelimit: '"key";r=0;t=1', 'retry-after': '1' });
  }
  t.match(passed[0]!.headers['ratelimit-policy'], `"key";q=2;w=1, "burst";q=${PER_SECOND};w=1`);
  t.ok(
    others.every(({ status }) => status === 400),
    'refused calls of the key did not count for its account',
  );
};

t.test('the requests per second of an account', async (t) => {
  const stores = await startStores(t);
  const gateways = await startGateways(t, stores);
  const { askAll, askWith, makeKey } = gateways;

  t.test('are counted across all gateways, keys and sessions', async (t) => areCountedTogether(t, gateways));

  t.test('are limited further for a key with its own limit, and other keys may use the rest', async (t) => {
    const slow = await makeKey({ rate_limit_per_second: 2 });
    await isLimitedApart(t, gateways.askAll, (i) => askWith({ key: slow }, i));
  });

  t.test('are counted in a Redis Cluster too', async (t) => {
    const REDIS_URL = await startCluster(t);
    const clustered = await startGateways(t, stores, { REDIS_URL });
    await areCountedTogether(t, clustered);
    const slow = await clustered.makeKey({ rate_limit_per_second: 2 });
    await isLimitedApart(t, clustered.askAll, (i) => clustered.askWith({ key: slow }, i));
  });

  t.test('are counted by each gateway alone while Redis is unavailable, without errors', async (t) => {
    process.kill(stores.redis.pid, 'SIGSTOP');
    const first = await askAll(2);
    t.comment(`first requests: ${rounded(first.map(({ ms }) => ms))}`);
    const answers = await askAll(80);
    t.comment(`then: ${rounded(answers.map(({ ms }) => ms))}`);
    process.kill(stores.redis.pid, 'SIGCONT');
    const statuses = new Set([...first, ...answers].map(({ status }) => status));
    t.strictSame([...statuses].sort(), [400, 429]);
    await until(t, 'the gateways count together again', async () => {
      const remaining = (await askAll(2)).map(
        ({ headers }) => /r=(\d+)/.exec(String(headers.ratelimit))?.[1],
      );
      return remaining[0] !== remaining[1];
    });
  });
});

t.test('wrong secrets count for the whole IPv6 network of a caller', async (t) => {
  const guesses = createGuesses({ what: 'unknown keys', burst: 20, perSecond: 0.001, maxAddresses: 10 });
  for (let i = 0; i < 20; i += 1) {
    guesses.refuseGuesser('2001:db8:1:2::ffff');
    guesses.note(`2001:db8:1:2:${i.toString(16)}::1`);
  }
  t.throws(() => guesses.refuseGuesser('2001:db8:1:2::ffff'), { code: 'rate_limited' });
  t.doesNotThrow(() => guesses.refuseGuesser('2001:db8:1:3::1'), 'each /64 has its own limit');
});
