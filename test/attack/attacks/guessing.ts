import { randomBytes } from 'node:crypto';
import type { Attack, Field } from '../attack.ts';
import type { Ask } from '../client.ts';
import { guessedKey } from '../guess.ts';

const GUESSES = 300;
const PARALLEL = 10;
/** Guesses that may be answered with 401 before the first 429. */
const MAX_HEARD = 200;

/** Sends wrong keys: each gets a 401, or a 429 beyond a limit. */
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
    `of ${GUESSES} guesses in a row ${heard} are answered with 401, ${slowed} with 429`,
  );
};

export const keyGuessing: Attack = {
  name: 'key-guessing',
  holds: 'guesses of keys are limited, and known keys keep working',
  run: (field) => guess(field, () => ({ path: '/api/v1/usage', key: guessedKey() })),
};

export const adminGuessing: Attack = {
  name: 'admin-guessing',
  holds: 'guesses of the admin token are limited',
  run: (field) =>
    guess(field, () => ({ path: '/admin/v1/accounts', key: randomBytes(24).toString('base64url') })),
};

export const signInGuessing: Attack = {
  name: 'sign-in-guessing',
  holds: 'attempts to sign in are limited',
  run: (field) =>
    guess(field, () => ({
      method: 'POST',
      path: '/dashboard/session',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: { key: guessedKey() },
    })),
};
