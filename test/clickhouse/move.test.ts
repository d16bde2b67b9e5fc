/** Scans that Postgres has are copied into ClickHouse. */
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { type ClickHouse, openClickHouse } from '../../src/clickhouse/client.ts';
import { toRow } from '../../src/clickhouse/scans/insert.ts';
import { agrees, compareMonths, moveScans } from '../../src/clickhouse/scans/move.ts';
import { createClickHouseScans } from '../../src/clickhouse/scans/store.ts';
import { createPostgresScans } from '../../src/db/tables/scans/store.ts';
import { run } from '../cli/support.ts';
import { startClickHouse } from '../servers/clickhouse/clickhouse.ts';
import { startApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';
import { openFor, realDatabaseUrl } from '../support/database/database.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { scanRow } from '../support/scan.ts';

const server = await startClickHouse(t);
const owner = await openClickHouse(server.url);
t.teardown(owner.close);

let databases = 0;

/** An account with scans in Postgres, whose gateways then use ClickHouse. */
const setUp = async (t: Test, scans: number) => {
  databases += 1;
  await owner.run(`create database move${databases}`);
  const CLICKHOUSE_URL = server.url.replace(/tessera$/, `move${databases}`);
  const clickhouse = await openClickHouse(CLICKHOUSE_URL);
  t.teardown(clickhouse.close);
  const DATABASE_URL = await realDatabaseUrl();
  const env = { DATABASE_URL, CLICKHOUSE_URL };
  const before = await startApp(t, { DATABASE_URL });
  const made = await newClient(before);
  const { results } = await made.bulk(['https://example.com/1', 'https://example.com/2']);
  const slugs = fieldsOf(results, 'slug') as string[];
  const database = await openFor(t, { url: DATABASE_URL, dataDir: '' });
  const rows = Array.from({ length: scans }, (_, i) =>
    scanRow({
      ...{ slug: slugs[i % 2]!, kind: i % 5 === 0 ? 'bot' : 'person' },
      at: new Date(Date.UTC(2026, 8, 29) + Math.floor((i * 40 * 86_400_000) / scans)),
      visitor: String(i % 7).padStart(16, '0'),
    }),
  );
  for (let i = 0; i < scans; i += 5000)
    await createPostgresScans(database).insert(rows.slice(i, i + 5000), (count) => count());
  // A slug that nobody has.
  await createPostgresScans(database).insert([scanRow({ slug: 'nobodys1' })], (count) => count());
  return { env, database, clickhouse, slugs, id: made.id };
};

/** What reports say of the account's scans. */
const reported = async ({ env, clickhouse, id, slugs }: Awaited<ReturnType<typeof setUp>>, t: Test) => {
  const database = await openFor(t, { url: env.DATABASE_URL, dataDir: '' });
  const { sql } = database;
  const span = { from: new Date('2026-09-01'), to: new Date('2026-12-01') };
  const scanned = { ...span, accountId: id };
  return Promise.all(
    [createPostgresScans(database), createClickHouseScans(clickhouse, database)].map(async (store) => ({
      series: [...(await store.series(sql, { ...scanned, interval: 'day', timeZone: 'UTC' }))],
      breakdowns: await store.breakdowns(sql, { ...span, slugs }),
      ids: (
        await store.list({ ...scanned, firstSlug: null, timeZone: 'UTC' }, { after: null, limit: 500 })
      ).rows.map(({ id, visitor, values, createdAt }) => [id, visitor, [...values], createdAt]),
    })),
  );
};

t.test('tessera scans move copies all scans, and then none is missing', async (t) => {
  const made = await setUp(t, 12_000);
  const { env } = made;
  t.match(await run(['scans', 'move'], env), { code: 1, err: /start them with CLICKHOUSE_URL first/ });
  t.match(await run(['scans', 'move'], { DATABASE_URL: env.DATABASE_URL }), {
    code: 1,
    err: /set .*CLICKHOUSE_URL/,
  });
  const app = await startApp(t, env);
  const dry = await run(['scans', 'move', '--dry-run'], env);
  t.match(dry, { code: 0, out: /2026-09 {2}600 in Postgres, 0 copied, 0 in ClickHouse\n.*2026-10 {2}9300/s });
  const moved = await run(['scans', 'move', '--rate', '1000000'], env);
  t.match(moved, {
    code: 0,
    out: /2026-11 {2}2100 in Postgres, 2100 copied, 2100 .*\nClickHouse has all scans/s,
  });
  const again = await run(['scans', 'move', '--json'], env);
  t.match(JSON.parse(again.out).months, [
    { month: '2026-09-01', scans: 600, moved: 600, inClickHouse: 600 },
    {},
    {},
  ]);
  const [inPostgres, inClickHouse] = await reported(made, t);
  t.strictSame(inClickHouse, inPostgres);
  const { sql } = made.database;
  t.strictSame((await sql`select since from scans_elsewhere`)[0], { since: null });
  await app.app.close();
});

/** A ClickHouse whose answers to inserts are lost, before or after it has inserted, as `fails` says in turn. */
const losing = (clickhouse: ClickHouse, fails: readonly ('before' | 'after' | 'never')[]): ClickHouse => {
  let n = 0;
  return {
    ...clickhouse,
    async insert(...of) {
      const fault = fails[n % fails.length];
      n += 1;
      if (fault !== 'before') await clickhouse.insert(...of);
      if (fault !== 'never') throw new Error('killed');
    },
  };
};

t.test('a move that is killed at any time goes on, and copies each scan once', async (t) => {
  const made = await setUp(t, 12_000);
  const { env, database, clickhouse } = made;
  await startApp(t, env);
  const { sql } = database;
  const fails = fc.sample(fc.constantFrom('before', 'after', 'never'), { numRuns: 8, seed: 7 });
  const lossy = losing(clickhouse, [...fails, 'never', 'never', 'never', 'never', 'never']);
  let runs = 0;
  for (let isDone = false; !isDone; runs += 1)
    isDone = await moveScans(lossy, sql, 1e6, () => {}).then(
      () => true,
      () => false,
    );
  t.ok(runs > 2, `${runs} runs`);
  for (const { scans, moved, inClickHouse, counted } of await compareMonths(clickhouse, sql))
    t.strictSame([moved, inClickHouse, counted], [scans, scans, scans]);
  const [inPostgres, inClickHouse] = await reported(made, t);
  t.strictSame(inClickHouse, inPostgres);
});

t.test(
  'a slice whose outcome was not known is looked for when ClickHouse may have forgotten it',
  async (t) => {
    const { env, database, clickhouse } = await setUp(t, 3000);
    await startApp(t, env);
    const { sql } = database;
    await t.rejects(
      moveScans(losing(clickhouse, ['after']), sql, 1e6, () => {}),
      /killed/,
    );
    await sql`update scan_moves set slice_at = now() - interval '1 hour'`;
    // As if ten thousand others had been inserted.
    const tokens: string[] = [];
    const noting: ClickHouse = {
      ...clickhouse,
      insert: (table, rows, token) => {
        tokens.push(token);
        return clickhouse.insert(table, rows, `${token} anew`);
      },
    };
    const months = await moveScans(noting, sql, 1e6, () => {});
    t.equal(tokens.length, months.length - 1, 'the first slice is there');
    for (const { scans, inClickHouse } of months) t.equal(inClickHouse, scans);
  },
);

t.test('counts that lack a slice are noticed where newer scans make up their number', async (t) => {
  const { env, database, clickhouse, slugs, id } = await setUp(t, 3000);
  await startApp(t, env);
  const months = await moveScans(clickhouse, database.sql, 1e6, () => {});
  t.ok(months.every(agrees));
  const newer = Array.from({ length: 500 }, () =>
    toRow(scanRow({ slug: slugs[0]!, at: new Date(Date.UTC(2026, 9, 31)) }), id),
  );
  await clickhouse.insert('scans', newer, 'newer');
  await clickhouse.run(
    `alter table scan_account_series delete where quarter < toDateTime('2026-10-03 00:00:00', 'UTC')
      settings mutations_sync = 1`,
  );
  const compared = await compareMonths(clickhouse, database.sql);
  t.strictSame(
    compared.filter((month) => !agrees(month)).map(({ month }) => month),
    ['2026-09-01', '2026-10-01'],
  );
  const october = compared.find(({ month }) => month === '2026-10-01')!;
  t.ok(october.counted >= october.scans);
});

t.test('runs at the same time copy each scan once', async (t) => {
  const { env, database, clickhouse } = await setUp(t, 12_000);
  await startApp(t, env);
  const all = [1, 2, 3].map(() => moveScans(clickhouse, database.sql, 1e6, () => {}));
  await Promise.all(all);
  for (const { scans, moved, inClickHouse } of await compareMonths(clickhouse, database.sql))
    t.strictSame([moved, inClickHouse], [scans, scans]);
});
