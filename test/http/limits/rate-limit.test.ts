/** The requests per second of an account and of a key, with a clock that the test moves. */
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import type { MonthlyPolicy } from '../../../src/errors.ts';
import { answerErrors } from '../../../src/http/error-handler.ts';
import { createRateLimit, sendLimits } from '../../../src/http/limits/rate-limit.ts';
import type { Log } from '../../../src/log.ts';
import { startRedis } from '../../servers/redis.ts';
import { stopClock } from '../../support/clock.ts';
import { silent } from '../../support/silent-log.ts';

interface Caller {
  readonly keyId?: string;
  readonly accountId?: string;
  readonly limit?: number;
  /** The ids of the keys that made it, with their limits. */
  readonly makers?: Readonly<Record<string, number | null>>;
}

const start = async (
  t: Test,
  rateLimitPerSecond: number,
  redisUrl: string | null = null,
  log: Log = silent,
) => {
  const app = Fastify();
  t.teardown(() => app.close());
  app.decorateRequest('principal', null);
  app.decorateRequest('signer', null);
  answerErrors(app);
  const limit = await createRateLimit(app, { rateLimitPerSecond, redisUrl }, log);
  t.teardown(() => limit.close());
  let caller: Caller = {};
  app.addHook('onRequest', async (request) => {
    const { keyId = 'key', accountId = 'account', limit = null } = caller;
    const makers = Object.entries(caller.makers ?? {}).map(([id, max]) => ({
      keyId: id,
      rateLimitPerSecond: max,
    }));
    const signer = { keyId, accountId, rateLimitPerSecond: limit, makers };
    Object.assign(request, { principal: signer, signer });
  });
  app.get('/', { onRequest: limit.hook }, async () => 'ok');
  app.get('/picture', { onRequest: limit.pictureHook }, async () => 'ok');
  return async (asked: Caller = {}, url = '/') => {
    caller = asked;
    const { statusCode, headers, body } = await app.inject({ url });
    const details = statusCode === 200 ? null : JSON.parse(body).details;
    const { ratelimit, 'ratelimit-policy': policy, 'retry-after': retryAfter } = headers;
    return { status: statusCode, policy, ratelimit, retryAfter, details };
  };
};

t.test('an account may send a limited number of requests each second', async (t) => {
  const clock = stopClock(t);
  const ask = await start(t, 2);
  const passed = { status: 200, policy: '"burst";q=2;w=1', retryAfter: undefined, details: null };
  t.strictSame(await ask(), { ...passed, ratelimit: '"burst";r=1;t=1' });
  clock.pass(999);
  t.strictSame(await ask({ keyId: 'another' }), { ...passed, ratelimit: '"burst";r=0;t=1' });
  t.strictSame(await ask(), {
    status: 429,
    policy: '"burst";q=2;w=1',
    ratelimit: '"burst";r=0;t=1',
    retryAfter: '1',
    details: 'This account, over all its keys and sessions, may send 2 requests a second; slow down.',
  });
  t.equal((await ask({ accountId: 'another' })).status, 200);
  clock.pass(1);
  t.strictSame(await ask(), { ...passed, ratelimit: '"burst";r=1;t=1' });
});

t.test('a key with a limit of its own counts against both limits', async (t) => {
  stopClock(t);
  const ask = await start(t, 3);
  const slow = { keyId: 'slow', limit: 1 };
  t.match(await ask(slow), {
    status: 200,
    policy: '"key";q=1;w=1, "burst";q=3;w=1',
    ratelimit: '"key";r=0;t=1, "burst";r=2;t=1',
  });
  t.strictSame(await ask(slow), {
    status: 429,
    policy: '"key";q=1;w=1',
    ratelimit: '"key";r=0;t=1',
    retryAfter: '1',
    details: 'This key may send one request a second; slow down.',
  });
  t.match(await ask(), { status: 200, ratelimit: '"burst";r=1;t=1' }, 'the refused request did not count');
  t.match(await ask({ keyId: 'other', limit: 2 }), {
    status: 200,
    ratelimit: '"key";r=1;t=1, "burst";r=0;t=1',
  });
  t.match(await ask({ keyId: 'other', limit: 2 }), { status: 429, details: /^This account/ });
});

t.test('without a limit of the account, a key counts against its own limit or none', async (t) => {
  stopClock(t);
  const ask = await start(t, 0);
  for (let i = 0; i < 5; i += 1) {
    t.match(await ask(), { status: 200, policy: undefined, ratelimit: undefined });
  }
  const slow = { keyId: 'slow', limit: 2 };
  t.match(await ask(slow), { status: 200, policy: '"key";q=2;w=1', ratelimit: '"key";r=1;t=1' });
  t.equal((await ask(slow)).status, 200);
  t.match(await ask(slow), { status: 429, details: /^This key may send 2 requests/ });
});

