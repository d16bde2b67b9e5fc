import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import type { Log } from '../log.ts';
import type { RedisTarget } from './url.ts';

/** One server, the one that a Sentinel group follows, or a Cluster. */
export type RedisClient = Redis | Cluster;

/** Lua, by the name of the command that it becomes. */
export type Scripts = Record<string, { lua: string; numberOfKeys?: number }>;

const CONNECT_TIMEOUT_MS = 1000;
const KEEP_ALIVE_MS = 5000;
const RECONNECT_MAX_MS = 1000;
/** A connection with commands under way and no data for so long is given up. */
const SILENT_MS = 5000;
/** A command goes on to another node this often; each time costs up to 100 ms. */
const CLUSTER_REDIRECTIONS = 4;
const CLUSTER_REFRESH_MS = 2000;

const backoffMs = (attempt: number): number =>
  Math.min(50 * 2 ** attempt, RECONNECT_MAX_MS) + Math.random() * 50;

const open = (target: RedisTarget, commandTimeoutMs: number, scripts: Scripts): RedisClient => {
  const { username, password, hosts } = target;
  const common = {
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    ...(target.tls ? { tls: {} } : {}),
    commandTimeout: commandTimeoutMs,
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_MS,
    socketTimeout: SILENT_MS,
    maxRetriesPerRequest: 1,
    autoResendUnfulfilledCommands: false,
  };
  if (target.mode === 'cluster') {
    return new Cluster([...hosts], {
      redisOptions: common,
      scripts,
      enableOfflineQueue: false,
      clusterRetryStrategy: backoffMs,
      clusterNodeRetryStrategy: backoffMs,
      maxRedirections: CLUSTER_REDIRECTIONS,
      slotsRefreshInterval: CLUSTER_REFRESH_MS,
    });
  }
  const single = {
    ...common,
    scripts,
    db: target.database,
    enableOfflineQueue: false,
    retryStrategy: backoffMs,
    // A server that became a replica: the next connection finds the one that is in charge.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  };
  return target.mode === 'sentinel'
    ? new Redis({
        ...single,
        sentinels: [...hosts],
        name: target.masterName!,
        sentinelRetryStrategy: backoffMs,
      })
    : new Redis({ ...single, ...hosts[0]! });
};

/**
 * A client that fails fast: nothing waits for a connection, and no command is ever sent twice on its own. It
 * connects in the background, and again for ever. Commands that timed out may still run on the server.
 */
export const connectRedis = (
  target: RedisTarget,
  commandTimeoutMs: number,
  log: Log,
  scripts: Scripts = {},
): RedisClient => {
  const client = open(target, commandTimeoutMs, scripts);
  let failing = false;
  client.on('error', (err: unknown) => {
    if (!failing) log.error({ err }, 'Redis is away; tried again until it answers');
    failing = true;
  });
  client.on('ready', () => {
    if (failing) log.info({}, 'Redis answers again');
    failing = false;
  });
  return client;
};

/** Resolves when the client is connected, or after `timeoutMs` with false. */
export const whenReady = async (client: RedisClient, timeoutMs: number): Promise<boolean> => {
  const untilMs = Date.now() + timeoutMs;
  while (client.status !== 'ready' && Date.now() < untilMs) await sleep(10);
  return client.status === 'ready';
};

/** Tells the operator when Redis would throw counters away rather than refuse to grow. */
export const warnOfEviction = async (client: RedisClient, log: Log): Promise<void> => {
  const servers = client instanceof Cluster ? client.nodes('master') : [client];
  for (const server of servers) {
    const memory = await server.info('memory');
    const [, max] = /^maxmemory:(\d+)/m.exec(memory) ?? [];
    const [, policy] = /^maxmemory_policy:(\S+)/m.exec(memory) ?? [];
    if (max !== '0' && policy !== 'noeviction') {
      log.warn({ policy }, 'Redis may drop the quota ledger to save memory: set maxmemory-policy noeviction');
    }
  }
};
