/** Starts ClickHouse for long tests. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, type ServerProcess, startServerProcess, type TestScope } from '../server-process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = join(ROOT, 'test/servers/clickhouse');
const MODULES = join(ROOT, 'dist/clickhouse');

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Installs the engine once, into `dist/clickhouse`. @throws {Error} When it is missing and cannot be installed. */
const requireEngine = async (): Promise<void> => {
  if (await exists(join(MODULES, 'node_modules/chdb'))) return;
  const missing = `this test needs ClickHouse (550 MB): run npm install in a copy of test/servers/clickhouse, and move that to dist/clickhouse`;
  if (process.env.TEST_INSTALL === '0') throw new Error(missing);
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, 'dist/clickhouse-'));
  try {
    for (const name of ['package.json', 'package-lock.json'])
      await cp(join(SOURCES, name), join(folder, name));
    // Not `npm ci`, which fails where the engine's packages for other platforms are not to be had. The lock file holds versions.
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });
    // Another test may have been faster.
    await rename(folder, MODULES).catch(() => {});
  } catch (error) {
    throw new Error(missing, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** A ClickHouse with a database `tessera` that tests can disturb. */
export interface TestClickHouse {
  readonly url: string;
  /** Process id of the running server, for SIGSTOP, SIGCONT and SIGKILL. */
  readonly pid: number;
  stop(): Promise<void>;
  /** Starts it again on the same port, with its data. */
  start(): Promise<void>;
}

/** Starts an empty ClickHouse, which is stopped with the test. */
export const startClickHouse = async (t: TestScope): Promise<TestClickHouse> => {
  await requireEngine();
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'tessera-test-clickhouse-'));
  const base = `http://127.0.0.1:${port}`;
  const probe = async () => {
    const answer = await fetch(base, { method: 'POST', body: 'create database if not exists tessera' });
    if (!answer.ok) throw new Error(await answer.text());
  };
  let server: ServerProcess;
  const start = async () => {
    const args = [join(SOURCES, 'server.mjs'), MODULES, join(folder, 'data'), String(port)];
    const options = { logFile: join(folder, 'test.log'), user: null, probe };
    server = await startServerProcess(process.execPath, args, options);
  };
  await start();
  t.teardown(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    url: `${base}/tessera`,
    get pid() {
      return server.pid;
    },
    stop: () => server.stop(),
    start,
  };
};
