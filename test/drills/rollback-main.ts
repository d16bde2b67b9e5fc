/** `npm run drill:rollback`: applies the additions of a newer version to the schema while an older version serves. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { say } from '../../bench/say.ts';
import { type Migration, readMigrations } from '../../src/db/migrations/files.ts';
import { migrate } from '../../src/db/migrations/migrate.ts';
import { createAccount } from '../servers/account.ts';
import { inScope } from '../servers/scope.ts';
import { OWN_BUILD, startBackends } from '../servers/testbed.ts';
import { commandLine } from '../support/command.ts';
import { onlineRun } from '../support/database/online-run.ts';
import { ADMIN_TOKEN, startGateway } from './gateways.ts';
import { conclude, loadOf, loadOptions, startLoad } from './load.ts';

const { values, positionals } = commandLine({
  name: 'npm run drill:rollback',
  operands: '[tag]',
  about:
    'Runs the build of a tag beside this one while additions of a newer version are applied to the schema, starts it again on that schema, and checks that it refuses an incompatible one. Without a tag the older version is this build itself. Exits with 1 when a call fails, or when the older version starts on the incompatible schema.',
  options: loadOptions('seconds of load in each step'),
  examples: [
    ['', 'this build as the older version'],
    ['v0.1.0 --seconds 30', 'a released version, which is checked out and built'],
  ],
});

/** Changes of a newer version: columns that are nullable or have a default, tables, indexes, unchecked constraints. */
const EXPANDING: Migration = {
  number: 9001,
  name: '9001_expand',
  text: `
    alter table codes add column added text;
    alter table accounts add column added boolean not null default false;
    alter table links add column added integer;
    alter table api_keys add column added timestamptz;
    alter table quota_balances add column added bigint not null default 0;
    create table added_things (id uuid primary key, account_id uuid not null references accounts (id));
    create index codes_added on codes (added) where added is not null;`,
  checksum: 'expand',
  needs: null,
  online: null,
};

/** A change that no older version can run on. */
const CONTRACTING: Migration = {
  number: 9002,
  name: '9002_contract',
  text: '-- needs: 99.0.0\nalter table accounts drop column added;',
  checksum: 'contract',
  needs: '99.0.0',
  online: null,
};

/** Checks out a tag and builds it. Returns the folder of the build. */
const buildOf = (tag: string, folder: string): string => {
  const tree = join(folder, 'older');
  const run = (command: string, args: readonly string[], cwd = tree) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  run('git', ['clone', '--quiet', '--branch', tag, '--depth', '1', `file://${process.cwd()}`, tree], folder);
  run('npm', ['ci']);
  run('npm', ['run', '--silent', 'build']);
  return join(tree, 'dist');
};

await inScope(async (scope) => {
  const { folder, postgres: server, redis } = await startBackends(scope);
  const [tag] = positionals;
  const older = tag === undefined ? OWN_BUILD : buildOf(tag, folder);
  say(tag === undefined ? 'The older version is this build.' : `The older version is ${tag}.`);
  const stores = { DATABASE_URL: await server.createDatabase('drill'), REDIS_URL: redis.url };
  const startOlder = () => startGateway(scope, folder, stores, {}, older);
  const { url } = await startOlder();
  const { key } = await createAccount(url, ADMIN_TOKEN, 'drill');
  const { callers, loadMs } = loadOf(values);
  const sql = postgres(stores.DATABASE_URL, { max: 1, onnotice: () => {} });
  scope.teardown(() => sql.end());
  const known = await readMigrations();

  const before = startLoad([url], key, callers);
  await sleep(loadMs);
  await migrate(sql, [...known, EXPANDING], onlineRun(stores.DATABASE_URL));
  await sleep(loadMs);
  const others = [await startOlder(), await startGateway(scope, folder, stores)];
  const beside = startLoad([url, ...others.map((other) => other.url)], key, callers);
  await sleep(loadMs);
  await Promise.all([before.stop(), beside.stop()]);
  await migrate(sql, [...known, EXPANDING, CONTRACTING], onlineRun(stores.DATABASE_URL));
  const refusal = await startOlder().then(
    () => 'it starts',
    (error: Error) => error.message,
  );
  const isRefused = /9002_contract, which needs Tessera 99\.0\.0/.test(refusal);
  say(`${before.answered.length + beside.answered.length} calls answered.`);
  conclude(
    [
      ...before.failures,
      ...beside.failures,
      ...(isRefused ? [] : [`the older version is not refused on a contracted schema: ${refusal}`]),
    ],
    'No call failed, and the older version refuses the incompatible schema.',
  );
});
