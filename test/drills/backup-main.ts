/**
 * `npm run drill:backup` dumps a database under load, restores it on a new server beside an empty Redis, and looks at what is
 * there, on stores and gateways of its own.
 *
 * Ends with 1 unless `doctor` finds nothing, everything that was answered a second before the dump is there, and no unit is
 * charged twice.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../../bench/command/main.ts';
import { whole } from '../../bench/command/whole.ts';
import { createAccount } from '../servers/account.ts';
import { startRedis } from '../servers/redis.ts';
import { inScope } from '../servers/scope.ts';
import { until } from '../servers/until.ts';
import { drillBackup, TTL_MS } from './backup.ts';
import { startOwned } from './database.ts';
import { conclude, loadOf, loadOptions, say } from './drill.ts';
import { ADMIN_TOKEN, environment, startGateway } from './gateways.ts';

const { values } = commandLine({
  name: 'npm run drill:backup',
  about:
    'Dumps a database under load, restores it on a new server beside an empty Redis, and looks at what is there, on stores and gateways of its own. Ends with 1 unless doctor finds nothing, everything that was answered a second before the dump (--missing) is there, and no unit is charged twice.',
  options: {
    ...loadOptions('load before the dump, and after its beginning'),
    rows: whole('rows of a batch that is made before', 2000),
    missing: whole('milliseconds of usage before the dump that may be missing', 1000),
  },
  examples: [['--seconds 3 --rows 200', 'a short drill']],
});

const REDIS_ARGS = ['--appendonly', 'yes', '--maxmemory', '256mb', '--maxmemory-policy', 'noeviction'];

const makeBatch = async (url: string, key: string, rows: number): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
  const lines = Array.from(
    { length: rows },
    (_, i) => `{"data":"https://example.com/${i}","dynamic":true}\n`,
  );
  const sent = await fetch(`${url}/api/v1/batches`, { method: 'POST', headers, body: lines.join('') });
  const { id } = (await sent.json()) as { id: string };
  const show = async () =>
    (await (await fetch(`${url}/api/v1/batches/${id}`, { headers })).json()) as { state: string };
  await until(async () => (await show()).state === 'done', { pauseMs: 200, deadlineMs: 600_000 });
};

await inScope(async (scope) => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-drill-'));
  scope.teardown(() => rm(folder, { recursive: true, force: true }));
  // Postgres runs as another user and must reach its folder.
  await chmod(folder, 0o755);
  const redis = await startRedis(scope, { args: REDIS_ARGS });
  const databaseUrl = await startOwned(scope, join(folder, 'server'));
  const gateway = await startGateway(scope, folder, { DATABASE_URL: databaseUrl, REDIS_URL: redis.url });
  const { id, key } = await createAccount(gateway.url, ADMIN_TOKEN, 'drill');
  await makeBatch(gateway.url, key, Number(values.rows));
  const verdict = await drillBackup({
    url: gateway.url,
    key,
    accountId: id,
    adminToken: ADMIN_TOKEN,
    databaseUrl,
    folder,
    ...loadOf(values),
    createDatabase: () => startOwned(scope, join(folder, 'new-server')),
    async startRestored(restoredUrl) {
      const empty = await startRedis(scope, { args: REDIS_ARGS });
      const stores = { DATABASE_URL: restoredUrl, REDIS_URL: empty.url };
      const { url } = await startGateway(scope, folder, stores, { QUOTA_RESERVATION_TTL_MS: String(TTL_MS) });
      return { url, env: environment(folder, stores) };
    },
  });
  const { faults, ...figures } = verdict;
  const late =
    figures.missingMs > Number(values.missing)
      ? [`usage of the last ${figures.missingMs} ms is missing`]
      : [];
  say(JSON.stringify(figures));
  conclude(
    [...faults, ...late],
    'All that was answered is there, doctor finds nothing, and no unit is charged twice.',
  );
});
