/** `npm run bench:parts -- large`: every endpoint of accounts with many codes, among many accounts. */
import type postgres from 'postgres';
import { connectServer } from '../../src/db/client.ts';
import { createAccount } from '../../test/servers/account.ts';
import { createCaller } from '../../test/servers/caller.ts';
import { MUCH_FREE_WORK } from '../../test/servers/gateway-process.ts';
import { ADMIN_TOKEN, startBackends, startGateway } from '../../test/servers/testbed.ts';
import { filledOf, fillRows } from '../../test/support/database/fill.ts';
import {
  type LargeRequest,
  OPERATOR_REQUESTS,
  type OpenApi,
  requestsOf,
} from '../../test/support/database/requests.ts';
import { atMost, measured, say, type Verdict } from '../say.ts';
import { quantile, sum } from '../stats.ts';
import { openFolder, saveCodes } from './databases.ts';
import { type Part, timesOf, timesOfPieces } from './part.ts';

const LARGE_CODES = [20_000, 400_000];
/** Rounds for each way to plan. */
const ROUNDS = 8;
/** The server uses one of the two, depending on how often a connection has run a statement. */
const PLANS = ['force_custom_plan', 'force_generic_plan'];
const P99_MAX_MS = 300;
const FOLDERS_P99_MAX_MS = 100;
/** Statements that are shown although they are fast. */
const SHOWN = 15;
const QUERY_CHARACTERS = 60;
const TABLES = ['codes', 'links'];
/** Codes per transaction, as in batches. */
const PIECE = 500;
const PIECES = 20;

const SETTINGS = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track_utility=off',
  'shared_buffers=2GB',
  'maintenance_work_mem=1GB',
  'max_wal_size=8GB',
];

/** How many dynamic codes a connection saves in a second, with their links and all indexes. */
const insertRate = async (sql: postgres.Sql, where: string): Promise<Verdict> => {
  const place = await openFolder(sql);
  const run = `https://example.com/${performance.now().toString(36)}`;
  const timesMs = await timesOfPieces(PIECES, PIECE, (numbers) => {
    const codes = numbers.map((number) => ({ content: `${run}/${number}`, dynamic: true }));
    return saveCodes(sql, place, codes);
  });
  return measured(`saving ${where}`, (PIECE * PIECES * 1000) / sum(timesMs), 'dynamic codes a second');
};

/** How long a vacuum of each large table takes. */
const vacuums = async (sql: postgres.Sql, when: string): Promise<readonly Verdict[]> => {
  const verdicts = [];
  for (const table of TABLES) {
    const [ms] = await timesOf(1, () => sql`vacuum (analyze) ${sql(table)}`);
    verdicts.push(measured(`vacuum of ${table} ${when}`, ms! / 1000, 's'));
  }
  await sql`vacuum (analyze)`;
  return verdicts;
};

/** The sizes of the large tables and of their indexes. */
const sizes = async (sql: postgres.Sql): Promise<readonly Verdict[]> => {
  const rows = await sql<{ name: string; bytes: number }[]>`
    select c.relname as name, pg_relation_size(c.oid)::float as bytes from pg_class c left join pg_index i on indexrelid = c.oid
    where coalesce(i.indrelid, c.oid) in (select to_regclass(name) from unnest(${TABLES}::text[]) as name) and c.relkind in ('r', 'i') order by 2 desc`;
  return rows.map(({ name, bytes }) => measured(`size of ${name}`, bytes / 1e6, 'MB'));
};

/** A request, and who sends it. */
interface SentRequest extends LargeRequest {
  readonly key: string;
  readonly of: string;
}

/**
 * Sends all requests, one after the other, in each round, and judges their statements by the times that the server
 * measures. Of a statement that a request runs several times, its slowest run is counted.
 */
