import { type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import type { PoolTimes } from '../db/pool.ts';
import type { Replica } from '../db/replica.ts';
import type { RenderPool } from '../render/pool.ts';
import {
  type JobSources,
  registerJobs,
  registerLinkJobs,
  registerScans,
  registerUpkeep,
  registerWebhooks,
  type ScanSources,
} from './jobs.ts';
import { type Ping, registerDatabase, registerLoops, registerProcess, registerReplica } from './process.ts';
import type { DrainStats, QuotaMeter } from './quota.ts';
import {
  type CallCaches,
  registerCaches,
  registerLogos,
  registerRendering,
  type VisitCaches,
} from './rendering.ts';
import { type RequestMeter, registerBodies, registerFreeWork, registerStreams } from './requests.ts';

/** The parts whose numbers are exported by gateways of every role. */
export interface ServingSources extends ScanSources {
  readonly requests: RequestMeter;
  /** Bytes of request bodies that are being received or processed. */
  readonly bodies: () => { readonly customers: number; readonly strangers: number };
  /** Streamed answers that are being sent. */
  readonly openStreams: () => number;
  readonly visitCaches: VisitCaches;
  /** Free space for the embedded database; `null` without one. */
  readonly diskFreeBytes: (() => Promise<number>) | null;
  readonly databaseTimes: () => PoolTimes;
  readonly replica: Replica['stats'];
  /** Pings by the name of the dependency. */
  readonly dependencies: Readonly<Record<string, Ping>>;
}

/** The parts of gateways that draw. */
export interface DrawingSources extends JobSources {
  /** Accounts that have overdrawn their budget of free work. */
  readonly overdrawn: () => number;
  readonly quota: QuotaMeter;
  /** `null` when the ledger is in Postgres itself. */
  readonly drain: (() => DrainStats) | null;
  readonly pool: Pick<RenderPool, 'stats'>;
  readonly callCaches: CallCaches;
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

const registerServing = (registry: Registry, sources: ServingSources): void => {
  sources.requests.register(registry);
  registerBodies(registry, sources.bodies);
  registerStreams(registry, sources.openStreams);
  registerScans(registry, sources);
  registerLoops(registry);
  registerDatabase(registry, sources.databaseTimes);
  registerReplica(registry, sources.replica);
  registerProcess(registry, sources.dependencies, sources.diskFreeBytes);
};

const registerDrawing = (registry: Registry, sources: DrawingSources): void => {
  registerFreeWork(registry, sources.overdrawn);
  sources.quota.register(registry, sources.drain);
  registerRendering(registry, sources.pool.stats);
  registerLogos(registry, sources.callCaches.logos.stats);
  registerJobs(registry, sources);
  registerLinkJobs(registry, sources);
  registerWebhooks(registry, sources);
  registerUpkeep(registry, sources);
};

/**
 * Registers all metrics of a gateway. Their names and labels are documented in docs/metrics.md, and change only with a
 * new major version.
 *
 * @param drawing `null`: the gateway draws nothing, and lacks the metrics of what it does not have.
 */
export const createMetrics = (serving: ServingSources, drawing: DrawingSources | null): Metrics => {
  const registry = new Registry();
  registerServing(registry, serving);
  registerCaches(registry, serving.visitCaches, drawing?.callCaches ?? null);
  if (drawing !== null) registerDrawing(registry, drawing);

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
