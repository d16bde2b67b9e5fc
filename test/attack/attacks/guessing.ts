import { randomBytes } from 'node:crypto';
import type { Attack, Field } from '../attack.ts';
import type { Ask } from '../client.ts';
import { guessedKey } from '../guess.ts';

const GUESSES = 300;
const PARALLEL = 10;
/** Guesses that may be heard out before the guesser is slowed. */
const MAX_HEARD = 200;

/** Guesses until the gateway has heard enough: nothing is found, and what is beyond a limit is 429. */
const guess = async ({ ask, expect }: Field, attempt: () => Ask): Promise<void> => {
  let heard = 0;
  let slowed = 0;
  for (let made = 0; made < GUESSES; made += PARALLEL) {
    const answers = await Promise.all(Array.from({ length: PARALLEL }, () => ask(attempt())));
    for (const { status, headers } of answers) {
      if (status === 401) heard += 1;
      if (status === 429) slowed += 1;
      expect(status === 401 || status === 429, `a guess is answered with ${status}`);
      expect(status !== 429 || headers['retry-after'] !== undefined, 'a 429 does not say when to try again');
    }
  }
  expect(
    slowed > 0 && heard <= MAX_HEARD,
    `${heard} of ${GUESSES} guesses in a row are heard, ${slowed} are not`,
  );
};

export const keyGuessing: Attack = {
  name: 'key-guessing',
  holds: 'who tries keys is slowed, and keys that are known go on working',
  run: (field) => guess(field, () => ({ path: '/api/v1/usage', key: guessedKey() })),
};

export const adminGuessing: Attack = {
  name: 'admin-guessing',
  holds: 'the admin token cannot be guessed without end',
  run: (field) =>
    guess(field, () => ({ path: '/admin/v1/accounts', key: randomBytes(24).toString('base64url') })),
};

export const signInGuessing: Attack = {
  name: 'sign-in-guessing',
  holds: 'signing in cannot be tried without end',
  run: (field) =>
    guess(field, () => ({
      method: 'POST',
      path: '/dashboard/session',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: { key: guessedKey() },
    })),
};
