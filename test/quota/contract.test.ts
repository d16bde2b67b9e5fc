import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { Quota } from '../../src/quota/quota.ts';
import { ok, refused } from '../../src/result.ts';
import { until } from '../servers/until.ts';
import { LEDGERS, type Ledger, newAccount, newNeighbour, reserve, take, USE } from './ledgers.ts';
import { describeSequences } from './model.ts';

const claim = (key: string, body = 'a', route: 'single' | 'bulk' = 'single') => ({
  route,
  key,
  bodyHash: body.repeat(64),
});

/** A reservation that has expired by the time this resolves. */
const takeExpired = async (ledger: Ledger, accountId: string, units: number, key?: string) => {
  const id = randomUUID();
  const claimed = key === undefined ? {} : { claim: claim(key) };
  await ledger.reserveBriefly({ id, accountId, units, use: USE, ...claimed });
  await sleep(5);
  return id;
};

const monthStart = (offset: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString().slice(0, 10);
};

const describeTaking = (t: Test, ledger: Ledger) => {
  const { quota, sql } = ledger;

  t.test('a unit comes from the monthly quota while any is left, then from credits', async (t) => {
    const accountId = await newAccount(sql, 3);
    await quota.addCredits({ accountId, amount: 4, reference: null });
    const both = await take(quota, accountId, 5);
    t.match(both, { fromMonthly: 3, fromCredits: 2 });
    t.strictSame(both.balance, {
      period: monthStart(0),
      resetsAtMs: Date.parse(monthStart(1)),
      monthlyQuota: 3,
      monthlyUsed: 3,
      credits: 2,
      usageCount: 5,
      remaining: 2,
    });
  });

  t.test('a repeated id gets the same answer and takes nothing more', async (t) => {
    const accountId = await newAccount(sql, 3);
    const id = randomUUID();
    const first = await reserve(quota, accountId, 2, id);
    await reserve(quota, accountId, 1);
    t.strictSame(await reserve(quota, accountId, 2, id), first, 'while it is open');
    t.strictSame(await reserve(await ledger.open(), accountId, 2, id), first, 'from another gateway');
    t.match(await quota.read(accountId), { monthlyUsed: 3 });
    const together = randomUUID();
    const other = await newAccount(sql, 3);
    const answers = await Promise.all([1, 2, 3].map(() => reserve(quota, other, 1, together)));
    t.strictSame(answers, [answers[0], answers[0], answers[0]], 'at the same time');
    t.match(await quota.read(other), { monthlyUsed: 1 });
  });

  t.test('a unit for finished work is taken and settled in one call', async (t) => {
    const accountId = await newAccount(sql, 2);
    await quota.addCredits({ accountId, amount: 1, reference: null });
    const first = await quota.take({ accountId, use: USE });
    t.match(first, {
      outcome: 'admitted',
      fromMonthly: 1,
      fromCredits: 0,
      balance: { usageCount: 1, remaining: 2 },
    });
    await quota.take({ accountId, use: USE });
    t.match(await quota.take({ accountId, use: USE }), {
      fromMonthly: 0,
      fromCredits: 1,
      balance: { remaining: 0 },
    });
    const before = await quota.read(accountId);
    t.strictSame(await quota.take({ accountId, use: USE }), { outcome: 'exhausted', balance: before });
    await sleep(5);
    await quota.reap();
    t.match(await quota.read(accountId), { usageCount: 3, credits: 0 }, 'it is never given back');
  });

  t.test('of 60 parallel takes on 25 units exactly 25 succeed, each with its own balance', async (t) => {
    const accountId = await newAccount(sql, 20);
    await quota.addCredits({ accountId, amount: 5, reference: null });
    const other = await ledger.open();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        (i % 3 === 0 ? other : quota).take({
          accountId,
          use: { ...USE, kind: i % 2 ? 'image' : 'single' },
        }),
      ),
    );
    const admitted = answers.flatMap((one) => (one.outcome === 'admitted' ? [one] : []));
    t.equal(admitted.filter(({ fromCredits }) => fromCredits === 1).length, 5);
    for (const { balance, fromMonthly } of admitted) {
      const { usageCount, monthlyUsed, credits, remaining } = balance;
      t.strictSame(
        [monthlyUsed, credits, remaining],
        [Math.min(usageCount, 20), Math.min(25 - usageCount, 5), 25 - usageCount],
      );
      t.equal(fromMonthly, usageCount <= 20 ? 1 : 0);
    }
    t.strictSame(
      admitted.map(({ balance }) => balance.usageCount).sort((a, b) => a - b),
      Array.from({ length: 25 }, (_, i) => i + 1),
    );
    t.match(await quota.read(accountId), { remaining: 0, usageCount: 25, credits: 0, monthlyUsed: 20 });
  });

  t.test('of 60 parallel reservations on 25 units exactly 25 succeed, with distinct counts', async (t) => {
    const accountId = await newAccount(sql, 20);
    await quota.addCredits({ accountId, amount: 5, reference: null });
    const answers = await Promise.all(Array.from({ length: 60 }, () => reserve(quota, accountId, 1)));
    const counts = answers.flatMap((one) => (one.outcome === 'admitted' ? [one.balance.usageCount] : []));
    t.strictSame(
      counts.sort((a, b) => a - b),
      Array.from({ length: 25 }, (_, i) => i + 1),
    );
    t.match(await quota.read(accountId), { remaining: 0, usageCount: 25, credits: 0, monthlyUsed: 20 });
  });

  t.test('parallel bulk calls get all of their units or none, and no more than there are', async (t) => {
    const accountId = await newAccount(sql, 100);
    const sizes = Array.from({ length: 40 }, (_, i) => (i % 9) + 1);
    const answers = await Promise.all(sizes.map((units) => reserve(quota, accountId, units)));
    const taken = answers.map((one) => (one.outcome === 'admitted' ? one.fromMonthly + one.fromCredits : 0));
    t.ok(taken.every((units, i) => units === 0 || units === sizes[i]));
    const sum = taken.reduce((a, b) => a + b, 0);
    t.match(await quota.read(accountId), { monthlyUsed: sum, remaining: 100 - sum });
    t.ok(
      sizes.every((units, i) => taken[i]! > 0 || units > 100 - sum),
      'refused calls did not fit',
    );
  });

  t.test('a missing account or an invalid argument is an error', async (t) => {
    const accountId = await newAccount(sql, 3);
    await t.rejects(reserve(quota, randomUUID(), 1));
    await t.rejects(reserve(quota, accountId, 0), TypeError);
    await t.rejects(reserve(quota, accountId, 1.5), TypeError);
    await t.rejects(reserve(quota, accountId, 1, 'no-uuid'), TypeError);
    await t.rejects(quota.settle({ id: randomUUID(), accountId, refundUnits: -1 }), TypeError);
    t.throws(
      () => quota.settleLater({ id: randomUUID(), accountId, refundUnits: 0, answer: '\ud800' }),
      TypeError,
    );
    t.match(await quota.read(accountId), { usageCount: 0 });
  });
};

