/** `npm run drill:migration`: an online migration of many codes while others are saved, killed twice on its way. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type postgres from 'postgres';
import { say } from '../../bench/say.ts';
import { connectServer } from '../../src/db/client.ts';
import { sessionBounds } from '../../src/db/migrations/session.ts';
import { createAccount } from '../servers/account.ts';
import { inScope, type Scope } from '../servers/scope.ts';
import { startBackends } from '../servers/testbed.ts';
import { until } from '../servers/until.ts';
import { commandLine, whole } from '../support/command.ts';
import { fillRows } from '../support/database/fill.ts';
import { ADMIN_TOKEN, startGateway } from './gateways.ts';
import { conclude } from './load.ts';

const { values } = commandLine({
  name: 'npm run drill:migration',
  about:
    'Applies a migration that begins with -- transaction: none to a database with many codes while a gateway saves others, and kills the process that migrates twice: once the server finishes its index, once the index stays invalid. Exits with 1 when a save fails, or when an index or a constraint is missing or not valid at the end.',
  options: {
    codes: whole('codes before the migration', 5_000_000),
    saves: whole('saves a second', 20),
  },
  examples: [['--codes 100000', 'a short drill']],
});

const MIGRATION = `-- transaction: none
create index concurrently drill_by_content on codes (account_id, md5(content));
create index concurrently drill_by_grade on codes (account_id, grade, id);
alter table codes add constraint drill_grades check (grade < 1000) not valid;
alter table codes validate constraint drill_grades;
alter table codes add column drill integer;
`;
const INDEXES = ['drill_by_content', 'drill_by_grade'];

const MIGRATE = fileURLToPath(new URL('../support/database/migrate-process.js', import.meta.url));

const startMigrating = (scope: Scope, url: string, folder: string): ChildProcess => {
  const child = spawn(process.execPath, [MIGRATE, url, folder], { stdio: ['ignore', 'inherit', 'inherit'] });
  scope.teardown(() => child.kill('SIGKILL'));
  return child;
};

/** Kills the process as soon as the index exists and is not valid yet. Returns whether it came in time. */
const killAt = async (child: ChildProcess, sql: postgres.Sql, index: string): Promise<boolean> => {
  let made: postgres.Row | undefined;
  await until(
    async () => {
      [made] = await sql`
        select indisvalid as is_valid from pg_index where indexrelid = to_regclass(${index})`;
      return made !== undefined;
    },
    { pauseMs: 5, deadlineMs: 3_600_000 },
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  return made?.isValid === false;
};

/** Saves codes at a steady pace, however long each takes. */
const startSaves = (url: string, key: string, perSecond: number) => {
  const tookMs: number[] = [];
  const failures: string[] = [];
  const open = new Set<Promise<void>>();
  const save = async (n: number): Promise<void> => {
    const askedMs = performance.now();
    const answer = await fetch(`${url}/api/v1/codes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: `https://example.com/drill/${n}`, dynamic: n % 2 === 0 }),
    });
    const text = await answer.text();
    if (answer.ok) tookMs.push(performance.now() - askedMs);
    else failures.push(`${answer.status} ${text.slice(0, 200)}`);
  };
  let asked = 0;
  const timer = setInterval(() => {
    const one = save(asked++)
      .catch((error: Error) => void failures.push(error.message))
      .finally(() => open.delete(one));
    open.add(one);
  }, 1000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return { tookMs: tookMs.sort((a, b) => a - b), failures };
    },
  };
};

/** Applies the migration in three runs, of which two are killed. Returns faults. */
const migrateWithKills = async (
  scope: Scope,
  sql: postgres.Sql,
  url: string,
  folder: string,
): Promise<readonly string[]> => {
  const [first, second] = INDEXES as [string, string];
  const inTime = [await killAt(startMigrating(scope, url, folder), sql, first)];
  inTime.push(await killAt(startMigrating(scope, url, folder), sql, second));
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query like ${`create index concurrently ${second}%`} and pid <> pg_backend_pid()`;
  say(`Killed twice, ${inTime.filter(Boolean).length} times while an index was being made.`);
  const last = startMigrating(scope, url, folder);
  const [code] = await once(last, 'exit');
  const valid =
    await sql`select from pg_index where indexrelid::regclass::text in ${sql(INDEXES)} and indisvalid`;
  const checked = await sql`select from pg_constraint where conname = 'drill_grades' and convalidated`;
  const recorded = await sql`select from migrations where number = 9001`;
  return [
    ...(code === 0 ? [] : [`the last run ended with ${code}`]),
    ...(valid.length === 2 ? [] : ['an index is missing or not valid']),
    ...(checked.length === 1 ? [] : ['the constraint is missing or not validated']),
    ...(recorded.length === 1 ? [] : ['the migration is not recorded']),
  ];
};

await inScope(async (scope) => {
  const { folder, postgres: server, redis } = await startBackends(scope);
  const url = await server.createDatabase('drill');
  const gateway = await startGateway(scope, folder, { DATABASE_URL: url, REDIS_URL: redis.url });
  const { id, key } = await createAccount(gateway.url, ADMIN_TOKEN, 'drill');
  const sql = connectServer(url, sessionBounds(0));
  scope.teardown(() => sql.end({ timeout: 1 }));
  const codes = Number(values.codes);
  await fillRows(sql, [{ accountId: id, codes: codes / 2 }], { accounts: 1000, codes });
  await sql`analyze`;
  const migrations = join(folder, 'sql');
  await mkdir(migrations);
  await writeFile(join(migrations, '9001_drill.sql'), MIGRATION);

  const saves = startSaves(gateway.url, key, Number(values.saves));
  await sleep(1000);
  const beganMs = performance.now();
  const faults = await migrateWithKills(scope, sql, url, migrations);
  const migratingMs = Math.round(performance.now() - beganMs);
  await sleep(1000);
  const { tookMs, failures } = await saves.stop();
  const at = (share: number): number => Math.round(tookMs[Math.floor(share * (tookMs.length - 1))] ?? 0);
  say(
    JSON.stringify({
      codes,
      migratingMs,
      saved: tookMs.length,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      maxMs: at(1),
    }),
  );
  conclude(
    [...failures, ...faults, ...(tookMs.length === 0 ? ['nothing was saved'] : [])],
    'No save failed, and the migration is applied once.',
  );
});
