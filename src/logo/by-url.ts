import { createHash } from 'node:crypto';
import { createAdmission } from '../limits/admission.ts';
import { createFetcher, type FetchOptions } from './fetch.ts';
import type { LogoLog, Normaliser } from './normalise.ts';
import {
  type Allowance,
  BUSY,
  createOutcomes,
  FETCH_MS,
  type LogoOutcome,
  refuse,
  SPENT,
} from './outcome.ts';
import { sniff } from './sniff.ts';

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

/** Creates a source of logos by URL. Each URL is fetched once for concurrent callers, and kept for three minutes. */
export const createUrlLogos = (options: ByUrlOptions, normaliser: Normaliser, log: LogoLog) => {
  const { maxConcurrentFetches, maxBytes, timeoutMs, allowance } = options;
  const fetcher = createFetcher(options);
  const limiter = createAdmission({
    maxRunning: maxConcurrentFetches,
    maxRunningPerKey: Math.ceil(maxConcurrentFetches / 2),
    maxWaiting: maxConcurrentFetches * 10,
    maxWaitingPerKey: maxConcurrentFetches * 5,
    maxWaitMs: timeoutMs,
  });
  const refusals = {
    private: PRIVATE_ADDRESS,
    busy: BUSY,
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

  const outcomes = createOutcomes({
    maxBytes: options.cacheMaxBytes,
    logoTtlMs: LOGO_TTL_MS,
    faultTtlMs: FAULT_TTL_MS,
    allowance,
  });

  return {
    resolve: (request: Request): Promise<LogoOutcome> =>
      outcomes.find(request.url.href, request.accountId, () => load(request)),
    stats: () => ({ ...limiter.stats(), ...outcomes.stats() }),
    close: async (): Promise<void> => {
      limiter.close();
      await fetcher.close();
    },
  };
};
