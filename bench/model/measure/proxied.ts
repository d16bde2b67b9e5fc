/**
 * What a call stores in Redis and Postgres, what it sends over networks, counted by proxies on every connection, and what
 * the way to Redis does to it.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import postgres from 'postgres';
import { startProxy, type TestProxy, through } from '../../../test/servers/proxies/proxy.ts';
import type { Scope } from '../../../test/servers/scope.ts';
import type { Generator } from '../../load/fire.ts';
import type { Mix } from '../../load/mix.ts';
import type { RecipeName } from '../../load/recipes.ts';
import { mean } from '../../stats.ts';
import type { CallBytes } from '../model.ts';
import { costAtRate, type LevelOptions } from './levels.ts';
import { DATABASE, type Subject, settle, startSubject } from './subject.ts';

/** A gateway with proxies in front of it and in front of its stores. */
export interface ProxiedSubject extends Subject {
  readonly redisProxy: TestProxy;
  bytesSoFar(): Promise<Readonly<Record<keyof CallBytes, number>>>;
}

const folderBytes = (folder: string): number =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((total, name) => {
        const found = statSync(join(folder, name));
        return total + (found.isFile() ? found.size : 0);
      }, 0)
    : 0;

const bothWays = ({ taken }: TestProxy): number => taken.toServer + taken.toClient;

/** Starts it, with our own clients connected to the stores directly, past the proxies. */
export const startProxied = async (scope: Scope, generator: Generator, mix: Mix): Promise<ProxiedSubject> => {
  const proxies: TestProxy[] = [];
  const proxyTo = async (url: string): Promise<string> => {
    const proxy = await startProxy(scope, { port: Number(new URL(url).port) });
    proxies.push(proxy);
    return through(url, proxy);
  };
  const subject = await startSubject(scope, generator, {
    mix,
    name: 'proxied',
    env: async ({ redis, postgres }) => ({
      LOG_LEVEL: 'info',
      REDIS_URL: await proxyTo(redis.url),
      DATABASE_URL: await proxyTo(await postgres.createDatabase(DATABASE)),
    }),
    front: proxyTo,
  });
  const [redisProxy, postgresProxy, callerProxy] = proxies as [TestProxy, TestProxy, TestProxy];
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
        fromCaller: callerProxy.taken.toServer,
        toCaller: callerProxy.taken.toClient,
        redisNetwork: bothWays(redisProxy),
        postgresNetwork: bothWays(postgresProxy),
        log: subject.logBytes(),
        batches: folderBytes(join(backends.folder, 'batches')),
      };
    },
  };
};

/** Returns what an idle second adds: queries of the drain, and autovacuum. */
export const idleBytes = async (subject: ProxiedSubject, seconds: number) => {
  await settle();
  const before = await subject.bytesSoFar();
  await sleep(seconds * 1000);
  const after = await subject.bytesSoFar();
  return (name: keyof CallBytes): number => (after[name] - before[name]) / seconds;
};

/**
 * Returns what each call added, less what the elapsed time adds by itself.
 *
 * @param send Makes calls and returns how many.
 */
export const measureBytes = async (
  subject: ProxiedSubject,
  idle: (name: keyof CallBytes) => number,
  send: () => Promise<number>,
): Promise<CallBytes> => {
  await settle();
  const before = await subject.bytesSoFar();
  const startMs = performance.now();
  const calls = await send();
  await settle();
  const seconds = (performance.now() - startMs) / 1000;
  const after = await subject.bytesSoFar();
  const bytesOf = (name: keyof CallBytes): number =>
    Math.max(0, (after[name] - before[name] - idle(name) * seconds) / Math.max(1, calls));
  return Object.fromEntries(
    Object.keys(after).map((name) => [name, bytesOf(name as keyof CallBytes)]),
  ) as unknown as CallBytes;
};

/** Measured round-trip times in ms. The long one shows how often a call waits, because noise is small beside it. */
const ROUND_TRIPS_MS = [0, 2, 20] as const;
/** A share of the peak that is low enough for calls not to queue. */
const SHARE = 0.1;

/** The median latency of a call with added latency to Redis. */
export type Away = Readonly<Record<'roundTripMs' | 'latencyMs', number>>;

/**
 * Measures one kind at each round-trip time, and removes the delay afterwards. The fastest round counts, because
 * noise only adds.
 */
export const measureAway = async (
  subject: ProxiedSubject,
  kind: RecipeName,
  peakPerS: number,
  options: LevelOptions,
): Promise<Away[]> => {
  const fastest = ROUND_TRIPS_MS.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < options.rounds; round += 1)
    for (const [i, roundTripMs] of ROUND_TRIPS_MS.entries()) {
      subject.redisProxy.delay(roundTripMs / 2);
      const { latencyMs } = await costAtRate(subject, [[kind, 1]], SHARE * peakPerS, options);
      fastest[i] = Math.min(fastest[i]!, latencyMs.p50);
    }
  subject.redisProxy.delay(0);
  return ROUND_TRIPS_MS.map((roundTripMs, i) => ({ roundTripMs, latencyMs: fastest[i]! }));
};

/** Returns how often a call waits for Redis: the slope of its latency over the round-trip time (least squares). */
export const roundTripsOf = (measured: readonly Away[]): number => {
  const [x, y] = [
    mean(measured.map(({ roundTripMs }) => roundTripMs)),
    mean(measured.map(({ latencyMs }) => latencyMs)),
  ];
  const above = measured.reduce((all, one) => all + (one.roundTripMs - x) * (one.latencyMs - y), 0);
  const below = measured.reduce((all, one) => all + (one.roundTripMs - x) ** 2, 0);
  return below === 0 ? 0 : Math.max(0, above / below);
};
