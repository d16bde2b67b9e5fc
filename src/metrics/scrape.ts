/**
 * Metrics whose values other parts already count. They are read when Prometheus asks, so that they cost a request
 * nothing.
 */
import type { Aggregator, Counter, Registry } from 'prom-client';
import type { HistogramSnapshot } from '../histogram.ts';

/** Labels by name. */
export type Labels = Readonly<Record<string, string>>;
/** The value of one series. */
export type Sample = readonly [labels: Labels, value: number];

interface Line {
  readonly labels: Labels;
  readonly value: number;
  readonly metricName?: string;
}

const register = (
  registry: Registry,
  type: 'counter' | 'gauge' | 'histogram',
  name: string,
  help: string,
  read: () => readonly Line[] | Promise<readonly Line[]>,
  aggregator: Aggregator = 'sum',
): void => {
  const get = async () => ({ name, help, type, aggregator, values: await read() });
  const metric = { name, help, type, aggregator, get };
  // A registry uses only these properties of a metric; the class of the type has no constructor that takes them.
  registry.registerMetric(metric as unknown as Counter);
};

const toLines = (samples: readonly Sample[]): Line[] => samples.map(([labels, value]) => ({ labels, value }));

/** Registers a number that only grows while the process lives. */
export const counter = (
  registry: Registry,
  name: string,
  help: string,
  read: () => readonly Sample[],
): void => register(registry, 'counter', name, help, () => toLines(read()));

/**
 * Registers a number that rises and falls.
 *
 * @param aggregator How the numbers of several processes become one.
 */
export const gauge = (
  registry: Registry,
  name: string,
  help: string,
  read: () => readonly Sample[] | Promise<readonly Sample[]>,
  aggregator: Aggregator = 'sum',
): void => register(registry, 'gauge', name, help, async () => toLines(await read()), aggregator);

/** Returns one sample without labels. */
export const plain = (value: number): readonly Sample[] => [[{}, value]];

/** Returns a record of counts as samples of one label. */
export const byLabel = (label: string, values: Readonly<Record<string, number>>): readonly Sample[] =>
  Object.entries(values).map(([key, value]) => [{ [label]: key }, value]);

const MS_PER_S = 1000;

/** Prometheus counts a bucket together with all those below it. */
const histogramLines = (name: string, labels: Labels, snapshot: HistogramSnapshot): Line[] => {
  let below = 0;
  const buckets = snapshot.bounds.map((boundMs, index) => {
    below += snapshot.counts[index]!;
    const le = String(boundMs / MS_PER_S);
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: below };
  });
  return [
    ...buckets,
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: snapshot.count },
    { metricName: `${name}_sum`, labels, value: snapshot.sum / MS_PER_S },
    { metricName: `${name}_count`, labels, value: snapshot.count },
  ];
};

/**
 * Registers a histogram of times. Snapshots are in milliseconds; the metric is in seconds, as Prometheus prescribes.
 */
export const timeHistogram = (
  registry: Registry,
  name: string,
  help: string,
  read: () => readonly (readonly [Labels, HistogramSnapshot])[],
): void =>
  register(registry, 'histogram', name, help, () =>
    read().flatMap(([labels, snapshot]) => histogramLines(name, labels, snapshot)),
  );
