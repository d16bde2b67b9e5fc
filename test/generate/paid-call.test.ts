/** How calls reserve, pay and refund units, for every answer of the ledger. */
import fc from 'fast-check';
import t from 'tap';
import Type from 'typebox';
import { AppError } from '../../src/errors.ts';
import {
  giveBack,
  type Made,
  payFor,
  payUnit,
  readRecord,
  settleNow,
  type Taken,
  takeUnits,
} from '../../src/generate/paid-call.ts';
import { type Caller, NO_GRADE_TERMS, noTimings, type Parts } from '../../src/generate/parts.ts';
import type { Balance, Quota, Settle } from '../../src/quota/quota.ts';

const HOUR_MS = 3_600_000;
const balance: Balance = {
  period: '2026-11-01',
  resetsAtMs: Date.now() + HOUR_MS,
  monthlyQuota: 100,
  monthlyUsed: 40,
  credits: 5,
  usageCount: 50,
  remaining: 65,
};
const caller: Caller = { accountId: 'account', keyId: 'key', keyQuota: null, makers: [] };
const claim = { route: 'single', key: 'k', bodyHash: 'h' } as const;
const wanted = { units: 3, kind: 'bulk' } as const;
const taken: Taken = { kind: 'taken', id: 'id', fromCredits: 2, balance };

/** A ledger with the given answers. Calls without an answer fail. */
const ledger = (answers: Partial<Quota>): Quota => {
  const fail = () => Promise.reject(new Error('unreachable'));
  return { reserve: fail, take: fail, settle: fail, read: fail, settleLater() {}, ...answers } as Quota;
};
const faultOf = (job: Promise<unknown>): Promise<AppError> =>
  job.then(
    () => Promise.reject(new Error('it was done')),
    (error: unknown) => (error instanceof AppError ? error : Promise.reject(error)),
  );

t.test('units are reserved for the caller under a unique id', async (t) => {
  const asked: unknown[] = [];
  const quota = ledger({
    reserve: async (request) => {
      asked.push(request);
      return { outcome: 'admitted', fromMonthly: 1, fromCredits: 2, balance };
    },
  });
  const timings = noTimings();
  const first = await takeUnits(quota, caller, wanted, timings);
  const second = await takeUnits(quota, { ...caller, claim }, wanted, timings);
  t.match(first, { kind: 'taken', id: /^[0-9a-f-]{36}$/, fromCredits: 2, balance });
  t.ok(timings.quotaMs > 0);
  const use = { keyId: 'key', kind: 'bulk', isLoadTest: false };
  t.strictSame(asked, [
    { id: (first as Taken).id, accountId: 'account', units: 3, use, keyQuota: null, makers: [] },
    { id: (second as Taken).id, accountId: 'account', units: 3, use, keyQuota: null, makers: [], claim },
  ]);
  t.not((first as Taken).id, (second as Taken).id);
});

t.test('each refusal of the ledger becomes an error of the API', async (t) => {
  const refusal = (reserved: Awaited<ReturnType<Quota['reserve']>>, units = 3, by = caller) =>
    faultOf(takeUnits(ledger({ reserve: async () => reserved }), by, { ...wanted, units }, noTimings()));
  const many = await refusal({ outcome: 'exhausted', balance });
  t.match(many, { code: 'quota_exhausted', details: /needs 3 units and 65 are left/ });
  t.match((await refusal({ outcome: 'exhausted', balance }, 1)).details, /^No units are left this month/);
  t.ok(many.retryAfterS! > 3590 && many.retryAfterS! <= 3600, String(many.retryAfterS));
  const over = await refusal({ outcome: 'exhausted', balance: { ...balance, resetsAtMs: 0 } });
  t.equal(over.retryAfterS, 1);
  const ofKey = { outcome: 'key_exhausted', keyRemaining: 2, balance } as const;
  const small = { ...caller, keyQuota: 7 };
  t.match(await refusal(ofKey, 3, small), {
    code: 'quota_exhausted',
    details: /^The call needs 3 units and 2 are left of this key's own 7 a month/,
    retryAfterS: many.retryAfterS!,
  });
  t.match((await refusal(ofKey, 1, small)).details, /^The call needs one unit and 2 are left/);
  t.equal((await refusal({ outcome: 'mismatch' })).code, 'idempotency_mismatch');
  t.match(await refusal({ outcome: 'running' }), { code: 'idempotency_running', retryAfterS: 1 });
  t.match(await faultOf(takeUnits(ledger({}), caller, wanted, noTimings())), {
    code: 'unavailable',
    retryAfterS: 1,
  });
  const replay = { outcome: 'replay', answer: 'stored' } as const;
  t.equal((await refusal(replay)).code, 'unavailable', 'a replay needs the current balance');
  const quota = ledger({ reserve: async () => replay, read: async () => balance });
  t.strictSame(await takeUnits(quota, caller, wanted, noTimings()), {
    kind: 'replay',
    answer: 'stored',
    month: balance,
  });
});

