import { chmod } from 'node:fs/promises';
import { createApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { startPostgres } from '../../../test/servers/postgres/bench-postgres.ts';
import { temporaryFolder } from '../../../test/servers/temporary-folder.ts';
import { say } from '../../say.ts';
import { quantile } from '../../stats.ts';
import { atMost, measured, type Verdict } from '../../verdict.ts';
import { openOn } from '../databases.ts';
import { type Part, timesOf } from '../part.ts';
import { fillRows } from './fill.ts';
import { type AccountRequest, requestsOf } from './requests.ts';

const CODES = 5_000_000;
const ACCOUNTS = 2_000_000;
const ROUNDS = 30;
const STATEMENT_MAX_MS = 300;
const FOLDERS_P99_MAX_MS = 100;
const ADMIN_TOKEN = 'an-admin-token-for-benchmarks';
/** Requests that are listed, the slowest first. */
const SHOWN = 12;

/** How long each statement of the endpoints takes when tables are large. */
export const rows: Part = {
  about:
    '5 M codes, half of them dynamic, of 2 M accounts, one of which has a quarter: every reading request of that account, and the slowest statement; needs 20 GB and some 40 minutes',
  async run(scope, { share }) {
    const folder = await temporaryFolder(scope);
    // For the user of Postgres.
    await chmod(folder, 0o755);
    const postgres = await startPostgres(scope, folder, ['shared_preload_libraries=pg_stat_statements']);
    const url = await postgres.createDatabase('rows');
    const { sql } = await openOn(scope, url);
    const app = await createApp(
      readConfig({
        ...{ DATABASE_URL: url, LOG_LEVEL: 'silent', RATE_LIMIT_PER_SECOND: '0', RENDER_THREADS: '1' },
        ...{ FREE_WORK_MS_PER_SECOND: '100000', PUBLIC_URL: 'http://localhost', ADMIN_TOKEN },
      }),
      () => {
        throw new Error('render threads hang');
      },
    );
    scope.teardown(() => app.close());
    const ask = async (method: 'GET' | 'POST' | 'PATCH', path: string, key: string, body?: unknown) => {
      const answer = await app.gateway.inject({
        ...{ method, url: path, headers: { authorization: `Bearer ${key}` } },
        ...(body === undefined ? {} : { payload: body as object }),
      });
      if (answer.statusCode >= 500) throw new Error(`${method} ${path} answers ${answer.statusCode}`);
      return answer.json();
    };
    const { id } = await ask('POST', '/admin/v1/accounts', ADMIN_TOKEN, { name: 'large', plan: 'pro' });
    const { key } = await ask('POST', `/admin/v1/accounts/${id}/keys`, ADMIN_TOKEN, { name: 'large' });
    const requests: AccountRequest[] = [];
    const fillMs = await timesOf(1, async () => {
      const amounts = { codes: CODES * share, accounts: ACCOUNTS * share };
      const filled = await fillRows(sql, id, amounts);
      requests.push(...requestsOf(await ask('GET', '/openapi.json', ''), filled));
    });
    await sql`create extension pg_stat_statements`;
    const times: { readonly what: string; readonly p99Ms: number }[] = [];
    for (const { method, url: path, body } of requests) {
      const ms = await timesOf(ROUNDS, () => ask(method, path, key, body));
      times.push({ what: `${method} ${path.replace(/[\da-f-]{36}/g, '{id}')}`, p99Ms: quantile(ms, 0.99) });
    }
    const [slowest] = await sql<[{ query: string; ms: number }]>`
      select query, max_exec_time as ms from pg_stat_statements
      where query !~* 'pg_stat_statements|scan_partitions' order by max_exec_time desc limit 1`;
    say(`the slowest statement: ${slowest.query.replace(/\s+/g, ' ').slice(0, 300)}`);
    const sizes = await sql<{ name: string; mb: number }[]>`
      select relname as name, (pg_total_relation_size(oid) / 1e6)::float as mb from pg_class
      where relname in ('codes', 'links', 'codes_by_grams') order by 1`;
    const folders = times.find(({ what }) => what === 'GET /api/v1/folders')!;
    return [
      measured('made in', fillMs[0]! / 1000, 's'),
      ...sizes.map(({ name, mb }) => measured(`size of ${name} with indexes`, mb, 'MB')),
      atMost('the slowest statement', slowest.ms, STATEMENT_MAX_MS, 'ms'),
      atMost('folders, p99', folders.p99Ms, FOLDERS_P99_MAX_MS, 'ms'),
      ...times
        .sort((a, b) => b.p99Ms - a.p99Ms)
        .slice(0, SHOWN)
        .map(({ what, p99Ms }): Verdict => measured(`${what}, p99`, p99Ms, 'ms')),
    ];
  },
};
