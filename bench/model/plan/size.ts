/** Machines and stores for each month of a plan, and what fills up first without changes. Pure. */
import { type Law, type Rates, spentBy } from '../curve.ts';
import { BATCH_CODE } from '../model.ts';
import { type Month, times } from './load.ts';
import type { Instance, Plan } from './plan-file.ts';
import { redisMemoryGb } from './room.ts';

const US_PER_S = 1e6;
const MACHINES_MAX = 10_000;
const CLUSTER_NODES = { from: 3, to: 64 };
/** Gateways start to free memory in Redis at this share. */
export const MEMORY_SHARE = 0.8;

/** What serves in a month. */
export interface Fleet {
  /** Gateway machines by region, the spare ones included. */
  readonly machines: readonly number[];
  readonly redis: { readonly instance: string; readonly nodes: number };
  readonly postgres: string;
}

/** Busy shares in the busiest minutes; above 1 the load cannot be served. */
export interface Use {
  /** By region. */
  readonly gateways: readonly number[];
  readonly redis: number;
  readonly postgres: number;
}

/** What stands there at the beginning of a plan. */
export const fleetNow = ({ regions, redis, postgres }: Plan): Fleet => ({
  machines: regions.map(({ machines }) => machines),
  redis: { instance: redis.instance, nodes: redis.nodes },
  postgres: postgres.instance,
});

/** Returns a fleet that has lost `count` gateway machines in each region. */
export const without = (fleet: Fleet, count: number): Fleet => ({
  ...fleet,
  machines: fleet.machines.map((machines) => Math.max(0, machines - count)),
});

const typesOf = ({ prices, gateways }: Plan, { redis, postgres }: Fleet) => ({
  gateway: prices.gateways[gateways.instance]!,
  redis: prices.redis[redis.instance]!,
  postgres: prices.postgres[postgres]!,
});

/** Returns how busy a load keeps a fleet. A region without machines is infinitely busy. */
export const useOf = (law: Law, plan: Plan, rates: Rates, fleet: Fleet): Use => {
  const { gateway, redis, postgres } = typesOf(plan, fleet);
  const { nodes } = fleet.redis;
  const spent = plan.regions.map(({ share }, i) =>
    spentBy(law, times(rates, share), { processes: Math.max(1, fleet.machines[i]! * gateway.cores), nodes }),
  );
  const total = (part: 'redis' | 'postgres') => spent.reduce((all, us) => all + us[part], 0) / US_PER_S;
  return {
    gateways: spent.map(
      (us, i) => us.gateway / US_PER_S / (fleet.machines[i]! * gateway.cores * gateway.speed),
    ),
    redis: total('redis') / (nodes * redis.speed),
    postgres: total('postgres') / (postgres.cores * postgres.speed),
  };
};

/** Returns the fewest machines of a region that serve the load when none has failed. */
const machinesFor = (law: Law, plan: Plan, rates: Rates, fleet: Fleet, region: number): number => {
  const { gateway } = typesOf(plan, fleet);
  const codesPerS = (rates[BATCH_CODE] ?? 0) * plan.regions[region]!.share;
  const codesMostPerS = (law.kinds.get(BATCH_CODE)?.cost.peakPerS ?? 1) * gateway.cores * gateway.speed;
  for (let n = Math.max(1, Math.ceil(codesPerS / codesMostPerS)); n < MACHINES_MAX; n += 1)
    if (
      useOf(law, plan, rates, { ...fleet, machines: fleet.machines.map(() => n) }).gateways[region]! <=
      plan.busyShare
    )
      return n;
  return MACHINES_MAX;
};

/** Returns the cheapest type that fits, from the present one upwards; the largest one when none does. */
const typeFor = (
  types: Readonly<Record<string, Instance>>,
  now: string,
  fits: (name: string, type: Instance) => boolean,
): string => {
  const larger = Object.entries(types)
    .filter(([name, { hour }]) => name === now || hour > types[now]!.hour)
    .sort(([, a], [, b]) => a.hour - b.hour);
  return (larger.find(([name, type]) => fits(name, type)) ?? larger.at(-1)!)[0];
};

/**
 * Returns what a month needs. Gateways may become fewer after a season, but no fewer than there are now; stores only
 * grow.
 */
export const fleetFor = (law: Law, plan: Plan, month: Month, before: Fleet): Fleet => {
  const { busiest } = month;
  const machines = plan.regions.map((region, i) =>
    Math.max(region.machines, machinesFor(law, plan, busiest, before, i) + plan.gateways.spare),
  );
  let fleet: Fleet = { ...before, machines };
  const isFull = (part: 'redis' | 'postgres', one: Fleet): boolean =>
    useOf(law, plan, busiest, one)[part] > plan.busyShare;
  for (let { nodes } = fleet.redis; isFull('redis', fleet) && nodes < CLUSTER_NODES.to; ) {
    nodes = Math.max(CLUSTER_NODES.from, nodes + 1);
    fleet = { ...fleet, redis: { ...fleet.redis, nodes } };
  }
  const neededGb = redisMemoryGb(law, plan, month) / fleet.redis.nodes / MEMORY_SHARE;
  const instance = typeFor(plan.prices.redis, before.redis.instance, (_, type) => type.memoryGb >= neededGb);
  fleet = { ...fleet, redis: { ...fleet.redis, instance } };
  return {
    ...fleet,
    postgres: typeFor(
      plan.prices.postgres,
      before.postgres,
      (name) => !isFull('postgres', { ...fleet, postgres: name }),
    ),
  };
};
