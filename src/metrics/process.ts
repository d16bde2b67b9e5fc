import { performance } from 'node:perf_hooks';
import { type Aggregator, collectDefaultMetrics, type Registry } from 'prom-client';
import type { PoolTimes } from '../db/pool.ts';
import type { Replica } from '../db/replica.ts';
import { loopFailures } from '../execution/loops.ts';
import { within } from '../execution/time-limits.ts';
import { VERSION } from '../package.ts';
import { byLabel, metricsIn, type Sample } from './scrape.ts';

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

/** Registers the failures of what runs in the background. */
export const registerLoops = (registry: Registry): void =>
  metricsIn(registry).counter(
    'tessera_loop_failures_total',
    'Rounds of background work that failed and are tried again, by what runs.',
    () => byLabel('loop', loopFailures()),
  );

/** Registers how long queries and transactions take, and how long they wait for a connection before. */
export const registerDatabase = (registry: Registry, times: () => PoolTimes): void => {
  const { timeHistogram } = metricsIn(registry);
  timeHistogram(
    'tessera_database_wait_seconds',
    'Time that a query or transaction waited for a connection of the pool.',
    () => [[{}, times().waits]],
  );
  timeHistogram(
    'tessera_database_use_seconds',
    'Time that a query or transaction took once it had a connection.',
    () => [[{}, times().uses]],
  );
};

/** Registers how far the replica is behind, and what is read there. */
export const registerReplica = (registry: Registry, stats: Replica['stats']): void => {
  const { counter, gauge } = metricsIn(registry);
  gauge(
    'tessera_replica_lag_seconds',
    'For how long the replica has lacked something that the primary has written; absent while that is not known.',
    () => {
      const { lagSeconds } = stats();
      return lagSeconds === null ? [] : [[{}, lagSeconds]];
    },
    'max',
  );
  counter(
    'tessera_replica_reads_total',
    'Reads at the replica, because the primary gave no answer.',
    () => stats().reads,
  );
};

/** Rejects when the dependency does not answer. */
export type Ping = () => Promise<unknown>;

const PING_TIMEOUT_MS = 1000;

const isUp = (ping: Ping): Promise<boolean> =>
  within(ping(), PING_TIMEOUT_MS, () => new Error('no answer')).then(
    () => true,
    () => false,
  );

/**
 * Registers the process itself, its event loop, and its dependencies.
 * @param diskFreeBytes `null` without an embedded database.
 */
export const registerProcess = (
  registry: Registry,
  dependencies: Readonly<Record<string, Ping>>,
  diskFreeBytes: (() => Promise<number>) | null,
): void => {
  registerRuntime(registry);
  const { counter, gauge } = metricsIn(registry);
  gauge(
    'tessera_build_info',
    '1; the labels tell the version of Tessera and of Node.',
    () => [[{ version: VERSION, node: process.versions.node }, 1]],
    'max',
  );
  counter(
    'tessera_event_loop_seconds_total',
    'Time of the event loop by state; the share of "active" is its utilisation.',
    () => {
      const { active, idle } = performance.eventLoopUtilization();
      return byLabel('state', { active: active / 1000, idle: idle / 1000 });
    },
  );
  if (diskFreeBytes !== null) {
    gauge(
      'tessera_disk_free_bytes',
      'Free space on the disk of the embedded database.',
      async () => await diskFreeBytes(),
    );
  }
  gauge(
    'tessera_dependency_up',
    '1 when the dependency answers within a second, else 0.',
    () =>
      Promise.all(
        Object.entries(dependencies).map(
          async ([dependency, ping]): Promise<Sample> => [{ dependency }, (await isUp(ping)) ? 1 : 0],
        ),
      ),
    'min',
  );
};
