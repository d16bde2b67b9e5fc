import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import postgres from 'postgres';
import { startProxy } from '../proxies/proxy.ts';
import {
  freePort,
  type ServerProcess,
  startServerProcess,
  type TestScope,
  type User,
} from '../server-process.ts';

/** A Postgres that tests can disturb. Its commits do not wait for the disk. */
export interface TestPostgres {
  /** The URL of its database `postgres`. */
  readonly url: string;
  /** Creates a database, empty or a copy of `template`, and returns its URL. */
  createDatabase(template?: string, name?: string): Promise<string>;
  /** Like `kill -STOP`: connections stay open, and nothing is answered. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Stops the server; `start` brings it back on the same port with the same data. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Returns the folder of the newest `initdb` and `postgres`; `null` when there is none. */
export const findPostgres = (): string | null => {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((v) => join(root, v, 'bin')),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
};

/**
 * Returns the user of the Postgres package when this process runs as root, which Postgres refuses to; otherwise `null`.
 */
export const postgresUser = (): User | null => {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

/** No test simulates a power failure, so nothing waits for the disk. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=200',
  'shared_buffers=32MB',
  'max_wal_size=256MB',
  'timezone=Europe/Berlin',
];

/** Makes an empty folder, owned by `user`, the data folder of a new server. Small log segments are fast to copy. */
export const initPostgres = (
  binaries: string,
  folder: string,
  user: User | null,
  segmentMb: 1 | 16 = 1,
): void => {
  const args = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const all = [...args, `--wal-segsize=${segmentMb}`];
  execFileSync(join(binaries, 'initdb'), all, { stdio: 'pipe', cwd: '/', ...user });
};

const withAdmin = async <T>(url: string, run: (sql: postgres.Sql) => Promise<T>): Promise<T> => {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    return await run(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
};

const createDatabaseAt = async (
  url: string,
  template = 'template1',
  name = `test_${randomBytes(8).toString('hex')}`,
): Promise<string> => {
  // Copied as files, because copying through the log takes twice the processor time.
  await withAdmin(
    url,
    (sql) => sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`,
  );
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
};

/** Runs Postgres on a data folder that belongs to `user`. `settings` override the defaults of tests. */
export const runPostgres = async (
  binaries: string,
  folder: string,
  user: User | null,
  settings: readonly string[] = [],
): Promise<TestPostgres & { readonly pid: number }> => {
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ServerProcess;
  let paused: readonly number[] = [];

  const start = async () => {
    const args = ['-D', folder, '-p', String(port), ...[...SETTINGS, ...settings].flatMap((s) => ['-c', s])];
    const logFile = join(folder, 'test.log');
    const probe = () => withAdmin(url, (sql) => sql`select 1`);
    server = await startServerProcess(join(binaries, 'postgres'), args, { logFile, user, probe });
  };
  const resume = async () => {
    for (const pid of paused) process.kill(pid, 'SIGCONT');
    paused = [];
  };

  await start();
  return {
    url,
    get pid() {
      return server.pid;
    },
    createDatabase: (template, name) => createDatabaseAt(url, template, name),
    async pause() {
      paused = await withAdmin(url, async (sql) => {
        await sql`select 1`;
        // From here on no new connection is accepted that would survive.
        process.kill(server.pid, 'SIGSTOP');
        const backends = await sql<{ pid: number }[]>`
          select pid from pg_stat_activity where pid <> pg_backend_pid()`;
        return [server.pid, ...backends.map(({ pid }) => pid)];
      });
      for (const pid of paused) process.kill(pid, 'SIGSTOP');
    },
    resume,
    async stop() {
      await resume();
      await server.stop();
    },
    start,
  };
};

/** Uses databases on a given server, and drops them with the test. `stop` only cuts the connections. */
const useGiven = async (t: TestScope, given: string): Promise<TestPostgres> => {
  const { hostname, port } = new URL(given);
  const proxy = await startProxy(t, { host: hostname, port: Number(port || 5432) });
  const throughProxy = (url: string) =>
    Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href;
  return {
    url: throughProxy(given),
    async createDatabase(template, name) {
      const created = await createDatabaseAt(given, template, name);
      const database = new URL(created).pathname.slice(1);
      t.teardown(() => withAdmin(given, (sql) => sql`drop database if exists ${sql(database)} with (force)`));
      return throughProxy(created);
    },
    pause: async () => proxy.hold(),
    resume: async () => proxy.heal(),
    stop: async () => proxy.cut(),
    start: async () => proxy.heal(),
  };
};

/**
 * Starts an empty Postgres for the test, stopped with it; with TEST_DATABASE_URL, uses databases on that server
 * instead.
 *
 * @param template A data folder to copy instead of initialising a new one.
 * @param settings Override the defaults of tests, for example `fsync=on`.
 */
export const startPostgres = async (
  t: TestScope,
  template?: string,
  settings: readonly string[] = [],
): Promise<TestPostgres> => {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return useGiven(t, given);
  const binaries = findPostgres();
  if (!binaries) throw new Error('no Postgres: install it or set TEST_DATABASE_URL');
  const user = postgresUser();
  const home = await mkdtemp(join(tmpdir(), 'tessera-test-postgres-'));
  if (user) await chown(home, user.uid, user.gid);
  const folder = join(home, 'data');
  if (template) execFileSync('cp', ['-R', template, folder], { cwd: '/', ...user });
  else initPostgres(binaries, folder, user);
  const server = await runPostgres(binaries, folder, user, settings);
  t.teardown(async () => {
    await server.stop();
    await rm(home, { recursive: true, force: true });
  });
  return server;
};
