import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Allowance, FETCH_MS } from '../allowance.ts';
import { createFairLimiter } from '../fair-limiter.ts';
import type { LogoLog, Normaliser } from '../normalise.ts';
import { BUSY, type LogoOutcome, outcomeBytes, refuse, SPENT } from '../outcome.ts';
import { sniff } from '../sniff.ts';
import { createFetcher, type FetchOptions } from './fetch.ts';

/** Bounds of fetching and of the cache. */
export interface ByUrlOptions extends FetchOptions {
  readonly maxConcurrentFetches: number;
  readonly cacheMaxBytes: number;
  readonly allowance: Allowance;
}

interface Request {
  readonly url: URL;
  readonly accountId: string;
  readonly isFree: boolean;
}

/** How long a logo is kept. A new picture behind its URL shows after that. */
const LOGO_TTL_MS = 180_000;
const FAULT_TTL_MS = 5000;

/**
 * One text for an unreachable host, a refused redirect and an answer that is not an image, so that nobody can use the
 * service as a port scanner.
 */
const NOT_FETCHED = refuse(
  'fetch',
  'URL could not be fetched; it must answer anyone quickly with a PNG, JPEG, WebP, GIF or SVG',
);

const PRIVATE_ADDRESS = refuse(
  'fetch',
  'URL leads to an address that is not public; private addresses are switched off (LOGO_ALLOW_PRIVATE_NETWORKS)',
);

/** Creates a source of logos by URL. Each URL is fetched once for all who ask meanwhile, and kept for three minutes. */
export const createUrlLogos = (options: ByUrlOptions, normaliser: Normaliser, log: LogoLog) => {
  const { maxConcurrentFetches, maxBytes, timeoutMs, allowance } = options;
  const fetcher = createFetcher(options);
  const limiter = createFairLimiter({
    maxRunning: maxConcurrentFetches,
    maxRunningPerAccount: Math.ceil(maxConcurrentFetches / 2),
    maxWaiting: maxConcurrentFetches * 10,
    maxWaitingPerAccount: maxConcurrentFetches * 5,
    maxWaitMs: timeoutMs,
  });
  const refusals = {
    private: PRIVATE_ADDRESS,
    port: refuse('fetch', 'URL must use port 80 or 443'),
    'too large': refuse('size', `is larger than ${maxBytes} bytes; send a smaller logo`),
    'not fetched': NOT_FETCHED,
  };

  const fetchAndDecode = async ({ url, accountId, isFree }: Request): Promise<LogoOutcome> => {
    const fetched = await limiter.run(accountId, () => fetcher.get(url));
    if (fetched === null) return BUSY;
    if (!fetched.ok) {
      log.debug({ accountId, host: url.host, reason: fetched.fault.reason }, 'logo not fetched');
      return refusals[fetched.fault.kind];
    }
    const bytes = fetched.value;
    const id = createHash('sha256').update(bytes).digest('hex');
    const isSvg = sniff(bytes) === 'svg';
    const outcome = await normaliser.normalise({ id, isSvg, accountId, isFree, load: () => bytes });
    return !outcome.ok && outcome.fault.stage === 'type' ? NOT_FETCHED : outcome;
  };

  const load = async (request: Request): Promise<LogoOutcome> => {
    const { accountId, isFree } = request;
    if (allowance.isSpent(accountId)) return SPENT;
    const outcome = await fetchAndDecode(request);
    const isInVain = !outcome.ok && outcome !== BUSY && outcome !== SPENT;
    if (isFree || isInVain) allowance.spend(accountId, FETCH_MS);
    return outcome;
  };

  const cache = new LRUCache<string, LogoOutcome, Request>({
    maxSize: options.cacheMaxBytes,
    ttl: LOGO_TTL_MS,
    sizeCalculation: outcomeBytes,
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context, options: entry }) => {
      const outcome = await load(context);
      if (!outcome.ok) entry.ttl = FAULT_TTL_MS;
      return outcome;
    },
  });

  return {
    async resolve(request: Request): Promise<LogoOutcome> {
      const key = request.url.href;
      const outcome = (await cache.fetch(key, { context: request })) ?? BUSY;
      if (outcome !== BUSY && outcome !== SPENT) return outcome;
      cache.delete(key);
      // The refusal may be meant for another account, which asked for the same logo first.
      const isOthers = outcome === SPENT && !allowance.isSpent(request.accountId);
      return isOthers ? this.resolve(request) : outcome;
    },
    stats: () => ({ ...limiter.stats(), cacheEntries: cache.size, cacheBytes: cache.calculatedSize }),
    close: async (): Promise<void> => {
      limiter.close();
      await fetcher.close();
    },
  };
};
