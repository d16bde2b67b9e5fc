import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Fault } from '../../workers/protocol.ts';
import { createAdmission } from '../limits/admission.ts';
import { ok, type Result } from '../result.ts';
import { parseUrl } from '../texts.ts';
import { createUrlLogos, type FetchOptions, urlFault } from './fetch.ts';
import { createNormaliser, type LogoLog } from './normalise.ts';
import { type Allowance, BUSY, type LogoFault, type LogoOutcome, refuse, UNBOUNDED } from './outcome.ts';

/** Specification 2.1: `image` has at most this many characters. */
const MAX_CHARACTERS = 2_000_000;
/** Longer than any accepted header. Bounds the search for the comma. */
const MAX_HEADER_CHARACTERS = 80;

const HEADER = /^data:image\/(png|jpeg|jpg|webp|gif|svg\+xml)(?:;charset=(?:utf-8|us-ascii))?;base64$/i;

/** A `data:` URI whose header is accepted. Its payload is not checked yet. */
interface DataUri {
  /** Whether the header says SVG; otherwise it says PNG, JPEG, WebP or GIF. */
  readonly labelledSvg: boolean;
  /** Base64. */
  readonly payload: string;
}

/** Whether the text begins as a `data:` URI, acceptable or not. */
const isDataUri = (image: string): boolean => /^data:/i.test(image);

/** Reads the header of a `data:` URI (RFC 2397). Takes no notable time, because it does not read the payload. */
const parseDataUri = (image: string): Result<DataUri, LogoFault> => {
  if (image.length > MAX_CHARACTERS) {
    return refuse('syntax', `is longer than ${MAX_CHARACTERS} characters; send a smaller logo`);
  }
  const comma = image.slice(0, MAX_HEADER_CHARACTERS).indexOf(',');
  const header = HEADER.exec(image.slice(0, Math.max(0, comma)));
  if (!header) {
    return refuse('syntax', 'data URI must start with data:image/<png, jpeg, webp, gif or svg+xml>;base64,');
  }
  if (comma + 1 === image.length) return refuse('syntax', 'data URI is empty');
  return ok({ labelledSvg: header[1]?.toLowerCase() === 'svg+xml', payload: image.slice(comma + 1) });
};

/**
 * Decodes base64 (RFC 4648, either alphabet), padded or not. White space is skipped, because long URIs are often
 * folded. Returns `null` for any other text.
 *
 * `Buffer` reads a character beyond ASCII as the one with the same low byte, and drops what it cannot read. A dropped
 * character makes the result shorter than expected from the length, unless the length leaves a remainder of one
 * character, which valid base64 never does.
 */
export const decodeBase64 = (payload: string): Buffer | null => {
  const characters = payload.replace(/\s+/g, '').replace(/={1,2}$/, '');
  const { length } = characters;
  if (length === 0 || length % 4 === 1 || Buffer.byteLength(characters) !== length) return null;
  const bytes = Buffer.from(characters, 'base64');
  return bytes.length === Math.floor((length * 3) / 4) ? bytes : null;
};

/** Bounds of fetching and decoding. What is absent takes a default from `DEFAULTS`. */
interface LogoOptions {
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
interface LogoContext {
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
