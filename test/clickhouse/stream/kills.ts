/** Kills a gateway or ClickHouse while scans are inserted, and compares what both stores have with what was answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { ClickHouse } from '../../../src/clickhouse/client.ts';
import type { Sql } from '../../../src/db/client.ts';
import type { TestClickHouse } from '../../servers/clickhouse/clickhouse.ts';
import { until } from '../../servers/until.ts';
import { createFractions } from '../../support/random.ts';

/** A gateway that can be killed. */
export interface Victim {
  readonly url: string;
  kill(): Promise<void>;
}

export interface ScanKillOptions {
  /** What is killed. Visits are answered by another gateway, whose memory is not lost. */
  readonly victim: 'gateway' | 'server';
  readonly kills: number;
  readonly seed: number;
  readonly slugs: readonly string[];
  readonly server: TestClickHouse;
  readonly clickhouse: ClickHouse;
  readonly sql: Sql;
  readonly redisUrl: string;
  /** Starts a gateway on all stores. */
  start(): Promise<Victim>;
  say(line: string): void;
}

export interface ScanKills {
  readonly answered: number;
  readonly killed: number;
  /** What is wrong, one line each. */
  readonly faults: readonly string[];
}

const VISITORS = 8;
const SOON = { deadlineMs: 120_000 };

/** Visits links until it is told to stop, and returns how many visits were answered with a redirect. */
const visitUntil = async (url: string, slugs: readonly string[], signal: AbortSignal): Promise<number> => {
  let answered = 0;
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  const visit = async (nth: number): Promise<void> => {
    for (let i = nth; !signal.aborted; i += 1) {
      const answer = await fetch(`${url}/l/${slugs[i % slugs.length]}`, { headers, redirect: 'manual' });
      await answer.arrayBuffer();
      if (answer.status === 302) answered += 1;
    }
  };
  await Promise.all(Array.from({ length: VISITORS }, (_, nth) => visit(nth)));
  return answered;
};

interface Consumer {
  readonly name: string;
  readonly pending: number;
}

const consumersOf = async (redis: Redis): Promise<readonly Consumer[]> => {
  const all = (await redis.xinfo('CONSUMERS', '{scans}:groups', 'gateways').catch(() => [])) as unknown[][];
  return all.map((flat) => ({ name: String(flat[1]), pending: Number(flat[3]) }));
};

const namesOf = async (redis: Redis) => (await consumersOf(redis)).map(({ name }) => name);

const totalsOf = async (sql: Sql, slugs: readonly string[]): Promise<number> => {
  const [row] = await sql<[{ n: number }]>`
    select coalesce(sum(people + bots + previews), 0)::int as n from scan_totals where slug = any(${slugs as string[]})`;
  return row.n;
};

const countsOf = async (clickhouse: ClickHouse, slugs: readonly string[]): Promise<number> => {
  const [row] = await clickhouse.read<{ n: number }>(
    'select count() as n from scans where slug in {slugs:Array(String)}',
    { slugs },
  );
  return row!.n;
};

/** Kills `kills` times, each time while an entry is being inserted, and compares at the end. */
export const killDuringInserts = async (options: ScanKillOptions): Promise<ScanKills> => {
  const { victim, kills, seed, slugs, server, clickhouse, sql, redisUrl, start, say } = options;
  const redis = new Redis(redisUrl).on('error', () => {});
  const random = createFractions(seed);
  const earlier = await namesOf(redis);
  const survivor = await start();
  const stopping = new AbortController();
  const visiting = visitUntil(survivor.url, slugs, stopping.signal);
  await until(async () => (await namesOf(redis)).length > earlier.length, SOON);

  for (let n = 1; n <= kills; n += 1) {
    const before = victim === 'gateway' ? await namesOf(redis) : [];
    const other = victim === 'gateway' ? await start() : null;
    const isInserting = async () =>
      (await consumersOf(redis)).some(({ name, pending }) => pending > 0 && !before.includes(name));
    const deadlineMs = Date.now() + SOON.deadlineMs;
    while (!(await isInserting()) && Date.now() < deadlineMs);
    await sleep(random() * 20);
    if (other === null) {
      process.kill(server.pid, 'SIGKILL');
      await server.stop();
      await sleep(random() * 1000);
      await server.start();
    } else await other.kill();
    say(`kill ${n} of ${kills}: ${victim}`);
  }
  await sleep(1000);
  stopping.abort();
  const answered = await visiting;
  await until(async () => (await totalsOf(sql, slugs)) >= answered, SOON);
  await until(async () => (await redis.xlen('{scans}:groups')) === 0, SOON);
  const [counted, totalled] = [await countsOf(clickhouse, slugs), await totalsOf(sql, slugs)];
  const left = Number((await redis.get('{scans}:bytes')) ?? 0);
  redis.disconnect();
  return {
    answered,
    killed: kills,
    faults: [
      ...(counted === answered ? [] : [`ClickHouse has ${counted} scans of ${answered} that were answered`]),
      ...(totalled === answered ? [] : [`Postgres counts ${totalled} of ${answered}`]),
      ...(left === 0 ? [] : [`the empty stream still counts ${left} bytes`]),
    ],
  };
};
