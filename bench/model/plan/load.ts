/** The load of each month of a plan: growth, seasons, events. Pure. */
import { sum } from '../../stats.ts';
import type { Rates } from '../curve.ts';
import { BATCH_CODE } from '../model.ts';
import type { Plan, Tenant } from './plan-file.ts';

const S_PER_DAY = 86_400;
/** Seconds of a month, a twelfth of 365 days. */
export const S_PER_MONTH = (365 / 12) * S_PER_DAY;

/** Returns the name of month `index` of a plan, from 0. */
export const monthOf = ({ from }: Pick<Plan, 'from'>, index: number): string => {
  const [year, month] = from.split('-').map(Number);
  return new Date(Date.UTC(year!, month! - 1 + index)).toISOString().slice(0, 7);
};

/** Adds loads. */
export const added = (...all: readonly Rates[]): Rates => {
  const total: Record<string, number> = {};
  for (const rates of all)
    for (const [kind, perS] of Object.entries(rates)) total[kind] = (total[kind] ?? 0) + perS;
  return total;
};

/** Multiplies a load. */
export const times = (rates: Rates, factor: number): Rates =>
  Object.fromEntries(Object.entries(rates).map(([kind, perS]) => [kind, perS * factor]));

/** Returns a load without the codes of batches, which are no calls. */
export const callsOnly = ({ [BATCH_CODE]: _, ...calls }: Rates): Rates => calls;

/** Returns all calls per second of a load. */
export const callsPerS = (rates: Rates): number => sum(Object.values(callsOnly(rates)));

/** Returns the accounts of a tenant in month `index`. */
export const accountsOf = ({ accounts, growthAMonth }: Tenant, index: number): number =>
  accounts * (1 + growthAMonth) ** index;

/** Returns the load of month `index`, from 0; it may lie beyond the months of the plan, which have no events then. */
export const loadOf = (plan: Plan, index: number) => {
  const name = monthOf(plan, index);
  const tenants = plan.tenants.map((tenant) => ({
    ...tenant,
    mean: times(
      tenant.callsADay,
      (accountsOf(tenant, index) * (tenant.season[String(Number(name.slice(5)))] ?? 1)) / S_PER_DAY,
    ),
  }));
  const events = plan.events.filter(({ date }) => date.startsWith(name));
  const batches = events.flatMap(({ codes, ...event }) => (codes === undefined ? [] : [{ ...event, codes }]));
  const codesOf = (codes: number, seconds: number): Rates => ({ [BATCH_CODE]: codes / seconds });
  const busiest = added(
    ...tenants.map(({ mean, busiest }) => times(mean, busiest)),
    ...events.map(({ calls = {}, hours = 1 }) => times(calls, 1 / (hours * 3600))),
    ...batches.map(({ codes, withinMinutes = Number.POSITIVE_INFINITY }) =>
      codesOf(codes, withinMinutes * 60),
    ),
  );
  return {
    /** Such as 2027-11. */
    name,
    accounts: sum(plan.tenants.map((tenant) => accountsOf(tenant, index))),
    mean: added(
      ...tenants.map(({ mean }) => mean),
      ...events.map(({ calls = {} }) => times(calls, 1 / S_PER_MONTH)),
      ...batches.map(({ codes }) => codesOf(codes, S_PER_MONTH)),
    ),
    /** All tenants in their busiest minutes at once, and the events of the month besides. */
    busiest,
    /** For each tenant that has one: the busiest minutes with its burst. */
    bursts: tenants.flatMap(({ name: tenant, burst, mean, busiest: usual }) =>
      burst === undefined || burst.times <= usual
        ? []
        : [{ tenant, seconds: burst.seconds, rates: added(busiest, times(mean, burst.times - usual)) }],
    ),
    batches,
  };
};

/** The load of one month, in calls per second by kind. */
export type Month = Readonly<ReturnType<typeof loadOf>>;

/** Returns the loads of `count` months. */
export const loadsOf = (plan: Plan, count = plan.months): Month[] =>
  Array.from({ length: count }, (_, index) => loadOf(plan, index));
