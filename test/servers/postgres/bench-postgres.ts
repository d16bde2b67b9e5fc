import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import type { Scope } from '../scope.ts';
import { freePort, startServerProcess } from '../server-process.ts';
import { findPostgres, initPostgres, postgresUser } from './postgres.ts';

/**
 * Like a production server, with commits on disk. More memory than the packaged default of 128 MB changes nothing here.
 */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=100',
  'shared_buffers=128MB',
  'max_wal_size=1GB',
];

/** A Postgres to measure with. */
export interface BenchPostgres {
  readonly url: string;
  readonly pid: number;
  createDatabase(name: string): Promise<string>;
}

const withClient = async <T>(url: string, run: (sql: postgres.Sql) => Promise<T>): Promise<T> => {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    return await run(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
};

/** Starts a Postgres for the run on an empty folder. Its commits reach the disk. */
export const startPostgres = async (scope: Scope, folder: string): Promise<BenchPostgres> => {
  const binaries = findPostgres();
  if (binaries === null)
    throw new Error('no Postgres found: apt-get install postgresql, or put it on the PATH');
  const user = postgresUser();
  const data = join(folder, 'postgres');
  await mkdir(data, { mode: 0o700 });
  if (user !== null) await chown(data, user.uid, user.gid);
  initPostgres(binaries, data, user);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const args = ['-D', data, '-p', String(port), ...SETTINGS.flatMap((setting) => ['-c', setting])];
  const server = await startServerProcess(join(binaries, 'postgres'), args, {
    logFile: join(data, 'server.log'),
    user,
    probe: () => withClient(url, (sql) => sql`select 1`),
  });
  scope.teardown(() => server.stop());
  return {
    url,
    pid: server.pid,
    async createDatabase(name) {
      await withClient(url, (sql) => sql`create database ${sql(name)}`);
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
  };
};
