import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { type LedgerEvent, parseEntry } from '../../src/quota/redis/events.ts';
import { accountKey, claimKey, shardKeys, shardOf } from '../../src/quota/redis/keys.ts';
import {
  openRecordHead,
  parseRecord,
  seededRecord,
  toBalance,
  toReserved,
} from '../../src/quota/redis/replies.ts';
import { connectLedger } from '../../src/quota/redis/scripts.ts';
import { whenReady } from '../../src/redis/client.ts';
import { parseRedisUrl } from '../../src/redis/url.ts';
import { startRedis } from '../support/redis.ts';
import { silent } from '../support/silent-log.ts';

const NUMBER_MAX = Number.MAX_SAFE_INTEGER;
const UNITS_MAX = 1_000_000;
const PLANS = { free: 5, pro: 50 };
const KEEP_ANSWER_MS = 60_000;

/** With what a record is made of in it: bars, letters of states, ids, and nothing at all. */
const awkward = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  fc.constantFrom('|', '||', 'o|', 'e', '0|1|2', '\n', '\0', '%d', 'x'.repeat(255), randomUUID()),
);
const count = fc.oneof(fc.nat(100), fc.maxSafeNat(), fc.constant(NUMBER_MAX - UNITS_MAX));

const situations = fc.record({
  /** Eight characters, none of them a bar. */
  epoch: fc.stringMatching(/^[ -{}~]{8}$/),
  monthlyUsed: count,
  creditsUsed: count,
  credits: count,
  limit: fc.oneof(fc.constantFrom('free', 'pro'), count.map(String)),
  units: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: UNITS_MAX })),
  /** A time to live that is over at once, or not for long. */
  isDue: fc.boolean(),
  refund: fc.option(fc.oneof(fc.nat(20), fc.nat(UNITS_MAX)), { nil: 0 }),
  claim: fc.option(awkward, { nil: null }),
  answer: fc.oneof(fc.constant(''), awkward),
});

