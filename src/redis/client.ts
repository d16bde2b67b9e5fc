import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import type { Log } from '../db/client.ts';
import { type QuotaRedis, scripts } from '../quota/redis/scripts.ts';

interface Host {
  readonly host: string;
  readonly port: number;
}

/** Where Redis is, as `REDIS_URL` says it. */
export interface RedisTarget {
  readonly mode: 'single' | 'sentinel' | 'cluster';
  readonly hosts: readonly Host[];
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  /** Of the group of servers that the Sentinels watch. */
  readonly masterName: string | null;
  readonly database: number;
}

const FORM = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/]*)@)?([^@/?#]+)(?:\/([^?#]*))?$/;

const toHost = (text: string, defaultPort: number): Host => {
  const [, host, port] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (host === undefined) throw new Error(`${text} is not a host and port`);
  return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? defaultPort : Number(port) };
};

/**
 * Reads `redis://[user:password@]host[:port][/database]`, `redis+sentinel://[...@]host,host/name[/database]` or
 * `redis+cluster://[...@]host,host`; `rediss` in front of each for TLS. Throws an Error that says what is wrong.
 */
export const parseRedisUrl = (url: string): RedisTarget => {
  const [, scheme, kind, login, hosts, path = ''] = FORM.exec(url) ?? [];
  if (hosts === undefined)
    throw new Error(
      'must look like redis://host:6379, redis+sentinel://host,host/name or redis+cluster://host,host',
    );
  const mode = (kind ?? 'single') as RedisTarget['mode'];
  const colon = login?.indexOf(':') ?? -1;
  const [name, database] = mode === 'sentinel' ? path.split('/') : [null, path];
  if (mode === 'sentinel' && !name)
    throw new Error('must end with the name of the group, as in redis+sentinel://host,host/name');
  if (database && !/^\d{1,4}$/.test(database)) throw new Error('must name the database by its number');
  if (database && mode === 'cluster') throw new Error('must name no database: a Cluster has only one');
  const targets = hosts.split(',').map((host) => toHost(host, mode === 'sentinel' ? 26379 : 6379));
  if (mode === 'single' && targets.length > 1)
    throw new Error('must name one host, or begin with redis+sentinel or redis+cluster');
  return {
    mode,
    hosts: targets,
    tls: scheme === 'rediss',
    username: login && colon > 0 ? decodeURIComponent(login.slice(0, colon)) : null,
    password: login ? decodeURIComponent(login.slice(colon + 1)) : null,
    masterName: name ?? null,
    database: Number(database || 0),
  };
};

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

const open = (target: RedisTarget, commandTimeoutMs: number): Redis | Cluster => {
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
export const connectRedis = (target: RedisTarget, commandTimeoutMs: number, log: Log): QuotaRedis => {
  const client = open(target, commandTimeoutMs);
  let failing = false;
  client.on('error', (err: unknown) => {
    if (!failing) log.error({ err }, 'Redis is away; tried again until it answers');
    failing = true;
  });
  client.on('ready', () => {
    if (failing) log.info({}, 'Redis answers again');
    failing = false;
  });
  return client as QuotaRedis;
};

/** Resolves when the client is connected, or after `timeoutMs` with false. */
export const whenReady = async (client: QuotaRedis, timeoutMs: number): Promise<boolean> => {
  const untilMs = Date.now() + timeoutMs;
  while (client.status !== 'ready' && Date.now() < untilMs) await sleep(10);
  return client.status === 'ready';
};

/** Tells the operator when Redis would throw counters away rather than refuse to grow. */
export const warnOfEviction = async (client: QuotaRedis, log: Log): Promise<void> => {
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