t.test('one unit is paid immediately, or the call is refused', async (t) => {
  const paid = { outcome: 'admitted', fromMonthly: 1, fromCredits: 0, balance } as const;
  const timings = noTimings();
  t.match(await payUnit(ledger({ take: async () => paid }), caller, 'image', timings), {
    fromCredits: 0,
    balance,
  });
  t.ok(timings.quotaMs > 0);
  const none = ledger({ take: async () => ({ outcome: 'exhausted', balance }) });
  t.equal((await faultOf(payUnit(none, caller, 'image', timings))).code, 'quota_exhausted');
  const asked: unknown[] = [];
  const spent = ledger({
    take: async (request) => {
      asked.push(request);
      return { outcome: 'key_exhausted', keyRemaining: 0, balance };
    },
  });
  const small = { ...caller, keyQuota: 7 };
  t.match(await faultOf(payUnit(spent, small, 'image', timings)), {
    code: 'quota_exhausted',
    details: /0 are left of this key's own 7 a month/,
  });
  t.match(asked, [{ keyQuota: 7 }]);
  t.equal((await faultOf(payUnit(ledger({}), caller, 'image', timings))).code, 'unavailable');
});

const logging = () => {
  const logged: string[] = [];
  const keep = (_: object, message: string) => void logged.push(message);
  return { logged, log: { warn: keep, error: keep } };
};

t.test('an unanswered settlement is retried later, and the balance already includes it', async () => {
  const count = fc.nat(20);
  await fc.assert(
    fc.asyncProperty(
      count,
      count,
      count,
      count,
      fc.nat(10),
      async (fromMonthly, fromCredits, used, quota, credits) => {
        const refundUnits = Math.min(used, fromMonthly + fromCredits);
        const monthlyUsed = used + fromMonthly;
        const before = { ...balance, monthlyQuota: quota, monthlyUsed, credits, usageCount: 100 };
        const later: Settle[] = [];
        const { logged, log } = logging();
        const after = await settleNow(
          { quota: ledger({ settleLater: (settle) => void later.push(settle) }), log },
          { ...taken, fromCredits, balance: before },
          { id: 'id', accountId: 'account', refundUnits },
          noTimings(),
        );
        const toCredits = Math.min(refundUnits, fromCredits);
        const monthly = monthlyUsed - (refundUnits - toCredits);
        return (
          fc.stringify(after) ===
            fc.stringify({
              ...before,
              credits: credits + toCredits,
              monthlyUsed: monthly,
              usageCount: 100 - refundUnits,
              remaining: Math.max(0, quota - monthly) + credits + toCredits,
            }) &&
          later.length === 1 &&
          logged.length === 1
        );
      },
    ),
  );
});

t.test('a settlement returns the balance of the ledger, and is logged when it came too late', async (t) => {
  for (const [outcome, told] of [
    ['settled', 0],
    ['unknown', 0],
    ['expired', 1],
  ] as const) {
    const { logged, log } = logging();
    const settled = { outcome, balance: { ...balance, credits: 9 } };
    const timings = noTimings();
    const settle = { id: 'id', accountId: 'account', refundUnits: 1 };
    const quota = ledger({ settle: async () => settled });
    t.equal((await settleNow({ quota, log }, taken, settle, timings)).credits, 9);
    t.equal(logged.length, told, outcome);
    t.ok(timings.quotaMs > 0);
  }
});

t.test('a failed call gets all its units back, and its Idempotency-Key stores the refusal', async (t) => {
  const bad = new AppError('invalid_body', 'data: is missing');
  const down = new AppError('unavailable', 'try again');
  const back = async (withClaim: boolean, error: unknown, isDown = false) => {
    const seen: Settle[] = [];
    const { logged, log } = logging();
    const quota = ledger({
      settle: async (settle) => {
        if (isDown) throw new Error('unreachable');
        seen.push(settle);
        return { outcome: 'settled', balance };
      },
      settleLater: (settle) => void seen.push(settle),
    });
    await giveBack({ quota, log }, withClaim ? { ...caller, claim } : caller, taken, 3, error, noTimings());
    return { settle: seen[0], logged: logged.length };
  };
  const refund = { id: 'id', accountId: 'account', refundUnits: 3 };
  const answer = JSON.stringify({ kind: 'refused', code: 'invalid_body', details: 'data: is missing' });
  t.strictSame(await back(true, bad), { settle: { ...refund, answer }, logged: 0 });
  t.strictSame(await back(false, bad), { settle: refund, logged: 0 });
  for (const error of [down, new Error('x')])
    t.strictSame(await back(true, error), { settle: refund, logged: 0 });
  t.strictSame(await back(true, bad, true), { settle: { ...refund, answer }, logged: 1 });
});

