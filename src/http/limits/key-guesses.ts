import { AppError } from '../../errors.ts';
import { createPlaces } from '../../limits/places.ts';
import { networkOf } from '../../links/visitor.ts';
import { createGuesses, type GuessOptions } from './guesses.ts';

/** How many unknown keys an address may send. */
export interface KeyGuessOptions extends GuessOptions {
  /** Look-ups for one address that run at a time. */
  readonly maxLookups: number;
}

/** Slows addresses that send unknown keys. */
export interface KeyGuesses {
  /**
   * Runs `find` for a key that is not cached. `null`, an unknown key, counts against the address.
   *
   * @throws {AppError} 429, without running `find`, while the address has sent too many unknown keys.
   */
  lookUp<V extends object>(address: string, find: () => Promise<V | null>): Promise<V | null>;
}

/** Creates the limit, which counts by network as `createGuesses` does. */
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
