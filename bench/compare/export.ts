/** The figures of reports for other programs: spreadsheets, Prometheus, and collectors of OpenTelemetry. */
import { stringify } from 'csv-stringify/sync';
import { Gauge, Registry, type RegistryContentType } from 'prom-client';
import { median } from '../stats.ts';
import { figuresOf } from './figures.ts';
import { ReportFault, type SavedReport } from './read.ts';

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

const PREFIX = 'tessera_bench_';
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

/** A median of the latest bench or search, in base units. */
interface Point {
  readonly name: string;
  readonly help: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  readonly at: string;
}

/** @param reports The oldest first. */
const pointsOf = (reports: readonly SavedReport[]): Point[] =>
  [...new Map(reports.map((report) => [report.kind, report])).values()].flatMap((report) => {
    const { kind, machine, at } = report;
    return [
      ...figuresOf(report).map(({ of, measure, values }): Point => {
        const [name, help, inOne] = METRICS[measure]!;
        return { name, help, labels: of, value: median(values) / inOne, at };
      }),
      {
        name: 'measured_timestamp_seconds',
        help: 'When the report was made.',
        at,
        labels: { report: kind, commit: machine.commit },
        value: Date.parse(at) / 1000,
      },
    ];
  });

const byName = (points: readonly Point[]): readonly (readonly [first: Point, same: readonly Point[]])[] =>
  [...new Set(points.map(({ name }) => name))].map((name) => {
    const same = points.filter((point) => point.name === name);
    return [same[0]!, same];
  });

/**
 * Returns the medians of the latest bench and the latest search as OpenMetrics, with the time of each report. Readers of
 * Prometheus' older text format take gauges in this one too.
 *
 * @param reports The oldest first.
 */
export const figuresAsMetrics = (reports: readonly SavedReport[]): Promise<string> => {
  const registry = new Registry<RegistryContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const [{ name, help }, same] of byName(pointsOf(reports))) {
    const labelNames = [...new Set(same.flatMap(({ labels }) => Object.keys(labels)))];
    const gauge = new Gauge({ name: PREFIX + name, help, labelNames, registers: [registry as Registry] });
    for (const { labels, value } of same) gauge.set({ ...labels }, value);
  }
  return registry.metrics();
};

/** Units of UCUM by the ends of names. */
const UNITS = { _seconds: 's', _bytes: 'By', _per_second: '1/s', '': '1' } as const;

const attributesOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([key, stringValue]) => ({ key, value: { stringValue } }));

/** Returns the same as the body of a call of OTLP over HTTP, in its JSON encoding. @param reports The oldest first. */
export const figuresAsOtlp = (reports: readonly SavedReport[]): object => {
  const metrics = byName(pointsOf(reports)).map(([{ name, help }, same]) => ({
    name: PREFIX + name,
    description: help,
    unit: Object.entries(UNITS).find(([end]) => name.endsWith(end))![1],
    gauge: {
      dataPoints: same.map(({ labels, value, at }) => ({
        attributes: attributesOf(labels),
        // Nanoseconds, which JSON writes as text.
        timeUnixNano: `${Date.parse(at)}000000`,
        asDouble: value,
      })),
    },
  }));
  const resource = { attributes: attributesOf({ 'service.name': 'tessera-bench' }) };
  return { resourceMetrics: [{ resource, scopeMetrics: [{ scope: { name: 'tessera-bench' }, metrics }] }] };
};

/** Sends it to a collector. @param endpoint Its base URL. @throws {ReportFault} When it does not take all of it. */
export const sendOtlp = async (endpoint: string, reports: readonly SavedReport[]): Promise<void> => {
  const url = `${endpoint.replace(/\/$/, '')}/v1/metrics`;
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(figuresAsOtlp(reports));
  const answer = await fetch(url, { method: 'POST', headers, body }).catch((error: Error) => {
    throw new ReportFault(`${url} cannot be reached: ${(error.cause as Error)?.message ?? error.message}`);
  });
  const text = await answer.text();
  if (!answer.ok) throw new ReportFault(`${url} answered ${answer.status}: ${text.slice(0, 300)}`);
  if (/"rejectedDataPoints":"?[1-9]/.test(text))
    throw new ReportFault(`${url} took a part only: ${text.slice(0, 300)}`);
};
