import type { Inspected } from '../../db/inspect.ts';
import { type RedisClient, serversOf } from '../../redis/client.ts';
import { type Finding, faultsOr, findingsOf } from '../finding.ts';

const { ok, warn, fail } = findingsOf('clocks');

const WARN_MS = 1000;
const FAIL_MS = 60_000;

/** How far a clock is ahead of this machine's, minus what latency may explain. */
export interface ClockGap {
  readonly whose: string;
  readonly aheadMs: number;
}

/** Judges clocks. Units, months and time limits go by those of Redis and Postgres. */
export const judgeClocks = (gaps: readonly ClockGap[]): readonly Finding[] =>
  faultsOr(
    gaps.map(({ whose, aheadMs }) => {
      const off = Math.abs(aheadMs);
      if (off <= WARN_MS) return null;
      const side = aheadMs > 0 ? 'ahead of' : 'behind';
      const told = `The clock of ${whose} is ${(off / 1000).toFixed(1)} s ${side} this machine's: let NTP set both.`;
      return off > FAIL_MS ? fail(told) : warn(told);
    }),
    ok(`The clocks of this machine${gaps.map(({ whose }) => `, ${whose}`).join('')} agree within a second.`),
  );

/** Asks a clock, which answers in milliseconds since 1970. */
const gapOf = async (whose: string, ask: () => Promise<number>): Promise<ClockGap> => {
  const beforeMs = Date.now();
  const thereMs = await ask();
  const afterMs = Date.now();
  if (thereMs > afterMs) return { whose, aheadMs: thereMs - afterMs };
  return { whose, aheadMs: Math.min(0, thereMs - beforeMs) };
};

/** Compares the clocks of the stores with this machine's. */
export const checkClocks = async (
  database: Inspected | null,
  redis: RedisClient | null,
): Promise<readonly Finding[]> => {
  const gaps: ClockGap[] = [];
  if (database !== null && !database.embedded) {
    const { sql } = database;
    gaps.push(
      await gapOf('Postgres', async () => {
        const [row] = await sql<[{ ms: number }]>`
          select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms`;
        return row.ms;
      }),
    );
  }
  for (const server of redis === null ? [] : serversOf(redis)) {
    gaps.push(
      await gapOf('Redis', async () => {
        const [seconds, micros] = (await server.time()) as unknown as [number | string, number | string];
        return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
      }),
    );
  }
  return judgeClocks(gaps);
};
