import { type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import type { PoolTimes } from '../db/pool.ts';
import type { Replica } from '../db/replica.ts';
import type { RenderPool } from '../render/pool.ts';
import { type JobSources, registerJobs, registerLinkJobs, registerUpkeep, registerWebhooks } from './jobs.ts';
import { type Ping, registerDatabase, registerLoops, registerProcess, registerReplica } from './process.ts';
import type { DrainStats, QuotaMeter } from './quota.ts';
import { type Caches, registerCaches, registerLogos, registerRendering } from './rendering.ts';
import { type RequestMeter, registerBodies, registerFreeWork, registerStreams } from './requests.ts';

/** The parts whose numbers are exported. */
export interface MetricSources extends JobSources {
  readonly requests: RequestMeter;
  /** Bytes of request bodies that are being received or processed. */
  readonly bodies: () => { readonly customers: number; readonly strangers: number };
  /** Streamed answers that are being sent. */
  readonly openStreams: () => number;
  /** Accounts that have overdrawn their budget of free work. */
  readonly overdrawn: () => number;
  readonly quota: QuotaMeter;
  /** `null` when the ledger is in Postgres itself. */
  readonly drain: (() => DrainStats) | null;
  readonly pool: Pick<RenderPool, 'stats'>;
  readonly caches: Caches;
  /** Free space for the embedded database; `null` without one. */
  readonly diskFreeBytes: (() => Promise<number>) | null;
  readonly databaseTimes: () => PoolTimes;
  readonly replica: Replica['stats'];
  /** Pings by the name of the dependency. */
  readonly dependencies: Readonly<Record<string, Ping>>;
}

/** The values of all metrics at one moment, with the rule that aggregates those of several processes. */
export type MetricReport = readonly MetricObjectWithValues<MetricValue<string>>[];

/** The metrics that `/metrics` answers with. */
export interface Exposition {
  readonly contentType: string;
  /** Everything in the text format of Prometheus. Callers that ask at the same time share one answer. */
  expose(): Promise<string>;
}

/** The metrics of one gateway. */
export interface Metrics extends Exposition {
  /** Returns the metrics that `expose` returns, in a form that can be added to those of other processes. */
  report(): Promise<MetricReport>;
}

/**
 * Registers all metrics. Their names and labels are documented in docs/metrics.md, and change only with a new major
 * version.
 */
export const createMetrics = (sources: MetricSources): Metrics => {
  const registry = new Registry();
  sources.requests.register(registry);
  registerBodies(registry, sources.bodies);
  registerStreams(registry, sources.openStreams);
  registerFreeWork(registry, sources.overdrawn);
  sources.quota.register(registry, sources.drain);
  registerRendering(registry, sources.pool.stats);
  registerCaches(registry, sources.caches);
  registerLogos(registry, sources.caches.logos.stats);
  registerJobs(registry, sources);
  registerLinkJobs(registry, sources);
  registerWebhooks(registry, sources);
  registerUpkeep(registry, sources);
  registerLoops(registry);
  registerDatabase(registry, sources.databaseTimes);
  registerReplica(registry, sources.replica);
  registerProcess(registry, sources.dependencies, sources.diskFreeBytes);

  let underWay: Promise<string> | undefined;
  return {
    contentType: registry.contentType,
    expose() {
      underWay ??= registry.metrics().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
    report: () => registry.getMetricsAsJSON(),
  };
};
