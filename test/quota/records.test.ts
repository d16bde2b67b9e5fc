import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { type AccountChange, parseEntry } from '../../src/quota/redis/drain-sums.ts';
import { SERVER_KEYS as KEYS } from '../../src/quota/redis/keys.ts';
import {
  parseReservation,
  toAdmitted,
  toBalance,
  toRefused,
  toSettled,
} from '../../src/quota/redis/replies.ts';
import { connectLedger } from '../../src/quota/redis/scripts.ts';
import { whenReady } from '../../src/redis/client.ts';
import { parseRedisUrl } from '../../src/redis/url.ts';
import { startRedis } from '../servers/redis.ts';
import { silent } from '../support/silent-log.ts';

const NUMBER_MAX = Number.MAX_SAFE_INTEGER;
const UNITS_MAX = 1_000_000;
const PLANS = { free: 5, pro: 50 };
const KEEP_ANSWER_MS = 60_000;

/** Texts that contain the syntax of a record: bars, letters of states, ids. */
const awkward = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  fc.constantFrom('|', '||', 'o|', 'e', '0|1|2', '\n', '\0', '%d', 'x'.repeat(255), randomUUID()),
);
const count = fc.oneof(fc.nat(100), fc.maxSafeNat(), fc.constant(NUMBER_MAX - UNITS_MAX));

const situations = fc.record({
  /** Eight characters other than a bar or a semicolon. */
  epoch: fc.stringMatching(/^[ -:<-{}~]{8}$/),
  monthlyUsed: count,
  creditsUsed: count,
  credits: count,
  limit: fc.oneof(fc.constantFrom('free', 'pro'), count.map(String)),
  units: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: UNITS_MAX })),
  /** A time to live that is over at once; otherwise it is an hour. */
  isDue: fc.boolean(),
  refund: fc.option(fc.oneof(fc.nat(20), fc.nat(UNITS_MAX)), { nil: 0 }),
  claim: fc.option(awkward, { nil: null }),
  answer: fc.oneof(fc.constant(''), awkward),
});

