import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scope } from '../scope.ts';
import { findPostgres, initPostgres, postgresUser, runPostgres } from './postgres.ts';

/**
 * Like a production server, with commits on disk. More memory than the packaged default of 128 MB changes nothing here.
 */
const SETTINGS = [
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'max_connections=100',
  'shared_buffers=128MB',
  'max_wal_size=1GB',
  'timezone=GMT',
];

/** A Postgres for benchmarks. */
export interface BenchPostgres {
  readonly url: string;
  readonly pid: number;
  createDatabase(name: string): Promise<string>;
}

/** Starts a Postgres for the run in an empty folder. It writes commits to disk. @param settings Override the usual ones. */
export const startPostgres = async (
  scope: Scope,
  folder: string,
  settings: readonly string[] = [],
): Promise<BenchPostgres> => {
  const binaries = findPostgres();
  if (binaries === null)
    throw new Error('no Postgres found: apt-get install postgresql, or put it on the PATH');
  const user = postgresUser();
  const data = join(folder, 'postgres');
  await mkdir(data, { mode: 0o700 });
  if (user !== null) await chown(data, user.uid, user.gid);
  initPostgres(binaries, data, user, 16);
  const server = await runPostgres(binaries, data, user, [...SETTINGS, ...settings]);
  scope.teardown(() => server.stop());
  return { ...server, createDatabase: (name) => server.createDatabase(undefined, name) };
};
