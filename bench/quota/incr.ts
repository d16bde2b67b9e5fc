/** The ledger's script over one connection, compared with the cheapest counter in Redis. */
import { randomUUID } from 'node:crypto';
import { SILENT } from '../../src/log.ts';
import { createCalls } from '../../src/quota/redis/calls/calls.ts';
import { SERVER_KEYS as KEYS } from '../../src/quota/redis/keys.ts';
import { connectLedger, type QuotaRedis } from '../../src/quota/redis/scripts.ts';
import { whenReady } from '../../src/redis/client.ts';
import { parseRedisUrl } from '../../src/redis/url.ts';
import { median } from '../stats.ts';

const ACCOUNTS = 200;
const CALLS_UNDER_WAY = 512;
const PIPELINE = 128;
const WARM_UP_ROUNDS = 2;
const ROUNDS = 9;
const INCRS_A_ROUND = 100_000;
const PAIRS_A_ROUND = 40_000;
const MONTHLY_QUOTA = 1_000_000_000;
const USE = { keyId: randomUUID(), kind: 'single' } as const;

/** Runs `call` `count` times, always `atOnce` at a time. Resolves with calls a second. */
export const rate = async (
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

/** As requests do it: the caller waits for its reservation, and the settlement goes with a later run. */
const pairRate = async (
  calls: ReturnType<typeof createCalls>,
  accountIds: readonly string[],
): Promise<number> => {
  const settling: Promise<string>[] = [];
  const closing = { refundUnits: 0, told: false, kept: '', isPatient: true };
  const beganMs = performance.now();
  await rate(PAIRS_A_ROUND, CALLS_UNDER_WAY, async (i) => {
    const accountId = accountIds[i % ACCOUNTS]!;
    const id = randomUUID();
    const reserved = await calls.reserve({ id, accountId, units: 1, use: USE });
    if (!reserved.startsWith('o')) throw new Error(reserved);
    settling.push(calls.settle(id, accountId, closing));
  });
  const settled = await Promise.all(settling);
  const unsettled = settled.find((answer) => answer !== 'settled|');
  if (unsettled !== undefined) throw new Error(unsettled);
  return (PAIRS_A_ROUND / (performance.now() - beganMs)) * 1000;
};

const seed = (redis: QuotaRedis, accountId: string): Promise<unknown> => {
  const today = new Date();
  const monthMs = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1);
  const nextMonthMs = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1);
  const period = new Date(monthMs).toISOString().slice(0, 10);
  const counters = [nextMonthMs, 0, 0, 0, MONTHLY_QUOTA, 0, period, 0, 0, 60_000, 0, 0] as const;
  const keys = [KEYS.account(accountId), KEYS.open(0), KEYS.stream(0)] as const;
  return redis.quotaSeed(...keys, nextMonthMs, 'thebench', ...counters);
};

/** How often a second Redis counts: bare, and with a reservation and its settling. Medians of alternating rounds. */
export const compareWithIncr = async (url: string): Promise<{ incrs: number; pairs: number }> => {
  const redis = connectLedger(parseRedisUrl(url), 10_000, SILENT);
  try {
    if (!(await whenReady(redis, 10_000))) throw new Error('Redis does not answer');
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
    if (used.reduce((total, units) => total + Number(units), 0) !== expected)
      throw new Error('Redis did not count every unit');
    await redis.flushall();
    return { incrs: median(incrs), pairs: median(pairs) };
  } finally {
    redis.disconnect();
  }
};
