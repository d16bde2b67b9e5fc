/** Background work: batches, verifications, webhooks, the upkeep of the database, scans and spans. */
import type { Registry } from 'prom-client';
import type { StreamStats } from '../clickhouse/stream/stream.ts';
import type { HistogramSnapshot } from '../histogram.ts';
import type { Links } from '../links/links.ts';
import type { Tracer } from '../tracing/trace.ts';
import { byLabel, metricsIn } from './scrape.ts';

/** The work on batches: what this process has done, and what is unfinished in the database. */
export interface BatchStats {
  readonly rowsMade: number;
  /** Failed attempts at rows or steps, which are retried. */
  readonly failedTries: number;
  /** Batches that ended because their rows could not be made. */
  readonly givenUp: number;
  /** Unfinished batches by their state. */
  readonly states: Readonly<Record<string, number>>;
  /** Age of the oldest batch that waits to be begun. */
  readonly oldestWaitingS: number;
}

/** The work on link jobs: what this process has done, and what is unfinished in the database. */
export interface LinkJobStats {
  /** Rows by what became of them. */
  readonly rows: Readonly<Record<string, number>>;
  /** Milliseconds of turns. */
  readonly turns: HistogramSnapshot;
  /** Turns that failed, and are made again. */
  readonly failedTries: number;
  /** Jobs that ended because their rows could not be handled. */
  readonly givenUp: number;
  /** Unfinished jobs by their state. */
  readonly states: Readonly<Record<string, number>>;
  /** How long the one that waits longest has waited for a turn; 0: none waits. */
  readonly longestWaitS: number;
}

/** The deliveries of webhooks: tries of this process, and what waits in the database. */
export interface WebhookStats {
  readonly tries: { readonly delivered: number; readonly refused: number; readonly unreachable: number };
  readonly givenUp: number;
  readonly waiting: number;
  readonly oldestS: number;
  readonly unservedS: number;
}

/** What is counted of such work. */
export interface JobSources {
  readonly batches: () => BatchStats;
  readonly linkJobs: () => LinkJobStats;
  readonly webhooks: () => WebhookStats;
  readonly verifications: {
    /** Counts of this process: pictures by their results, and pages that could not be read. */
    stats(): { readonly pictures: Readonly<Record<string, number>>; readonly failedPages: number };
    /** Returns the verifications that run in the whole installation, and the age of the oldest; `null`: not known. */
    running(): Promise<{ readonly count: number; readonly oldestS: number } | null>;
  };
  /** What the upkeep of the database removed since the start of this process. */
  readonly upkeep: () => {
    readonly expired: number;
    readonly purged: number;
    readonly usageFolded: number;
  };
  /** Entries of histories that were removed since then. */
  readonly historyRemoved: () => number;
}

/** Registers batches, webhooks and verifications. Gauges of the database are equal in all processes, hence `max`. */
export const registerJobs = (registry: Registry, { batches, verifications }: JobSources): void => {
  const { counter, gauge } = metricsIn(registry);
  counter('tessera_verifications_pictures_total', 'Pictures that verifications have read.', () =>
    byLabel('result', verifications.stats().pictures),
  );
  counter(
    'tessera_verifications_failed_pages_total',
    'Pages of codes that could not be drawn, read or saved, and are tried again.',
    () => verifications.stats().failedPages,
  );
  gauge(
    'tessera_verifications_running',
    'Verifications of the installation that are not done.',
    async () => (await verifications.running())?.count ?? [],
    'max',
  );
  gauge(
    'tessera_verifications_oldest_seconds',
    'Age of the oldest verification that is not done; 0 without one.',
    async () => (await verifications.running())?.oldestS ?? [],
    'max',
  );

  counter('tessera_batches_rows_made_total', 'Codes of batches that were made.', () => batches().rowsMade);
  counter(
    'tessera_batches_tries_failed_total',
    'Tries of rows or steps of a batch that failed and are made again.',
    () => batches().failedTries,
  );
  counter(
    'tessera_batches_given_up_total',
    'Batches that ended because their rows could not be made.',
    () => batches().givenUp,
  );
  gauge(
    'tessera_batches_unfinished',
    'Batches that have not ended, by their state.',
    () => byLabel('state', batches().states),
    'max',
  );
  gauge(
    'tessera_batches_oldest_waiting_seconds',
    'Age of the oldest batch that is not begun.',
    () => batches().oldestWaitingS,
    'max',
  );
};

