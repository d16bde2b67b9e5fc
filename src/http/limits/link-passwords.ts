/** Checks the passwords that visitors send to short links, and slows those who guess. */
import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors.ts';
import { createAdmission } from '../../limits/admission.ts';
import { createTokenBuckets, retryAfterS } from '../../limits/token-bucket.ts';
import { networkOf } from '../../links/scan.ts';
import { createGuesses } from './guesses.ts';

/** Of one address, for all links. */
const WRONG_PASSWORDS = { what: 'wrong passwords', burst: 5, perSecond: 0.1, maxAddresses: 10_000 };
/** Of one link, from all addresses. */
const WRONG_FOR_LINK = { capacity: 50, perSecond: 1 };
/** Each try takes some 50 ms on a core, which redirects need too. Networks take turns. */
const TRIES = {
  maxRunning: 1,
  maxRunningPerKey: 1,
  maxWaiting: 100,
  maxWaitingPerKey: 5,
  maxWaitMs: 5000,
};
/** Passwords that were right, so that people who open a link together wait for one try. */
const RIGHT_MAX = 10_000;
const SECRET_BYTES = 32;

/** What is known of a link with a password. */
interface Lock {
  readonly passwordHash: string;
  readonly firstSlug: string;
}

const wait = (waitMs: number): AppError =>
  new AppError('rate_limited', 'Too many passwords were tried; wait, and try again.', {
    retryAfterS: retryAfterS(waitMs),
  });

/** @param isPassword Whether a password is the one that was stored, which takes long. */
export const createLinkPasswords = (isPassword: (password: string, stored: string) => Promise<boolean>) => {
  const guesses = createGuesses(WRONG_PASSWORDS);
  const links = createTokenBuckets(WRONG_FOR_LINK, WRONG_PASSWORDS.maxAddresses);
  const tries = createAdmission(TRIES);
  /** By a hash with a secret that is never stored. */
  const right = new LRUCache<string, true>({ max: RIGHT_MAX });
  const secret = randomBytes(SECRET_BYTES);

  const refuseGuesser = (address: string, firstSlug: string): void => {
    guesses.refuseGuesser(address);
    const waitMs = links.waitMs(firstSlug, 1);
    if (waitMs > 0) throw wait(waitMs);
  };

  /** Whether the password is right. @throws {AppError} 429 while too many wrong ones were sent, or too many wait. */
  return async (address: string, { passwordHash, firstSlug }: Lock, password: string): Promise<boolean> => {
    // Those who guess would otherwise learn whether one that they may not try is right.
    refuseGuesser(address, firstSlug);
    const key = createHmac('sha256', secret).update(`${passwordHash}\0${password}`).digest('base64url');
    if (right.get(key)) return true;
    const leave = await tries.enter(networkOf(address));
    if (leave === null) throw wait(TRIES.maxWaitMs);
    try {
      // Others of this network have waited before it, and perhaps guessed.
      refuseGuesser(address, firstSlug);
      if (await isPassword(password, passwordHash)) {
        right.set(key, true);
        return true;
      }
      guesses.note(address);
      links.take(firstSlug, 1);
      return false;
    } finally {
      leave();
    }
  };
};
