/** Tenants and their habits: the load that they make, what it leaves in a year, and what it costs. Pure. */
import type { RecipeName } from '../../load/recipes.ts';
import { allOf, type CallBytes, type CostModel } from '../model.ts';
import { costsOf, type Deployment, latencyOf, type Rates, sharesOf, spentAt } from './predict.ts';

/** Accounts of the same habits. */
export interface Tenant {
  readonly name: string;
  readonly count: number;
  /** Calls of one account on a day, by kind. */
  readonly callsADay: Readonly<Partial<Record<RecipeName, number>>>;
  /** The busiest minutes of the day as a multiple of its mean. */
  readonly busiest: number;
}

/** What things cost, in one currency. */
export interface Prices {
  readonly currency: string;
  readonly coreHour: number;
  readonly memoryGbMonth: number;
  readonly diskGbMonth: number;
  /** Of what leaves to callers. */
  readonly egressGb: number;
}

const S_PER_DAY = 86_400;
const DAYS_A_YEAR = 365;
const HOURS_A_MONTH = 730;
const DAYS_A_MONTH = DAYS_A_YEAR / 12;
const GB = 1e9;
const MB = 1e6;
const US_PER_HOUR = 3.6e9;
/** Of Redis, for an account that was active this month; docs/operations.md, "Redis". */
const ACCOUNT_BYTES = 2000;
/** Of Redis, for a call that is not settled. */
const OPEN_CALL_BYTES = 1000;
/**
 * What a call leaves in Redis while Postgres is unavailable, at most: the size of an entry (docs/operations.md,
 * "Redis").
 */
export const OUTAGE_BYTES_A_CALL = 250;
const OUTAGE_S = 3600;
/** Gateways make room in Redis from 80 % on. */
const MEMORY_RESERVE = 1.25;

const add = (rates: Record<string, number>, kind: string, perS: number): void => {
  rates[kind] = (rates[kind] ?? 0) + perS;
};

/** Returns the calls a second of all tenants: the mean of a day, and those when all are busiest at once. */
export const ratesOf = (tenants: readonly Tenant[]): { readonly mean: Rates; readonly busiest: Rates } => {
  const [mean, busiest]: [Record<string, number>, Record<string, number>] = [{}, {}];
  for (const { count, callsADay, busiest: times } of tenants)
    for (const [kind, calls] of Object.entries(callsADay)) {
      add(mean, kind, (count * calls) / S_PER_DAY);
      add(busiest, kind, (count * calls * times) / S_PER_DAY);
    }
  return { mean, busiest };
};

/** What a load leaves, takes and sends. */
export interface Growth {
  readonly codesAYear: number;
  /** Tables and indexes of Postgres, of a year of calls. */
  readonly postgresGbAYear: number;
  readonly walGbADay: number;
  /** 0 without access lines. */
  readonly logsGbADay: number;
  readonly egressGbAMonth: number;
  /** `maxmemory` of Redis that lasts for an hour without Postgres, all shards together. */
  readonly redisMb: number;
}

/**
 * Returns what a year of a load leaves. @param rates The mean, and the busiest minutes: memory is for those.
 * @param accounts That are active within a month.
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
 * Returns what a million codes cost, with the calls that come with them: processor time at the planned share of the
 * cores, a year of their disk, and what is sent. Memory is bought by the month and not by the code. `null` for a load
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
 * Returns what the deployment costs in its twelfth month: its machines, whether busy or not, and what a year has left.
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