t.test('every record that the scripts write of a reservation reads back', async (t) => {
  const { url } = await startRedis(t);
  const redis = connectLedger(parseRedisUrl(url), 5000, silent);
  t.teardown(() => redis.disconnect());
  await whenReady(redis, 5000);

  const now = new Date();
  const endsMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const period = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString().slice(0, 10);

  const lastEvent = async (stream: string): Promise<LedgerEvent | null | undefined> => {
    const [[, fields] = ['', []]] = await redis.xrevrange(stream, '+', '-', 'COUNT', 1);
    return parseEntry(fields)[0];
  };

  const check = async (given: typeof situations extends fc.Arbitrary<infer T> ? T : never) => {
    const [id, accountId] = [randomUUID(), randomUUID()];
    const { epoch, monthlyUsed, creditsUsed, credits, limit, units, isDue, refund } = given;
    const account = accountKey(accountId);
    const group = shardKeys(shardOf(accountId));
    const [open, done, before, stream] = group;
    const counters = [endsMs, monthlyUsed, creditsUsed, credits, limit, 0] as const;
    await redis.quotaSeed(account, open, Date.now() + 60_000, accountId, epoch, ...counters);

    // Taken: the answer, the record and the event are of one making.
    const claim = given.claim === null ? null : claimKey(accountId, 'single', given.claim);
    const ttlMs = isDue ? -1000 : 3_600_000;
    const reserve = async () => {
      const asked = claim === null ? [`${id}|${units}`] : [`${id}|${units}|body`];
      const keys = [...group, account, ...(claim === null ? [] : [claim])];
      const args = [ttlMs, PLANS.free, PLANS.pro, 1, ...asked];
      return (await redis.quotaReserve(keys.length, ...keys, ...args))[0]!;
    };
    const sinceMs = Date.now();
    const text = await reserve();
    const monthlyQuota = limit === 'free' ? PLANS.free : limit === 'pro' ? PLANS.pro : Number(limit);
    const fromMonthly = Math.min(units, Math.max(monthlyQuota - monthlyUsed, 0));
    const fromCredits = units - fromMonthly;
    const reserved = toReserved(text);
    if (fromCredits > credits) {
      t.same(reserved, {
        outcome: 'exhausted',
        balance: toBalance([period, endsMs, monthlyQuota, monthlyUsed, creditsUsed, credits].join('|')),
      });
      t.equal(await redis.hget(open, id), null);
      return;
    }
    // The scripts and the gateway both count in doubles: what is used in sum stays below 2^53 in any real account.
    const after = [
      monthlyQuota,
      monthlyUsed + fromMonthly,
      creditsUsed + fromCredits,
      credits - fromCredits,
    ] as const;
    const view = [period, endsMs, ...after].join('|');
    const record = parseRecord(text)!;
    t.match(record, { accountId, epoch, fromMonthly, fromCredits, view });
    t.ok(record.expiresMs >= sinceMs + ttlMs - 1000 && record.expiresMs <= Date.now() + ttlMs + 1000);
    t.same(reserved, { outcome: 'admitted', fromMonthly, fromCredits, balance: toBalance(view) });
    t.equal(await redis.hget(open, id), text);
    t.ok(text.startsWith(openRecordHead(accountId, epoch)));
    const common = { id, account: accountId, epoch, period };
    t.same(await lastEvent(stream), {
      ...common,
      kind: 'reserve',
      monthly: fromMonthly,
      credits: -fromCredits,
      expiresMs: record.expiresMs,
      view,
    });
    t.equal(await reserve(), text, 'the same id again finds it in this epoch');

    // Due: by the expiry in the record, with the account in the record.
    const due = await redis.quotaDue(open, done, before, '0', 1000, 3_600_000);
    const place = due.indexOf(id);
    t.equal(place === -1 ? null : due[place + 1], isDue ? accountId : null);

    // Closed: the letter tells how, and the rest of the record stays.
    const settleArgs = [PLANS.free, PLANS.pro, KEEP_ANSWER_MS, 1, `${id}|${refund}|1${given.answer}`];
    const [settled] = await redis.quotaSettle(5, ...group, account, ...settleArgs);
    const back = isDue ? units : Math.min(refund, units);
    const backCredits = Math.min(back, fromCredits);
    const backMonthly = back - backCredits;
    const balance = [
      monthlyQuota,
      after[1] - backMonthly,
      after[2] - backCredits,
      after[3] + backCredits,
    ] as const;
    t.equal(settled, `${isDue ? 'expired' : 'settled'}|${[period, endsMs, ...balance].join('|')}`);
    t.equal(await redis.hget(open, id), null);
    t.equal(await redis.hget(done, id), `${isDue ? 'e' : 'o'}${text.slice(1)}`);
    t.same(parseRecord((await redis.hget(done, id))!), record);
    const gaveBack = isDue || refund > 0;
    t.same(await lastEvent(stream), {
      ...common,
      kind: 'settle',
      monthly: gaveBack ? -backMonthly : 0,
      credits: gaveBack ? backCredits : 0,
      expiresMs: null,
      // The event says nothing of the limit, which Postgres knows better.
      view: gaveBack ? [period, endsMs, 0, ...balance.slice(1)].join('|') : null,
    });
    if (claim !== null) {
      const kept = isDue || given.answer === '' ? null : given.answer;
      t.equal(await redis.hget(claim, 'answer'), kept, 'the claim is found behind the record');
      t.equal(await redis.exists(claim), kept === null ? 0 : 1);
    }

    // Seeded: what Postgres held is a record of the new epoch.
    const next = 'epoch--2';
    await redis.del(account);
    const admitted = { outcome: 'admitted', fromMonthly, fromCredits, balance: toBalance(view) } as const;
    const seeded = [id, seededRecord(record.expiresMs, admitted)];
    await redis.quotaSeed(account, open, Date.now() + 60_000, accountId, next, ...counters, ...seeded);
    t.same(parseRecord((await redis.hget(open, id))!), { ...record, epoch: next });
    t.equal(await reserve(), `o${accountId}|${next}|${seeded[1]}|`, 'and is the one of its id');
    await redis.hdel(open, id);
  };

  await fc.assert(
    fc.asyncProperty(
      situations.filter(
        ({ monthlyUsed, creditsUsed, credits, limit }) =>
          Math.max(monthlyUsed, creditsUsed, credits) <= NUMBER_MAX - UNITS_MAX &&
          monthlyUsed + creditsUsed <= NUMBER_MAX - UNITS_MAX &&
          (limit === 'free' || limit === 'pro' || Number(limit) + credits <= NUMBER_MAX - UNITS_MAX),
      ),
      check,
    ),
    { numRuns: 300 },
  );
});
