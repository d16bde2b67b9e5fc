/** The results of `npm run bench` as tables. Pure. */
import { ratioName } from '../compare/figures.ts';
import { failuresOf } from '../load/outcomes.ts';
import { figure, percent, type Table, tableOf } from '../say.ts';
import { median, sum, summarize } from '../stats.ts';
import { verdictTable } from '../verdict.ts';
import type { BenchReport } from './report.ts';

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
