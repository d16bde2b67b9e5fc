import { LRUCache } from 'lru-cache';
import type { Fault, Logo } from '../../workers/protocol.ts';
import { type Refused, type Result, refused } from '../result.ts';

/** Bounds the processor time that logos may cost an account that pays no units for them. */
export interface Allowance {
  /** Whether the account has used up its allowance. Then nothing is fetched or decoded for it. */
  isSpent(accountId: string): boolean;
  /** Adds milliseconds of processor time. */
  spend(accountId: string, ms: number): void;
}

/** Milliseconds to start a new SVG thread after a drawing was stopped by force. */
export const THREAD_START_MS = 40;
/** Milliseconds of processor time that a fetch costs: names, connections, the answer. */
export const FETCH_MS = 5;

/** Counts nothing and is never used up. */
export const UNBOUNDED: Allowance = { isSpent: () => false, spend: () => {} };

/**
 * The step at which a logo was refused; also a label of the metrics.
 *
 * `busy` is the service's fault (a 503 and a refund). `spent` means that the account has used up its free work (429).
 * Every other stage is the caller's fault (400).
 */
export type LogoStage = 'syntax' | 'type' | 'size' | 'decode' | 'svg' | 'fetch' | 'busy' | 'spent';

/** Why a logo is not used. `field` is `image`. */
export interface LogoFault extends Fault {
  readonly stage: LogoStage;
}

/** A logo that is ready to be drawn, and its hash. */
export interface FoundLogo {
  /**
   * `png` is shared by all requests that use the logo, and is marked as not transferable. `widthPx` and `heightPx` are
   * the upright natural size, which decides how the logo is placed. For an SVG they are user units and may be
   * fractions. The PNG has their aspect ratio to within half a pixel, and at most 1024 px a side.
   */
  readonly logo: Logo;
  /** SHA-256 of the PNG, the natural size and the paths, hexadecimal. */
  readonly sha256: string;
}

/** A logo, or why it is not used. */
export type LogoOutcome = Result<FoundLogo, LogoFault>;

/** Returns a fault on `image`. The message continues a sentence that begins with the name of the field. */
export const refuse = (stage: LogoStage, message: string): Refused<LogoFault> =>
  refused({ stage, field: 'image', message });

/** The service has too many logos to prepare, or the machine too much else to do. Never kept in a cache. */
export const BUSY = refuse(
  'busy',
  'could not be prepared in time, because the service is busy; try again in a moment',
);

/** The account has used up its free work. Never kept in a cache. */
export const SPENT = refuse('spent', 'too many logos of this account failed; wait, and correct them');

/** Returns roughly the bytes of a logo: of its PNG and its paths. */
export const logoBytes = ({ png, vector }: Logo): number =>
  png.byteLength + (vector?.figures.reduce((sum, { path }) => sum + path.length + 200, 0) ?? 0);

/** Returns roughly the bytes that an outcome and its key take in a cache. */
const outcomeBytes = (outcome: LogoOutcome, key: string): number =>
  500 + key.length + (outcome.ok ? logoBytes(outcome.value.logo) : 0);

/** How long and how many outcomes are kept. */
interface OutcomesOptions {
  readonly maxBytes: number;
  /** Absent: logos are kept as long as there is room. */
  readonly logoTtlMs?: number;
  readonly faultTtlMs: number;
  readonly allowance: Allowance;
}

/** Creates a cache of outcomes. Each is loaded once for all concurrent callers. */
export const createOutcomes = ({ maxBytes, logoTtlMs = 0, faultTtlMs, allowance }: OutcomesOptions) => {
  const cache = new LRUCache<string, LogoOutcome, () => Promise<LogoOutcome>>({
    maxSize: maxBytes,
    ttl: logoTtlMs,
    sizeCalculation: outcomeBytes,
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context: load, options }) => {
      const outcome = await load();
      if (!outcome.ok) options.ttl = faultTtlMs;
      return outcome;
    },
  });

  /** Returns the outcome that is kept, or that `load` makes for the account. */
  const find = async (
    key: string,
    accountId: string,
    load: () => Promise<LogoOutcome>,
  ): Promise<LogoOutcome> => {
    const outcome = (await cache.fetch(key, { context: load })) ?? BUSY;
    if (outcome !== BUSY && outcome !== SPENT) return outcome;
    cache.delete(key);
    // The refusal may be meant for another account, which asked for the same logo first.
    const isOthers = outcome === SPENT && !allowance.isSpent(accountId);
    return isOthers ? find(key, accountId, load) : outcome;
  };

  return { find, stats: () => ({ cacheEntries: cache.size, cacheBytes: cache.calculatedSize }) };
};
