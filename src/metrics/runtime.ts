import { type Aggregator, collectDefaultMetrics, type Registry } from 'prom-client';

/** These are left out, because they are gauges with names of counters. A query can compute them as sums. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/**
 * How these are aggregated over several processes: the worst event loop counts, limits of processes are not summed, and
 * the latest start counts.
 */
const AGGREGATORS: Readonly<Record<string, Aggregator>> = {
  nodejs_eventloop_lag_seconds: 'max',
  nodejs_eventloop_lag_p50_seconds: 'max',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
  nodejs_eventloop_lag_stddev_seconds: 'max',
  process_max_fds: 'min',
  process_start_time_seconds: 'max',
};

/** Registers what Node.js and the operating system tell about this process. */
export const registerRuntime = (registry: Registry): void => {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  for (const [name, aggregator] of Object.entries(AGGREGATORS)) {
    // The property is read with each report; the types do not have it. Not every system has every metric.
    const metric = registry.getSingleMetric(name) as { aggregator?: Aggregator } | undefined;
    if (metric !== undefined) metric.aggregator = aggregator;
  }
};
