/** No call of an account reads a large table from end to end, on tables so large that the planner has a choice. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { createSender, ndjson, startBatchApp } from '../../batches/support.ts';
import { until } from '../../servers/until.ts';
import { startApp } from '../../support/app/app.ts';
import { openFor, realDatabaseUrl } from '../../support/database/database.ts';
import { filledOf, fillRows } from '../../support/database/fill.ts';
import { requestsOf } from '../../support/database/requests.ts';

const LARGE = [
  ...[
    'accounts',
    'account_standings',
    'folders',
    'folder_counts',
    'designs',
    'codes',
    'links',
    'quota_balances',
  ],
  // Not `scans`: a page reads up to 25,000 of an account, more than are made here.
  ...['scan_totals', 'scan_ranks', 'scan_series', 'scan_account_series'],
];
const CODES = 80_000;
/** Searches read until they have a page, or for a second, and summaries all codes of a folder, in steps. */
const SEARCH =
  /search=|status=|domain=|has_rules=|grade=|width=|dynamic=false|dynamic=true&|links-summary|count/;
/**
 * Index entries of a table that all other calls together may read. Five of them look through the 20,000 codes of the account;
 * two more, such as a count for each folder, would exceed it.
 */
const ENTRIES_MAX = 150_000;
/** Accounts that five of the operator's searches may read, of 60,000. */
const SEARCHED_ACCOUNTS_MAX = 20_000;

t.test('no call of an account reads a large table from end to end', async (t) => {
  const url = await realDatabaseUrl();
  const { call, account, admin } = await startApp(t, { DATABASE_URL: url });
  const { id, key } = await account({ monthlyQuota: 1000 });
  const { sql } = await openFor(t, { url, dataDir: '' });
  await fillRows(sql, [{ accountId: id, codes: CODES / 4 }], {
    accounts: 60_000,
    codes: CODES,
  });
  await sql`analyze`;
  const requests = requestsOf((await call({ url: '/openapi.json' })).json as never, await filledOf(sql, id));
  t.ok(requests.length > 40);
  /** How many rows of each table scans have read, and how many entries of its indexes were read. Idle sessions report it within 10 s. */
  const read = async () => {
    await sleep(11_000);
    return sql<{ name: string; scanned: number; rows: number }[]>`
      select regexp_replace(relname, '_[0-9]{6}$', '') as name, sum(seq_tup_read)::int as scanned,
        sum((select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid))::int as rows
      from pg_stat_user_tables t where regexp_replace(relname, '_[0-9]{6}$', '') = any(${LARGE}) group by 1 order by 1`;
  };
  const readDuring = async (some: typeof requests) => {
    const before = await read();
    for (const { method, url: path, body } of some) {
      const answer = await call({ method, url: path, key, ...(body === undefined ? {} : { body }) });
      t.ok(answer.status < 500, `${method} ${path}: ${answer.status}`);
    }
    return (await read()).map(({ name, scanned, rows }, i) => ({
      name,
      scanned: scanned - before[i]!.scanned,
      rows: rows - before[i]!.rows,
    }));
  };
  const plain = await readDuring(requests.filter(({ url: path }) => !SEARCH.test(path)));
  const searches = await readDuring(requests.filter(({ url: path }) => SEARCH.test(path)));
  // The operator's searches: each walks a thousand accounts in their order, then asks the index for the rest.
  const accountsRead = async () => (await read()).find(({ name }) => name === 'accounts')!.rows;
  const before = await accountsRead();
  for (const text of ['account 59', 'zq', 'q', 'none such', id]) {
    const answer = await admin('GET', `/accounts?search=${encodeURIComponent(text)}`);
    t.equal(answer.status, 200, text);
  }
  for (const sort of ['newest', 'name', 'used', 'share'])
    t.equal((await admin('GET', `/accounts?sort=${sort}`)).status, 200, sort);
  const looked = (await accountsRead()) - before;
  t.ok(looked < SEARCHED_ACCOUNTS_MAX, `${looked} accounts`);
  t.ok(plain.some(({ name, rows }) => name === 'codes' && rows > 0));
  for (const { name, scanned } of [...plain, ...searches]) t.equal(scanned, 0, `${name} is not scanned`);
  for (const { name, rows } of plain) t.ok(rows < ENTRIES_MAX, `${name}: ${rows} rows`);
});

t.test('files of links and batches with links find each row by its key', async (t) => {
  const { app, sql } = await startBatchApp(t);
  const { id, key } = await app.account({ monthlyQuota: 1000 });
  await fillRows(sql, [{ accountId: id, codes: 20_000 }], { accounts: 10, codes: 20_000 });
  const { get, post, begin, ended } = createSender(app, key);
  const send = async (path: string, rows: readonly object[]) => {
    const sent = await post(path, ndjson(rows), { 'content-type': 'application/x-ndjson' });
    t.equal(sent.status, 202, path);
    const show = async () => (await get(`/link-jobs/${sent.json.id}`)).json;
    await until(async () => (await show()).finished_at !== null, { pauseMs: 20 });
    return show();
  };
  const rows = (count: number, name: string) =>
    Array.from({ length: count }, (_, i) => ({
      slug: `${name}-${i}-q`,
      destination: 'https://example.com/',
    }));
  // Two thousand of them are edited, so that a history is no small table either.
  const many = rows(2000, 'many');
  t.match(await send('/links/imports', many), { made: 2000 });
  t.match(
    await send(
      '/link-jobs',
      rows(2000, 'many').map((row) => ({ ...row, destination: 'https://example.org/' })),
    ),
    {
      changed: 2000,
    },
  );
  await sql`analyze`;
  const read = async () => {
    await sleep(11_000);
    return sql<{ name: string; scanned: number }[]>`
      select relname as name, seq_tup_read::int as scanned from pg_stat_user_tables
      where relname in ('codes', 'links', 'own_slugs', 'link_history') order by 1`;
  };
  const before = await read();
  t.match(await send('/links/imports', rows(1000, 'more')), { made: 1000 });
  t.match(
    await send(
      '/link-jobs',
      many.map((row) => ({ ...row, destination: 'https://example.net/' })),
    ),
    {
      changed: 2000,
    },
  );
  const batch = rows(200, 'batch').map(({ slug, destination }) => ({
    data: destination,
    slug,
    dynamic: true,
  }));
  t.match(await ended(await begin(batch)), { made: 200 });
  for (const [i, { name, scanned }] of (await read()).entries())
    t.equal(scanned - before[i]!.scanned, 0, `${name} is not scanned`);
});
