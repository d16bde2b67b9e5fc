/** The answer to a plan: sentences for whoever decides, then tables with their charts, then assumptions. Pure. */
import { figure, percent, type Table, tableOf } from '../../say.ts';
import { sum } from '../../stats.ts';
import { type Law, redisCeilingPerS } from '../curve.ts';
import type { CostModel } from '../model.ts';
import { callsOnly, callsPerS } from './load.ts';
import type { Plan } from './plan-file.ts';
import { backlogOf, latencyMs, OUTAGE_BYTES_A_CALL, redisMemoryGb, SCANS_KEPT } from './room.ts';
import { type Fleet, fleetNow, MEMORY_SHARE, useOf } from './size.ts';
import { keeps, postgresGb, storageOf } from './storage.ts';
import { type Bill, busiestOf, type Filling, fillings, type PlannedMonth, plannedMonths } from './year.ts';

/** Stacked values, for each label. */
export interface Chart {
  readonly unit: string;
  readonly labels: readonly string[];
  readonly series: readonly (readonly [name: string, values: readonly number[]])[];
}

/** A table, and a chart of what it shows. */
export interface Section extends Table {
  readonly title: string;
  readonly chart?: Chart;
}

/** What a plan is answered with. */
export interface Answer {
  readonly title: string;
  readonly sentences: readonly string[];
  /** The first one has a row for each month. */
  readonly sections: readonly Section[];
  readonly assumptions: readonly string[];
}

const allOf = (bill: Bill): number => sum(Object.values(bill));
const machinesOf = ({ machines }: Fleet): number => sum(machines);
const share = (value: number): string => (Number.isFinite(value) ? percent(value) : 'none left');
const few = (minutes: number): string =>
  !Number.isFinite(minutes)
    ? 'never end: nothing is left for them'
    : minutes < 120
      ? `take ${figure(minutes)} minutes`
      : `take ${figure(minutes / 60)} hours`;

/** Returns what changes from one fleet to the next, in words. */
const changesOf = (plan: Plan, before: Fleet, after: Fleet): string[] => [
  ...plan.regions.flatMap(({ name }, i) =>
    before.machines[i] === after.machines[i]
      ? []
      : [`${after.machines[i]} gateway machines in ${name} (instead of ${before.machines[i]})`],
  ),
  ...(before.redis.nodes === after.redis.nodes ? [] : [`a Redis Cluster of ${after.redis.nodes} nodes`]),
  ...(before.redis.instance === after.redis.instance ? [] : [`${after.redis.instance} for Redis`]),
  ...(before.postgres === after.postgres ? [] : [`${after.postgres} for Postgres`]),
];

const fillingSentence = ({ months }: Plan, filling: readonly Filling[]): string => {
  const [first, ...others] = filling;
  if (first!.month === null)
    return `What there is now is enough for all ${months} months: the fullest part, ${first!.part}, reaches ${percent(first!.most)} of what it may take.`;
  const next = others.flatMap(({ part, month }) => (month === null ? [] : [`${part} in ${month}`]));
  return `Without changes the first part to be full is ${first!.part}, in ${first!.month} (at the most ${share(first!.most)} of what it may take)${next.length === 0 ? '; no other is' : `; then ${next.join(', ')}`}.`;
};

/** What no number of machines and no type of the price list serves, in words. */
const lacksOf = (law: Law, plan: Plan, { load, fleet, use }: PlannedMonth): string[] => {
  const { busyShare, prices } = plan;
  const { nodes, instance } = fleet.redis;
  const memoryGb = prices.redis[instance]!.memoryGb * nodes;
  return [
    ...(busiestOf(use[0]) > busyShare ? [`gateways are ${share(busiestOf(use[0]))} busy`] : []),
    ...(use[0].redis > busyShare ? [`${nodes} nodes of Redis are ${share(use[0].redis)} busy`] : []),
    ...(use[0].postgres > busyShare ? [`Postgres is ${share(use[0].postgres)} busy`] : []),
    ...(redisMemoryGb(law, plan, load) > memoryGb * MEMORY_SHARE
      ? [`Redis needs more than its ${figure(memoryGb)} GB`]
      : []),
  ];
};

const range = (counts: readonly number[]): string =>
  [...new Set([Math.min(...counts), Math.max(...counts)])].join(' to ');

