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

// Optimising Postgres in WebAssembly takes more processor time than the tests then save.
setFlagsFromString('--liftoff-only');
setFlagsFromString('--no-wasm-dynamic-tiering');

type Bounds = NonNullable<DatabaseOptions['bounds']>;

/** No call is refused because the machine is slow; tests of these bounds set their own. */
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
  // Node's `cp` takes ten times the processor time of this one.
  await run('cp', ['-R', join(embedded, 'postgres'), dataDir]);
  return dataDir;
};

/**
 * Opens a database that is closed before what the test registered earlier, such as its folder or server, is torn down.
 */
export const openFor = async (scope: TestScope, options: DatabaseOptions): Promise<Database> => {
  const database = await openDatabase({ ...options, bounds: { ...PATIENT, ...options.bounds } }, silent);
  scope.teardown(() => database.close());
  return database;
};

/** Opens a migrated embedded database of its own. */
export const embeddedDatabase = async (scope: TestScope, bounds: Bounds = {}): Promise<Database> =>
  openFor(scope, { url: null, dataDir: await embeddedFolder(scope), bounds });

let server: Promise<TestPostgres> | undefined;

/** Returns the real Postgres of this test file, with the migrated database as its template. */
export const realServer = async (): Promise<TestPostgres> => {
  const { postgres } = await prepareTemplates();
  server ??= startPostgres(t, postgres ?? undefined);
  return server;
};

/** Creates a migrated database on it, and returns its URL. */
export const realDatabaseUrl = async (): Promise<string> => {
  const { postgres } = await prepareTemplates();
  return (await realServer()).createDatabase(postgres ? MIGRATED : undefined);
};

/** Opens a migrated database of its own on the Postgres of this test file. */
export const realDatabase = async (scope: TestScope, bounds: Bounds = {}): Promise<Database> =>
  openFor(scope, { url: await realDatabaseUrl(), dataDir: '', bounds });