/** Registers link jobs: changes, imports and undos. */
export const registerLinkJobs = (registry: Registry, { linkJobs }: JobSources): void => {
  const { counter, gauge, timeHistogram } = metricsIn(registry);
  counter('tessera_link_jobs_rows_total', 'Rows of link jobs, by what became of them.', () =>
    byLabel('outcome', linkJobs().rows),
  );
  timeHistogram('tessera_link_jobs_turn_seconds', 'Time of a turn of a link job that did not fail.', () => [
    [{}, linkJobs().turns],
  ]);
  counter(
    'tessera_link_jobs_tries_failed_total',
    'Turns of link jobs that failed and are made again.',
    () => linkJobs().failedTries,
  );
  counter(
    'tessera_link_jobs_given_up_total',
    'Link jobs that ended because their rows could not be handled.',
    () => linkJobs().givenUp,
  );
  gauge(
    'tessera_link_jobs_unfinished',
    'Link jobs that have not ended, by their state.',
    () => byLabel('state', linkJobs().states),
    'max',
  );
  gauge(
    'tessera_link_jobs_longest_wait_seconds',
    'How long the unfinished link job that has waited longest has had no turn.',
    () => linkJobs().longestWaitS,
    'max',
  );
};

/** Registers the deliveries of webhooks. */
export const registerWebhooks = (registry: Registry, { webhooks }: JobSources): void => {
  const { counter, gauge } = metricsIn(registry);
  counter('tessera_webhooks_tries_total', 'Tries to deliver a webhook.', () =>
    byLabel('outcome', webhooks().tries),
  );
  counter('tessera_webhooks_given_up_total', 'Deliveries that were given up.', () => webhooks().givenUp);
  gauge('tessera_webhooks_waiting', 'Deliveries that wait.', () => webhooks().waiting, 'max');
  gauge(
    'tessera_webhooks_oldest_waiting_seconds',
    'Age of the oldest delivery that waits.',
    () => webhooks().oldestS,
    'max',
  );
  gauge(
    'tessera_webhooks_unserved_seconds',
    'How long a delivery has been due to a webhook for which no gateway has done anything since.',
    () => webhooks().unservedS,
    'max',
  );
};

/** What is counted of visits and of traces. */
export interface ScanSources {
  readonly scans: Pick<Links['scans'], 'stats'>;
  /** Scans that wait in Redis for ClickHouse; `null` where none do. */
  readonly scanStream: (() => StreamStats) | null;
  readonly spans: Tracer['stats'];
}

/** Registers the scans that wait in Redis. They are equal in all processes, hence `max`. */
export const registerScanStream = (registry: Registry, stats: () => StreamStats): void => {
  const { gauge } = metricsIn(registry);
  gauge(
    'tessera_scan_stream_bytes',
    'Scans that wait in Redis for ClickHouse, and what more may wait.',
    () => {
      const { bytes, maxBytes } = stats();
      return byLabel('state', { used: bytes, left: Math.max(0, maxBytes - bytes) });
    },
    'max',
  );
  gauge(
    'tessera_scan_stream_oldest_seconds',
    'Age of the oldest group of scans that waits in Redis for ClickHouse.',
    () => stats().oldestS,
    'max',
  );
};

/** Registers scans and spans. */
export const registerScans = (registry: Registry, { scans, scanStream, spans }: ScanSources): void => {
  const { counter, gauge } = metricsIn(registry);
  counter('tessera_scans_total', 'Scans, by whether they were recorded.', () => {
    const { recorded, dropped, unfit } = scans.stats();
    return byLabel('outcome', { recorded, dropped, unfit });
  });
  gauge('tessera_scans_buffered', 'Scans in memory that will be recorded.', () => scans.stats().buffered);
  if (scanStream !== null) registerScanStream(registry, scanStream);
  counter(
    'tessera_trace_spans_total',
    'Spans that the collector has taken, or that were given up because it did not.',
    () => byLabel('outcome', spans()),
  );
};

/** Registers the upkeep of the database. */
export const registerUpkeep = (registry: Registry, { upkeep, historyRemoved }: JobSources): void => {
  const { counter } = metricsIn(registry);
  counter(
    'tessera_codes_expired_total',
    'Codes and folders that retention moved to the bin.',
    () => upkeep().expired,
  );
  counter(
    'tessera_codes_purged_total',
    'Codes and folders that were purged from the bin.',
    () => upkeep().purged,
  );
  counter(
    'tessera_usage_folded_total',
    'Rows of daily usage that are no longer kept, and became part of the sums of their accounts.',
    () => upkeep().usageFolded,
  );
  counter(
    'tessera_history_removed_total',
    'Entries of histories that were removed because their account has too much of them, or because they are too old.',
    historyRemoved,
  );
};
