import type { Registry } from 'prom-client';
import type { LogoSource } from '../logo/source.ts';
import type { ResultCache } from '../render/result-cache.ts';
import { counter, gauge, type Sample } from './scrape.ts';

interface CacheStats {
  readonly entries: number;
  readonly bytes?: number;
  /** Requests by how the cache served them; absent: not counted. */
  readonly requests?: Readonly<Record<string, number>>;
}

/** A look-up through a cache either asked the database or not. */
type Lookups = () => { readonly entries: number; readonly hits: number; readonly misses: number };

export interface Caches {
  readonly results: Pick<ResultCache, 'stats'>;
  readonly keys: { readonly stats: Lookups };
  readonly redirects: { readonly stats: Lookups };
  readonly logos: Pick<LogoSource, 'stats'>;
}

const ofLookups = (stats: Lookups) => (): CacheStats => {
  const { entries, hits, misses } = stats();
  return { entries, requests: { hit: hits, miss: misses } };
};

const byName = ({ results, keys, redirects, logos }: Caches): Record<string, () => CacheStats> => ({
  results() {
    const { entries, bytes, hits, shared, misses } = results.stats();
    return { entries, bytes, requests: { hit: hits, shared, miss: misses } };
  },
  keys: ofLookups(keys.stats),
  redirects: ofLookups(redirects.stats),
  logos() {
    const { cacheEntries, cacheBytes } = logos.stats();
    return { entries: cacheEntries, bytes: cacheBytes };
  },
  logo_urls() {
    const { cacheEntries, cacheBytes } = logos.stats().urls;
    return { entries: cacheEntries, bytes: cacheBytes };
  },
});

export const registerCaches = (registry: Registry, sources: Caches): void => {
  const caches = byName(sources);
  const each = (samplesOf: (cache: string, stats: CacheStats) => readonly Sample[]) => () =>
    Object.entries(caches).flatMap(([cache, stats]) => samplesOf(cache, stats()));

  counter(
    registry,
    'tessera_cache_requests_total',
    'Look-ups; "shared" ones waited for another request that was on its way.',
    each((cache, { requests = {} }) =>
      Object.entries(requests).map(([result, count]) => [{ cache, result }, count]),
    ),
  );
  gauge(
    registry,
    'tessera_cache_entries',
    'Entries kept.',
    each((cache, { entries }) => [[{ cache }, entries]]),
  );
  gauge(
    registry,
    'tessera_cache_bytes',
    'Size of the entries kept.',
    each((cache, { bytes }) => (bytes === undefined ? [] : [[{ cache }, bytes]])),
  );
};