const sentencesOf = (
  law: Law,
  plan: Plan,
  months: readonly PlannedMonth[],
  filling: readonly Filling[],
): string[] => {
  const bills = months.map(({ bill }) => allOf(bill));
  const counts = months.map(({ fleet }) => machinesOf(fleet));
  const { currency } = plan.prices;
  const dearest = months[bills.indexOf(Math.max(...bills))]!;
  const fleets = [fleetNow(plan), ...months.map(({ fleet }) => fleet)];
  return [
    `${range(counts)} gateway machines of type ${plan.gateways.instance}, ${plan.gateways.spare} of them spare in each region, for ${figure(sum(bills))} ${currency} in ${plan.months} months: ${figure(bills[0]!)} in ${months[0]!.load.name}, ${figure(allOf(dearest.bill))} in ${dearest.load.name}, the dearest month.`,
    fillingSentence(plan, filling),
    ...months.flatMap(({ load, fleet }, i) => {
      const changes = changesOf(plan, fleets[i]!, fleet);
      return changes.length === 0 ? [] : [`By ${load.name}: ${changes.join(', ')}.`];
    }),
    `One Redis takes ${figure(redisCeilingPerS(law, callsOnly(dearest.load.busiest), plan.busyShare))} calls a second of the mix of ${dearest.load.name} until it is ${percent(plan.busyShare)} busy, if gateways are as busy; the idler they are, the more each call costs it.`,
    ...months.flatMap((month) =>
      lacksOf(law, plan, month).map(
        (lack) => `In ${month.load.name} ${lack}: nothing in the price list is enough.`,
      ),
    ),
    ...months.flatMap(({ load, batches }) =>
      batches.map(
        ({ name, codes, minutes, withinMinutes }) =>
          `${name}, ${load.name}: ${figure(codes / 1e6)} million codes ${few(minutes)} beside the busiest minutes of other calls${withinMinutes === undefined ? '' : ` (wanted: ${figure(withinMinutes)} minutes)`}.`,
      ),
    ),
  ];
};

const monthTable = (plan: Plan, months: readonly PlannedMonth[]): Section => ({
  title: `Machines and money by month; shares of the busiest minutes, of which ${percent(plan.busyShare)} are allowed`,
  chart: {
    unit: plan.prices.currency,
    labels: months.map(({ load }) => load.name),
    series: (['gateways', 'redis', 'postgres', 'storage', 'egress'] as const).map((part) => [
      part,
      months.map(({ bill }) => bill[part]),
    ]),
  },
  ...tableOf(months, [
    ['month', ({ load }) => load.name],
    ['calls/s', ({ load }) => callsPerS(load.busiest)],
    ['gateways', ({ fleet }) => fleet.machines.join(' + ')],
    ['busy', ({ use }) => share(busiestOf(use[0]))],
    ['busy N-1', ({ use }) => share(busiestOf(use[1]))],
    ['busy N-2', ({ use }) => share(busiestOf(use[2]))],
    ['p99 wait ms', ({ waitMs }) => Math.max(...waitMs[0])],
    ['N-1', ({ waitMs }) => Math.max(...waitMs[1])],
    ['Redis', ({ use, fleet }) => `${share(use[0].redis)} of ${fleet.redis.nodes}`],
    ['Postgres', ({ use }) => share(use[0].postgres)],
    ['egress GB', ({ egressGb }) => egressGb],
    [plan.prices.currency, ({ bill }) => allOf(bill)],
  ]),
});

const fillingOf = (filling: readonly Filling[]): Section => ({
  title:
    'What fills up without changes, if the spare machines have failed; 100 % is all that a part may take',
  ...tableOf(filling, [
    ['part', ({ part }) => part],
    ['full in', ({ month }) => month ?? 'no month'],
    ['at the most', ({ most }) => share(most)],
  ]),
});

const KEPT = ['codes', 'links', 'scans', 'ledger', 'batches'] as const;

const storageTable = (law: Law, plan: Plan): Section => {
  const months = storageOf(law, plan);
  const ends = months.filter((_, i) => i === months.length - 1 || (i + 1) % 12 === 0);
  return {
    title:
      'Data in GB at the end of each year, if growth goes on; batches are in their own store, all else in Postgres',
    chart: {
      unit: 'GB',
      labels: ends.map(({ month }) => month),
      series: KEPT.map((name) => [name, ends.map((stored) => stored[name])]),
    },
    ...tableOf(ends, [
      ['end of', ({ month }) => month],
      ...KEPT.map((name) => [name, (stored: (typeof ends)[number]) => stored[name]] as const),
      ['Postgres, one copy', postgresGb],
    ]),
  };
};

const regionTable = (law: Law, plan: Plan, months: readonly PlannedMonth[]): Section => ({
  title:
    'Regions in their busiest month: the median latency of an average call with its ways to callers and Redis, and the wait that 1 % of the calls exceed',
  ...tableOf(
    plan.regions.map((region, i) => {
      const month = months.reduce((most, one) =>
        one.use[0].gateways[i]! > most.use[0].gateways[i]! ? one : most,
      );
      return { region, month, i };
    }),
    [
      ['region', ({ region }) => region.name],
      ['of all calls', ({ region }) => percent(region.share)],
      ['month', ({ month }) => month.load.name],
      ['gateways', ({ month, i }) => month.fleet.machines[i]!],
      ['busy', ({ month, i }) => share(month.use[0].gateways[i]!)],
      ['median ms', ({ region, month }) => latencyMs(law, month.load.busiest, region)],
      ['p99 wait ms', ({ month, i }) => month.waitMs[0][i]!],
    ],
  ),
});

/** Calls that are refused while Redis is away: those that wait for it. */
const ROUND_TRIPS_MIN = 0.5;

