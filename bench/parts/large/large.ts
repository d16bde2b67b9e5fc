/** `npm run bench:parts -- large`: every endpoint of accounts with many codes, among many accounts. */
import { connectServer } from '../../../src/db/client.ts';
import { createAccount } from '../../../test/servers/account.ts';
import { MUCH_FREE_WORK } from '../../../test/servers/gateway-process.ts';
import { ADMIN_TOKEN, startBackends, startGateway } from '../../../test/servers/testbed.ts';
import { say } from '../../say.ts';
import { atMost, type Verdict } from '../../verdict.ts';
import type { Part } from '../part.ts';
import { filledOf, fillRows } from './fill.ts';
import { buildAtOnce, insertRate, sizes, vacuums } from './growth.ts';
import { OPERATOR_REQUESTS, type OpenApi, requestsOf } from './requests.ts';
import { measureStatements, type Statement } from './statements.ts';

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

const SETTINGS = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track_utility=off',
  'shared_buffers=2GB',
  'maintenance_work_mem=1GB',
  'max_wal_size=8GB',
];

const verdictOf = (plans: string, { query, p50Ms, p99Ms, request }: Statement): Verdict =>
  atMost(
    `${plans}: ${request}: ${query.slice(0, QUERY_CHARACTERS)} (p50 ${p50Ms.toFixed(1)} ms)`,
    p99Ms,
    / \/api\/v1\/folders(\?|$)/.test(request) ? FOLDERS_P99_MAX_MS : P99_MAX_MS,
    'ms',
  );

/** The times of the statements of all endpoints, and what growth does to insertions, vacuums and indexes. */
export const large: Part = {
  about:
    'each statement of all endpoints, with many accounts and codes (--accounts, --codes), of two accounts that have 20,000 and 400,000; insertions, vacuums and sizes at that size. It needs pg_stat_statements, which is part of Postgres, 4 GB of memory, and 3 GB on the disk for each million codes',
  async run(scope, { share, codes, accounts }) {
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
    const tenants = await Promise.all(
      LARGE_CODES.map(async (codes) => ({
        codes,
        ...(await createAccount(gateway.url, ADMIN_TOKEN, `${codes} codes`)),
      })),
    );

    const verdicts: Verdict[] = [await insertRate(sql, 'into empty tables')];
    const startMs = performance.now();
    await buildAtOnce(sql, () =>
      fillRows(
        sql,
        tenants.map(({ id, codes }) => ({ accountId: id, codes: Math.ceil(codes * share) })),
        { accounts: Math.ceil(accounts * share), codes: Math.ceil(codes * share) },
      ),
    );
    say(`filled in ${Math.round((performance.now() - startMs) / 1000)} s`);
    verdicts.push(...(await vacuums(sql, 'after the filling')), ...(await sizes(sql)));
    verdicts.push(await insertRate(sql, 'into large tables'));

    const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as OpenApi;
    const owned = tenants.map(async ({ id, key, codes }) =>
      requestsOf(document, await filledOf(sql, id)).map((request) => ({ ...request, key, of: `${codes}` })),
    );
    const requests = [
      ...(await Promise.all(owned)).flat(),
      ...OPERATOR_REQUESTS.map((request) => ({ ...request, key: ADMIN_TOKEN, of: 'operator' })),
    ];
    for (const plans of PLANS) {
      await sql`alter role postgres set plan_cache_mode to ${sql.unsafe(plans)}`;
      const { url: planned } = await startGateway(scope, backends, { database: `large_${plans}`, env });
      const statements = await measureStatements(sql, planned, requests, Math.ceil(ROUNDS * share));
      const shown = statements.map((one) => verdictOf(plans, one)).sort((a, b) => b.value - a.value);
      verdicts.push(...shown.filter(({ isMet }, i) => i < SHOWN || !isMet));
    }

    await sql`update links set destination = destination || '/2' where right(slug, 2) in ('01', '51')`;
    verdicts.push(...(await vacuums(sql, 'after a fiftieth of the links has got another destination')));
    return verdicts;
  },
};
