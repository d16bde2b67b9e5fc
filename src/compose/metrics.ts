/** Where the metrics of gateways come from. */
import type { Config } from '../config/config.ts';
import { freeBytes } from '../db/embedded/folder.ts';
import { countRunningVerifications } from '../db/tables/verifications.ts';
import type { Auth } from '../http/auth/auth.ts';
import type { BatchStats, LinkJobStats, WebhookStats } from '../metrics/jobs.ts';
import { createMetrics, type DrawingSources, type Metrics, type ServingSources } from '../metrics/metrics.ts';
import type { Ping } from '../metrics/process.ts';
import type { Tracer } from '../tracing/trace.ts';
import type { Verifier } from '../verify/verifier.ts';
import type { Drawing } from './drawing.ts';
import type { LinkStores } from './link-stores.ts';
import type { openServer } from './serving.ts';
import type { Stores } from './stores.ts';

/** What is counted of the requests of a gateway, and of its traces. */
export interface MeasuredServing
  extends Pick<ReturnType<typeof openServer>, 'requests' | 'bodies' | 'openStreams'> {
  readonly tracer: Tracer | null;
}

/** @param more Pings of stores that only some have. */
const servingSourcesOf = (
  { dataDir }: Pick<Config, 'dataDir'>,
  { database, pingScans, scanStream, links, items }: LinkStores,
  { requests, bodies, openStreams, tracer }: MeasuredServing,
  more: Readonly<Record<string, Ping>> = {},
): ServingSources => ({
  requests,
  bodies: bodies.stats,
  openStreams,
  visitCaches: { redirects: links.redirects, items },
  scans: links.scans,
  scanStream: scanStream?.stats ?? null,
  spans: tracer?.stats ?? (() => ({ sent: 0, dropped: 0 })),
  diskFreeBytes: database.embedded ? () => freeBytes(dataDir) : null,
  databaseTimes: database.times,
  replica: database.replica?.stats ?? (() => ({ lagSeconds: null, reads: 0 })),
  dependencies: {
    postgres: database.ping,
    ...(database.replica === null ? {} : { replica: database.replica.ping }),
    ...(pingScans === null ? {} : { clickhouse: pingScans }),
    ...(scanStream === null ? {} : { redis: scanStream.ping }),
    ...more,
  },
});

const verificationSource = (verifier: Verifier, { sql }: Stores['database']) => ({
  stats() {
    const { pictures, failedPages } = verifier.stats();
    return { pictures: { ...pictures }, failedPages };
  },
  // Without the database the other metrics are needed most.
  running: () => countRunningVerifications(sql).catch(() => null),
});

/** What is measured of calls and of work. */
interface MeasuredWork {
  readonly auth: Auth;
  readonly verifier: Verifier;
  readonly batches: { readonly engine: { stats(): BatchStats } };
  readonly linkJobs: { stats(): LinkJobStats };
  readonly webhooks: { readonly sender: { stats(): WebhookStats } };
}

const drawingSourcesOf = (
  { database, quotaMeter, redisQuota, upkeep }: Stores,
  { pool, cache, logos, freeWork }: Drawing,
  { auth, verifier, batches, linkJobs, webhooks }: MeasuredWork,
): DrawingSources => ({
  overdrawn: freeWork.overdrawn,
  quota: quotaMeter,
  drain: redisQuota?.stats ?? null,
  pool,
  callCaches: { results: cache, keys: auth, logos },
  verifications: verificationSource(verifier, database),
  batches: batches.engine.stats,
  linkJobs: linkJobs.stats,
  webhooks: webhooks.sender.stats,
  upkeep: upkeep?.stats ?? (() => ({ expired: 0, purged: 0, usageFolded: 0 })),
  historyRemoved: database.histories.removed,
});

/** Builds the metrics of a gateway that draws. */
export const metricsOf = (
  config: Config,
  stores: Stores,
  drawing: Drawing,
  measured: MeasuredServing & MeasuredWork,
): Metrics => {
  const { redisQuota } = stores;
  const more: Readonly<Record<string, Ping>> = redisQuota === null ? {} : { redis: redisQuota.ping };
  return createMetrics(
    servingSourcesOf(config, stores, measured, more),
    drawingSourcesOf(stores, drawing, measured),
  );
};

/** Builds those of a gateway that serves redirects alone. */
export const redirectMetricsOf = (config: Config, stores: LinkStores, measured: MeasuredServing): Metrics =>
  createMetrics(servingSourcesOf(config, stores, measured), null);