const trouble = (law: Law, plan: Plan, months: readonly PlannedMonth[]): Section => {
  const last = months.reduce((most, one) =>
    callsPerS(one.load.busiest) > callsPerS(most.load.busiest) ? one : most,
  );
  const { busiest, bursts } = last.load;
  const busy = busiestOf(last.use[0]);
  const refused = (of: (kind: string) => boolean): number =>
    plan.failoverS *
    sum(Object.entries(callsOnly(busiest)).flatMap(([kind, perS]) => (of(kind) ? [perS] : [])));
  const paid = refused((kind) => law.kinds.get(kind)!.cost.redisRoundTrips >= ROUND_TRIPS_MIN);
  const again = backlogOf(
    1 + busy * (paid / (plan.failoverS * callsPerS(busiest) || 1)),
    busy,
    plan.failoverS,
  );
  const scans = refused((kind) => keeps(kind, 'scan'));
  const processes = machinesOf(last.fleet) * plan.prices.gateways[plan.gateways.instance]!.cores;
  return {
    title: `Bursts, and ${figure(plan.failoverS)} s without a store, in the busiest minutes of ${last.load.name}`,
    head: ['what happens', 'what it does'],
    rows: [
      ...bursts.map(({ tenant, seconds, rates }) => {
        const { longestS, drainS } = backlogOf(busiestOf(useOf(law, plan, rates, last.fleet)), busy, seconds);
        return [
          `a burst of ${tenant}, ${figure(seconds)} s`,
          longestS === 0
            ? 'gateways keep up'
            : `calls wait up to ${figure(longestS)} s, or are refused with 503 and Retry-After; over after ${figure(drainS)} s more`,
        ];
      }),
      [
        'Redis fails over',
        `${figure(paid)} paid calls are refused with 503 and Retry-After; if all are repeated at once, gateways are done with them after ${figure(again.drainS)} s. Redirects go on`,
      ],
      [
        'Postgres fails over',
        `${figure(refused((kind) => keeps(kind, 'code')))} calls that save codes are refused; Redis keeps ${figure((refused(() => true) * OUTAGE_BYTES_A_CALL) / 1e6)} MB of the ledger; ${figure(Math.max(0, scans - processes * SCANS_KEPT))} scans are lost. Single calls and visited links go on`,
      ],
    ],
  };
};

const assumptionsOf = (model: CostModel, law: Law, plan: Plan): string[] => {
  const used = [
    ...new Set([
      ...plan.tenants.flatMap(({ callsADay }) => Object.keys(callsADay)),
      ...plan.events.flatMap(({ calls = {} }) => Object.keys(calls)),
    ]),
  ];
  const worst = Math.max(...used.map((kind) => law.kinds.get(kind)!.error));
  const { machine, at, processBytes } = model;
  const { prices, gateways, busyShare, burstiness } = plan;
  const gateway = prices.gateways[gateways.instance]!;
  return [
    `Costs of calls were measured on ${at.slice(0, 10)}: ${machine.cpu}, ${machine.cores} cores, Node.js ${machine.node}. The curves of these kinds are up to ${percent(worst)} from what was measured. --check measures how far they are from this machine.`,
    `Prices are those of ${prices.name}, ${prices.date}, with its discounts, for 730 hours a month. A core is as fast as one of the measured machine, times the speed in the price list.`,
    'All tenants are busiest at the same time, and the calls of an event come on top. Machines of a month are paid for all of it, and given back after a season; stores only grow.',
    `Each core runs a gateway process. Processes share nothing but the stores, and may be ${percent(busyShare)} busy when the spare machines have failed. The wait is that of a queue in front of each process (Kingman 1961), for arrivals with a squared variation of ${figure(burstiness)}; bursts are a fluid (Newell 1971).`,
    `A gateway process takes ${figure(processBytes / 1e6)} MB, so a machine needs ${figure((gateway.cores * processBytes) / 1e9)} of its ${figure(gateway.memoryGb)} GB${gateway.cores * processBytes > 0.8e9 * gateway.memoryGb ? ': too little, choose a type with more' : ''}.`,
    'One Redis has one thread. In a cluster fewer calls share a script run, as only those of one of its 64 shards can. Its memory is enough for an hour without Postgres.',
    'Codes take 0.34 kB, their links 0.23 kB, a scan 1.4 kB if its link has ten a month, and down to 0.35 kB the more it has. Codes of batches are dynamic, and a batch takes no less than its upload. Every copy of Postgres has its own disk, as fast as the measured one.',
    'Egress is that of answers with their headers, without TLS. Backups, logs, balancers, and traffic between regions are not in it.',
  ];
};

/** Answers a plan. */
export const answerTo = (model: CostModel, law: Law, plan: Plan): Answer => {
  const months = plannedMonths(law, plan);
  const filling = fillings(law, plan);
  return {
    title: `Plan from ${plan.from}, ${plan.months} months`,
    sentences: sentencesOf(law, plan, months, filling),
    sections: [
      monthTable(plan, months),
      fillingOf(filling),
      storageTable(law, plan),
      regionTable(law, plan, months),
      trouble(law, plan, months),
    ],
    assumptions: assumptionsOf(model, law, plan),
  };
};
