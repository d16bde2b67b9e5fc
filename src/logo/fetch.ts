import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { fetch, type Response } from 'undici';
import { createAdmission } from '../limits/admission.ts';
import { ok, type Result, refused } from '../result.ts';
import { parseUrl } from '../texts.ts';
import { inSpan, traceHeaders } from '../tracing/trace.ts';
import {
  addressRule,
  createGuardedAgent,
  isLocalName,
  type NetworkOptions,
  PrivateAddress,
} from './agent.ts';
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

/**
 * Bounds of a fetch, and the network that it may reach. `timeoutMs` is for the whole fetch, redirects and body
 * included.
 */
export interface FetchOptions extends NetworkOptions {
  /** Greatest size of the body after content decoding. */
  readonly maxBytes: number;
  /** Default: 80 and 443. With `allowPrivateNetworks`, any. */
  readonly allowedPorts?: readonly number[];
}

/** The body of a 200, or why there is none. */
type Fetched = Result<Buffer, FetchFault>;

/**
 * Why a fetch failed. `kind` decides the caller's message; `reason` is for the log.
 *
 * `private`: the URL as written names an address that is not public, itself or in the DNS. `port`: it names a port that
 * is not allowed. Both are decided before anything is connected. `busy`: time ran out, and this process was busy for
 * most of it. Every other failure is `not fetched`, redirects to private addresses included, so that nobody can use the
 * service as a port scanner.
 */
interface FetchFault {
  readonly kind: 'private' | 'port' | 'too large' | 'busy' | 'not fetched';
  readonly reason: string;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const PUBLIC_PORTS: readonly number[] = [80, 443];
const HEADERS = {
  accept: 'image/png, image/jpeg, image/webp, image/gif, image/svg+xml',
  'accept-encoding': 'identity',
  'user-agent': 'Tessera',
};

const refuseFetch = (reason: string): Fetched => refused({ kind: 'not fetched', reason });
const tooLarge: Fetched = refused({ kind: 'too large', reason: 'too large' });

/** Returns what is wrong with a URL for any network, or `null`. */
export const urlFault = (url: URL): string | null => {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'URL must begin with http:// or https://';
  if (url.username !== '' || url.password !== '') return 'URL must not hold a user name or a password';
  return null;
};

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'http:' ? 80 : 443);

/** Reads the body. Stops, and closes the connection, at the first byte beyond `maxBytes`. */
const readBody = async (response: Response, maxBytes: number): Promise<Fetched> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) return tooLarge;
    chunks.push(chunk);
  }
  return ok(Buffer.concat(chunks));
};

/** Returns the error that `fetch` has wrapped in its own. */
export const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause : error;

const describe = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Creates a fetcher of files from the public internet, for untrusted callers. */
const createFetcher = (options: FetchOptions) => {
  const { timeoutMs, maxBytes, allowPrivateNetworks } = options;
  const allowedPorts = allowPrivateNetworks ? null : (options.allowedPorts ?? PUBLIC_PORTS);
  const isAllowedAddress = addressRule(options);
  const agent = createGuardedAgent(options);

  const isPortRefused = (url: URL): boolean => allowedPorts !== null && !allowedPorts.includes(portOf(url));

  /** A private address is called private whatever the port, because it would be refused on every port. */
  const refusePort = (url: URL): Fetched => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const isInside = isLocalName(host) || (isIP(host) !== 0 && !isAllowedAddress(host));
    return refused({ kind: isInside ? 'private' : 'port', reason: `port ${portOf(url)} refused` });
  };

  const ask = (url: URL, signal: AbortSignal): Promise<Response> =>
    fetch(url, {
      dispatcher: agent,
      redirect: 'manual',
      signal,
      headers: { ...HEADERS, ...traceHeaders() },
    });

  const follow = async (start: URL, signal: AbortSignal): Promise<Fetched> => {
    let url = start;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const fault = urlFault(url);
      if (fault) return refuseFetch(fault);
      if (isPortRefused(url)) return hops === 0 ? refusePort(url) : refuseFetch('redirect to another port');
      const response = await ask(url, signal).catch((error: unknown) => {
        const cause = causeOf(error);
        if (hops === 0 && cause instanceof PrivateAddress) return cause;
        throw cause;
      });
      if (response instanceof PrivateAddress) return refused({ kind: 'private', reason: response.message });
      if (response.status === 200) return readBody(response, maxBytes);
      await response.body?.cancel();
      const location = response.headers.get('location');
      if (!REDIRECTS.has(response.status) || !location) return refuseFetch(`status ${response.status}`);
      const next = parseUrl(location, url.href);
      if (next === null) return refuseFetch('redirect to no URL');
      url = next;
    }
    return refuseFetch('too many redirects');
  };

  return {
    /** Fetches a file, through at most three redirects. Never throws: every failure is a fault. */
    get: async (url: URL): Promise<Fetched> => {
      const signal = AbortSignal.timeout(timeoutMs);
      const before = performance.eventLoopUtilization();
      try {
        return await inSpan('logo fetch', { kind: 'client' }, () => follow(url, signal));
      } catch (error) {
        const isBusy = signal.aborted && performance.eventLoopUtilization(before).idle < timeoutMs / 2;
        if (isBusy) return refused({ kind: 'busy', reason: 'this process was busy until time ran out' });
        return refuseFetch(describe(causeOf(error)));
      }
    },
    close: (): Promise<void> => agent.destroy(),
  };
};

/** Bounds of fetching and of the cache. */
interface ByUrlOptions extends FetchOptions {
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
