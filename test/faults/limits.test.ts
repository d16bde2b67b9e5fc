/** Limits that hold over several gateways, that no fault turns into an error, and that cost the stores little. */
import Fastify from 'fastify';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { createApiKey, hashKey } from '../../src/accounts/api-key.ts';
import type { Principal } from '../../src/db/tables/keys.ts';
import { createAdminAuth, createAdminTokenCheck } from '../../src/http/auth/admin-auth.ts';
import { createAuth } from '../../src/http/auth/auth.ts';
import { answerErrors } from '../../src/http/error-handler.ts';
import { startRedis } from '../servers/redis.ts';
import { freePort, type TestScope } from '../servers/server-process.ts';
import type { Answer, Call } from '../support/app/app.ts';
import { SAME_ORIGIN, signIn } from '../support/app/session.ts';
import { silent } from '../support/silent-log.ts';
import { rounded, type Stores, startOn, startStores, timed, until } from './stack.ts';

/** One node that has all slots: what differs for a client is that it must ask who has a key. */
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
 * Two gateways, and calls of one account by its three keys and a session of the dashboard in turn: bodies that are
 * refused, after the limit and at no cost.
 */
const startGateways = async (t: Test, stores: Stores, more: Record<string, string> = {}) => {
  const env = { RATE_LIMIT_PER_SECOND: String(PER_SECOND), ...more };
  const gateways = [await startOn(stores, t, env), await startOn(stores, t, env)];
  // A gateway that has just met a Cluster may not know its nodes yet.
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
  await until(t, 'a new second begins', async () =>
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

/** Twenty calls of a key that may send two a second, in an account of ten. */
const isLimitedApart = async (
  t: Test,
  askAll: (count: number) => Promise<readonly Answer[]>,
  askSlow: (i: number) => Promise<Answer>,
) => {
  await until(t, 'a new second begins', async () =>
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
    'what the key was refused used up nothing of its account',
  );
};

t.test('requests a second of an account', async (t) => {
  const stores = await startStores(t);
  const gateways = await startGateways(t, stores);
  const { askAll, askWith, makeKey } = gateways;

  t.test('are counted over all gateways, keys and sessions', async (t) => areCountedTogether(t, gateways));

  t.test('are fewer for a key with a limit of its own, and the other keys may use the rest', async (t) => {
    const slow = await makeKey({ rateLimitPerSecond: 2 });
    await isLimitedApart(t, gateways.askAll, (i) => askWith({ key: slow }, i));
  });

  t.test('are counted in a Redis Cluster too', async (t) => {
    const REDIS_URL = await startCluster(t);
    const clustered = await startGateways(t, stores, { REDIS_URL });
    await areCountedTogether(t, clustered);
    const slow = await clustered.makeKey({ rateLimitPerSecond: 2 });
    await isLimitedApart(t, clustered.askAll, (i) => clustered.askWith({ key: slow }, i));
  });

  t.test('are counted by each gateway while Redis is unavailable, without an error or a wait', async (t) => {
    process.kill(stores.redis.pid, 'SIGSTOP');
    const first = await askAll(2);
    t.comment(`first requests: ${rounded(first.map(({ ms }) => ms))}`);
    const answers = await askAll(80);
    t.comment(`then: ${rounded(answers.map(({ ms }) => ms))}`);
    process.kill(stores.redis.pid, 'SIGCONT');
    const statuses = new Set([...first, ...answers].map(({ status }) => status));
    t.strictSame([...statuses].sort(), [400, 429]);
    await until(t, 'both count together again', async () => {
      const remaining = (await askAll(2)).map(
        ({ headers }) => /r=(\d+)/.exec(String(headers.ratelimit))?.[1],
      );
      return remaining[0] !== remaining[1];
    });
  });
});

t.test('unknown keys', async (t) => {
  const owner: Principal = {
    keyId: 'k',
    accountId: 'a',
    accountName: 'test',
    plan: 'pro',
    scopes: ['generate'],
    rateLimitPerSecond: null,
  };
  const goodKey = createApiKey();
  const start = async () => {
    const asked: string[] = [];
    let isAway = false;
    let news: (change: { kind: 'everything' }) => void = () => {};
    const app = Fastify({ trustProxy: 'loopback' });
    app.decorateRequest('caller', null);
    answerErrors(app);
    const auth = createAuth(
      {
        async findKey(hash) {
          asked.push(hash.toString('hex'));
          if (isAway) throw Object.assign(new Error('away'), { code: 'DATABASE_UNAVAILABLE' });
          return hash.equals(hashKey(goodKey)) ? owner : null;
        },
        changes: {
          live: true,
          subscribe: (listener) => {
            news = listener;
            return () => {};
          },
        },
        touchKey: () => {},
        findSession: async () => null,
        publicUrl: null,
      },
      silent,
    );
    app.get('/', { onRequest: auth.require('generate', 'header') }, async () => 'ok');
    t.teardown(() => app.close());
    const ask = (key: string, address = '192.0.2.1') =>
      app.inject({ url: '/', headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': address } });
    const flood = async (count: number, address?: string | ((i: number) => string)) => {
      const counts: Record<number, number> = {};
      for (let i = 0; i < count; i += 1) {
        const from = typeof address === 'function' ? address(i) : address;
        const { statusCode } = await ask(createApiKey(), from);
        counts[statusCode] = (counts[statusCode] ?? 0) + 1;
      }
      return counts;
    };
    return {
      asked,
      ask,
      flood,
      setAway: (away: boolean) => {
        isAway = away;
      },
      missNews: () => news({ kind: 'everything' }),
    };
  };

  t.test('from one address are refused without a look-up beyond a limit', async (t) => {
    const { ask, flood, asked } = await start();
    t.equal((await ask(goodKey)).statusCode, 200);
    const startedMs = performance.now();
    const counts = await flood(300);
    const allowed = 20 + Math.ceil((performance.now() - startedMs) / 100);
    t.ok(counts[401]! >= 20 && counts[401]! <= allowed, JSON.stringify(counts));
    t.equal(counts[401]! + counts[429]!, 300);
    t.equal(asked.length, 1 + counts[401]!, 'the others asked nothing of the database');
    await until(t, 'the refusal says what is wrong', async () => {
      const { statusCode, headers, json } = await ask(createApiKey());
      if (statusCode === 401) return false;
      t.match(headers, { 'retry-after': /^[1-9]\d*$/ });
      t.match(json(), { error: 'Rate limit exceeded', details: /address/ });
      return statusCode === 429;
    });
    t.equal((await ask(goodKey)).statusCode, 200, 'a key that is known is served beside the flood');
    t.equal((await ask(createApiKey(), '192.0.2.2')).statusCode, 401, 'and other addresses are asked for');
  });

  t.test('that come in parallel are limited too', async (t) => {
    const { ask, asked } = await start();
    const answers = await Promise.all(Array.from({ length: 500 }, () => ask(createApiKey())));
    t.ok(asked.length <= 120, `${asked.length} look-ups`);
    t.equal(answers.filter(({ statusCode }) => statusCode === 401).length, asked.length);
    t.equal((await ask(createApiKey())).statusCode, 429);
  });

  t.test('count for a whole IPv6 network', async (t) => {
    const { flood, asked } = await start();
    await flood(100, (i) => `2001:db8:1:2:${i.toString(16)}::1`);
    t.ok(asked.length < 60, `${asked.length} look-ups for a /64`);
    const before = asked.length;
    await flood(50, (i) => `2001:db8:1:${(i + 3).toString(16)}::1`);
    t.equal(asked.length, before + 50, 'each /64 has its own');
  });

  t.test('are refused without a look-up when they are mistyped', async (t) => {
    const { ask, asked } = await start();
    for (let i = 0; i < 100; i += 1) t.equal((await ask(`tsr_${'0'.repeat(37)}${i % 10}`)).statusCode, 401);
    t.equal(asked.length, 0);
  });

  t.test('get a 503 while the database is unavailable, and known keys keep working', async (t) => {
    const { ask, asked, setAway, missNews } = await start();
    await ask(goodKey);
    setAway(true);
    missNews();
    for (let i = 0; i < 5; i += 1) t.equal((await ask(goodKey)).statusCode, 200);
    t.match(await ask(createApiKey()), { statusCode: 503, headers: { 'retry-after': '1' } });
    t.ok(asked.length <= 3, `the database is left alone meanwhile: ${asked.length} look-ups`);
    setAway(false);
    await until(t, 'it is asked again', async () => (await ask(createApiKey())).statusCode === 401);
    t.equal((await ask(goodKey)).statusCode, 200);
  });
});

t.test('wrong admin tokens', async (t) => {
  const TOKEN = 'the-admin-token-of-this-test';
  const start = async () => {
    const app = Fastify({ trustProxy: 'loopback' });
    answerErrors(app);
    app.get('/', { onRequest: createAdminAuth(createAdminTokenCheck(TOKEN)) }, async () => 'ok');
    t.teardown(() => app.close());
    return (token: string | null, address = '192.0.2.1') =>
      app.inject({
        url: '/',
        headers: {
          'x-forwarded-for': address,
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
      });
  };

  t.test('from one address are refused beyond a limit, and then the right one too', async (t) => {
    const ask = await start();
    const startedMs = performance.now();
    const counts: Record<number, number> = {};
    for (let i = 0; i < 200; i += 1) {
      const { statusCode } = await ask(`wrong-${i}`);
      counts[statusCode] = (counts[statusCode] ?? 0) + 1;
    }
    const allowed = 20 + Math.ceil((performance.now() - startedMs) / 1000);
    t.ok(counts[401]! >= 20 && counts[401]! <= allowed, JSON.stringify(counts));
    t.equal(counts[401]! + counts[429]!, 200);
    const refused = await ask(TOKEN);
    t.equal(refused.statusCode, 429, 'nobody learns from there whether a token is the right one');
    t.match(refused.headers, { 'retry-after': /^[1-9]\d*$/ });
    t.match(refused.json(), { error: 'Rate limit exceeded', details: /admin tokens/ });
    t.equal((await ask(TOKEN, '192.0.2.2')).statusCode, 200, 'another address is served');
    await until(t, 'the address may try again', async () => (await ask(TOKEN)).statusCode === 200);
  });

  t.test('count for a whole IPv6 network', async (t) => {
    const ask = await start();
    for (let i = 0; i < 40; i += 1) await ask('wrong', `2001:db8:1:2:${i.toString(16)}::1`);
    t.equal((await ask(TOKEN, '2001:db8:1:2::ffff')).statusCode, 429);
    t.equal((await ask(TOKEN, '2001:db8:1:3::1')).statusCode, 200);
  });

  t.test('are not counted for requests without a token', async (t) => {
    const ask = await start();
    for (let i = 0; i < 40; i += 1) t.equal((await ask(null)).statusCode, 401);
    t.equal((await ask(TOKEN)).statusCode, 200);
  });
});
