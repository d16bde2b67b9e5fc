import { createHash, timingSafeEqual } from 'node:crypto';
import type { onRequestAsyncHookHandler } from 'fastify';
import { AppError } from '../../errors.ts';
import { createGuesses } from '../limits/guesses.ts';

/** Enough for a person who mistypes; a program that keeps trying has the wrong token. */
const GUESSES = { what: 'wrong admin tokens', burst: 20, perSecond: 1, maxAddresses: 10_000 };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Creates a hook that accepts requests with the operator's token and refuses others with 401. An address that has sent
 * too many wrong tokens gets 429 for a while, even with the right one, because otherwise guessing would not be slowed.
 *
 * @param adminToken `null`: every request is refused.
 */
export const createAdminAuth = (adminToken: string | null): onRequestAsyncHookHandler => {
  const expected = adminToken === null ? null : digest(adminToken);
  const guesses = createGuesses(GUESSES);

  const refuse = (sent: string | undefined, address: string): void => {
    if (expected !== null && sent !== undefined) {
      guesses.refuseGuesser(address);
      // Digests have one length, so the comparison reveals nothing about the token's length.
      if (timingSafeEqual(digest(sent), expected)) return;
      guesses.note(address);
    }
    throw new AppError(
      'admin_unauthorized',
      'Send the admin token as "Authorization: Bearer <ADMIN_TOKEN>".',
    );
  };

  return async (request) => {
    refuse(/^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1], request.ip);
    request.isOperator = true;
  };
};
