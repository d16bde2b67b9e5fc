/** The results of `npm run bench` as tables. Pure. */
import { figure, percent } from '../say.ts';
import { median, summarize } from '../stats.ts';
import { type BenchReport, nameOf } from './model.ts';
import type { Table } from './text.ts';

/** Shows each target beside the measured ratio, and the ratio of the last report. */
export const ratioTable = ({ outcomes, last }: BenchReport): Table => ({
  head: ['ratio in one run', 'median', 'rounds', 'wanted', '', 'last report'],
  rows: outcomes.map((outcome) => {
    const { ratio, target, isMet } = outcome;
    const before = last?.ratios[nameOf(outcome)];
    const change =
      before === undefined
        ? ''
        : ` (${ratio.median >= before ? '+' : ''}${percent(ratio.median / before - 1)})`;
    return [
      nameOf(outcome),
      figure(ratio.median),
      `${figure(ratio.min)} – ${figure(ratio.max)}`,
      `${target.measure === 'serverCpuMs' ? '≤' : '≥'} ${figure(target.wanted)}`,
      isMet ? 'met' : 'missed',
      before === undefined ? '–' : `${figure(before)}${change}`,
    ];
  }),
});

/** Shows throughput and cost of each scenario: medians of its rounds. */
export const scenarioTable = ({ measured, pictureBytes }: BenchReport): Table => ({
  head: [
    'scenario',
    'good/s',
    'spread',
    'codes/s',
    'server CPU ms',
    'Redis + Postgres CPU ms',
    'all CPU ms a code',
    'generator cores',
    'bytes a code',
    'failed',
  ],
  rows: measured.map(({ scenario, rounds }) => {
    const rate = summarize(rounds.map(({ goodPerS }) => goodPerS));
    const middle = (read: (round: (typeof rounds)[number]) => number) => figure(median(rounds.map(read)));
    return [
      scenario.name,
      figure(rate.median),
      percent(rate.spread),
      middle(({ codesPerS }) => codesPerS),
      middle(({ serverCpuMs }) => serverCpuMs),
      middle(({ storesCpuMs }) => storesCpuMs),
      middle((round) =>
        round.codesPerS === 0
          ? Number.NaN
          : ((round.serverCpuMs + round.storesCpuMs) * round.goodPerS) / round.codesPerS,
      ),
      middle(({ generatorCores }) => generatorCores),
      pictureBytes[scenario.name] ? figure(pictureBytes[scenario.name]!) : '–',
      String(rounds.reduce((total, { failures }) => total + failures, 0)),
    ];
  }),
});

/** Shows the latencies of each scenario at each load. */
export const latencyTable = ({ latencies }: BenchReport): Table => ({
  head: [
    'scenario',
    'of its throughput',
    'asked/s',
    'sent/s',
    'p50 ms',
    'p90',
    'p99',
    'p99.9',
    'max',
    'p99 uncorrected',
    'refused',
    'wrong body',
    'lost',
    'generator cores',
  ],
  rows: latencies.map(({ scenario, load, result }) => {
    const { tally, latencyMs, uncorrectedMs } = result;
    const refused = Object.values(tally.statuses).reduce((total, count) => total + count, 0);
    return [
      scenario,
      percent(load),
      figure(result.askedPerS),
      figure(result.sentPerS),
      figure(latencyMs.p50),
      figure(latencyMs.p90),
      figure(latencyMs.p99),
      figure(latencyMs.p999),
      figure(latencyMs.max),
      figure(uncorrectedMs.p99),
      String(refused),
      String(tally.bodyCheckFailed),
      String(tally.timeouts + tally.connectionErrors + result.dropped),
      figure(result.generatorCpuMs / 1000 / result.seconds),
    ];
  }),
});

/** Shows the verdicts on overload and on fairness. */
export const stressTable = ({ overload, fairness }: BenchReport): Table => ({
  head: ['under stress', 'measured', 'wanted', ''],
  rows: [
    ...(overload?.verdicts ?? []).map(
      (verdict) => [`three times capacity: ${verdict.what}`, verdict] as const,
    ),
    ...(fairness?.verdicts ?? []).map((verdict) => [`two accounts: ${verdict.what}`, verdict] as const),
  ].map(([what, { value, limit, unit, isMet }]) => [
    what,
    `${figure(value)} ${unit}`,
    `${figure(limit)} ${unit}`,
    isMet ? 'met' : 'missed',
  ]),
});
