import type { Registry } from 'prom-client';
import type { LogoSource } from '../logo/source.ts';
import type { RenderPool } from '../render/pool.ts';
import type { ResultCache } from '../render/result-cache.ts';
import { byLabel, metricsIn, type Sample } from './scrape.ts';

/** Registers the render queue and its threads. */
export const registerRendering = (registry: Registry, stats: RenderPool['stats']): void => {
  const { counter, gauge, timeHistogram } = metricsIn(registry);
  gauge('tessera_render_tasks_queued', 'Pictures that wait for a thread.', () =>
    byLabel('kind', stats().queued),
  );
  gauge(
    'tessera_render_queue_seconds',
    'Estimated work that waits, on one thread.',
    () => stats().queuedMs / 1000,
  );
  gauge(
    'tessera_render_queue_bytes',
    'Estimated memory of pictures that wait: texts and logos.',
    () => stats().queuedBytes,
  );
  gauge('tessera_render_tasks_running', 'Pictures in threads.', () => stats().running);
  gauge('tessera_render_threads', 'Render threads.', () => stats().threads);
  gauge(
    'tessera_render_threads_stuck',
    'Threads that hang and cannot be stopped; with two of them the process drains and ends.',
    () => stats().stuckThreads,
  );
  gauge(
    'tessera_render_pace',
    'How long pictures take, as a multiple of their estimates: a moving average.',
    () => stats().pace,
    'average',
  );
  counter('tessera_render_failures_total', 'Pictures that were not drawn.', () => {
    const { failures, faults } = stats();
    return byLabel('reason', { ...failures, fault: faults });
  });
  counter('tessera_pictures_total', 'Pictures that were drawn, by their grade.', () =>
    byLabel('grade', Object.fromEntries(stats().grades.entries())),
  );
  timeHistogram(
    'tessera_render_wait_seconds',
    'From the arrival of a picture until it is handed to a thread.',
    () => [[{}, stats().queueMs]],
  );
  timeHistogram('tessera_render_duration_seconds', 'Drawing of a picture in its thread.', () =>
    Object.entries(stats().renderMs).map(([lane, snapshot]) => [{ lane }, snapshot] as const),
  );
};

interface CacheStats {
  readonly entries: number;
  readonly bytes?: number;
  /** Requests by how the cache served them; absent when they are not counted. */
  readonly requests?: Readonly<Record<string, number>>;
}

/** Counts of a cache in front of the database. A miss asked the database. */
type Lookups = () => { readonly entries: number; readonly hits: number; readonly misses: number };

/** What is kept of where visits lead. */
export interface VisitCaches {
  readonly redirects: { readonly stats: Lookups };
  /** `null`: the resolver is off. */
  readonly items: { readonly stats: Lookups } | null;
}

/** What is kept of answers, keys and logos. */
export interface CallCaches {
  readonly results: Pick<ResultCache, 'stats'>;
  readonly keys: { readonly stats: Lookups };
  readonly logos: Pick<LogoSource, 'stats'>;
}

const ofLookups = (stats: Lookups) => (): CacheStats => {
  const { entries, hits, misses } = stats();
  return { entries, requests: { hit: hits, miss: misses } };
};

type StatsByName = Readonly<Record<string, () => CacheStats>>;

const ofVisits = ({ redirects, items }: VisitCaches): StatsByName => ({
  redirects: ofLookups(redirects.stats),
  ...(items !== null && { items: ofLookups(items.stats) }),
});

const ofCalls = ({ results, keys, logos }: CallCaches): StatsByName => ({
  results() {
    const { entries, bytes, hits, shared, misses } = results.stats();
    return { entries, bytes, requests: { hit: hits, shared, miss: misses } };
  },
  keys: ofLookups(keys.stats),
  logos() {
    const { cacheEntries, cacheBytes } = logos.stats();
    return { entries: cacheEntries, bytes: cacheBytes };
  },
  logo_urls() {
    const { cacheEntries, cacheBytes } = logos.stats().urls;
    return { entries: cacheEntries, bytes: cacheBytes };
  },
});

/** Registers the requests, entries and size of each cache, labelled by its name. @param calls `null`: there are no calls. */
export const registerCaches = (registry: Registry, visits: VisitCaches, calls: CallCaches | null): void => {
  const { counter, gauge } = metricsIn(registry);
  const caches: StatsByName = { ...(calls !== null && ofCalls(calls)), ...ofVisits(visits) };
  const each = (samplesOf: (cache: string, stats: CacheStats) => readonly Sample[]) => () =>
    Object.entries(caches).flatMap(([cache, stats]) => samplesOf(cache, stats()));

  counter(
    'tessera_cache_requests_total',
    'Look-ups, by result; "shared" ones were answered by another request that was under way.',
    each((cache, { requests = {} }) =>
      Object.entries(requests).map(([result, count]) => [{ cache, result }, count]),
    ),
  );
  gauge(
    'tessera_cache_entries',
    'Entries in the cache.',
    each((cache, { entries }) => [[{ cache }, entries]]),
  );
  gauge(
    'tessera_cache_bytes',
    'Size of the entries in the cache.',
    each((cache, { bytes }) => (bytes === undefined ? [] : [[{ cache }, bytes]])),
  );
};

/** Registers the logos that were asked for, and those under way at each step. */
export const registerLogos = (registry: Registry, stats: LogoSource['stats']): void => {
  const { counter, gauge } = metricsIn(registry);
  const bySteps = (what: 'running' | 'waiting') => (): readonly Sample[] => {
    const { bitmaps, svgs, urls } = stats();
    return byLabel('step', { fetch: urls[what], bitmap: bitmaps[what], svg: svgs[what] });
  };
  counter('tessera_logos_total', 'Logos that were asked for: "ok", or the step that rejected them.', () =>
    byLabel('outcome', stats().outcomes),
  );
  gauge('tessera_logos_running', 'Logos that are being fetched or decoded.', bySteps('running'));
  gauge('tessera_logos_waiting', 'Logos that wait for one of these steps.', bySteps('waiting'));
};