const describeGivingBack = (t: Test, ledger: Ledger) => {
  const { quota, sql } = ledger;

  t.test('settling an unknown reservation, or one of another account, changes nothing', async (t) => {
    const accountId = await newAccount(sql, 5);
    const stranger = await newNeighbour(sql, accountId, 5);
    const { id } = await take(quota, accountId, 2);
    await take(quota, stranger, 1);
    for (const settle of [
      { id: randomUUID(), accountId },
      { id, accountId: stranger },
    ]) {
      t.match(await quota.settle({ ...settle, refundUnits: 2 }), { outcome: 'unknown' });
    }
    t.match(await quota.read(accountId), { monthlyUsed: 2 });
    t.match(await quota.read(stranger), { monthlyUsed: 1 });
    const settled = { id, accountId, refundUnits: 2 };
    t.match(await quota.settle(settled), { outcome: 'settled', balance: { monthlyUsed: 0 } });
    t.match(await (await ledger.open()).settle(settled), { outcome: 'unknown', balance: { monthlyUsed: 0 } });
  });

  t.test('all background settlements are done when the ledger is closed', async (t) => {
    const accountId = await newAccount(sql, 100);
    const other = await ledger.open();
    const taken = await Promise.all(Array.from({ length: 60 }, () => take(other, accountId, 1)));
    taken.forEach(({ id }, i) => {
      other.settleLater({ id, accountId, refundUnits: i % 2 });
    });
    await other.close();
    t.match(await quota.read(accountId), { monthlyUsed: 30, usageCount: 30 });
    t.match(await quota.settle({ id: taken[0]!.id, accountId, refundUnits: 1 }), { outcome: 'unknown' });
  });
};

