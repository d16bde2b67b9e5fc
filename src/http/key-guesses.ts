import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import { networkOf } from '../links/visitor.ts';

export interface KeyGuessOptions {
  /** Unknown keys that one address may send at once, and then each second. */
  readonly burst: number;
  readonly perSecond: number;
  /** Look-ups for one address under way, whatever comes of them. */
  readonly maxLookups: number;
  /** Addresses remembered; the one unused for longest is forgotten. */
  readonly maxAddresses: number;
}

export interface KeyGuesses {
  /**
   * Looks a key up that is not cached. What turns out to be unknown is counted against the address.
   *
   * @param address An IPv6 one counts with its /64: whoever has one has all of it.
   * @throws {AppError} 429 while the address has sent too many; nothing is looked up then.
   */
  lookUp<V>(address: string, find: () => Promise<V | null>): Promise<V | null>;
}

interface Tries {
  /** Unknown keys that may still come. Below zero after look-ups that went on together. */
  left: number;
  atMs: number;
  underWay: number;
}

/** Slows addresses that send keys which nobody has: a token bucket each, that only failures take from. */
export const createKeyGuesses = (options: KeyGuessOptions): KeyGuesses => {
  const { burst, perSecond, maxLookups, maxAddresses } = options;
  const addresses = new LRUCache<string, Tries>({ max: maxAddresses });

  const triesOf = (address: string): Tries => {
    const nowMs = performance.now();
    const tries = addresses.get(address) ?? { left: burst, atMs: nowMs, underWay: 0 };
    tries.left = Math.min(burst, tries.left + ((nowMs - tries.atMs) * perSecond) / 1000);
    tries.atMs = nowMs;
    addresses.set(address, tries);
    return tries;
  };

  return {
    async lookUp(address, find) {
      const tries = triesOf(networkOf(address));
      if (tries.left < 1 || tries.underWay >= maxLookups) {
        const details = 'Too many unknown keys came from your address; check the key and slow down.';
        throw new AppError('rate_limited', details, {
          retryAfterS: Math.max(1, Math.ceil((1 - tries.left) / perSecond)),
        });
      }
      tries.underWay += 1;
      try {
        const found = await find();
        if (found === null) tries.left -= 1;
        return found;
      } finally {
        tries.underWay -= 1;
      }
    },
  };
};
