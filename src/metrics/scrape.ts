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
/** The value of a metric without labels, or those of its series. */
type Read = () => number | readonly Sample[] | Promise<number | readonly Sample[]>;

interface Line {
  readonly labels: Labels;
  readonly value: number;
  readonly metricName?: string;
}

const toLines = (read: number | readonly Sample[]): Line[] =>
  typeof read === 'number'
    ? [{ labels: {}, value: read }]
    : read.map(([labels, value]) => ({ labels, value }));

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

/** Returns the functions that add metrics to a registry. */
export const metricsIn = (registry: Registry) => {
  const register = (
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
  return {
    /** Adds a number that only grows while the process lives. */
    counter: (name: string, help: string, read: Read): void =>
      register('counter', name, help, async () => toLines(await read())),
    /** Adds a number that rises and falls. @param aggregator How the numbers of several processes are aggregated. */
    gauge: (name: string, help: string, read: Read, aggregator?: Aggregator): void =>
      register('gauge', name, help, async () => toLines(await read()), aggregator),
    /** Adds a histogram of times. Snapshots are in milliseconds; the metric is in seconds, as Prometheus prescribes. */
    timeHistogram: (
      name: string,
      help: string,
      read: () => readonly (readonly [Labels, HistogramSnapshot])[],
    ): void =>
      register('histogram', name, help, () =>
        read().flatMap(([labels, snapshot]) => histogramLines(name, labels, snapshot)),
      ),
  };
};
