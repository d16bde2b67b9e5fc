/** The figures of reports as metrics for Prometheus: the textfile collector of its node exporter serves such a file. */
import { Gauge, Registry } from 'prom-client';
import { median } from '../stats.ts';
import { type Figure, figuresOf } from './figures.ts';
import type { SavedReport } from './read.ts';

interface Metric {
  readonly name: string;
  readonly help: string;
  /** How many of the report's unit make one of the metric's. */
  readonly inOne: number;
}

const MS_A_SECOND = 1000;
const cost = (part: string, help: string): Metric => ({
  name: `tessera_bench_${part}_cpu_seconds`,
  help: `Processor time of ${help} for one good answer.`,
  inOne: MS_A_SECOND,
});
const latency = (rank: string): Metric => ({
  name: `tessera_bench_latency_${rank}_seconds`,
  help: `Latency of this percentile at a constant rate, from the moment the request was due.`,
  inOne: MS_A_SECOND,
});

/** By the measure of a figure. */
const METRICS: Readonly<Record<string, Metric>> = {
  'good/s': { name: 'tessera_bench_answers_per_second', help: 'Good answers a second.', inOne: 1 },
  'codes/s': { name: 'tessera_bench_codes_per_second', help: 'Codes a second in good answers.', inOne: 1 },
  'requests/s': {
    name: 'tessera_bench_capacity_requests_per_second',
    help: 'Highest rate of requests that met the objective.',
    inOne: 1,
  },
  ratio: { name: 'tessera_bench_ratio', help: 'Ratio of the rates of two scenarios.', inOne: 1 },
  'server CPU ms': cost('server', 'the server'),
  'Redis + Postgres CPU ms': cost('stores', 'Redis and Postgres'),
  'gateway CPU ms': cost('gateway', 'the gateway in the soak'),
  'Redis CPU ms': cost('redis', 'Redis in the soak'),
  'Postgres CPU ms': cost('postgres', 'Postgres in the soak'),
  'p50 ms': latency('p50'),
  'p99 ms': latency('p99'),
  'p99.9 ms': latency('p999'),
  'bytes an answer': {
    name: 'tessera_bench_answer_bytes',
    help: 'Bytes of an average good answer.',
    inOne: 1,
  },
  'memory bytes': {
    name: 'tessera_bench_resident_memory_bytes',
    help: 'Resident memory of the server.',
    inOne: 1,
  },
  'generator cores': {
    name: 'tessera_bench_generator_cores',
    help: 'Cores that the load generator used.',
    inOne: 1,
  },
  failed: { name: 'tessera_bench_failed_requests', help: 'Requests without a good answer.', inOne: 1 },
};

/** The latest report of each kind. */
const latestOf = (reports: readonly SavedReport[]): readonly SavedReport[] => [
  ...new Map(reports.map((report) => [report.kind, report])).values(),
];

/**
 * Returns the medians of the latest bench and the latest search in the text format of Prometheus, in base units, and
 * when each was measured.
 *
 * @param reports The oldest first.
 */
export const figuresAsMetrics = (reports: readonly SavedReport[]): Promise<string> => {
  const registry = new Registry();
  const gauges = new Map<string, Gauge>();
  const gaugeOf = (name: string, help: string, labelNames: string[]): Gauge => {
    const known = gauges.get(name);
    if (known !== undefined) return known;
    const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
    gauges.set(name, gauge);
    return gauge;
  };
  const labelsOf = new Map<string, Set<string>>();
  const latest = latestOf(reports);
  const all = latest.flatMap(figuresOf);
  for (const { measure, of } of all)
    labelsOf.set(measure, new Set([...(labelsOf.get(measure) ?? []), ...Object.keys(of)]));
  const set = ({ measure, of, values }: Figure): void => {
    const { name, help, inOne } = METRICS[measure]!;
    gaugeOf(name, help, [...labelsOf.get(measure)!]).set({ ...of }, median(values) / inOne);
  };
  for (const figure of all) set(figure);
  const measured = gaugeOf('tessera_bench_measured_timestamp_seconds', 'When the report was made.', [
    'report',
    'commit',
  ]);
  for (const { kind, machine, at } of latest)
    measured.set({ report: kind, commit: machine.commit }, Date.parse(at) / 1000);
  return registry.metrics();
};