const describeMonths = (t: Test, ledger: Ledger) => {
  const { quota, sql } = ledger;

  t.test('the period does not move back when the clock does', async (t) => {
    const accountId = await newAccount(sql, 3);
    await take(quota, accountId, 2);
    await ledger.shiftMonths(accountId, 1);
    t.match(await quota.read(accountId), { period: monthStart(1), monthlyUsed: 2 });
    t.match(await take(quota, accountId, 1), { balance: { period: monthStart(1), monthlyUsed: 3 } });
    t.match(await reserve(quota, accountId, 1), { outcome: 'exhausted' });
  });
};

const describeBuying = (t: Test, ledger: Ledger) => {
  const { quota, sql } = ledger;

  t.test('the plan sets the quota unless the account has its own, and changes apply at once', async (t) => {
    const accountId = await newAccount(sql, null, 'free');
    t.match(await quota.read(accountId), { monthlyQuota: 5 });
    const change = async (values: { plan?: string; monthly_quota?: number | null }) => {
      await sql`update accounts set ${sql(values)} where id = ${accountId}`;
      await quota.refreshLimit(accountId);
    };
    await change({ plan: 'pro' });
    t.match(await take(quota, accountId, 40), { fromMonthly: 40, balance: { monthlyQuota: 50 } });
    await change({ monthly_quota: 60 });
    t.match(await quota.read(accountId), { monthlyQuota: 60, remaining: 20 });
    await change({ monthly_quota: null });
    t.match(await quota.read(accountId), { monthlyQuota: 50 });
  });

  t.test('credits with a reference are added once, those without one each time', async (t) => {
    const accountId = await newAccount(sql, 0);
    const other = await newAccount(sql, 0);
    const add = (reference: string | null, to = accountId) =>
      quota.addCredits({ accountId: to, amount: 10, reference });
    await Promise.all([add('order 1'), add('order 1'), add('order 1')]);
    t.match(await add('order 2'), ok({ credits: 20, remaining: 20, usageCount: 0 }));
    await add(null);
    t.match(await add(null), ok({ credits: 40 }));
    t.match(await add('order 1', other), ok({ credits: 10 }), 'a reference belongs to its account');
    t.strictSame(
      await quota.addCredits({ accountId, amount: 11, reference: 'order 1' }),
      refused('mismatch'),
      'with another amount the reference is refused',
    );
    t.match(await quota.read(accountId), { credits: 40 });
  });
};

