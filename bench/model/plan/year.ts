/** The months of a plan with their machines, money and data, and what fills up first. Pure. */
import { sum } from '../../stats.ts';
import type { Law } from '../curve.ts';
import { BATCH_CODE } from '../model.ts';
import { callsOnly, loadsOf, type Month, S_PER_MONTH, times } from './load.ts';
import type { Plan, Prices } from './plan-file.ts';
import { redisMemoryGb, waitMs } from './room.ts';
import { type Fleet, fleetFor, fleetNow, MEMORY_SHARE, type Use, useOf, without } from './size.ts';
import { postgresGb, type Stored, storageOf } from './storage.ts';

const GB = 1e9;
const HOURS_A_MONTH = 730;

/** Money of one month, in the currency of the price list. */
export type Bill = Prices['discounts'];

/** Returns the busiest region's share. */
export const busiestOf = ({ gateways }: Use): number => Math.max(...gateways);

const billOf = (
  { prices, redis, postgres, gateways }: Plan,
  fleet: Fleet,
  stored: Stored,
  egressGb: number,
): Bill => {
  const { discounts } = prices;
  const rent = (part: 'gateways' | 'redis' | 'postgres', instance: string, count: number): number =>
    prices[part][instance]!.hour * HOURS_A_MONTH * count * (1 - discounts[part]);
  const copies = 1 + postgres.replicas;
  return {
    gateways: rent('gateways', gateways.instance, sum(fleet.machines)),
    redis: rent('redis', fleet.redis.instance, fleet.redis.nodes * (1 + redis.replicas)),
    postgres: rent('postgres', fleet.postgres, copies),
    storage:
      (Math.max(postgresGb(stored), postgres.diskGb ?? 0) * copies * prices.diskGbMonth +
        stored.batches * prices.objectGbMonth) *
      (1 - discounts.storage),
    egress: Math.max(0, egressGb - prices.egressFreeGb) * prices.egressGb * (1 - discounts.egress),
  };
};

/** Returns how long the codes of batches take at the rate that other calls leave in the busiest minutes. */
const batchMinutes = (law: Law, plan: Plan, { busiest }: Month, fleet: Fleet, codes: number): number => {
  const use = useOf(law, plan, callsOnly(busiest), fleet);
  const { cost } = law.kinds.get(BATCH_CODE)!;
  const us = cost.levels.at(-1)!.us;
  const gateway = plan.prices.gateways[plan.gateways.instance]!;
  const postgres = plan.prices.postgres[fleet.postgres]!;
  const cores = fleet.machines.map((machines) => machines * gateway.cores * gateway.speed);
  const free = sum(cores.map((count, i) => count * Math.max(0, 1 - use.gateways[i]!)));
  const perS = Math.min(
    sum(cores) * cost.peakPerS,
    (free * 1e6) / us.gateway,
    (postgres.cores * postgres.speed * Math.max(0, 1 - use.postgres) * 1e6) / us.postgres,
  );
  return codes / perS / 60;
};

/** Plans each month. */
export const plannedMonths = (law: Law, plan: Plan) => {
  const storage = storageOf(law, plan);
  let fleet = fleetNow(plan);
  return loadsOf(plan).map((load, index) => {
    fleet = fleetFor(law, plan, load, fleet);
    const use = [0, 1, 2].map((lost) => useOf(law, plan, load.busiest, without(fleet, lost))) as [
      Use,
      Use,
      Use,
    ];
    const sent = Object.entries(load.mean).map(
      ([kind, perS]) => perS * S_PER_MONTH * law.kinds.get(kind)!.cost.bytes.toCaller,
    );
    const egressGb = sum(sent) / GB;
    const { cores } = plan.prices.gateways[plan.gateways.instance]!;
    // Batches wait for calls, and not calls for them.
    const calls = callsOnly(load.busiest);
    const waits = (lost: 0 | 1): number[] => {
      const left = without(fleet, lost);
      const { gateways } = useOf(law, plan, calls, left);
      return plan.regions.map((region, i) =>
        waitMs(law, times(calls, region.share), {
          busy: gateways[i]!,
          processes: left.machines[i]! * cores,
          burstiness: plan.burstiness,
        }),
      );
    };
    const stored = storage[index]!;
    return {
      load,
      fleet,
      /** With all machines, with one lost in each region, and with two. */
      use,
      /** The wait for a gateway process that 1 % of the calls exceed, by region, with all machines and with one lost. */
      waitMs: [waits(0), waits(1)] as const,
      stored,
      egressGb,
      bill: billOf(plan, fleet, stored, egressGb),
      batches: load.batches.map((batch) => ({
        ...batch,
        minutes: batchMinutes(law, plan, load, fleet, batch.codes),
      })),
    };
  });
};

/** A month of a plan. */
export type PlannedMonth = Readonly<ReturnType<typeof plannedMonths>[number]>;

/** Returns when each part is full if nothing is added and the spare gateways have failed, the first one first. */
export const fillings = (law: Law, plan: Plan) => {
  const { busyShare, gateways, postgres, prices, regions } = plan;
  const fleet = fleetNow(plan);
  const loads = loadsOf(plan);
  const uses = loads.map(({ busiest }) => useOf(law, plan, busiest, fleet));
  const lost = loads.map(({ busiest }) => useOf(law, plan, busiest, without(fleet, gateways.spare)));
  const storage = storageOf(law, plan);
  const redisGb = prices.redis[fleet.redis.instance]!.memoryGb * fleet.redis.nodes * MEMORY_SHARE;
  const gateway = prices.gateways[gateways.instance]!;
  const gatewayGb = (gateway.cores * law.processBytes) / (gateway.memoryGb * MEMORY_SHARE * GB);
  const needs: Readonly<Record<string, readonly number[]>> = {
    ...Object.fromEntries(
      regions.map(({ name }, i) => [`gateways in ${name}`, lost.map((use) => use.gateways[i]! / busyShare)]),
    ),
    'memory of gateways': loads.map(() => gatewayGb),
    Redis: uses.map(({ redis }) => redis / busyShare),
    'memory of Redis': loads.map((load) => redisMemoryGb(law, plan, load) / redisGb),
    Postgres: uses.map((use) => use.postgres / busyShare),
    ...(postgres.diskGb === undefined
      ? {}
      : { 'disk of Postgres': loads.map((_, i) => postgresGb(storage[i]!) / postgres.diskGb!) }),
  };
  return Object.entries(needs)
    .map(([part, need]) => ({ part, most: Math.max(...need), at: [...need, 2].findIndex((one) => one > 1) }))
    .sort((a, b) => a.at - b.at || b.most - a.most)
    .map(({ part, most, at }) => ({
      part,
      /** The greatest need over the months, as a multiple of what it may take. */
      most,
      /** The first month in which it is full; `null` when it never is. */
      month: loads[at]?.name ?? null,
    }));
};

/** When a part of what stands there now is full. */
export type Filling = Readonly<ReturnType<typeof fillings>[number]>;
