import { AppError } from '../../errors.ts';
import { createAdmission } from '../../limits/admission.ts';
import { createTokenBuckets, retryAfterS } from '../../limits/token-bucket.ts';
import { networkOf } from '../../links/scan.ts';

/** How many wrong secrets an address may send. */
export interface GuessOptions {
  /** The wrong secrets in the words of the refusal, such as `unknown keys`. */
  readonly what: string;
  /** Wrong secrets that an address may send at once; `perSecond` more are allowed each second. */
  readonly burst: number;
  readonly perSecond: number;
  /** Addresses remembered; the least recently used one is evicted. */
  readonly maxAddresses: number;
}

/**
 * Counts wrong secrets by address; right ones do not count. An IPv6 address counts as its /64, because whoever has one
 * address has them all.
 */
export const createGuesses = ({ what, burst, perSecond, maxAddresses }: GuessOptions) => {
  const buckets = createTokenBuckets({ capacity: burst, perSecond }, maxAddresses);
  return {
    /** Checks an address. @throws {AppError} 429 while it has sent too many wrong secrets. */
    refuseGuesser(address: string): void {
      const waitMs = buckets.waitMs(networkOf(address), 1);
      if (waitMs === 0) return;
      throw new AppError('rate_limited', `Too many ${what} came from your address; check yours and wait.`, {
        retryAfterS: retryAfterS(waitMs),
      });
    },
    /** Counts a wrong secret. */
    note: (address: string): void => buckets.take(networkOf(address), 1),
  };
};

/** Concurrent look-ups for one address. */
const MAX_LOOKUPS = 100;

/** Looks secrets up; see `createLookUp`. */
export type LookUp = ReturnType<typeof createLookUp>;

/**
 * Creates the look-up of secrets in a cache, which slows addresses that send unknown ones.
 *
 * @param secrets Their name at the beginning of a sentence.
 */
export const createLookUp = (secrets: 'Keys' | 'Signing secrets') => {
  const what = `unknown ${secrets.toLowerCase()}`;
  const guesses = createGuesses({ what, burst: 20, perSecond: 10, maxAddresses: 10_000 });
  const admission = createAdmission({ maxRunningPerKey: MAX_LOOKUPS });

  const ask = async <V>(find: () => Promise<V | null>, address: string): Promise<V | null> => {
    guesses.refuseGuesser(address);
    const leave = admission.tryEnter(networkOf(address));
    if (leave === null)
      throw new AppError('rate_limited', 'Too many keys from your address are being looked up; slow down.', {
        retryAfterS: 1,
      });
    try {
      const found = await find();
      if (found === null) guesses.note(address);
      return found;
    } finally {
      leave();
    }
  };

  /**
   * Returns what the cache has of a secret; `null`: it is unknown, which counts against the address.
   *
   * @throws {AppError} 429 when the address has sent too many unknown ones, 503 when the database is unavailable.
   */
  return async <V extends object>(
    { has, get }: { has(key: string): boolean; get(key: string): Promise<V | null> },
    key: string,
    address: string,
  ): Promise<V | null> => {
    try {
      return await (has(key) ? get(key) : ask(() => get(key), address));
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      const details = `${secrets} cannot be looked up at the moment; try again.`;
      throw new AppError('unavailable', details, { retryAfterS: 1, cause });
    }
  };
};
