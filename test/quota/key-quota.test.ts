/** Quotas of single API keys within that of their account, in every ledger. Sequences of calls are in `model.ts`. */
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import type { Use } from '../../src/quota/quota.ts';
import { LEDGERS, type Ledger, newAccount, newKey } from './ledgers.ts';

/** An account with two keys, only one of which has a quota of its own. */
const start = async ({ quota, sql, drained }: Ledger, limit: number, keyQuota: number, credits = 0) => {
  const accountId = await newAccount(sql, limit);
  if (credits > 0) await quota.addCredits({ accountId, amount: credits, reference: null });
  const [mine, other] = [randomUUID(), randomUUID()];
  const by = (keyId: string, kind: Use['kind'] = 'single') => ({
    accountId,
    use: { keyId, kind },
    keyQuota: keyId === mine ? keyQuota : null,
  });
  const reserve = (units: number, keyId = mine, id = randomUUID()) =>
    quota.reserve({ ...by(keyId), id, units });
  const used = async (ids: readonly string[] = [mine, other]): Promise<readonly number[]> => {
    await drained();
    const rows = await sql<{ keyId: string; used: number }[]>`
      select key_id, used from quota_used_by_keys(${accountId}, quota_month())`;
    return ids.map((id) => rows.find(({ keyId }) => keyId === id)?.used ?? 0);
  };
  return { accountId, mine, other, by, reserve, used };
};

const describeKeys = (t: Test, ledger: Ledger) => {
  const { quota } = ledger;

  t.test('a key with a quota of 0 gets nothing', async (t) => {
    const { by, mine } = await start(ledger, 9, 0);
    t.match(await quota.take(by(mine)), { outcome: 'key_exhausted', keyRemaining: 0 });
  });

  t.test('in parallel with calls of another key, a key gets exactly its own quota', async (t) => {
    const { accountId, by, mine, other, reserve, used } = await start(ledger, 60, 20);
    const second = await ledger.open();
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_, i) => {
        const keyId = i % 3 === 0 ? other : mine;
        if (i % 2 === 0) return reserve(1, keyId);
        return second.take(by(keyId, 'image'));
      }),
    );
    const outcomes = (from: boolean) =>
      answers.filter((_, i) => (i % 3 === 0) === from).map(({ outcome }) => outcome);
    t.equal(outcomes(false).filter((outcome) => outcome === 'admitted').length, 20);
    t.equal(outcomes(false).filter((outcome) => outcome === 'key_exhausted').length, 40);
    t.ok(outcomes(true).every((outcome) => outcome === 'admitted'));
    t.match(await quota.read(accountId), { remaining: 10, usageCount: 50 });
    t.strictSame(await used(), [20, 30]);
  });

  t.test('a hold takes its units from the key once, and its release gives them back', async (t) => {
    const { accountId, mine, reserve, used } = await start(ledger, 50, 10);
    const hold = (units: number, id = randomUUID()) =>
      quota.hold({ id, accountId, units, keyId: mine, keyQuota: 10 });
    const id = randomUUID();
    t.match(await hold(8, id), { outcome: 'held' });
    t.match(await hold(8, id), { outcome: 'held' });
    t.match(await hold(3), { outcome: 'key_exhausted', keyRemaining: 2, balance: { remaining: 42 } });
    t.strictSame(await used(), [8, 0]);
    await quota.release({ id, accountId, refundUnits: 6 });
    t.strictSame(await used(), [2, 0]);
    t.match(await reserve(8), { outcome: 'admitted' });
    t.match(await reserve(1), { outcome: 'key_exhausted' });
  });

  t.test(
    'a hold takes its units from a key and its makers, and its release gives them back to all',
    async (t) => {
      const { accountId, used, reserve, mine } = await start(ledger, 50, 10);
      const makerId = await newKey(ledger.sql, accountId);
      const keyId = await newKey(ledger.sql, accountId, [makerId]);
      const hold = (units: number, id = randomUUID()) => {
        const makers = [{ keyId: makerId, monthlyQuota: 10 }];
        return quota.hold({ id, accountId, units, keyId, keyQuota: null, makers });
      };
      const left = async () => (await hold(11)) as { readonly keyRemaining?: number };
      t.match(await reserve(1), { outcome: 'admitted' }, 'another key does not count');
      const id = randomUUID();
      t.match(await hold(8, id), { outcome: 'held' });
      t.match(await left(), { outcome: 'key_exhausted', keyRemaining: 2 });
      t.strictSame(await used([keyId, makerId, mine]), [8, 8, 1]);
      await quota.release({ id, accountId, refundUnits: 6 });
      t.match(await left(), { outcome: 'key_exhausted', keyRemaining: 8 });
      t.strictSame(await used([keyId, makerId, mine]), [2, 2, 1]);
    },
  );

  t.test('an invalid quota is an error', async (t) => {
    const { by, mine } = await start(ledger, 5, 5);
    for (const keyQuota of [-1, 1.5, Number.NaN]) {
      await t.rejects(quota.reserve({ ...by(mine), keyQuota, id: randomUUID(), units: 1 }), TypeError);
      const hold = { id: randomUUID(), accountId: randomUUID(), keyId: mine, units: 1, keyQuota };
      await t.rejects(quota.hold(hold), TypeError);
    }
  });

  t.test('at the end all stores agree on the usage of every key', async (t) => {
    await quota.reap();
    t.strictSame(await ledger.differences(), []);
  });
};

for (const [name, create] of Object.entries(LEDGERS)) {
  t.test(name, async (t) => describeKeys(t, await create(t)));
}
