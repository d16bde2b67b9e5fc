import { AppError } from '../../errors.ts';
import { createTokenBuckets, retryAfterS } from '../../limits/token-bucket.ts';
import { networkOf } from '../../links/visitor.ts';

export interface GuessOptions {
  /** What was guessed, in the words of the refusal: `unknown keys`. */
  readonly what: string;
  /** Wrong ones that an address may send at once, and then each second. */
  readonly burst: number;
  readonly perSecond: number;
  /** Addresses remembered; the one unused for longest is forgotten. */
  readonly maxAddresses: number;
}

/** An address; an IPv6 one counts with its /64, since whoever has one has all of it. */
export interface Guesses {
  /** @throws {AppError} 429 while too many wrong ones came from the address. */
  refuseGuesser(address: string): void;
  /** Counts a wrong one. */
  note(address: string): void;
}

/** Slows addresses that send secrets which nobody has. Only wrong ones count. */
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
