/** The record of usage: read by hour, day and month, and summed up when it is old; on both kinds of database. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import type { Sql } from '../../src/db/client.ts';
import { createAccount } from '../../src/db/tables/accounts/accounts.ts';
import { insertKey } from '../../src/db/tables/accounts/keys.ts';
import {
  eachAccountUsage,
  foldUsage,
  rollUpUsage,
  type UsageCounts,
  type UsageGroup,
  type UsageInterval,
  type UsageRow,
  type UsageSpan,
  usageBefore,
  usageHistory,
  usageKeptSince,
} from '../../src/db/tables/accounts/usage.ts';
import { createPostgresScans } from '../../src/db/tables/scans/store.ts';
import { startUpkeep } from '../../src/db/upkeep.ts';
import { USE_KINDS } from '../../src/quota/quota.ts';
import { reconcile } from '../../src/quota/reconcile.ts';
import { until } from '../servers/until.ts';
import { insertHours, type UsedHour, usedHour } from '../support/app/usage.ts';
import { openFor, realDatabaseUrl } from '../support/database/database.ts';
import { DATABASES } from '../support/database/kinds.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { silent } from '../support/silent-log.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date('2026-11-22T10:20:30Z');
/** The first hour that is not summed up at `NOW`: the day of 90 days ago is kept whole. */
const KEPT_FROM = new Date('2026-08-24T00:00:00Z');

const newAccount = async (sql: Sql) => {
  const { id } = await createAccount(sql, { name: 'used', plan: 'pro', monthlyQuota: null });
  const keys = await Promise.all(
    ['shop', 'mails'].map((name) =>
      insertKey(sql, {
        accountId: id,
        name,
        prefix: `tsr_${name}`,
        hash: Buffer.from(randomUUID().replaceAll('-', '').padEnd(64, '0'), 'hex'),
        scopes: ['generate'],
      }),
    ),
  );
  return { accountId: id, keyIds: keys.map(({ id }) => id) };
};

const startOf = (at: Date, interval: UsageInterval): Date =>
  new Date(
    {
      hour: at.toISOString().slice(0, 13).concat(':00:00Z'),
      day: at.toISOString().slice(0, 10),
      month: at.toISOString().slice(0, 7),
    }[interval],
  );

/** What `usageHistory` must return, without the names of keys, by start and group. */
const summed = (hours: readonly UsedHour[], { from, to, interval }: UsageSpan, group: UsageGroup | null) => {
  const rows = new Map<string, Record<string, unknown>>();
  for (const hour of hours.filter(({ hour }) => hour >= from && hour < to)) {
    const start = startOf(hour.hour, interval);
    const by = group === 'key' ? { keyId: hour.keyId } : group === 'kind' ? { kind: hour.kind } : {};
    const name = JSON.stringify([start, by]);
    const row = (rows.get(name) ?? {
      calls: 0,
      monthly: 0,
      credits: 0,
      refunded: 0,
      refundedLate: 0,
      loadTestCalls: 0,
      loadTestUnits: 0,
    }) as Record<Exclude<keyof UsageCounts, symbol>, number>;
    const units = hour.monthly - hour.refundedMonthly + hour.credits - hour.refundedCredits;
    rows.set(name, {
      start,
      ...by,
      calls: row.calls + hour.calls,
      monthly: row.monthly + hour.monthly - hour.refundedMonthly,
      credits: row.credits + hour.credits - hour.refundedCredits,
      refunded: row.refunded + hour.refundedMonthly + hour.refundedCredits,
      refundedLate: row.refundedLate + hour.refundedLate,
      loadTestCalls: row.loadTestCalls + (hour.isLoadTest ? hour.calls : 0),
      loadTestUnits: row.loadTestUnits + (hour.isLoadTest ? units : 0),
    });
  }
  return rows;
};

const byName = (rows: readonly UsageRow[]) =>
  new Map(
    rows.map(({ keyName, keyPrefix, ...row }) => {
      const by = row.keyId ? { keyId: row.keyId } : row.kind ? { kind: row.kind } : {};
      return [JSON.stringify([row.start, by]), { ...row }];
    }),
  );

