import { AppError } from '../../errors.ts';
import { createPlaces } from '../../limits/places.ts';
import { networkOf } from '../../links/visitor.ts';
import { createGuesses, type GuessOptions } from './guesses.ts';

export interface KeyGuessOptions extends GuessOptions {
  /** Look-ups for one address under way, whatever comes of them. */
  readonly maxLookups: number;
}

export interface KeyGuesses {
  /**
   * Looks a key up that is not cached. What turns out to be unknown is counted against the address.
   *
   * @throws {AppError} 429 while the address has sent too many; nothing is looked up then.
   */
  lookUp<V extends object>(address: string, find: () => Promise<V | null>): Promise<V | null>;
}

/** Slows addresses that send keys which nobody has. */
export const createKeyGuesses = ({ maxLookups, ...options }: KeyGuessOptions): KeyGuesses => {
  const guesses = createGuesses(options);
  const places = createPlaces(maxLookups);

  return {
    async lookUp(address, find) {
      guesses.refuseGuesser(address);
      const looked = await places.run(networkOf(address), async () => {
        const found = await find();
        if (found === null) guesses.note(address);
        return { found };
      });
      if (looked !== null) return looked.found;
      throw new AppError('rate_limited', 'Too many keys from your address are being looked up; slow down.', {
        retryAfterS: 1,
      });
    },
  };
};
