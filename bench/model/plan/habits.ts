/** Tenants and their usage: the load that they generate, what a year of it stores, and what it costs. Pure. */
import type { RecipeName } from '../../load/recipes.ts';
import { allOf, type CallBytes, type CostModel } from '../model.ts';
import { costsOf, type Deployment, latencyOf, type Rates, sharesOf, spentAt } from './predict.ts';

/** Accounts with the same usage. */
export interface Tenant {
  readonly name: string;
  readonly count: number;
  /** Calls per day of one account, by kind. */
  readonly callsADay: Readonly<Partial<Record<RecipeName, number>>>;
  /** The rate in the busiest minutes as a multiple of the day's mean. */
  readonly busiest: number;
}

/** Prices in one currency. */
export interface Prices {
  readonly currency: string;
  readonly coreHour: number;
  readonly memoryGbMonth: number;
  readonly diskGbMonth: number;
  /** Traffic to callers. */
  readonly egressGb: number;
}

const S_PER_DAY = 86_400;
const DAYS_A_YEAR = 365;
const HOURS_A_MONTH = 730;
const DAYS_A_MONTH = DAYS_A_YEAR / 12;
const GB = 1e9;
const MB = 1e6;
const US_PER_HOUR = 3.6e9;
/** Memory of Redis for an account that was active this month: docs/operations/stores.md, "Redis". */
const ACCOUNT_BYTES = 2000;
/** Memory of Redis for a call that is not settled. */
const OPEN_CALL_BYTES = 1000;
/**
 * The most that a call leaves in Redis while Postgres is unavailable: the size of an entry (docs/operations/stores.md,
 * "Redis").
 */
export const OUTAGE_BYTES_A_CALL = 250;
const OUTAGE_S = 3600;
/** Gateways start to free memory in Redis at 80 %. */
const MEMORY_RESERVE = 1.25;

const add = (rates: Record<string, number>, kind: string, perS: number): void => {
  rates[kind] = (rates[kind] ?? 0) + perS;
};

/** Returns the calls per second of all tenants: the mean of a day, and the peak when all are busiest at once. */
export const ratesOf = (tenants: readonly Tenant[]): { readonly mean: Rates; readonly busiest: Rates } => {
  const [mean, busiest]: [Record<string, number>, Record<string, number>] = [{}, {}];
  for (const { count, callsADay, busiest: times } of tenants)
    for (const [kind, calls] of Object.entries(callsADay)) {
      add(mean, kind, (count * calls) / S_PER_DAY);
      add(busiest, kind, (count * calls * times) / S_PER_DAY);
    }
  return { mean, busiest };
};

/** What a load stores, and the traffic that it causes. */
export interface Growth {
  readonly codesAYear: number;
  /** Tables and indexes of Postgres after a year of calls. */
  readonly postgresGbAYear: number;
  readonly walGbADay: number;
  /** 0 without an access log. */
  readonly logsGbADay: number;
  readonly egressGbAMonth: number;
  /** `maxmemory` of Redis, all shards together, that is enough for an hour without Postgres. */
  readonly redisMb: number;
}

/**
 * Returns what a year of a load stores. @param rates The mean, and the busiest minutes, which decide the memory.
 * @param accounts The number that is active within a month.
 */
export const growthOf = (
  model: CostModel,
  rates: { readonly mean: Rates; readonly busiest: Rates },
  deployment: Deployment,
  accounts: number,
): Growth => {
  const costs = costsOf(model, rates.mean);
  const perDay = (of: (bytes: CallBytes) => number): number =>
    costs.reduce((total, { cost, perS }) => total + of(cost.bytes) * perS * S_PER_DAY, 0);
  const logs = costs.reduce((total, { cost, perS }) => total + cost.logs.bytes * perS * S_PER_DAY, 0);
  const busiestPerS = costsOf(model, rates.busiest).reduce((total, { perS }) => total + perS, 0);
  const openCalls = (busiestPerS * latencyOf(model, rates.busiest, deployment)) / 1000;
  const redisBytes =
    accounts * ACCOUNT_BYTES + openCalls * OPEN_CALL_BYTES + busiestPerS * OUTAGE_S * OUTAGE_BYTES_A_CALL;
  return {
    codesAYear: costs.reduce(
      (total, { cost, perS }) => total + cost.codes * perS * S_PER_DAY * DAYS_A_YEAR,
      0,
    ),
    postgresGbAYear: (perDay(({ postgres }) => postgres) * DAYS_A_YEAR) / GB,
    walGbADay: perDay(({ wal }) => wal) / GB,
    logsGbADay: deployment.accessLog ? logs / GB : 0,
    egressGbAMonth: (perDay(({ toCaller }) => toCaller) * DAYS_A_MONTH) / GB,
    redisMb: (redisBytes * MEMORY_RESERVE) / MB,
  };
};

/** What a load costs, in the currency of the prices. */
export interface Costs {
  readonly processor: number;
  readonly memory: number;
  readonly disk: number;
  readonly egress: number;
  readonly all: number;
}

const summed = (parts: Omit<Costs, 'all'>): Costs => ({
  ...parts,
  all: parts.processor + parts.memory + parts.disk + parts.egress,
});

/**
 * Returns the cost of a million codes and the calls that come with them: processor time at the planned utilisation, a
 * year of disk, and traffic. Memory is left out, since it is paid by the month and not by the code. `null` for a load
 * without codes.
 */
export const millionCodes = (
  model: CostModel,
  rates: Rates,
  deployment: Deployment,
  prices: Prices,
): Costs | null => {
  const costs = costsOf(model, rates);
  const codesPerS = costs.reduce((total, { cost, perS }) => total + cost.codes * perS, 0);
  if (codesPerS === 0) return null;
  const seconds = 1e6 / codesPerS;
  const logsUs = deployment.accessLog
    ? costs.reduce((all, { cost, perS }) => all + cost.logs.us * perS, 0)
    : 0;
  const us = allOf(spentAt(model, rates, sharesOf(model, rates, deployment))) + logsUs;
  const bytes = (of: (bytes: CallBytes) => number) =>
    costs.reduce((total, { cost, perS }) => total + of(cost.bytes) * perS, 0) * seconds;
  return summed({
    processor: ((us * seconds) / US_PER_HOUR / deployment.busyShare) * prices.coreHour,
    memory: 0,
    disk: (bytes(({ postgres }) => postgres) / GB) * prices.diskGbMonth * 12,
    egress: (bytes(({ toCaller }) => toCaller) / GB) * prices.egressGb,
  });
};

/**
 * Returns the cost of the deployment in its twelfth month: its machines, busy or not, and the data of a year.
 */
export const monthlyBill = (
  growth: Growth,
  { gateways, redis, postgres }: Deployment,
  prices: Prices,
): Costs => {
  const cores = gateways.machines * gateways.cores + redis.shards + postgres.cores;
  return summed({
    processor: cores * HOURS_A_MONTH * prices.coreHour,
    memory: (growth.redisMb / 1000) * prices.memoryGbMonth,
    disk: (growth.postgresGbAYear + growth.logsGbADay * DAYS_A_MONTH) * prices.diskGbMonth,
    egress: growth.egressGbAMonth * prices.egressGb,
  });
};
