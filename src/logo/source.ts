import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Fault } from '../../workers/protocol.ts';
import { createAdmission } from '../limits/admission.ts';
import { parseUrl } from '../parse-url.ts';
import { ok, type Result } from '../result.ts';
import { createUrlLogos } from './by-url.ts';
import { type DataUri, decodeBase64, isDataUri, parseDataUri } from './data-uri.ts';
import { type FetchOptions, urlFault } from './fetch.ts';
import { createNormaliser, type LogoLog } from './normalise.ts';
import { type Allowance, BUSY, type LogoFault, type LogoOutcome, refuse, UNBOUNDED } from './outcome.ts';

/** Bounds of fetching and decoding. What is absent takes a default from `DEFAULTS`. */
export interface LogoOptions {
  /** `LOGO_FETCH_TIMEOUT_MS`, `LOGO_MAX_BYTES` and `LOGO_ALLOW_PRIVATE_NETWORKS`. */
  readonly fetchTimeoutMs?: number;
  readonly maxBytes?: number;
  readonly allowPrivateNetworks?: boolean;
  /** Bytes of decoded logos: one half for logos by URL, the other for all logos by their content. */
  readonly cacheMaxBytes?: number;
  readonly maxConcurrentFetches?: number;
  readonly svgTimeoutMs?: number;
  readonly svgWaitMs?: number;
  readonly svgMaxMemoryBytes?: number;
  /** Counts the cost of logos for which no unit pays. Absent: nothing is counted. */
  readonly allowance?: Allowance;
  /** Replaces the public internet and its rules. */
  readonly network?: Pick<FetchOptions, 'lookup' | 'isAllowedAddress' | 'allowedPorts'>;
}

/** For whom a logo is found. */
export interface LogoContext {
  /** Accounts take turns: each has its own queue. */
  readonly accountId: string;
  /** The call costs no units, so the logo counts as free work even when it can be used. */
  readonly isFree?: boolean;
}

const DEFAULTS = {
  fetchTimeoutMs: 5000,
  maxBytes: 2_097_152,
  allowPrivateNetworks: false,
  cacheMaxBytes: 64 * 1024 * 1024,
  maxConcurrentFetches: 20,
  svgTimeoutMs: 1000,
  svgWaitMs: 10_000,
  svgMaxMemoryBytes: 192 * 1024 * 1024,
  allowance: UNBOUNDED,
};
const MAX_CONNECTIONS_PER_HOST = 4;
const MAX_URL_CHARACTERS = 4096;

const SYNTAX = refuse(
  'syntax',
  'must be an http(s) URL or a base64 data:image/... URI (png, jpeg, webp, gif or svg)',
);

/** Hashing two megabytes takes milliseconds, so logos are hashed one by one, each in a turn of the event loop. */
const HASH_LIMITS = { maxRunning: 1, maxWaiting: 2000, maxWaitingPerKey: 200, maxWaitMs: 10_000 };

const hash = async ({ labelledSvg, payload }: DataUri): Promise<string> => {
  await setImmediate();
  return `${labelledSvg ? 'svg' : 'bitmap'} ${createHash('sha256').update(payload).digest('hex')}`;
};

/** Creates a source of logos. It takes a URL or a data URI, and returns a bounded PNG or a fault. */
export const createLogoSource = (options: LogoOptions, log: LogoLog) => {
  const config = { ...DEFAULTS, ...options };
  const cacheMaxBytes = Math.floor(config.cacheMaxBytes / 2);
  const normaliser = createNormaliser({ ...config, cacheMaxBytes }, log);
  const urlLogos = createUrlLogos(
    {
      ...config,
      ...config.network,
      cacheMaxBytes,
      timeoutMs: config.fetchTimeoutMs,
      maxConnectionsPerHost: MAX_CONNECTIONS_PER_HOST,
    },
    normaliser,
    log,
  );
  const hashing = createAdmission(HASH_LIMITS);
  const outcomes: Partial<Record<LogoFault['stage'] | 'ok', number>> = {};

  const checkUrl = (image: string): Result<URL, LogoFault> => {
    const url = image.length > MAX_URL_CHARACTERS ? null : parseUrl(image);
    if (url === null) return SYNTAX;
    const fault = urlFault(url);
    return fault ? refuse('syntax', fault) : ok(url);
  };

  const parse = (image: string): Result<URL | DataUri, LogoFault> =>
    isDataUri(image) ? parseDataUri(image) : checkUrl(image);

  const find = async (image: string, { accountId, isFree = false }: LogoContext): Promise<LogoOutcome> => {
    const parsed = parse(image);
    if (!parsed.ok) return parsed;
    const { value } = parsed;
    if (value instanceof URL) return urlLogos.resolve({ url: value, accountId, isFree });
    // Nothing is kept of a data URI but its hash.
    const id = await hashing.run(accountId, () => hash(value));
    if (id === null) return BUSY;
    const load = () => decodeBase64(value.payload);
    return normaliser.normalise({ id, isSvg: value.labelledSvg, accountId, isFree, load });
  };

  return {
    /** Returns what is wrong with the text of `image`, or `null`. Fetches and decodes nothing. */
    checkSyntax: (image: string): Fault | null => {
      const parsed = parse(image);
      return parsed.ok ? null : parsed.fault;
    },
    /** Finds a logo. Throws only when the SVG thread cannot be started. */
    resolve: async (image: string, context: LogoContext): Promise<LogoOutcome> => {
      const outcome = await find(image, context);
      const label = outcome.ok ? 'ok' : outcome.fault.stage;
      outcomes[label] = (outcomes[label] ?? 0) + 1;
      return outcome;
    },
    /** Gauges and counters for the metrics. `outcomes` are counted by `ok` or by stage. */
    stats: () => ({ ...normaliser.stats(), urls: urlLogos.stats(), outcomes: { ...outcomes } }),
    /** Refuses the logos that wait, and ends the connections and the SVG thread. */
    close: async (): Promise<void> => {
      hashing.close();
      await Promise.all([urlLogos.close(), normaliser.close()]);
    },
  };
};

/** Finds logos; see `createLogoSource`. */
export type LogoSource = ReturnType<typeof createLogoSource>;
