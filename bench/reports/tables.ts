/** The results of `npm run bench` and `npm run capacity` as tables and sentences. Pure. */

import { NO_RATE } from '../capacity/search.ts';
import { BEYOND_MIN } from '../capacity/slo.ts';
import type { Interval } from '../capacity/usl.ts';
import { ratioName } from '../compare/figures.ts';
import { percentileOf } from '../load/histogram.ts';
import type { OpenResult } from '../load/job.ts';
import { failuresOf, latenciesOf } from '../load/outcomes.ts';
import { figure, percent, type Table, tableOf, verdictTable } from '../say.ts';
import { median, sum, summarize } from '../stats.ts';
import type { BenchReport, CapacityReport } from './report.ts';

/** Shows each target beside the measured ratio. */
export const ratioTable = ({ outcomes }: Pick<BenchReport, 'outcomes'>): Table =>
  tableOf(outcomes, [
    ['ratio in one run', ({ target }) => ratioName(target)],
    ['median', ({ ratio }) => ratio.median],
    ['rounds', ({ ratio }) => `${figure(ratio.min)} – ${figure(ratio.max)}`],
    ['wanted', ({ target }) => `${target.measure === 'serverCpuMs' ? '≤' : '≥'} ${figure(target.wanted)}`],
    ['', ({ isMet }) => (isMet ? 'met' : 'missed')],
  ]);

type Measured = BenchReport['measured'][number];
type Round = Measured['rounds'][number];

/** Shows throughput and cost of each scenario: medians of its rounds. */
export const scenarioTable = ({
  measured,
  pictureBytes,
}: Pick<BenchReport, 'measured' | 'pictureBytes'>): Table => {
  const middle =
    (read: (round: Round) => number) =>
    ({ rounds }: Measured): number =>
      median(rounds.map(read));
  return tableOf(measured, [
    ['scenario', ({ scenario }) => scenario.name],
    ['good/s', middle(({ goodPerS }) => goodPerS)],
    ['spread', ({ rounds }) => percent(summarize(rounds.map(({ goodPerS }) => goodPerS)).spread)],
    ['codes/s', middle(({ codesPerS }) => codesPerS)],
    ['server CPU ms', middle(({ serverCpuMs }) => serverCpuMs)],
    ['Redis + Postgres CPU ms', middle(({ storesCpuMs }) => storesCpuMs)],
    [
      'all CPU ms a code',
      middle(({ serverCpuMs, storesCpuMs, goodPerS, codesPerS }) =>
        codesPerS === 0 ? Number.NaN : ((serverCpuMs + storesCpuMs) * goodPerS) / codesPerS,
      ),
    ],
    ['generator cores', middle(({ generatorCores }) => generatorCores)],
    ['bytes a code', ({ scenario }) => pictureBytes[scenario.name] || null],
    ['failed', ({ rounds }) => sum(rounds.map(({ failures }) => failures))],
  ]);
};

/** Shows the latencies of each scenario at each load. */
export const latencyTable = ({ latencies }: Pick<BenchReport, 'latencies'>): Table =>
  tableOf(latencies, [
    ['scenario', ({ scenario }) => scenario],
    ['of its throughput', ({ load }) => percent(load)],
    ['asked/s', ({ result }) => result.askedPerS],
    ['sent/s', ({ result }) => result.sentPerS],
    ['p50 ms', ({ result }) => result.latencyMs.p50],
    ['p90', ({ result }) => result.latencyMs.p90],
    ['p99', ({ result }) => result.latencyMs.p99],
    ['p99.9', ({ result }) => result.latencyMs.p999],
    ['max', ({ result }) => result.latencyMs.max],
    ['p99 uncorrected', ({ result }) => result.uncorrectedMs.p99],
    ['quota ms', ({ result }) => result.tally.serverMs?.quota ?? null],
    ['queue ms', ({ result }) => result.tally.serverMs?.queue ?? null],
    ['drawing ms', ({ result }) => result.tally.serverMs?.render ?? null],
    ['failed', ({ result }) => failuresOf(result.tally) + result.dropped],
    ['generator cores', ({ result }) => result.generatorCpuMs / 1000 / result.seconds],
  ]);

/** Shows the verdicts on overload. */
export const stressTable = ({ overload }: Pick<BenchReport, 'overload'>): Table =>
  verdictTable('under three times the load that it can handle', overload);

/** Returns the claim with its evidence, or why there is none. */
export const headline = (found: CapacityReport['found'], codesARequest: number): string => {
  const { ratePerS, capacity, soaks, held, soak, undetermined } = found;
  const interval =
    capacity === null
      ? ''
      : `the capacity is ${figure(capacity.perS)}/s, 99 % interval ${figure(capacity.low)} to ${figure(capacity.high)}`;
  if (undetermined === NO_RATE) return NO_RATE;
  if (soak === null) return `not determined: ${undetermined}${interval === '' ? '' : `; ${interval}`}`;
  return `holds ${figure(ratePerS)} requests/s (${figure(ratePerS * codesARequest)} codes/s): ${held} of ${soaks} soaks of ${figure(soak.result.seconds)} s held; ${interval}`;
};

/** Shows every step of the search in order. */
export const stepTable = ({ steps }: Pick<CapacityReport['found'], 'steps'>): Table =>
  tableOf(steps, [
    ['step', ({ phase }) => phase],
    ['asked/s', ({ result }) => result.askedPerS],
    ['good/s', ({ result }) => result.goodPerS],
    ['seconds', ({ result }) => result.seconds],
    ['p50 ms', ({ result }) => result.latencyMs.p50],
    ['p95 ms', ({ result }) => result.latencyMs.p95],
    ['p99 ms', ({ result }) => result.latencyMs.p99],
    ['p99.9 ms', ({ result }) => result.latencyMs.p999],
    ['generator cores', ({ result }) => result.generatorCpuMs / 1000 / result.seconds],
    ['', ({ missed, faults }) => [missed ?? 'held', ...faults].join('; ')],
  ]);

/** Shows each kind of requests of a load. A percentile has a dash when fewer than 20 requests lie beyond it. */
export const kindTable = (result: OpenResult): Table =>
  tableOf(
    [['all', result] as const, ...Object.entries(result.kinds)].map(([kind, outcomes]) => {
      const latencies = latenciesOf(outcomes);
      const at = (percentile: number) =>
        latencies.totalCount * (1 - percentile / 100) < BEYOND_MIN - 1e-6
          ? null
          : percentileOf(latencies, percentile);
      return { kind, outcomes, at, answers: latencies.totalCount };
    }),
    [
      ['kind', ({ kind }) => kind],
      ['requests', ({ answers }) => answers],
      ['failed', ({ outcomes }) => failuresOf(outcomes.tally) + outcomes.dropped],
      ...[50, 75, 90, 95, 99, 99.9].map(
        (percentile) =>
          [`p${percentile} ms`, ({ at }: { at(p: number): number | null }) => at(percentile)] as const,
      ),
    ],
  );

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
