/**
 * What a call leaves in Redis and Postgres, and what it sends over networks, counted by proxies between all of them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import postgres from 'postgres';
import type { Scope } from '../../../test/servers/scope.ts';
import type { Generator } from '../../load/fire.ts';
import type { Mix } from '../../load/mix.ts';
import type { RecipeName } from '../../load/recipes.ts';
import type { CallBytes } from '../model.ts';
import { type DelayProxy, startDelayProxy, through } from './proxy.ts';
import { DATABASE, type Subject, settle, startSubject } from './subject.ts';

/** A gateway that reaches its stores, and is reached, through proxies. */
export interface ProxiedSubject extends Subject {
  readonly redisProxy: DelayProxy;
  bytesSoFar(): Promise<Readonly<Record<keyof CallBytes, number>>>;
}

const portOf = (url: string): number => Number(new URL(url).port);
const BOTH_WAYS = ({ toServer, toClient }: { toServer: number; toClient: number }): number =>
  toServer + toClient;

/** Starts it, with clients of our own at the stores, which the proxies do not see. */
export const startProxied = async (
  scope: Scope,
  generator: Generator,
  options: { readonly mix: Mix; readonly serial: (requests: number) => number },
): Promise<ProxiedSubject> => {
  const proxies: DelayProxy[] = [];
  const proxyTo = async (url: string): Promise<string> => {
    const proxy = await startDelayProxy(scope, portOf(url));
    proxies.push(proxy);
    return through(url, proxy);
  };
  const subject = await startSubject(scope, generator, {
    ...options,
    name: 'proxied',
    env: async ({ redis, postgres }) => ({
      LOG_LEVEL: 'info',
      REDIS_URL: await proxyTo(redis.url),
      DATABASE_URL: await proxyTo(Object.assign(new URL(postgres.url), { pathname: `/${DATABASE}` }).href),
    }),
    front: proxyTo,
  });
  const [redisProxy, postgresProxy, callerProxy] = proxies as [DelayProxy, DelayProxy, DelayProxy];
  const { backends } = subject;
  const redis = new Redis(backends.redis.url);
  scope.teardown(() => redis.disconnect());
  const sql = postgres(Object.assign(new URL(backends.postgres.url), { pathname: `/${DATABASE}` }).href, {
    max: 1,
  });
  scope.teardown(() => sql.end({ timeout: 1 }));
  return {
    ...subject,
    redisProxy,
    async bytesSoFar() {
      const [row] = await sql<{ tables: number; wal: number }[]>`
        select (select sum(pg_total_relation_size(oid)) from pg_class
                where relkind in ('r', 'm') and relnamespace = 'public'::regnamespace)::float8 as tables,
               pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal`;
      const memory = /^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1];
      return {
        postgres: row!.tables,
        wal: row!.wal,
        redis: Number(memory),
        fromCaller: callerProxy.sent().toServer,
        toCaller: callerProxy.sent().toClient,
        redisNetwork: BOTH_WAYS(redisProxy.sent()),
        postgresNetwork: BOTH_WAYS(postgresProxy.sent()),
      };
    },
  };
};

const CONNECTIONS = 32;
const NAMES = [
  'postgres',
  'wal',
  'redis',
  'fromCaller',
  'toCaller',
  'redisNetwork',
  'postgresNetwork',
] as const;

/** Returns what a second without calls adds: what the drain asks, and what tidies tables. */
export const idleBytes = async (subject: ProxiedSubject, seconds: number) => {
  await settle();
  const before = await subject.bytesSoFar();
  await sleep(seconds * 1000);
  const after = await subject.bytesSoFar();
  return (name: keyof CallBytes): number => (after[name] - before[name]) / seconds;
};

/** Sends a number of calls and divides what they added, without what the time itself adds. */
export const measureBytes = async (
  subject: ProxiedSubject,
  generator: Generator,
  options: {
    readonly kind: RecipeName;
    readonly calls: number;
    readonly serial: (requests: number) => number;
    readonly idle: (name: keyof CallBytes) => number;
  },
): Promise<CallBytes> => {
  const { kind, calls, serial, idle } = options;
  await settle();
  const before = await subject.bytesSoFar();
  const startMs = performance.now();
  const job = { url: subject.url, mix: [[kind, 1]] as const, aim: subject.aim, connections: CONNECTIONS };
  const { tally } = await generator.counted({ ...job, firstSerial: serial(calls), requests: calls });
  await settle();
  const seconds = (performance.now() - startMs) / 1000;
  const after = await subject.bytesSoFar();
  const bytesOf = (name: keyof CallBytes): number =>
    Math.max(0, (after[name] - before[name] - idle(name) * seconds) / Math.max(1, tally.good));
  return Object.fromEntries(NAMES.map((name) => [name, bytesOf(name)])) as unknown as CallBytes;
};