const describeClaims = (t: Test, ledger: Ledger) => {
  const { quota, sql } = ledger;
  const ask = (
    accountId: string,
    key: string,
    body = 'a',
    route: 'single' | 'bulk' = 'single',
    id = randomUUID(),
  ) => quota.reserve({ id, accountId, units: 1, use: USE, claim: claim(key, body, route) });

  t.test('an Idempotency-Key is running, then replays the answer, and costs one unit', async (t) => {
    const accountId = await newAccount(sql, 5);
    const id = randomUUID();
    const first = await ask(accountId, 'k', 'a', 'single', id);
    t.match(first, { outcome: 'admitted' });
    t.strictSame(await ask(accountId, 'k'), { outcome: 'running' });
    t.strictSame(await ask(accountId, 'k', 'b'), { outcome: 'mismatch' });
    t.strictSame(await ask(accountId, 'k', 'a', 'single', id), first, 'it repeats its reservation');
    const answer = JSON.stringify({ said: 'ja | nein \u0000', odd: '\ud800' });
    await quota.settle({ id, accountId, refundUnits: 0, answer });
    t.strictSame(await ask(accountId, 'k'), { outcome: 'replay', answer });
    t.strictSame(await ask(accountId, 'k', 'b'), { outcome: 'mismatch' });
    t.match(await quota.read(accountId), { usageCount: 1 });
  });

  t.test('an Idempotency-Key belongs to its account and route', async (t) => {
    const [accountId, other] = [await newAccount(sql, 5), await newAccount(sql, 5)];
    t.match(await ask(accountId, 'a:b|{c}'), { outcome: 'admitted' });
    t.match(await ask(accountId, 'a:b|{c}', 'b', 'bulk'), { outcome: 'admitted' });
    t.match(await ask(other, 'a:b|{c}', 'b'), { outcome: 'admitted' });
  });

  t.test('of many parallel calls with one Idempotency-Key exactly one is admitted', async (t) => {
    const accountId = await newAccount(sql, 50);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(accountId, 'k')));
    t.equal(answers.filter(({ outcome }) => outcome === 'admitted').length, 1);
    t.equal(answers.filter(({ outcome }) => outcome === 'running').length, 19);
    t.match(await quota.read(accountId), { usageCount: 1 });
  });

  t.test('a long answer is stored completely', async (t) => {
    const accountId = await newAccount(sql, 5);
    const id = randomUUID();
    await ask(accountId, 'k', 'a', 'single', id);
    const answer = 'ü€😀|'.repeat(40_000);
    quota.settleLater({ id, accountId, refundUnits: 0, answer });
    await until(async () => (await ask(accountId, 'k')).outcome !== 'running');
    t.strictSame(await ask(accountId, 'k'), { outcome: 'replay', answer });
  });

  t.test('a refused request leaves its Idempotency-Key free', async (t) => {
    const accountId = await newAccount(sql, 0);
    t.match(await ask(accountId, 'k'), { outcome: 'exhausted' });
    await quota.addCredits({ accountId, amount: 1, reference: null });
    t.match(await ask(accountId, 'k', 'b'), { outcome: 'admitted' });
  });

  t.test('an Idempotency-Key is free again when its request was settled without an answer', async (t) => {
    const accountId = await newAccount(sql, 5);
    const id = randomUUID();
    await ask(accountId, 'k', 'a', 'single', id);
    await quota.settle({ id, accountId, refundUnits: 1 });
    t.match(await ask(accountId, 'k', 'b'), { outcome: 'admitted', balance: { usageCount: 1 } });
  });

  t.test('an Idempotency-Key is free after its reservation expires, even with a late answer', async (t) => {
    const accountId = await newAccount(sql, 5);
    const late = await takeExpired(ledger, accountId, 1, 'k');
    const id = randomUUID();
    t.match(await ask(accountId, 'k', 'b', 'single', id), { outcome: 'admitted' });
    t.match(await quota.settle({ id: late, accountId, refundUnits: 0, answer: 'late' }), {
      outcome: 'expired',
    });
    t.strictSame(await ask(accountId, 'k', 'b'), { outcome: 'running' });
    await quota.settle({ id, accountId, refundUnits: 0, answer: 'mine' });
    t.strictSame(await ask(accountId, 'k', 'b'), { outcome: 'replay', answer: 'mine' });
  });

  t.test('reaping a reservation frees its Idempotency-Key', async (t) => {
    const accountId = await newAccount(sql, 5);
    await takeExpired(ledger, accountId, 1, 'k');
    await quota.reap();
    t.match(await ask(accountId, 'k', 'b'), { outcome: 'admitted' });
  });
};

