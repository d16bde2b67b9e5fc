/** The results of `npm run capacity` as tables and sentences. Pure. */
import type { Interval } from '../capacity/usl.ts';
import { figure, percent, type Table, tableOf } from '../say.ts';
import type { CapacityReport } from './report.ts';

/** Shows every step of the search in order. */
export const stepTable = ({ steps }: Pick<CapacityReport['found'], 'steps'>): Table =>
  tableOf(steps, [
    ['step', ({ phase }) => phase],
    ['asked/s', ({ result }) => result.askedPerS],
    ['sent/s', ({ result }) => result.sentPerS],
    ['good/s', ({ result }) => result.goodPerS],
    ['p50 ms', ({ result }) => result.latencyMs.p50],
    ['p99 ms', ({ result }) => result.latencyMs.p99],
    ['p99.9 ms', ({ result }) => result.latencyMs.p999],
    ['generator cores', ({ result }) => result.generatorCpuMs / 1000 / result.seconds],
    ['', ({ missed }) => missed ?? 'held'],
  ]);

/** Shows the cost of an answer during the soak. */
export const costTable = ({ cost, bytesAnAnswer }: Pick<CapacityReport, 'cost' | 'bytesAnAnswer'>): Table =>
  tableOf(
    [cost],
    [
      ['an answer', () => ''],
      ['gateway CPU ms', ({ gatewayMs }) => gatewayMs],
      ['Redis CPU ms', ({ redisMs }) => redisMs],
      ['Postgres CPU ms', ({ postgresMs }) => postgresMs],
      ['bytes', () => bytesAnAnswer],
    ],
  );

/** States whether the run can be trusted, by Little's law and the load of the generator. */
export const validity = ({ little, found }: Pick<CapacityReport, 'little' | 'found'>): string => {
  const busiest = Math.max(...found.steps.map(({ result }) => result.generatorCpuMs / 1000 / result.seconds));
  const apart = Math.abs(little.residual);
  return `Little’s law: ${figure(little.underWay)} requests under way, rate × time says ${figure(little.expected)}, ${percent(apart)} apart${apart > 0.1 ? ' – do not trust this run' : ''}. The generator used at most ${figure(busiest)} of one core${busiest > 0.8 ? ' – it may have been the limit' : ''}.`;
};

const range = ([low, high]: Interval): string => `${figure(low)} to ${figure(high)}`;

/** Returns the fitted scalability law in sentences, or a sentence that the measurements do not determine it. */
export const describeLaw = ({ usl }: Pick<NonNullable<CapacityReport['gateways']>, 'usl'>): string => {
  const { intervals, peakN } = usl;
  const parameters = `Contention α ${figure(usl.alpha)} (${range(intervals.alpha)}), coherency β ${figure(usl.beta)} (${range(intervals.beta)}).`;
  if (!usl.isDetermined)
    return `${parameters} The scalability law is not determined by these data, so they predict nothing for other numbers of gateway processes.`;
  const peak =
    peakN === null || !Number.isFinite(peakN)
      ? 'Throughput never falls with more gateway processes'
      : `Throughput falls beyond ${figure(Math.max(1, peakN))} gateway processes`;
  return `${parameters} ${peak}. The law says nothing beyond twice the measured number of processes. Processes beyond the cores of the machine share them.`;
};
