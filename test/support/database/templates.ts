/** Migrated databases to copy. They are made once for each state of `sql/`. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../src/db/database.ts';
import { readMigrations } from '../../../src/db/migrations/files.ts';
import { findPostgres, initPostgres, postgresUser, runPostgres } from '../../servers/postgres/postgres.ts';
import { silent } from '../silent-log.ts';

/** The migrated database inside the Postgres template. */
export const MIGRATED = 'migrated';
const TEMPORARY = 'tessera-test-';
const UNUSED_AFTER_MS = 86_400_000;

/** The paths of the migrated databases, which are copied and never changed. */
export interface Templates {
  /** A `DATA_DIR` of the embedded database. */
  readonly embedded: string;
  /** A data folder of Postgres with the database `migrated`; `null` where TEST_DATABASE_URL is used. */
  readonly postgres: string | null;
}

/** Removes templates of other states of `sql/`, and the folders of tests that were killed. */
export const removeLeftovers = async (): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(TEMPORARY)) continue;
    const path = join(tmpdir(), name);
    // Another test may remove it at the same time.
    const found = await stat(path).catch(() => null);
    if (!found || Date.now() - found.mtimeMs < UNUSED_AFTER_MS) continue;
    if (found.uid === userInfo().uid || userInfo().uid === 0)
      await rm(path, { recursive: true, force: true });
  }
};

/** Makes `folder` under another name and renames it, so that it is complete as soon as it exists. */
const once = async (folder: string, make: (unfinished: string) => Promise<void>): Promise<void> => {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.${process.pid}`;
  await make(unfinished);
  await rename(unfinished, folder).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(unfinished, { recursive: true, force: true });
  });
};

const makeEmbedded = async (dataDir: string): Promise<void> => {
  const database = await openDatabase({ url: null, dataDir }, silent);
  await database.close();
};

const makePostgres = async (folder: string): Promise<void> => {
  const binaries = findPostgres();
  if (!binaries) throw new Error('no Postgres: install it or set TEST_DATABASE_URL');
  const user = postgresUser();
  await mkdir(folder, { mode: 0o700 });
  if (user) await chown(folder, user.uid, user.gid);
  initPostgres(binaries, folder, user);
  const server = await runPostgres(binaries, folder, user);
  try {
    const url = await server.createDatabase(undefined, MIGRATED);
    const database = await openDatabase({ url, dataDir: '' }, silent);
    await database.close();
  } finally {
    await server.stop();
  }
};

const prepare = async (): Promise<Templates> => {
  const state = createHash('sha256').update(JSON.stringify(await readMigrations()));
  const home = join(tmpdir(), `${TEMPORARY}template-${userInfo().uid}-${state.digest('hex').slice(0, 16)}`);
  await mkdir(home, { recursive: true, mode: 0o755 });
  const embedded = join(home, 'embedded');
  const postgres = process.env.TEST_DATABASE_URL ? null : join(home, 'postgres');
  await once(embedded, makeEmbedded);
  if (postgres) await once(postgres, makePostgres);
  return { embedded, postgres };
};

let prepared: Promise<Templates> | undefined;

/** Makes the templates of the present state of `sql/`, where they are missing. */
export const prepareTemplates = (): Promise<Templates> => {
  prepared ??= prepare();
  return prepared;
};