t.test('what a key makes counts against the limits of all its makers', async (t) => {
  stopClock(t);
  const ask = await start(t, 9);
  const child = (no: number) => ({
    keyId: `child ${no}`,
    limit: 2,
    makers: { middle: null, maker: 3, first: 5 },
  });
  t.match(await ask(child(1)), {
    status: 200,
    policy: '"key";q=2;w=1, "maker";q=3;w=1, "burst";q=9;w=1',
    ratelimit: '"key";r=1;t=1, "maker";r=2;t=1, "burst";r=8;t=1',
  });
  t.match(await ask({ keyId: 'maker', limit: 3, makers: { first: 5 } }), {
    ratelimit: /^"key";r=1;t=1, "maker";r=3/,
  });
  t.equal((await ask(child(2), '/picture')).status, 200);
  t.match(await ask(child(3)), {
    status: 429,
    ratelimit: '"key";r=1;t=1, "maker";r=0;t=1',
    details:
      'A key that made this one may send 3 requests a second, together with all keys that it made; slow down.',
  });
  t.match(await ask(child(4), '/picture'), { status: 429, details: /^A key that made this one/ });
  t.match(await ask({ keyId: 'maker', limit: 3, makers: { first: 5 } }), {
    status: 429,
    details: /^This key/,
  });
  t.match(
    await ask({ keyId: 'other', makers: { first: 5 } }),
    { ratelimit: /^"maker";r=1;/ },
    'refused calls do not count',
  );
  t.match(await ask({ keyId: 'unbounded' }), { status: 200, ratelimit: '"burst";r=5;t=1' });
});

t.test('the headers report the monthly quota beside the requests per second', async (t) => {
  const sent = (nowMs: number, month: MonthlyPolicy | null, rates: object[] | null) => {
    t.intercept(Date, 'now', { value: () => nowMs });
    const headers: Record<string, string> = {};
    const reply = {
      header(name: string, value: string) {
        headers[name] = value;
        return reply;
      },
    };
    sendLimits({ rates } as unknown as FastifyRequest, reply as unknown as FastifyReply, month);
    return headers;
  };
  const monthly = (resetsAtMs: number): MonthlyPolicy => ({ monthlyQuota: 100, remaining: 7, resetsAtMs });
  const december = Date.UTC(2026, 11, 1);
  t.strictSame(sent(december - 1500, monthly(december), null), {
    'ratelimit-policy': `"monthly";q=100;w=${30 * 86_400}`,
    ratelimit: '"monthly";r=7;t=2',
  });
  const january = Date.UTC(2027, 0, 1);
  const burst = { policy: 'burst', max: 5, remaining: 4, leftMs: 1001, isExceeded: false };
  t.strictSame(sent(january - 60_000, monthly(january), [burst]), {
    'ratelimit-policy': `"burst";q=5;w=1, "monthly";q=100;w=${31 * 86_400}`,
    ratelimit: '"burst";r=4;t=2, "monthly";r=7;t=60',
  });
  t.strictSame(sent(january, null, [burst]).ratelimit, '"burst";r=4;t=2');
});

/** Waits until Redis has so many clients, this one included. The clock of the limits may stand still meanwhile. */
const seen = async (url: string, clients: number): Promise<void> => {
  const redis = new Redis(url);
  for (let tries = 0; tries < 500; tries += 1) {
    const list = String(await redis.client('LIST'))
      .trim()
      .split('\n');
    if (list.length === clients) return redis.disconnect();
    await sleep(20);
  }
  redis.disconnect();
  throw new Error(`there are never ${clients} clients`);
};

t.test('gateways count together, and separately while Redis is unavailable', async (t) => {
  const redis = await startRedis(t);
  const clock = stopClock(t);
  const lines: string[] = [];
  const note = (_: object, message: string) => void lines.push(message);
  const log = { ...silent, info: note, warn: note };
  const [one, other] = [await start(t, 100, redis.url, log), await start(t, 100, redis.url)];
  const leftTo = async (ask: typeof one): Promise<number> => {
    const { status, ratelimit } = await ask();
    t.equal(status, 200);
    return Number(/r=(\d+)/.exec(String(ratelimit))![1]);
  };
  await seen(redis.url, 3);
  let [first, second] = [0, 0];
  for (let tries = 0; first !== second + 1 && tries < 100; tries += 1) {
    // A gateway that counts alone starts anew.
    clock.pass(1000);
    [first, second] = [await leftTo(one), await leftTo(other)];
  }
  t.equal(first, second + 1, 'one shared count, unless a second ends in between');

  await redis.stop();
  clock.pass(1000);
  t.strictSame([await leftTo(one), await leftTo(one)], [99, 98]);
  clock.pass(999);
  t.equal(await leftTo(one), 97);
  t.ok(lines.some((line) => line.includes('unavailable; each gateway counts requests for itself')));
  await redis.start();
  await seen(redis.url, 3);
  // A client that has just connected sends a few commands of its own first.
  await sleep(300);
  t.equal(await leftTo(one), 96, 'no gateway asks Redis again within a second of the failure');
  const isTogether = () => lines.some((line) => line.includes('count requests together'));
  for (let tries = 0; !isTogether() && tries < 500; tries += 1) {
    clock.pass(1000);
    await leftTo(one);
    await sleep(20);
  }
  for (let i = 0; i < 5; i += 1) {
    clock.pass(1000);
    await leftTo(one);
  }
  // The connection logs its own errors too.
  const told = lines.flatMap((line) => {
    if (line.includes('count requests together')) return ['together'];
    return line.includes('counts requests for itself') ? ['alone'] : [];
  });
  t.ok(told.includes('together'));
  t.strictSame(
    told,
    told.map((_, i) => (i % 2 === 0 ? 'alone' : 'together')),
    'each change is logged once',
  );
});