t.test('a refusal under an Idempotency-Key is repeated; any other record is returned', async (t) => {
  const record = { kind: 'refused', code: 'invalid_body', details: 'data: is required' } as const;
  const replay = (stored: object) => {
    const reserve = async () => ({ outcome: 'replay', answer: JSON.stringify(stored) }) as const;
    return takeUnits(ledger({ reserve, read: async () => balance }), caller, wanted, noTimings());
  };
  const { isReplay, code, details } = await faultOf(replay(record));
  t.strictSame({ isReplay, code, details }, { isReplay: true, code: record.code, details: record.details });
  for (const other of [{ ...record, code: 'unknown' }, { ...record, details: 1 }, { code: 'invalid_body' }])
    t.match(await replay(other), { kind: 'replay', answer: JSON.stringify(other) });
});

t.test('a stored record is read back, and a damaged or missing one is rejected', async (t) => {
  const Stored = Type.Object({ units: Type.Integer() });
  t.strictSame(readRecord(Stored, '{"units":1}'), { units: 1 });
  for (const damaged of ['{"units":"1"}', '{', null])
    t.throws(() => readRecord(Stored, damaged), /is damaged/);
});

t.test('the units of a call are closed exactly once, and go back unless its codes may be saved', async () => {
  const units = 5;
  const boom = new Error('boom');
  const outcomes: fc.Arbitrary<Made<string> | Error> = fc.oneof(
    fc.record({
      kind: fc.constant('made' as const),
      value: fc.string(),
      refundUnits: fc.nat(units),
      record: fc.option(fc.string(), { nil: undefined }),
    }),
    fc.constant({ kind: 'answered before' } as const),
    fc.constant({ kind: 'unknown', cause: boom } as const),
    fc.constant(boom),
  );
  await fc.assert(
    fc.asyncProperty(outcomes, async (outcome) => {
      const closed: Settle[] = [];
      const settle = async (request: Settle) => {
        closed.push(request);
        return { outcome: 'settled', balance } as const;
      };
      const quota = ledger({
        reserve: async () => ({ outcome: 'admitted', fromMonthly: 3, fromCredits: 2, balance }),
        settle,
        settleLater: (request) => void closed.push(request),
      });
      const pool = { hasRoom: () => true };
      const parts = { quota, pool, deadlineMs: 1000, ...logging() } as unknown as Parts;
      const call = { ...caller, terms: NO_GRADE_TERMS, timings: noTimings() };
      const paid = await payFor(parts, call, { use: 'bulk', units, estimatedMs: [1] }, async () => {
        if (outcome instanceof Error) throw outcome;
        return outcome;
      }).catch((error: unknown) => error as Error);
      const refunded = closed.map(({ refundUnits }) => refundUnits);
      const isUnknown = 'kind' in outcome && outcome.kind === 'unknown';
      const refundUnits = 'refundUnits' in outcome ? outcome.refundUnits : units;
      const record = 'record' in outcome ? outcome.record : undefined;
      const told = 'value' in outcome ? { kind: 'paid', value: outcome.value, month: balance } : null;
      const isTold =
        told === null
          ? paid instanceof Error || paid.kind === 'answered before'
          : fc.stringify(paid) === fc.stringify(told);
      return (
        isTold &&
        fc.stringify(refunded) === fc.stringify(isUnknown ? [] : [refundUnits]) &&
        closed.every(({ answer }) => answer === record)
      );
    }),
  );
});

t.test(
  'a call for which the render queue has no room, or without free work for its grade, takes nothing',
  async (t) => {
    const seen: string[] = [];
    const quota = ledger({
      reserve: async () => {
        seen.push('reserved');
        return { outcome: 'exhausted', balance };
      },
    });
    const call = { ...caller, terms: { minGrade: 3, repair: false } as const, timings: noTimings() };
    const need = { use: 'single', units: 1, estimatedMs: [1] } as const;
    const pay = (hasRoom: boolean) => {
      const pool = { hasRoom: () => hasRoom, retryAfterS: () => 1 };
      const admit = () => {
        throw new AppError('rate_limited', 'used up');
      };
      const parts = { quota, pool, deadlineMs: 1000, freeWork: { admit } } as unknown as Parts;
      return faultOf(payFor(parts, call, need, () => Promise.reject(new Error('was made'))));
    };
    t.equal((await pay(false)).code, 'overloaded');
    t.equal((await pay(true)).code, 'rate_limited');
    t.strictSame(seen, []);
  },
);