const describeHolds = (t: Test, ledger: Ledger) => {
  const { quota, sql } = ledger;
  const hold = (accountId: string, units: number, id = randomUUID(), by = quota) =>
    by.hold({ id, accountId, units, keyId: USE.keyId });

  t.test('a hold takes all of its units once, however often it is requested', async (t) => {
    const accountId = await newAccount(sql, 3);
    await quota.addCredits({ accountId, amount: 4, reference: null });
    const id = randomUUID();
    const held = { outcome: 'held', fromMonthly: 3, fromCredits: 2 };
    t.match(await hold(accountId, 5, id), {
      ...held,
      balance: { monthlyUsed: 3, credits: 2, usageCount: 5 },
    });
    t.match(await hold(accountId, 5, id), held);
    t.match(await hold(accountId, 5, id, await ledger.open()), held, 'from another gateway');
    const parallel = randomUUID();
    await Promise.all([1, 2, 3].map(() => hold(accountId, 1, parallel)));
    t.match(await quota.read(accountId), { monthlyUsed: 3, credits: 1, usageCount: 6 });
    t.match(await hold(accountId, 2), { outcome: 'exhausted', balance: { remaining: 1 } });
    t.match(await quota.read(accountId), { remaining: 1 }, 'a hold that does not fit takes nothing');
  });

  t.test('releasing a hold gives units back once, credits first', async (t) => {
    const accountId = await newAccount(sql, 3);
    await quota.addCredits({ accountId, amount: 4, reference: null });
    const id = randomUUID();
    await hold(accountId, 6, id);
    t.match(await quota.release({ id, accountId, refundUnits: 4 }), {
      monthlyUsed: 2,
      credits: 4,
      usageCount: 2,
    });
    t.match(
      await quota.release({ id, accountId, refundUnits: 6 }),
      { monthlyUsed: 2, credits: 4 },
      'only the first release counts',
    );
    const other = await newAccount(sql, 3);
    t.equal(await quota.release({ id, accountId: other, refundUnits: 1 }), null, 'by another account');
    t.equal(await quota.release({ id: randomUUID(), accountId, refundUnits: 1 }), null);
    const whole = randomUUID();
    await hold(accountId, 1, whole);
    await Promise.all([1, 2, 3].map(() => quota.release({ id: whole, accountId, refundUnits: 100 })));
    t.match(await quota.read(accountId), { monthlyUsed: 2, credits: 4 }, 'never more than it took');
  });

  t.test('a hold survives the loss of Redis and does not expire', async (t) => {
    const accountId = await newAccount(sql, 10);
    const id = randomUUID();
    await hold(accountId, 7, id);
    await ledger.forget();
    await quota.reap();
    t.match(await hold(accountId, 7, id), { outcome: 'held', fromMonthly: 7 });
    t.match(await quota.read(accountId), { monthlyUsed: 7 });
    await ledger.forget();
    t.match(await quota.release({ id, accountId, refundUnits: 5 }), { monthlyUsed: 2 });
    await ledger.forget();
    t.match(await quota.release({ id, accountId, refundUnits: 5 }), { monthlyUsed: 2 });
    t.strictSame(await ledger.differences(), []);
  });

  t.test('when a hold of a past month is released, only its credits are given back', async (t) => {
    const accountId = await newAccount(sql, 3);
    await quota.addCredits({ accountId, amount: 2, reference: null });
    const id = randomUUID();
    await hold(accountId, 5, id);
    await ledger.shiftMonths(accountId, -1);
    await take(quota, accountId, 1);
    t.match(await quota.release({ id, accountId, refundUnits: 5 }), {
      monthlyUsed: 1,
      credits: 2,
      usageCount: 1,
    });
  });

  t.test('an invalid argument is an error', async (t) => {
    const accountId = await newAccount(sql, 3);
    const id = randomUUID();
    await t.rejects(quota.hold({ id, accountId, units: 0, keyId: USE.keyId }), TypeError);
    await t.rejects(quota.hold({ id: 'x', accountId, units: 1, keyId: USE.keyId }), TypeError);
    await t.rejects(quota.hold({ id, accountId, units: 1, keyId: 'x' }), TypeError);
    await t.rejects(quota.release({ id, accountId, refundUnits: -1 }), TypeError);
  });
};

