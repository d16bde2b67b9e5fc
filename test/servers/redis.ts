import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import {
  findProgram,
  freePort,
  type ServerProcess,
  startServerProcess,
  type TestScope,
} from './server-process.ts';

/** A Redis that tests can disturb. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** Process id of the running server, for SIGSTOP, SIGCONT and SIGKILL. */
  readonly pid: number;
  /** Stops the server. `start` starts it again on the same port, with the data that it keeps according to `args`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const ping = async (url: string): Promise<void> => {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, commandTimeout: 1000 });
  redis.on('error', () => {});
  try {
    await redis.connect();
    await redis.ping();
  } finally {
    redis.disconnect();
  }
};

/** Empties and uses a logical database of a given Redis. Parallel test processes use different ones. */
const useGiven = async (given: string): Promise<TestRedis> => {
  const url = new URL(given);
  url.pathname = `/${(process.pid % 15) + 1}`;
  const redis = new Redis(url.href);
  await redis.flushdb();
  redis.disconnect();
  const notOurs = () => {
    throw new Error(
      'this test stops Redis, but not that of TEST_REDIS_URL: unset it and install redis-server',
    );
  };
  return {
    url: url.href,
    port: Number(url.port || 6379),
    get pid() {
      return notOurs();
    },
    stop: notOurs,
    start: notOurs,
  };
};

/**
 * Starts an empty Redis without persistence, which is stopped with the test. Uses the Redis of
 * TEST_REDIS_URL instead, unless the test asks for a port or arguments of its own.
 *
 * @param options.args Override the defaults, for example `['--appendonly', 'yes']`.
 * @param options.password The password that `args` set.
 */
export const startRedis = async (
  t: TestScope,
  options: { readonly port?: number; readonly args?: readonly string[]; readonly password?: string } = {},
): Promise<TestRedis> => {
  const given = process.env.TEST_REDIS_URL;
  if (given && options.port === undefined && options.args === undefined) return useGiven(given);

  if (findProgram('redis-server') === null)
    throw new Error('this test needs a Redis of its own: install redis-server');
  const { port = await freePort(), args = [], password } = options;
  const folder = await mkdtemp(join(tmpdir(), 'tessera-test-redis-'));
  const url = `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`;
  const all = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
  ];
  let server: ServerProcess;
  const start = async () => {
    const logFile = join(folder, 'test.log');
    const probe = () => ping(url);
    server = await startServerProcess('redis-server', [...all, ...args], { logFile, user: null, probe });
  };
  await start();
  t.teardown(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    url,
    port,
    get pid() {
      return server.pid;
    },
    stop: () => server.stop(),
    start,
  };
};
