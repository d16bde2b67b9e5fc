/** Waiting, memory and outages of a fleet. Pure. */
import { sum } from '../../stats.ts';
import type { Law, Rates } from '../curve.ts';
import { callsOnly, callsPerS, type Month } from './load.ts';
import type { Plan, Region } from './plan-file.ts';

const GB = 1e9;
/** Memory of Redis: docs/operations/stores.md, "Redis". */
const ACCOUNT_BYTES = 2000;
const OPEN_CALL_BYTES = 1000;
/** The most that a call leaves in Redis while Postgres is away: the size of an entry of the stream. */
export const OUTAGE_BYTES_A_CALL = 250;
const OUTAGE_S = 3600;
/** Scans that each gateway process keeps while Postgres is away: docs/operations/failures.md. */
export const SCANS_KEPT = 50_000;

const callsOf = (law: Law, rates: Rates) =>
  Object.entries(callsOnly(rates)).flatMap(([kind, perS]) =>
    perS === 0 ? [] : [{ perS, ...law.kinds.get(kind)! }],
  );

/** Returns the median latency of an average call in ms at a low load, with its ways to callers and to Redis. */
export const latencyMs = (
  law: Law,
  rates: Rates,
  { redisMs, callerMs }: Pick<Region, 'redisMs' | 'callerMs'>,
): number => {
  const calls = callsOf(law, rates);
  const waited = calls.map(
    ({ perS, cost }) => perS * (cost.latencyMs + cost.redisRoundTrips * redisMs + callerMs),
  );
  return calls.length === 0 ? 0 : sum(waited) / sum(calls.map(({ perS }) => perS));
};

/** Returns the memory that Redis needs, all nodes together: accounts, open calls, and an hour without Postgres. */
export const redisMemoryGb = (law: Law, plan: Plan, { accounts, busiest }: Month): number => {
  const perS = callsPerS(busiest);
  const open = sum(
    plan.regions.map((region) => (region.share * perS * latencyMs(law, busiest, region)) / 1000),
  );
  return (accounts * ACCOUNT_BYTES + open * OPEN_CALL_BYTES + perS * OUTAGE_S * OUTAGE_BYTES_A_CALL) / GB;
};

/**
 * Returns how long 99 of 100 calls wait at most for their gateway process, in ms; Infinity when it cannot keep up.
 *
 * Each process is a queue of its own. The mean of those that wait is Kingman's, and their times are taken as
 * exponential (Kingman: "The single server queue in heavy traffic", 1961). The squared variation of the work of a call
 * follows from the kinds of calls.
 *
 * @param busy Share of a core that each process is busy.
 */
export const waitMs = (
  law: Law,
  rates: Rates,
  { busy, processes, burstiness }: Readonly<Record<'busy' | 'processes' | 'burstiness', number>>,
): number => {
  const calls = callsOf(law, rates).map(({ perS, cost }) => ({ perS, us: cost.levels.at(-1)!.us.gateway }));
  const perS = sum(calls.map((call) => call.perS));
  if (perS === 0 || busy <= 0.01) return 0;
  if (busy >= 1) return Number.POSITIVE_INFINITY;
  const moment = (power: number) => sum(calls.map((call) => (call.perS / perS) * call.us ** power));
  const variation = moment(2) / moment(1) ** 2 - 1;
  const callMs = (1000 * busy * processes) / perS;
  return (callMs * ((burstiness + variation) / 2) * Math.log(100 * busy)) / (1 - busy);
};

/** What a burst does to gateways. */
export interface Backlog {
  /** The longest wait in seconds; 0 when they keep up. */
  readonly longestS: number;
  /** How long after the burst calls still wait, in seconds; Infinity when the load never lets them catch up. */
  readonly drainS: number;
}

/**
 * Returns the backlog of a burst as a fluid that flows in faster than out (Newell: "Applications of Queueing Theory",
 * 1971).
 *
 * @param busy Share of the gateways that the burst needs; `after` is the share that the load needs then.
 */
export const backlogOf = (busy: number, after: number, seconds: number): Backlog => {
  const longestS = Math.max(0, busy - 1) * seconds;
  return {
    longestS,
    drainS: longestS === 0 ? 0 : after >= 1 ? Number.POSITIVE_INFINITY : longestS / (1 - after),
  };
};
