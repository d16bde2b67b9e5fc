import { AppError } from '../../errors.ts';
import { createTokenBuckets, retryAfterS } from '../../limits/token-bucket.ts';
import { networkOf } from '../../links/visitor.ts';

/** How many wrong secrets an address may send. */
export interface GuessOptions {
  /** The wrong secrets in the words of the refusal, such as `unknown keys`. */
  readonly what: string;
  /** Wrong secrets that an address may send at once; `perSecond` more are allowed each second. */
  readonly burst: number;
  readonly perSecond: number;
  /** Addresses remembered; the one unused for longest is forgotten. */
  readonly maxAddresses: number;
}

/** Counts wrong secrets by address. An IPv6 address counts as its /64, because whoever has one address has them all. */
export interface Guesses {
  /** Checks an address. @throws {AppError} 429 while it has sent too many wrong secrets. */
  refuseGuesser(address: string): void;
  /** Counts a wrong secret. */
  note(address: string): void;
}

/** Creates the counts. Right secrets do not count. */
export const createGuesses = (options: GuessOptions): Guesses => {
  const { what, burst, perSecond, maxAddresses } = options;
  const buckets = createTokenBuckets({ capacity: burst, perSecond }, maxAddresses);
  return {
    refuseGuesser(address) {
      const waitMs = buckets.waitMs(networkOf(address), 1);
      if (waitMs === 0) return;
      throw new AppError('rate_limited', `Too many ${what} came from your address; check yours and wait.`, {
        retryAfterS: retryAfterS(waitMs),
      });
    },
    note: (address) => buckets.take(networkOf(address), 1),
  };
};