const measureStatements = async (
  sql: postgres.Sql,
  gateway: string,
  requests: readonly SentRequest[],
  rounds: number,
): Promise<readonly Verdict[]> => {
  const times = new Map<string, { readonly what: string; readonly limitMs: number; readonly ms: number[] }>();
  for (let round = 0; round < rounds; round += 1)
    for (const { method, url, body, key, of } of requests) {
      await sql`select pg_stat_statements_reset()`;
      const caller = createCaller({ url: gateway, key });
      const { status } = await caller.send(method, url, body === undefined ? {} : { body });
      await caller.end();
      if (status >= 500) say(`${method} ${url} was answered with ${status}`);
      const rows = await sql<{ id: string; query: string; ms: number }[]>`
        select queryid::text as id, regexp_replace(query, '\\s+', ' ', 'g') as query, max_exec_time as ms
        from pg_stat_statements join pg_database on oid = dbid
        where datname = current_database() and query not like '%pg_stat_statements%'`;
      for (const { id, query, ms } of rows) {
        const request = `${of}: ${method} ${url}`;
        const known = times.get(`${request} ${id}`) ?? {
          what: `${request}: ${query.slice(0, QUERY_CHARACTERS)}`,
          limitMs: /\/api\/v1\/folders(\?|$)/.test(url) ? FOLDERS_P99_MAX_MS : P99_MAX_MS,
          ms: [],
        };
        known.ms.push(ms);
        times.set(`${request} ${id}`, known);
      }
    }
  return [...times.values()].map(({ what, limitMs, ms }) =>
    atMost(`${what} (p50 ${quantile(ms, 0.5).toFixed(1)} ms)`, quantile(ms, 0.99), limitMs, 'ms'),
  );
};

/** The times of the statements of all endpoints, and what growth does to insertions, vacuums and indexes. */
export const large: Part = async (scope, { share, codes, accounts }) => {
  const backends = await startBackends(scope, SETTINGS);
  const url = await backends.postgres.createDatabase('large');
  const env = { DATABASE_URL: url, GATEWAYS: '1', FREE_WORK_MS_PER_SECOND: MUCH_FREE_WORK };
  const gateway = await startGateway(scope, backends, { database: 'large', env });
  const sql = connectServer(url, {
    connectTimeoutMs: 5000,
    ...{ statementTimeoutMs: 0, lockTimeoutMs: 0, idleTransactionTimeoutMs: 0 },
  });
  scope.teardown(() => sql.end());
  await sql`create extension pg_stat_statements`;
  const tenants: { readonly codes: number; readonly id: string; readonly key: string }[] = [];
  for (const codes of LARGE_CODES)
    tenants.push({ codes, ...(await createAccount(gateway.url, ADMIN_TOKEN, `${codes} codes`)) });

  const verdicts: Verdict[] = [await insertRate(sql, 'into empty tables')];
  const some = (count: number): number => Math.ceil(count * share);
  const owners = tenants.map(({ id, codes }) => ({ accountId: id, codes: some(codes) }));
  const startMs = performance.now();
  // The indexes of codes are built at the end, which takes a fraction of the time.
  await sql`update pg_index set indisready = false, indisvalid = false where indrelid = 'codes'::regclass`;
  await fillRows(sql, owners, { accounts: some(accounts), codes: some(codes) });
  await sql`reindex table codes`;
  say(`filled in ${Math.round((performance.now() - startMs) / 1000)} s`);
  verdicts.push(...(await vacuums(sql, 'after the filling')), ...(await sizes(sql)));
  verdicts.push(await insertRate(sql, 'into large tables'));

  const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as OpenApi;
  const requests: SentRequest[] = [];
  for (const { id, key, codes } of tenants)
    for (const request of requestsOf(document, await filledOf(sql, id)))
      requests.push({ ...request, key, of: String(codes) });
  for (const request of OPERATOR_REQUESTS) requests.push({ ...request, key: ADMIN_TOKEN, of: 'operator' });
  for (const plans of PLANS) {
    await sql`alter role postgres set plan_cache_mode to ${sql.unsafe(plans)}`;
    const { url: planned } = await startGateway(scope, backends, { database: `large_${plans}`, env });
    const statements = await measureStatements(sql, planned, requests, some(ROUNDS));
    const shown = statements
      .toSorted((a, b) => b.value - a.value)
      .filter(({ isMet }, i) => i < SHOWN || !isMet);
    verdicts.push(...shown.map((one) => ({ ...one, what: `${plans}: ${one.what}` })));
  }

  await sql`update links set destination = destination || '/2' where right(slug, 2) in ('01', '51')`;
  verdicts.push(...(await vacuums(sql, 'after a fiftieth of the links has got another destination')));
  return verdicts;
};
