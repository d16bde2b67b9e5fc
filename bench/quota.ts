/**
 * `npm run bench:quota` compares a reservation and its settling with the cheapest counter in Redis.
 *
 * The ledger's two scripts and a bare pipelined INCR alternate over one connection to one Redis on this machine,
 * with the same number of calls under way. The results are two ratios of medians: single calls to INCRs, and
 * pairs of calls (reserve and settle) to INCRs.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { availableParallelism, cpus } from 'node:os';
import { createCalls } from '../src/quota/redis/calls.ts';
import { SERVER_KEYS as KEYS } from '../src/quota/redis/keys.ts';
import type { QuotaRedis } from '../src/quota/redis/scripts.ts';
import { connectLedger } from '../src/quota/redis/scripts.ts';
import { whenReady } from '../src/redis/client.ts';
import { parseRedisUrl } from '../src/redis/url.ts';

const ACCOUNTS = 200;
const CALLS_UNDER_WAY = 512;
const PIPELINE = 128;
const WARM_UP_ROUNDS = 2;
const ROUNDS = 9;
const INCRS_A_ROUND = 100_000;
const PAIRS_A_ROUND = 40_000;
const TARGET_RATIO = 0.4;
const MONTHLY_QUOTA = 1_000_000_000;

const USE = { keyId: randomUUID(), kind: 'single' } as const;

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

/** Runs `call` `count` times, always `atOnce` at a time. Resolves with calls a second. */
const rate = async (
  count: number,
  atOnce: number,
  call: (i: number) => Promise<unknown>,
): Promise<number> => {
  let started = 0;
  const client = async () => {
    while (started < count) await call(started++);
  };
  const beganMs = performance.now();
  await Promise.all(Array.from({ length: atOnce }, client));
  return (count / (performance.now() - beganMs)) * 1000;
};

const incrRate = async (redis: QuotaRedis): Promise<number> => {
  const pipelines = INCRS_A_ROUND / PIPELINE;
  const aSecond = await rate(pipelines, CALLS_UNDER_WAY / PIPELINE, (i) => {
    const pipeline = redis.pipeline();
    for (let n = 0; n < PIPELINE; n += 1) pipeline.incr(`counter:${(i * PIPELINE + n) % ACCOUNTS}`);
    return pipeline.exec();
  });
  return aSecond * PIPELINE;
};

const pairRate = (calls: ReturnType<typeof createCalls>, accountIds: readonly string[]): Promise<number> =>
  rate(PAIRS_A_ROUND, CALLS_UNDER_WAY, async (i) => {
    const accountId = accountIds[i % ACCOUNTS]!;
    const id = randomUUID();
    const reserved = await calls.reserve({ id, accountId, units: 1, use: USE });
    const settled = await calls.settle(id, accountId, {
      refundUnits: 0,
      told: false,
      kept: '',
      isPatient: true,
    });
    if (!reserved.startsWith('o') || settled !== 'settled|') throw new Error(`${reserved}, ${settled}`);
  });

const seed = (redis: QuotaRedis, accountId: string): Promise<unknown> => {
  const today = new Date();
  const nextMonth = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1);
  const period = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1))
    .toISOString()
    .slice(0, 10);
  const counters = [nextMonth, 0, 0, 0, MONTHLY_QUOTA, 0, period, 0, 0, 60_000, 0, 0] as const;
  const keys = [KEYS.account(accountId), KEYS.open(0), KEYS.stream(0)] as const;
  return redis.quotaSeed(...keys, nextMonth, 'thebench', ...counters);
};

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

const port = await freePort();
const server = spawn(
  'redis-server',
  ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
  { stdio: 'ignore' },
);
const redis = connectLedger(parseRedisUrl(`redis://127.0.0.1:${port}`), 10_000, silent);
try {
  if (!(await whenReady(redis, 10_000))) throw new Error('redis-server did not start; is it installed?');
  const calls = createCalls(redis, {
    planMonthly: { free: 0, pro: 0 },
    reservationTtlMs: 60_000,
    keepAnswerMs: 86_400_000,
  });
  const accountIds = Array.from({ length: ACCOUNTS }, () => randomUUID());
  for (const id of accountIds) await seed(redis, id);

  const incrs: number[] = [];
  const pairs: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const [incr, pair] = [await incrRate(redis), await pairRate(calls, accountIds)];
    // The drain removes the changes in a running service.
    await redis.unlink(KEYS.stream(0));
    if (round < 0) continue;
    incrs.push(incr);
    pairs.push(pair);
  }
  const used = await Promise.all(accountIds.map((id) => redis.hget(KEYS.account(id), 'mu')));
  const expected = (ROUNDS + WARM_UP_ROUNDS) * PAIRS_A_ROUND;
  if (used.reduce((sum, units) => sum + Number(units), 0) !== expected)
    throw new Error('Redis did not count every unit');

  const verdict = (ratio: number) =>
    `${ratio.toFixed(3)} of it, ${TARGET_RATIO} wanted: ${ratio >= TARGET_RATIO ? 'met' : 'MISSED'}`;
  const [incr, pair] = [median(incrs), median(pairs)];
  console.log(
    `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`,
  );
  console.log(`bare pipelined INCR        ${Math.round(incr)} a second`);
  console.log(`ledger calls               ${Math.round(2 * pair)} a second, ${verdict((2 * pair) / incr)}`);
  console.log(`reserve + settle as one    ${Math.round(pair)} a second, ${verdict(pair / incr)}`);
} finally {
  redis.disconnect();
  server.kill();
}