t.test('every record that the scripts write about a reservation reads back', async (t) => {
  const { url } = await startRedis(t);
  const redis = connectLedger(parseRedisUrl(url), 5000, silent);
  t.teardown(() => redis.disconnect());
  await whenReady(redis, 5000);

  const now = new Date();
  const endsMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const period = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString().slice(0, 10);

  const [open, stream] = [KEYS.open(0), KEYS.stream(0)];
  const lastChange = async (): Promise<AccountChange | null | undefined> => {
    const [[, fields] = ['', []]] = await redis.xrevrange(stream, '+', '-', 'COUNT', 1);
    return parseEntry(fields)[0];
  };

  const check = async (given: typeof situations extends fc.Arbitrary<infer T> ? T : never) => {
    const [id, accountId] = [randomUUID(), randomUUID()];
    const { epoch, monthlyUsed, creditsUsed, credits, limit, units, isDue, refund } = given;
    const account = KEYS.account(accountId);
    const counters = [
      endsMs,
      monthlyUsed,
      creditsUsed,
      credits,
      limit,
      0,
      period,
      0,
      0,
      '',
      60_000,
      0,
      0,
    ] as const;
    await redis.quotaSeed(account, open, stream, Date.now() + 60_000, epoch, ...counters);

    // Taken: the answer, the record and the entry agree.
    const claim = given.claim === null ? null : KEYS.claim(accountId, 'single', given.claim);
    const use = { kind: 'single', keyId: randomUUID() } as const;
    const useText = ['single:', [use.keyId, ...Array.from({ length: 2 }, () => randomUUID())].join(',')].join(
      '',
    );
    const ttlMs = isDue ? -1000 : 3_600_000;
    const run = async (args: readonly (string | number)[], ...more: string[]) => {
      const keys = [open, stream, KEYS.moved(0), account, ...more];
      const answers = await redis.quotaRun(
        keys.length,
        ...keys,
        ttlMs,
        PLANS.free,
        PLANS.pro,
        KEEP_ANSWER_MS,
        1,
        ...args,
      );
      return answers[0]!;
    };
    const reserve = () =>
      claim === null ? run(['r', id, units, useText, '']) : run(['c', id, units, useText, '', 'body'], claim);
    const sinceMs = Date.now();
    const text = await reserve();
    const monthlyQuota = limit === 'free' ? PLANS.free : limit === 'pro' ? PLANS.pro : Number(limit);
    const fromMonthly = Math.min(units, Math.max(monthlyQuota - monthlyUsed, 0));
    const fromCredits = units - fromMonthly;
    if (fromCredits > credits) {
      t.same(toRefused(text), {
        outcome: 'exhausted',
        balance: toBalance([period, endsMs, monthlyQuota, monthlyUsed, creditsUsed, credits].join('|')),
      });
      t.equal(await redis.hget(open, id), null);
      return;
    }
    // The scripts and the gateway count in doubles; the sum of all usage stays below 2^53 in any real account.
    const after = [
      monthlyQuota,
      monthlyUsed + fromMonthly,
      creditsUsed + fromCredits,
      credits - fromCredits,
    ] as const;
    const view = [period, endsMs, ...after].join('|');
    const reservation = parseReservation(text)!;
    t.match(reservation, { accountId, epoch, fromMonthly, fromCredits, view });
    t.ok(
      reservation.expiresMs >= sinceMs + ttlMs - 1000 && reservation.expiresMs <= Date.now() + ttlMs + 1000,
    );
    t.same(toAdmitted(reservation), {
      outcome: 'admitted',
      fromMonthly,
      fromCredits,
      balance: toBalance(view),
    });
    t.match(reservation, { period, use: useText });
    t.equal(await redis.hget(open, id), text);
    const nothing = {
      calls: 0,
      monthly: 0,
      credits: 0,
      refundedMonthly: 0,
      refundedCredits: 0,
      refundedLate: 0,
    };
    t.same(await lastChange(), {
      account: accountId,
      epoch,
      after: { period, monthlyUsed: after[1], creditsUsed: after[2], credits: after[3] },
      uses: [{ use, ...nothing, calls: 1, monthly: fromMonthly, credits: fromCredits }],
      opens: [{ period, monthly: fromMonthly, credits: fromCredits }],
      moved: [],
    });
    t.equal(await reserve(), text, 'the same id finds it again while it is open');

    // Due: by the expiry in the record, with the account in the record.
    const due = await redis.quotaDue(open, '0', 1000);
    const place = due.indexOf(id);
    t.equal(place === -1 ? null : due[place + 1], isDue ? accountId : null);

    // Closed: the units given back are in the answer and in the entry.
    const settled = toSettled(await run(['S', id, refund, 1, given.answer]));
    const back = isDue ? units : Math.min(refund, units);
    const backCredits = Math.min(back, fromCredits);
    const backMonthly = back - backCredits;
    const [, used, creditsSpent, left] = after;
    const balance = [
      monthlyQuota,
      used - backMonthly,
      creditsSpent - backCredits,
      left + backCredits,
    ] as const;
    t.same(settled, {
      outcome: isDue ? 'expired' : 'settled',
      balance: toBalance([period, endsMs, ...balance].join('|')),
    });
    t.equal(await redis.hget(open, id), null);
    t.same(await lastChange(), {
      account: accountId,
      epoch,
      after: { period, monthlyUsed: balance[1], creditsUsed: balance[2], credits: balance[3] },
      uses:
        back === 0 ? [] : [{ use, ...nothing, refundedMonthly: backMonthly, refundedCredits: backCredits }],
      opens: [{ period, monthly: -fromMonthly, credits: -fromCredits }],
      moved: [],
    });
    if (claim !== null) {
      const kept = isDue || given.answer === '' ? null : given.answer;
      t.equal(await redis.hget(claim, 'answer'), kept, 'the claim is found after the record');
      t.equal(await redis.exists(claim), kept === null ? 0 : 1);
    }
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
