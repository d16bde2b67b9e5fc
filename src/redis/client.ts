import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import { within } from '../execution/time-limits.ts';
import type { Log } from '../log.ts';
import type { RedisTarget } from './url.ts';

/**
 * A client of one server, of the master of a Sentinel group, or of a Cluster. `legacy` is the default form of replies;
 * where it is not named, the compiler compares every command in both forms.
 */
export type RedisClient = Redis | Cluster;

/** Lua scripts by the names of the commands that they become. */
export type Scripts = Record<string, { lua: string; numberOfKeys?: number }>;

const CONNECT_TIMEOUT_MS = 1000;
const KEEP_ALIVE_MS = 5000;
const RECONNECT_MAX_MS = 1000;
/** A connection that is silent for this long while commands wait is closed. */
const SILENT_MS = 5000;
/** How often a command follows a redirection to another node; each one costs up to 100 ms. */
const CLUSTER_REDIRECTIONS = 4;
/** How often a client asks a Cluster which node serves which slots. */
export const CLUSTER_REFRESH_MS = 2000;

/** The timeout of ioredis itself, as a multiple of the caller's; see `limitScripts`. */
const PATIENCE = 4;

const backoffMs = (attempt: number): number =>
  Math.min(50 * 2 ** attempt, RECONNECT_MAX_MS) + Math.random() * 50;

/**
 * Asks the Cluster until the client is closed. `slotsRefreshInterval` of ioredis goes on for ever
 * when the client is closed during a refresh.
 */
const keepSlotsFresh = (cluster: Cluster): void => {
  const timer = setInterval(() => {
    if (cluster.status === 'ready') cluster.refreshSlotsCache();
  }, CLUSTER_REFRESH_MS).unref();
  cluster.once('end', () => clearInterval(timer));
};

const open = (target: RedisTarget, commandTimeoutMs: number, scripts: Scripts): RedisClient => {
  const { username, password, hosts } = target;
  const common = {
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    ...(target.tls ? { tls: {} } : {}),
    commandTimeout: Math.min(PATIENCE * commandTimeoutMs, SILENT_MS),
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_MS,
    socketTimeout: SILENT_MS,
    maxRetriesPerRequest: 1,
    autoResendUnfulfilledCommands: false,
  };
  if (target.mode === 'cluster') {
    const cluster = new Cluster<'legacy'>([...hosts], {
      redisOptions: common,
      scripts,
      enableOfflineQueue: false,
      clusterRetryStrategy: backoffMs,
      clusterNodeRetryStrategy: backoffMs,
      maxRedirections: CLUSTER_REDIRECTIONS,
    });
    keepSlotsFresh(cluster);
    return cluster;
  }
  const single = {
    ...common,
    scripts,
    db: target.database,
    enableOfflineQueue: false,
    retryStrategy: backoffMs,
    // The server became a replica. The next connection finds the master.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  };
  return target.mode === 'sentinel'
    ? new Redis<'legacy'>({
        ...single,
        sentinels: [...hosts],
        name: target.masterName!,
        // Without these, ioredis asks Sentinels and the master in plain text, whatever `tls` says.
        ...(target.tls ? { sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
        sentinelRetryStrategy: backoffMs,
      })
    : new Redis<'legacy'>({ ...single, ...hosts[0]! });
};

/**
 * Times out a script call after `timeoutMs`, unless its answer has arrived by then. ioredis' own timer fires even when
 * the answer is waiting to be read, as after a pause of this process; its units would stay taken until expiry.
 */
const limitScripts = (client: RedisClient, scripts: Scripts, timeoutMs: number): void => {
  const commands = client as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  for (const name of Object.keys(scripts)) {
    const run = commands[name]!.bind(client);
    commands[name] = (...args) => within(run(...args), timeoutMs, () => new Error('Command timed out'));
  }
};

/**
 * Returns a client that fails fast: no command waits for a connection, and none is sent twice. It connects in the
 * background and reconnects for ever. A command that timed out may still run on the server.
 *
 * @param commandTimeoutMs How long a script's call waits for its answer. Other commands wait up to four times as long.
 */
export const connectRedis = (
  target: RedisTarget,
  commandTimeoutMs: number,
  log: Log,
  scripts: Scripts = {},
): RedisClient => {
  const client = open(target, commandTimeoutMs, scripts);
  limitScripts(client, scripts, commandTimeoutMs);
  let failing = false;
  client.on('error', (err: unknown) => {
    if (!failing) log.error({ err }, 'Redis is unavailable; reconnecting');
    failing = true;
  });
  client.on('ready', () => {
    if (failing) log.info({}, 'Redis answers again');
    failing = false;
  });
  return client;
};

/** Resolves with `true` when the client is connected, or with `false` after `timeoutMs`. */
export const whenReady = async (client: RedisClient, timeoutMs: number): Promise<boolean> => {
  const untilMs = Date.now() + timeoutMs;
  while (client.status !== 'ready' && Date.now() < untilMs) await sleep(10);
  return client.status === 'ready';
};

/** Returns the servers that take writes: the masters of a Cluster, or the only one. */
export const serversOf = (client: RedisClient): readonly Redis[] =>
  client instanceof Cluster ? client.nodes('master') : [client];

/** Logs a warning when Redis is set to drop keys once its memory is full, which would lose counters. */
export const warnOfEviction = async (client: RedisClient, log: Log): Promise<void> => {
  for (const server of serversOf(client)) {
    const memory = await server.info('memory');
    const [, max] = /^maxmemory:(\d+)/m.exec(memory) ?? [];
    const [, policy] = /^maxmemory_policy:(\S+)/m.exec(memory) ?? [];
    if (max !== '0' && policy !== 'noeviction') {
      log.warn({ policy }, 'Redis may drop the quota ledger to save memory; set maxmemory-policy noeviction');
    }
  }
};
