/** `npm run drill:rollback`: the schema gains what a newer version may add, while an older one serves. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { commandLine } from '../../bench/command/main.ts';
import { say } from '../../bench/say.ts';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import type { Migration } from '../../src/db/schema-state.ts';
import { createAccount } from '../servers/account.ts';
import { inScope } from '../servers/scope.ts';
import { OWN_BUILD, startBackends } from '../servers/testbed.ts';
import { ADMIN_TOKEN, startGateway } from './gateways.ts';
import { conclude, loadOf, loadOptions, startLoad } from './load.ts';

const { values, positionals } = commandLine({
  name: 'npm run drill:rollback',
  operands: '[tag]',
  about:
    'Runs the build of a tag beside this one while the schema gains what a newer version may add, starts it again on that schema, and sees it refuse one that it would not survive. Without a tag the older version is this build itself. Ends with 1 when a call fails, or when the older version starts where it must not.',
  options: loadOptions('load of each step'),
  examples: [
    ['', 'this build as the older version'],
    ['v0.1.0 --seconds 30', 'a released version, which is checked out and built'],
  ],
});

/** What a newer version may add: columns that may be null or have a default, tables, indexes, constraints that are not checked. */
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
};

/** What no older version survives. */
const CONTRACTING: Migration = {
  number: 9002,
  name: '9002_contract',
  text: '-- needs: 99.0.0\nalter table accounts drop column added;',
  checksum: 'contract',
  needs: '99.0.0',
};

/** Checks a tag out and builds it. Returns the folder of its build. */
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
  await migrate(sql, [...known, EXPANDING]);
  await sleep(loadMs);
  const others = [await startOlder(), await startGateway(scope, folder, stores)];
  const beside = startLoad([url, ...others.map((other) => other.url)], key, callers);
  await sleep(loadMs);
  await Promise.all([before.stop(), beside.stop()]);
  await migrate(sql, [...known, EXPANDING, CONTRACTING]);
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
    'No call failed, and the older version refuses what it would not survive.',
  );
});
