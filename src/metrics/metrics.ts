import { type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import type { Links } from '../links/links.ts';
import type { RenderPool } from '../render/pool.ts';
import { type BatchStats, registerBatches } from './batches.ts';
import { type BodiesInFlight, registerBodies } from './bodies.ts';
import { type Caches, registerCaches } from './caches.ts';
import { registerLogos, registerScans } from './logos-and-scans.ts';
import { type Ping, registerProcess } from './process.ts';
import type { DrainStats, QuotaMeter } from './quota.ts';
import { registerRendering } from './rendering.ts';
import type { RequestMeter } from './requests.ts';
import { registerTracing, type SpanStats } from './tracing.ts';
import { registerUpkeep, type UpkeepStats } from './upkeep.ts';
import { registerVerifications, type VerificationSource } from './verifications.ts';
import { registerWebhooks, type WebhookStats } from './webhooks.ts';

/** The parts whose numbers are exported. */
export interface MetricSources {
  readonly requests: RequestMeter;
  readonly bodies: BodiesInFlight;
  readonly quota: QuotaMeter;
  /** `null` when the ledger is in Postgres itself. */
  readonly drain: (() => DrainStats) | null;
  readonly pool: Pick<RenderPool, 'stats'>;
  readonly caches: Caches;
  readonly scans: Pick<Links['scans'], 'stats'>;
  readonly verifications: VerificationSource;
  readonly batches: () => BatchStats;
  readonly webhooks: () => WebhookStats;
  readonly spans: SpanStats;
  readonly upkeep: () => UpkeepStats;
  /** Free space for the embedded database; `null` without one. */
  readonly diskFreeBytes: (() => Promise<number>) | null;
  /** Pings by the name of the dependency. */
  readonly dependencies: Readonly<Record<string, Ping>>;
}

/** The values of all metrics at one moment, with the rule by which those of several processes become one. */
export type MetricReport = readonly MetricObjectWithValues<MetricValue<string>>[];

/** The metrics that `/metrics` answers with. */
export interface Exposition {
  readonly contentType: string;
  /** Everything in the text format of Prometheus. Callers that ask at the same time share one answer. */
  expose(): Promise<string>;
}

/** The metrics of one gateway. */
export interface Metrics extends Exposition {
  /** Returns the same as `expose`, to be added to those of other processes. */
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
  sources.quota.register(registry, sources.drain);
  registerRendering(registry, sources.pool.stats);
  registerCaches(registry, sources.caches);
  registerLogos(registry, sources.caches.logos.stats);
  registerScans(registry, sources.scans.stats);
  registerVerifications(registry, sources.verifications);
  registerBatches(registry, sources.batches);
  registerWebhooks(registry, sources.webhooks);
  registerTracing(registry, sources.spans);
  registerUpkeep(registry, sources.upkeep);
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