for (const [kind, open] of Object.entries(DATABASES)) {
  t.test(`usage in the ${kind} database`, async (t) => {
    const database = await open(t);
    const { sql } = database;
    const count = async () => {
      const [row] = await sql<[{ hours: number; days: number }]>`
        select (select count(*) from usage_hours) as hours, (select count(*) from usage_days) as days`;
      return { ...row };
    };
    t.beforeEach(async () => {
      await sql`truncate usage_hours, usage_days, usage_before`;
      await sql`update usage_kept set since = null`;
    });

    await t.test('hours, days and months are sums of the record, even if old hours are days', async (t) => {
      const mine = await newAccount(sql);
      const other = await newAccount(sql);
      const units = fc.integer({ min: 0, max: 1000 });
      const used = fc.record({
        accountId: fc.constant(mine.accountId),
        keyId: fc.constantFrom(...mine.keyIds),
        kind: fc.constantFrom(...USE_KINDS),
        isLoadTest: fc.boolean(),
        hour: fc
          .integer({ min: Date.parse('2026-07-15') / HOUR_MS, max: Math.floor(NOW.getTime() / HOUR_MS) })
          .map((hour) => new Date(hour * HOUR_MS)),
        calls: units,
        monthly: units,
        credits: units,
        refundedMonthly: units,
        refundedCredits: units,
        refundedLate: units,
      });
      const spans = fc
        .record({
          interval: fc.constantFrom('day' as const, 'month' as const),
          days: fc.tuple(fc.integer({ min: 0, max: 140 }), fc.integer({ min: 0, max: 140 })),
        })
        .map(({ interval, days }) => {
          const [first = 0, last = 0] = days
            .sort((a, b) => a - b)
            .map((day) => Date.parse('2026-07-10') + day * DAY_MS);
          return { interval, from: startOf(new Date(first), interval), to: new Date(last + DAY_MS) };
        });
      await fc.assert(
        fc.asyncProperty(
          fc.array(used, { maxLength: 60 }),
          spans,
          fc.constantFrom(null, 'key' as const, 'kind' as const),
          async (hours, span, group) => {
            await sql`truncate usage_hours, usage_days`;
            await insertHours(sql, [
              ...hours,
              ...hours.map((hour) => ({ ...hour, accountId: other.accountId, keyId: other.keyIds[0]! })),
            ]);
            const read = async () =>
              byName(await usageHistory(sql, { ...span, accountId: mine.accountId, group, limit: 10_000 }));
            t.strictSame(await read(), summed(hours, span, group));
            await rollUpUsage(sql, NOW);
            t.strictSame(await read(), summed(hours, span, group), 'after summing up');
            const [left] = await sql<[{ old: number }]>`
              select count(*) as old from usage_hours where hour < ${KEPT_FROM}`;
            t.equal(left.old, 0);
            const hourly = { interval: 'hour' as const, from: KEPT_FROM, to: NOW };
            const kept = await usageHistory(sql, {
              ...hourly,
              accountId: mine.accountId,
              group,
              limit: 10_000,
            });
            t.strictSame(byName(kept), summed(hours, hourly, group), 'by hour');
          },
        ),
        { numRuns: 25 },
      );
    });

    await t.test('rows are in order of time, the largest first, with the names of keys', async (t) => {
      const { accountId, keyIds } = await newAccount(sql);
      const [shop, mails] = keyIds as [string, string];
      const unknown = randomUUID();
      const day = new Date('2026-11-20');
      await insertHours(sql, [
        usedHour({ accountId, hour: day, keyId: unknown, monthly: 1 }),
        usedHour({ accountId, hour: day, keyId: shop, monthly: 3 }),
        usedHour({ accountId, hour: day, keyId: mails, monthly: 3, credits: 4 }),
        usedHour({ accountId, hour: new Date('2026-11-19T23:00Z'), keyId: shop, monthly: 2 }),
      ]);
      const query = { accountId, from: new Date('2026-11-19'), to: NOW, interval: 'day', limit: 9 } as const;
      const rows = await usageHistory(sql, { ...query, group: 'key' });
      t.strictSame(
        rows.map(({ start, keyName, keyPrefix }) => [start.toISOString().slice(8, 10), keyName, keyPrefix]),
        [
          ['19', 'shop', 'tsr_shop'],
          ['20', 'mails', 'tsr_mails'],
          ['20', 'shop', 'tsr_shop'],
          ['20', null, null],
        ],
      );
      t.equal((await usageHistory(sql, { ...query, group: 'key', limit: 2 })).length, 2);
      const nobodys = await usageHistory(sql, { ...query, accountId: randomUUID(), group: null });
      t.equal(nobodys.length, 0);
    });

    await t.test('an hour is moved once, however many gateways sum up at the same time', async (t) => {
      const accounts = await Promise.all(Array.from({ length: 5 }, () => newAccount(sql)));
      const hours = accounts.flatMap(({ accountId, keyIds }) =>
        Array.from({ length: 600 }, (_, index) =>
          usedHour({
            accountId,
            keyId: keyIds[index % 2]!,
            hour: new Date(KEPT_FROM.getTime() - (index + 1) * HOUR_MS),
            calls: 1,
            monthly: index,
            refundedLate: 2,
          }),
        ),
      );
      const kept = usedHour({
        accountId: accounts[0]!.accountId,
        keyId: accounts[0]!.keyIds[0]!,
        hour: KEPT_FROM,
        calls: 1,
      });
      await insertHours(sql, [...hours, kept]);
      const moved = await Promise.all([rollUpUsage(sql, NOW), rollUpUsage(sql, NOW), rollUpUsage(sql, NOW)]);
      t.equal(moved.reduce((sum, rows) => sum + rows) + (await rollUpUsage(sql, NOW)), hours.length);
      t.strictSame(await count(), { hours: 1, days: 5 * 25 * 2 });
      const [sums] = await sql`
        select sum(calls)::bigint as calls, sum(monthly)::bigint as monthly, sum(refunded_late)::bigint as late
        from usage_days`;
      t.strictSame({ ...sums }, { calls: 3000, monthly: (5 * 600 * 599) / 2, late: 6000 });
      await insertHours(sql, hours.slice(0, 1));
      t.equal(await rollUpUsage(sql, NOW), 1, 'an hour that was recorded late is added to its day');
      t.strictSame(await count(), { hours: 1, days: 5 * 25 * 2 });
    });

    await t.test('a step that fails moves nothing', async (t) => {
      const { accountId, keyIds } = await newAccount(sql);
      await insertHours(sql, [
        usedHour({ accountId, keyId: keyIds[0]!, hour: new Date('2026-01-01'), calls: 7 }),
      ]);
      await sql`alter table usage_days add constraint not_seven check (calls <> 7)`;
      await t.rejects(rollUpUsage(sql, NOW), { code: '23514' });
      t.strictSame(await count(), { hours: 1, days: 0 });
      await sql`alter table usage_days drop constraint not_seven`;
      t.equal(await rollUpUsage(sql, NOW), 1);
      t.strictSame(await count(), { hours: 0, days: 1 });
    });

    await t.test(
      'days that are no longer kept become a sum, in which nothing is lost or counted twice',
      async (t) => {
        const mine = await newAccount(sql);
        const other = await newAccount(sql);
        const days = (accountId: string, keyId: string) =>
          Array.from({ length: 690 }, (_, index) =>
            usedHour({
              ...{ accountId, keyId, calls: 1, monthly: 2, credits: 10, refundedMonthly: 1 },
              ...{ refundedCredits: 3, refundedLate: index % 2, isLoadTest: index % 3 === 0 },
              hour: new Date(Date.parse('2024-12-25') + index * DAY_MS),
            }),
          );
        const all = [...days(mine.accountId, mine.keyIds[0]!), ...days(other.accountId, other.keyIds[0]!)];
        await insertHours(sql, all);
        const first = new Date('2025-11-01');
        const old = Math.round((first.getTime() - Date.parse('2024-12-25')) / DAY_MS);
        const marked = Math.ceil(old / 3);
        const sum = {
          calls: old,
          monthly: old,
          credits: 7 * old,
          refunded: 4 * old,
          refundedLate: Math.floor(old / 2),
          loadTestCalls: marked,
          loadTestUnits: 8 * marked,
        };
        const spent = async () => {
          const before = await usageBefore(sql, mine.accountId);
          return before && { ...before };
        };
        await rollUpUsage(sql, NOW);
        t.equal(await foldUsage(sql, NOW, null), 0);
        t.equal(await usageKeptSince(sql), null);
        t.equal(await spent(), null, 'all of it is kept');

        await sql`update usage_kept set since = ${first.toISOString()}`;
        t.strictSame(await spent(), { until: first, ...sum }, 'what is about to be summed up is part of it');
        await sql`update usage_kept set since = null`;
        const folded = await Promise.all([foldUsage(sql, NOW, 12), foldUsage(sql, NOW, 12)]);
        t.equal(folded[0] + folded[1] + (await foldUsage(sql, NOW, 12)), 2 * old);
        t.strictSame(await usageKeptSince(sql), first);
        t.strictSame(await spent(), { until: first, ...sum });
        const span = { from: first, to: NOW, interval: 'month', group: null, limit: 1000 } as const;
        const rows = await usageHistory(sql, { accountId: mine.accountId, ...span });
        t.equal(
          rows.reduce((total, { calls }) => total + calls, sum.calls),
          690,
        );
        await insertHours(sql, all.slice(0, 1));
        t.equal((await spent())?.calls, old + 1, 'an hour that was recorded late counts');
        await rollUpUsage(sql, NOW);
        t.equal((await spent())?.calls, old + 1);
        t.equal(await foldUsage(sql, NOW, null), 1, 'even when all that is left is kept from now on');
        t.strictSame(await spent(), {
          until: first,
          ...{ ...sum, calls: old + 1, monthly: old + 1, credits: 7 * (old + 1), refunded: 4 * (old + 1) },
          ...{ loadTestCalls: marked + 1, loadTestUnits: 8 * (marked + 1) },
        });
        await foldUsage(sql, NOW, 24);
        t.strictSame(await usageKeptSince(sql), first, 'what was summed up does not come back');
      },
    );

    await t.test(
      'a balance is the sum of its records, also when old ones are no longer kept by day',
      async (t) => {
        const { accountId, keyIds } = await newAccount(sql);
        const keyId = keyIds[0]!;
        await sql`
        insert into credit_grants (account_id, amount, applied_at) values (${accountId}, 100, now())`;
        await insertHours(sql, [
          usedHour({
            accountId,
            keyId,
            hour: new Date('2024-01-01'),
            monthly: 9,
            credits: 40,
            refundedLate: 5,
          }),
          usedHour({
            accountId,
            keyId,
            hour: new Date('2026-11-01'),
            monthly: 3,
            credits: 7,
            refundedCredits: 1,
          }),
        ]);
        await sql`
        insert into quota_balances (account_id, period, monthly_used, credits_used, credits)
        values (${accountId}, '2026-11-01', 3, 6, 59)`;
        const idle = await newAccount(sql);
        await insertHours(sql, [
          usedHour({ accountId: idle.accountId, keyId, hour: new Date('2024-01-01'), monthly: 8 }),
        ]);
        await sql`
        insert into quota_balances (account_id, period, monthly_used) values (${idle.accountId}, '2024-01-01', 8)`;
        const differences = async () => (await reconcile(sql, null)).differences;
        t.strictSame(await differences(), []);
        await rollUpUsage(sql, NOW);
        t.strictSame(await differences(), []);
        t.equal(await foldUsage(sql, NOW, 12), 2);
        t.strictSame(await differences(), []);
        await sql`update usage_before set credits = credits + 1 where account_id = ${accountId}`;
        t.match(await differences(), [{ accountId, postgres: '3 6 59', other: '3 6 58' }]);
        await sql`delete from quota_balances`;
      },
    );

    await t.test('the maintenance sums up old hours and days', async (t) => {
      const { accountId, keyIds } = await newAccount(sql);
      const old = new Date(Math.floor((Date.now() - 92 * DAY_MS) / HOUR_MS) * HOUR_MS);
      const [keyId = ''] = keyIds;
      await insertHours(sql, [
        usedHour({ accountId, keyId, hour: old, calls: 1 }),
        usedHour({ accountId, keyId, hour: new Date('2025-01-01'), calls: 2 }),
      ]);
      const upkeep = await startUpkeep(
        database,
        createPostgresScans(database),
        {
          scanMonths: 13,
          usageMonths: 4,
          historyMonths: null,
          codes: { codesMonths: null, linksMonths: null },
        },
        silent,
      );
      t.teardown(() => upkeep.stop());
      await until(async () => upkeep.stats().usageFolded === 1);
      t.strictSame(await count(), { hours: 0, days: 1 });
      t.equal((await usageBefore(sql, accountId))?.calls, 2);
    });

    await t.test('a report lists every account that used something, in pages of limited size', async (t) => {
      await sql`truncate accounts cascade`;
      const ids: string[] = [];
      for (let index = 0; index < 12; index += 1) {
        const { accountId } = await newAccount(sql);
        // Two may have been created in the same millisecond.
        await sql`update accounts set created_at = ${new Date(index * 1000)} where id = ${accountId}`;
        ids.push(accountId);
      }
      await sql`
        insert into accounts (name, plan) select 'idle ' || n, 'free' from generate_series(1, 500) as n`;
      const keyId = randomUUID();
      const hours = ids.flatMap((accountId, index) =>
        Array.from({ length: 600 }, (_, hour) =>
          usedHour({
            accountId,
            keyId,
            hour: new Date(Date.parse('2026-10-01') + hour * HOUR_MS),
            calls: index + 1,
            monthly: 2,
            refundedMonthly: 1,
          }),
        ),
      );
      await insertHours(sql, hours);
      const span = { from: new Date('2026-10-01'), to: new Date('2026-11-01') };
      const pages = [];
      for await (const page of eachAccountUsage(sql, { ...span, interval: 'hour' }, 744)) pages.push(page);
      t.equal(pages.flat().length, 12 * 600);
      t.ok(Math.max(...pages.map(({ length }) => length)) <= 5000, 'at most 5000 rows at once');

      const read = async (interval: UsageInterval, intervals: number) => {
        const rows = [];
        for await (const page of eachAccountUsage(sql, { ...span, interval }, intervals)) rows.push(...page);
        return rows;
      };
      const whole = await read('month', 2);
      t.strictSame(fieldsOf(whole, 'id'), ids, 'the oldest account first; idle ones are absent');
      t.match(whole[2], { name: 'used', plan: 'pro', calls: 1800, monthly: 600, refunded: 600 });
      t.strictSame(whole[2]?.start, span.from);
      t.equal((await read('day', 31)).length, 12 * 25);
    });
  });
}

t.test('gateways that sum up at the same time do not deadlock', async (t) => {
  const url = await realDatabaseUrl();
  const gateways = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const database = await openFor(t, { url, dataDir: '' });
      return database;
    }),
  );
  const { sql } = gateways[0]!;
  const { accountId, keyIds } = await newAccount(sql);
  // All gateways move hours of the same days.
  const hours = Array.from({ length: 24 * 200 }, (_, index) =>
    usedHour({
      accountId,
      keyId: keyIds[index % 2]!,
      kind: USE_KINDS[index % 4]!,
      hour: new Date(Date.parse('2026-01-01') + Math.floor(index / 2) * HOUR_MS),
      calls: 1,
    }),
  );
  await insertHours(sql, hours);
  const moved = await Promise.all(gateways.map((gateway) => rollUpUsage(gateway.sql, NOW)));
  const rest = await rollUpUsage(sql, NOW);
  t.equal(
    moved.reduce((sum, rows) => sum + rows, rest),
    hours.length,
  );
  const [sums] = await sql<[{ calls: number }]>`select sum(calls)::bigint as calls from usage_days`;
  t.equal(sums.calls, hours.length);
});
