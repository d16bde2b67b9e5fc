import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import t from 'tap';
import type { Database } from '../../src/db/database.ts';
import { createSqlQuota } from '../../src/quota/sql-quota.ts';
import { openFor, realDatabase, realDatabaseUrl, realServer } from '../support/database/database.ts';
import { silent } from '../support/silent-log.ts';
import { balanceBecomes, eventually, newAccount, PLANS, reserve, sqlLedger, take, USE } from './ledgers.ts';

t.test('the tables stay small and consistent', async (t) => {
  const ledger = await sqlLedger(t, await realDatabase(t));
  const { quota, sql } = ledger;

  t.test('units taken for finished work are settled soon, without waiting for their expiry', async (t) => {
    const accountId = await newAccount(sql, 10);
    t.match(await quota.take({ accountId, use: USE }), { outcome: 'admitted' });
    await eventually(t, 'nothing is open', async () => {
      const [row] = await sql<[{ open: number }]>`
        select count(*)::int as open from quota_reservations where account_id = ${accountId}`;
      return row.open === 0;
    });
    t.match(await quota.read(accountId), { usageCount: 1 });
  });

  t.test('old rows are removed in chunks, and others stay', async (t) => {
    const accountId = await newAccount(sql, 10);
    const id = randomUUID();
    const claim = { route: 'single', key: 'mine', bodyHash: 'a' } as const;
    await quota.reserve({ id, accountId, units: 1, use: USE, claim });
    await quota.settle({ id, accountId, refundUnits: 0, answer: 'kept' });
    await sql`
      insert into claims (account_id, route, key, body_hash, reservation_id, expires_at)
      select ${accountId}, 'single', n::text, 'x', gen_random_uuid(), now() - interval '1 second'
      from generate_series(1, 600) n`;
    await sql`
      insert into long_answers (reservation_id, answer, expires_at)
      select gen_random_uuid(), '', now() - interval '1 second' from generate_series(1, 600)`;
    const count = async () => {
      const [row] = await sql<[{ claims: number; answers: number; reservations: number }]>`
        select (select count(*) from claims) as claims, (select count(*) from long_answers) as answers,
          (select count(*) from quota_reservations) as reservations`;
      return row;
    };
    await quota.reap();
    t.match(await count(), { claims: 101, answers: 100, reservations: 0 });
    await quota.reap();
    t.match(await count(), { claims: 1, answers: 0, reservations: 0 });
    t.strictSame(await quota.reserve({ id: randomUUID(), accountId, units: 1, use: USE, claim }), {
      outcome: 'replay',
      answer: 'kept',
    });
  });

  t.test('one run of the reaper gives back more reservations than a chunk, of all accounts', async (t) => {
    const hasty = await ledger.open({ reservationTtlMs: 1 });
    const accountIds = await Promise.all(Array.from({ length: 10 }, () => newAccount(sql, 1000)));
    for (let round = 0; round < 11; round += 1) {
      await Promise.all(Array.from({ length: 100 }, (_, i) => reserve(hasty, accountIds[i % 10]!, 2)));
    }
    const [first, second] = await Promise.all([quota.reap(), quota.reap()]);
    t.equal(first + second, 1100, 'two parallel runs share them');
    for (const accountId of accountIds)
      t.match(await quota.read(accountId), { monthlyUsed: 0, remaining: 1000 });
    t.strictSame(await ledger.differences(), []);
  });

  t.test('the reaper applies pending credits and releases, as after a change from Redis', async (t) => {
    const accountId = await newAccount(sql, 0);
    await sql`
      insert into credit_grants (account_id, amount, created_at) values (${accountId}, 7, now() - interval '1 hour')`;
    await quota.reap();
    await quota.reap();
    t.match(await quota.read(accountId), { credits: 7 });
    const id = randomUUID();
    await quota.hold({ id, accountId, units: 4, keyId: USE.keyId });
    await sql`select quota_note_release(${id}, ${accountId}, 3)`;
    await sql`update quota_holds set released_at = now() - interval '1 hour'`;
    await quota.reap();
    await quota.reap();
    t.match(await quota.read(accountId), { credits: 6 });
    t.strictSame(await ledger.differences(), []);
  });

  t.test('the constraints of the tables refuse impossible values', async (t) => {
    const accountId = await newAccount(sql, 10);
    await quota.addCredits({ accountId, amount: 3, reference: 'x' });
    const { id } = await take(quota, accountId, 5);
    const check = { code: '23514' };
    await t.rejects(sql`update quota_balances set monthly_used = -1 where account_id = ${accountId}`, check);
    await t.rejects(sql`update quota_balances set credits = -1 where account_id = ${accountId}`, check);
    await t.rejects(
      sql`update quota_balances set period = '2026-01-02' where account_id = ${accountId}`,
      check,
    );
    await t.rejects(sql`update quota_reservations set from_monthly = -6 where id = ${id}`, check);
    await t.rejects(sql`update usage_hours set refunded_monthly = -1 where account_id = ${accountId}`, check);
    await t.rejects(
      sql`update usage_hours set hour = hour + interval '1 minute' where account_id = ${accountId}`,
      check,
    );
    await t.rejects(
      sql`insert into credit_grants (account_id, amount, reference) values (${accountId}, 1, 'x')`,
      { code: '23505' },
    );
  });
});

