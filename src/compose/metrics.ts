import type { Config } from '../config/config.ts';
import { freeBytes } from '../db/embedded/folder.ts';
import { countRunningVerifications } from '../db/tables/verifications.ts';
import type { Auth } from '../http/auth/auth.ts';
import type { BodyBudget } from '../http/bodies/body-budget.ts';
import type { BatchStats, WebhookStats } from '../metrics/jobs.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import type { RequestMeter } from '../metrics/requests.ts';
import type { Tracer } from '../tracing/trace.ts';
import type { Verifier } from '../verify/verifier.ts';
import type { Drawing } from './drawing.ts';
import type { Stores } from './stores.ts';

const verificationSource = (verifier: Verifier, { sql }: Stores['database']) => ({
  stats() {
    const { pictures, failedPages } = verifier.stats();
    return { pictures: { ...pictures }, failedPages };
  },
  // Without the database the other metrics are needed most.
  running: () => countRunningVerifications(sql).catch(() => null),
});

/** Builds the metrics of this process. */
export const metricsOf = (
  { dataDir }: Config,
  { database, quotaMeter, redisQuota, links, items, upkeep }: Stores,
  { pool, cache, logos, freeWork }: Drawing,
  measured: {
    readonly requests: RequestMeter;
    readonly bodies: BodyBudget;
    readonly openStreams: () => number;
    readonly auth: Auth;
    readonly verifier: Verifier;
    readonly batches: () => BatchStats;
    readonly webhooks: () => WebhookStats;
    readonly tracer: Tracer | null;
  },
): Metrics =>
  createMetrics({
    requests: measured.requests,
    bodies: measured.bodies.stats,
    openStreams: measured.openStreams,
    overdrawn: freeWork.overdrawn,
    quota: quotaMeter,
    drain: redisQuota?.stats ?? null,
    pool,
    caches: { results: cache, keys: measured.auth, redirects: links.redirects, items, logos },
    scans: links.scans,
    verifications: verificationSource(measured.verifier, database),
    batches: measured.batches,
    webhooks: measured.webhooks,
    spans: measured.tracer?.stats ?? (() => ({ sent: 0, dropped: 0 })),
    upkeep: upkeep.stats,
    historyRemoved: database.histories.removed,
    diskFreeBytes: database.embedded ? () => freeBytes(dataDir) : null,
    dependencies: { postgres: database.ping, ...(redisQuota === null ? {} : { redis: redisQuota.ping }) },
  });
