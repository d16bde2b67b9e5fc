/** The answers of the model for a plan, as tables. Pure. */
import { figure, percent, tableOf } from '../../say.ts';
import type { CostModel } from '../model.ts';
import type { TitledTable } from '../tables.ts';
import { type Costs, growthOf, millionCodes, monthlyBill, ratesOf } from './habits.ts';
import type { PlanFile } from './plan-file.ts';
import { latencyOf, mostOf, needsOf } from './predict.ts';

const AWAY_MS = 2;

const loadTable = (plan: PlanFile): TitledTable => {
  const { mean, busiest } = ratesOf(plan.tenants);
  return {
    title: 'The load',
    ...tableOf(Object.entries(mean), [
      ['call', ([kind]) => kind],
      ['calls/s, mean', ([, perS]) => perS],
      ['calls/s, busiest', ([kind]) => busiest[kind as keyof typeof busiest] ?? 0],
    ]),
  };
};

const needTable = (model: CostModel, plan: PlanFile): TitledTable => {
  const needs = needsOf(model, ratesOf(plan.tenants).busiest, plan);
  const tooBusy = `more than ${percent(plan.busyShare)}`;
  return {
    title: 'Utilisation in the busiest minutes; the first row saturates first',
    ...tableOf(needs, [
      ['part', ({ what }) => what],
      ['busy cores', ({ cores }) => cores],
      ['of its cores', ({ share }) => percent(share)],
      ['', ({ share }) => (share <= plan.busyShare ? 'enough' : share <= 1 ? tooBusy : 'too little')],
    ]),
  };
};

const mostTable = (model: CostModel, plan: PlanFile): TitledTable => {
  const { busiest } = ratesOf(plan.tenants);
  const { machines, cores } = plan.gateways;
  const sizes = [...new Set([1, 2, machines, 2 * machines, 4 * machines])].sort((a, b) => a - b);
  return {
    title: `The most of this mix that machines of ${cores} cores serve, ${percent(plan.busyShare)} busy`,
    ...tableOf(
      sizes.map((count) => ({
        count,
        ...mostOf(model, busiest, { ...plan, gateways: { machines: count, cores } }),
      })),
      [
        ['gateway machines', ({ count }) => count],
        ['calls/s', ({ callsPerS }) => callsPerS],
        ['times the busiest minutes', ({ factor }) => factor],
        ['full first', ({ full }) => full],
      ],
    ),
  };
};

const yearTable = (model: CostModel, plan: PlanFile): TitledTable => {
  const rates = ratesOf(plan.tenants);
  const accounts = plan.tenants.reduce((total, { count }) => total + count, 0);
  const growth = growthOf(model, rates, plan, accounts);
  const bill = monthlyBill(growth, plan, plan.prices);
  const { currency } = plan.prices;
  const million = millionCodes(model, rates.mean, plan, plan.prices);
  const near = latencyOf(model, rates.busiest, { ...plan, redis: { ...plan.redis, roundTripMs: 0 } });
  const away = latencyOf(model, rates.busiest, { ...plan, redis: { ...plan.redis, roundTripMs: AWAY_MS } });
  const parts = ({ processor, memory, disk, egress }: Costs): string =>
    `${figure(processor)} processors, ${figure(memory)} memory, ${figure(disk)} disk, ${figure(egress)} egress`;
  return {
    title: 'A year of it',
    head: ['figure', '', ''],
    rows: [
      ['codes a year', `${figure(growth.codesAYear / 1e6)} million`, ''],
      ['Postgres after a year', `${figure(growth.postgresGbAYear)} GB`, 'tables and indexes'],
      ['WAL a day', `${figure(growth.walGbADay)} GB`, 'archive and replicas take it'],
      ['log lines a day', `${figure(growth.logsGbADay)} GB`, plan.accessLog ? '' : 'accessLog: false'],
      ['egress a month', `${figure(growth.egressGbAMonth)} GB`, 'without TLS'],
      ['maxmemory of Redis', `${figure(growth.redisMb)} MB`, 'an hour without Postgres'],
      [
        'median latency at a low load',
        `${figure(near)} ms`,
        `${figure(away)} ms with Redis ${AWAY_MS} ms away`,
      ],
      [
        'a million codes',
        million === null ? '–' : `${figure(million.all)} ${currency}`,
        million === null ? 'the plan makes no codes' : parts(million),
      ],
      ['the twelfth month', `${figure(bill.all)} ${currency}`, parts(bill)],
    ],
  };
};

/** Returns the answers to a plan, from the costs that were measured on one machine. */
export const answersTo = (model: CostModel, plan: PlanFile): TitledTable[] => [
  loadTable(plan),
  needTable(model, plan),
  mostTable(model, plan),
  yearTable(model, plan),
];