interface Sums {
  readonly kind: string;
  readonly calls: number;
  readonly units: number;
  readonly refunded: number;
}

const describeUsage = (t: Test, ledger: Ledger) => {
  const { quota, sql } = ledger;

  t.test('usage is summed up by API key, kind of call and hour, and agrees with the balance', async (t) => {
    const accountId = await newAccount(sql, 100);
    await quota.addCredits({ accountId, amount: 10, reference: null });
    const keyId = randomUUID();
    const bulk = { keyId, kind: 'bulk' } as const;
    for (let i = 0; i < 3; i += 1) {
      const id = randomUUID();
      await quota.reserve({ id, accountId, units: 30, use: bulk });
      await quota.settle({ id, accountId, refundUnits: i });
    }
    await Promise.all(
      Array.from({ length: 12 }, () => quota.take({ accountId, use: { keyId, kind: 'image' } })),
    );
    const marked = { keyId, kind: 'code', isLoadTest: true } as const;
    await quota.take({ accountId, use: marked });
    const id = randomUUID();
    await quota.hold({ id, accountId, units: 5, keyId });
    await quota.release({ id, accountId, refundUnits: 2 });
    await ledger.drained();
    const rows = await sql<Sums[]>`
      select kind, sum(calls)::int as calls, sum(monthly + credits)::int as units,
        sum(refunded_monthly + refunded_credits)::int as refunded
      from usage_hours where account_id = ${accountId} and key_id = ${keyId} group by kind order by kind`;
    t.strictSame(
      [...rows],
      [
        { kind: 'batch', calls: 1, units: 5, refunded: 2 },
        { kind: 'bulk', calls: 3, units: 90, refunded: 3 },
        { kind: 'code-test', calls: 1, units: 1, refunded: 0 },
        { kind: 'image', calls: 12, units: 12, refunded: 0 },
      ],
    );
    const [used] = await sql<[{ hours: number }]>`
      select count(distinct hour) as hours from usage_hours where account_id = ${accountId}`;
    t.ok(used.hours <= 2, 'two rows if the hour changes during the test');
    t.match(await quota.read(accountId), { usageCount: 103, credits: 7 });
    t.strictSame(await ledger.differences(), []);
  });
};

const noQuotaIsLeftBehind = async (quota: Quota): Promise<number> => {
  await sleep(5);
  return quota.reap();
};

for (const [name, create] of Object.entries(LEDGERS)) {
  t.test(name, async (t) => {
    const ledger = await create(t);
    t.test('taking units', async (t) => describeTaking(t, ledger));
    t.test('giving units back', async (t) => describeGivingBack(t, ledger));
    t.test('months', async (t) => describeMonths(t, ledger));
    t.test('plans and credits', async (t) => describeBuying(t, ledger));
    t.test('holds', async (t) => describeHolds(t, ledger));
    t.test('usage', async (t) => describeUsage(t, ledger));
    t.test('Idempotency-Keys', async (t) => describeClaims(t, ledger));
    t.test('any sequence of calls matches the model', async (t) => describeSequences(t, ledger));
    t.test('at the end every balance is the sum of its records', async (t) => {
      await noQuotaIsLeftBehind(ledger.quota);
      t.strictSame(await ledger.differences(), []);
    });
  });
}
