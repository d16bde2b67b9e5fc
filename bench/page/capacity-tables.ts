/** The results of `npm run capacity` as tables and sentences. Pure. */
import type { Interval } from '../capacity/usl.ts';
import { figure, percent } from '../say.ts';
import type { CapacityReport } from './model.ts';
import type { Table } from './text.ts';

/** Shows every step of the search in order. */
export const stepTable = ({ found }: CapacityReport): Table => ({
  head: ['step', 'asked/s', 'sent/s', 'good/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'generator cores', ''],
  rows: found.steps.map(({ phase, result, missed }) => [
    phase,
    figure(result.askedPerS),
    figure(result.sentPerS),
    figure(result.goodPerS),
    figure(result.latencyMs.p50),
    figure(result.latencyMs.p99),
    figure(result.latencyMs.p999),
    figure(result.generatorCpuMs / 1000 / result.seconds),
    missed ?? 'held',
  ]),
});

/** Shows the rates at which the independent generator tried what the search had found. */
export const confirmationTable = ({ confirmation }: Pick<CapacityReport, 'confirmation'>): Table => ({
  head: ['independent generator', 'good/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'left late, p99 ms', ''],
  rows: confirmation.runs.map(({ result, missed }) => [
    `${figure(result.askedPerS)} asked/s`,
    figure(result.goodPerS),
    figure(result.latencyMs.p50),
    figure(result.latencyMs.p99),
    figure(result.latencyMs.p999),
    figure(result.latenessMs.p99),
    missed ?? 'held',
  ]),
});

/** Shows the load that several machines would serve. */
export const planTable = ({ plan }: Pick<CapacityReport, 'plan'>): Table => ({
  head: [
    ...['machines', 'requests/s', 'codes/s', 'egress Mbit/s'],
    ...['Redis cores', 'Redis MB', 'Postgres cores', 'limit'],
  ],
  rows: plan.rows.map((row) => [
    String(row.machines),
    figure(row.requestsPerS),
    figure(row.codesPerS),
    figure(row.egressMbitPerS),
    row.redisCores === null ? '–' : figure(row.redisCores),
    row.redisOutageMb === null ? '–' : figure(row.redisOutageMb),
    row.postgresCores === null ? '–' : figure(row.postgresCores),
    row.limit === 'none' ? '–' : row.limit,
  ]),
});

/** Says whether the run can be trusted, by Little's law and the load of the generator. */
export const validity = ({ little, found }: Pick<CapacityReport, 'little' | 'found'>): string => {
  const busiest = Math.max(...found.steps.map(({ result }) => result.generatorCpuMs / 1000 / result.seconds));
  return `Little’s law: ${figure(little.underWay)} requests under way, rate × time says ${figure(little.expected)}, ${percent(Math.abs(little.residual))} apart${Math.abs(little.residual) > 0.1 ? ' – do not trust this run' : ''}. The generator used at most ${figure(busiest)} of one core${busiest > 0.8 ? ' – it may have been the limit' : ''}.`;
};

const range = ([low, high]: Interval): string => `${figure(low)} to ${figure(high)}`;

/** Returns the fitted scalability law in sentences, or that the measurements do not determine it. */
export const law = ({ usl, levels }: NonNullable<CapacityReport['threads']>): string => {
  const { intervals, peakN } = usl;
  const parameters = `Contention α ${figure(usl.alpha)} (${range(intervals.alpha)}), coherency β ${figure(usl.beta)} (${range(intervals.beta)}), R² ${figure(usl.r2)}, residuals ${usl.residuals.map((residual, i) => `${levels[i]!.n}: ${percent(residual)}`).join(', ')}.`;
  if (!usl.isDetermined)
    return `${parameters} The scalability law is not determined by these data: nothing follows for other numbers of threads.`;
  const peak =
    peakN === null || !Number.isFinite(peakN)
      ? 'Throughput never falls with more threads'
      : `Throughput falls beyond ${figure(Math.max(1, peakN))} threads`;
  return `${parameters} ${peak}. The law says nothing beyond twice the measured number of threads.`;
};