t.test('settlements survive an outage of the database', async (t) => {
  const ledger = await sqlLedger(t, await realDatabase(t));
  const { quota, sql } = ledger;
  const accountId = await newAccount(sql, 100);
  const taken = await Promise.all(Array.from({ length: 10 }, () => take(quota, accountId, 5)));
  const postgres = await realServer();
  await postgres.stop();
  for (const { id } of taken) quota.settleLater({ id, accountId, refundUnits: 2 });
  await t.rejects(reserve(quota, accountId, 1));
  await postgres.start();
  await balanceBecomes(t, quota, accountId, { monthlyUsed: 30 });
  t.strictSame(await ledger.differences(), []);
});

t.test('an indeterminate reservation is settled later, a refused one is not', async (t) => {
  const settled: unknown[] = [];
  let code = '';
  const fake = (texts: readonly string[], ...values: unknown[]) => {
    if (texts[0]?.includes('quota_reserve'))
      return Promise.reject(Object.assign(new Error('gone'), { code }));
    settled.push(...(values[0] as unknown[]));
    return Promise.resolve([]);
  };
  const sql = Object.assign(fake, { json: (value: unknown) => value }) as unknown as Database['sql'];
  const quota = createSqlQuota({ sql, planMonthly: PLANS, reservationTtlMs: 60_000 }, silent);
  const lost = [];
  for (code of [
    'DATABASE_LOST',
    'DATABASE_BUSY',
    'DATABASE_UNAVAILABLE',
    'DATABASE_SILENT',
    'DATABASE_TIME_LIMIT',
    '55P03',
  ]) {
    const [id, accountId] = [randomUUID(), randomUUID()];
    await t.rejects(reserve(quota, accountId, 4, id), { code });
    if (/LOST|SILENT/.test(code)) lost.push({ id, accountId, refundUnits: 4 });
  }
  await quota.close();
  t.strictSame(settled, lost);
});

t.test('a monthly unit of a past month is not given back in the record either', async (t) => {
  const ledger = await sqlLedger(t, await realDatabase(t));
  const { quota, sql } = ledger;
  const accountId = await newAccount(sql, 3);
  await quota.addCredits({ accountId, amount: 2, reference: null });
  const { id } = await take(quota, accountId, 5);
  await ledger.shiftMonths(accountId, -1);
  await take(quota, accountId, 1);
  await quota.settle({ id, accountId, refundUnits: 5 });
  t.match(
    await sql`
      select sum(refunded_monthly) as monthly, sum(refunded_credits) as credits, sum(refunded_late) as late
      from usage_hours where account_id = ${accountId}`,
    [{ monthly: '0', credits: '0', late: '2' }],
  );
  t.strictSame(await ledger.differences(), []);
});

t.test('batches of settlements lock accounts in the same order, so that they do not deadlock', async (t) => {
  const url = await realDatabaseUrl();
  const { quota, sql } = await sqlLedger(t, await openFor(t, { url, dataDir: '' }));
  const accountIds = [await newAccount(sql, 5), await newAccount(sql, 5)].sort();
  const [first, second] = await Promise.all(accountIds.map((accountId) => take(quota, accountId, 1)));
  const [low, high] = accountIds;
  const settles = [
    { id: second!.id, accountId: high!, refundUnits: 0 },
    { id: first!.id, accountId: low!, refundUnits: 0 },
  ];
  /** A connection without the gateway's timeouts, so that a busy machine aborts no wait. */
  const connect = async () => {
    const connection = postgres(url, { max: 1, onnotice: () => {} });
    t.teardown(() => connection.end({ timeout: 0 }));
    const [row] = await connection<[{ pid: number }]>`select pg_backend_pid() as pid`;
    return { connection, pid: row.pid };
  };
  const [holder, settler, watcher] = await Promise.all([connect(), connect(), connect()]);

  const { settled } = await holder.connection.begin(async (held) => {
    await held`select from quota_balances where account_id = ${low!} for update`;
    const batch = settler.connection`select id from quota_settle(${sql.json(settles)}, 5, 50)`;
    const settled = Promise.allSettled([batch]);
    await eventually(t, 'the batch waits for the account that comes first', async () => {
      const [row] = await watcher.connection<[{ waits: boolean }]>`
          select ${holder.pid}::int = any(pg_blocking_pids(${settler.pid})) as waits`;
      return row.waits;
    });
    t.match(
      await watcher.connection`
          select monthly_used from quota_balances where account_id = ${high!} for update nowait`,
      [{ monthly_used: '1' }],
      'it holds no lock after that account',
    );
    return { settled };
  });
  // The end of the transaction above releases the lock.
  const [batch] = await settled;
  t.match(batch, { status: 'fulfilled', value: [{ id: first!.id }, { id: second!.id }] }, 'it continues');
});
