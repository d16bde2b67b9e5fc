/** Migrated, empty databases for tests. Each opens in about a second and is removed with its test. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import t from 'tap';
import { type Database, type DatabaseOptions, openDatabase } from '../../../src/db/database.ts';
import { startPostgres, type TestPostgres } from '../../servers/postgres/postgres.ts';
import type { TestScope } from '../../servers/server-process.ts';
import { temporaryFolder } from '../../servers/temporary-folder.ts';
import { silent } from '../silent-log.ts';
import { MIGRATED, prepareTemplates } from './templates.ts';

const run = promisify(execFile);

// Optimising the WebAssembly of Postgres takes more processor time than it saves in tests.
setFlagsFromString('--liftoff-only');
setFlagsFromString('--no-wasm-dynamic-tiering');

type Bounds = NonNullable<DatabaseOptions['bounds']>;

/** Limits at which no call is refused because of a slow machine. Tests of these limits set their own. */
const PATIENT: Bounds = {
  statementTimeoutMs: 30_000,
  lockTimeoutMs: 30_000,
  queueTimeoutMs: 60_000,
  answerTimeoutMs: 40_000,
  transactionTimeoutMs: 60_000,
};

/** Creates a folder to use as `DATA_DIR`, with a migrated database in it. */
export const embeddedFolder = async (scope: TestScope): Promise<string> => {
  const { embedded } = await prepareTemplates();
  const dataDir = await temporaryFolder(scope);
  // Node's `cp` takes ten times as much processor time.
  await run('cp', ['-R', join(embedded, 'postgres'), dataDir]);
  return dataDir;
};

/**
 * Opens a database that is closed before earlier parts of the test, such as its folder or server, are torn down.
 */
export const openFor = async (scope: TestScope, options: DatabaseOptions): Promise<Database> => {
  const database = await openDatabase({ ...options, bounds: { ...PATIENT, ...options.bounds } }, silent);
  scope.teardown(() => database.close());
  return database;
};

/** Opens a new migrated embedded database. */
export const embeddedDatabase = async (scope: TestScope, bounds: Bounds = {}): Promise<Database> =>
  openFor(scope, { url: null, dataDir: await embeddedFolder(scope), bounds });

let server: Promise<TestPostgres> | undefined;

/** Returns the Postgres server of this test file, which has the migrated database as a template. */
export const realServer = async (): Promise<TestPostgres> => {
  const { postgres } = await prepareTemplates();
  server ??= startPostgres(t, postgres ?? undefined);
  return server;
};

/** Creates a migrated database on the Postgres server of this test file, and returns its URL. */
export const realDatabaseUrl = async (): Promise<string> => {
  const { postgres } = await prepareTemplates();
  return (await realServer()).createDatabase(postgres ? MIGRATED : undefined);
};

/** Opens a new migrated database on the Postgres server of this test file. */
export const realDatabase = async (scope: TestScope, bounds: Bounds = {}): Promise<Database> =>
  openFor(scope, { url: await realDatabaseUrl(), dataDir: '', bounds });
