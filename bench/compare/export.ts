/** The figures of reports for other programs: spreadsheets, and the textfile collector of Prometheus' node exporter. */
import { stringify } from 'csv-stringify/sync';
import { Gauge, Registry } from 'prom-client';
import { median } from '../stats.ts';
import { figuresOf } from './figures.ts';
import type { SavedReport } from './read.ts';

/**
 * Returns CSV (RFC 4180) with a header row, and a row for each round of each figure. Rounds count from 1.
 */
export const figuresAsCsv = (reports: readonly SavedReport[]): string =>
  stringify([
    ['at', 'commit', 'report', 'figure', 'of', 'measure', 'round', 'value'],
    ...reports.flatMap((report) =>
      figuresOf(report).flatMap(({ name, of, measure, values }) => {
        const head = [
          report.at,
          report.machine.commit,
          report.kind,
          name,
          Object.values(of).join(', '),
          measure,
        ];
        return values.map((value, i) => [...head, i + 1, value]);
      }),
    ),
  ]);

const LATENCY = 'Latency of this percentile at a constant rate, from the moment the request was due.';

/** By the measure of a figure: the metric, its help, and how many of the report's units make one unit of the metric. */
const METRICS: Readonly<Record<string, readonly [name: string, help: string, inOne: number]>> = {
  'good/s': ['answers_per_second', 'Good answers a second.', 1],
  'codes/s': ['codes_per_second', 'Codes a second in good answers.', 1],
  'requests/s': ['capacity_requests_per_second', 'Highest rate of requests that met the objective.', 1],
  ratio: ['ratio', 'Ratio of two scenarios.', 1],
  'server CPU ms': ['server_cpu_seconds', 'Processor time of the server for one good answer.', 1000],
  'Redis + Postgres CPU ms': [
    'stores_cpu_seconds',
    'Processor time of Redis and Postgres for one good answer.',
    1000,
  ],
  'gateway CPU ms': [
    'gateway_cpu_seconds',
    'Processor time of the gateway for one answer of the soak.',
    1000,
  ],
  'Redis CPU ms': ['redis_cpu_seconds', 'Processor time of Redis for one answer of the soak.', 1000],
  'Postgres CPU ms': ['postgres_cpu_seconds', 'Processor time of Postgres for one answer of the soak.', 1000],
  'p50 ms': ['latency_p50_seconds', LATENCY, 1000],
  'p99 ms': ['latency_p99_seconds', LATENCY, 1000],
  'p99.9 ms': ['latency_p999_seconds', LATENCY, 1000],
  'bytes an answer': ['answer_bytes', 'Bytes of an average good answer.', 1],
  'memory bytes': ['resident_memory_bytes', 'Resident memory of the server.', 1],
  'generator cores': ['generator_cores', 'Cores that the load generator used.', 1],
  failed: ['failed_requests', 'Requests without a good answer.', 1],
};

/**
 * Returns the medians of the latest bench and the latest search in the text format of Prometheus, in base units, with
 * the time of each measurement.
 *
 * @param reports The oldest first.
 */
export const figuresAsMetrics = (reports: readonly SavedReport[]): Promise<string> => {
  const registry = new Registry();
  const latest = [...new Map(reports.map((report) => [report.kind, report])).values()];
  const figures = latest.flatMap(figuresOf);
  const gaugeOf = (name: string, help: string, labelNames: readonly string[]): Gauge =>
    new Gauge({ name: `tessera_bench_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  for (const measure of new Set(figures.map((figure) => figure.measure))) {
    const [name, help, inOne] = METRICS[measure]!;
    const same = figures.filter((figure) => figure.measure === measure);
    const gauge = gaugeOf(name, help, [...new Set(same.flatMap(({ of }) => Object.keys(of)))]);
    for (const { of, values } of same) gauge.set({ ...of }, median(values) / inOne);
  }
  const measured = gaugeOf('measured_timestamp_seconds', 'When the report was made.', ['report', 'commit']);
  for (const { kind, machine, at } of latest)
    measured.set({ report: kind, commit: machine.commit }, Date.parse(at) / 1000);
  return registry.metrics();
};
