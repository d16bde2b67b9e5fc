import { createHash, timingSafeEqual } from 'node:crypto';
import type { onRequestAsyncHookHandler } from 'fastify';
import { AppError } from '../../errors.ts';
import { createGuesses } from '../limits/guesses.ts';

/** A person mistypes a few times; a program that goes on has the wrong token. */
const GUESSES = { what: 'wrong admin tokens', burst: 20, perSecond: 1, maxAddresses: 10_000 };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * A hook that lets requests with the operator's token through. An address that has sent too many wrong ones is
 * refused for a while whatever it sends: were the right token let through, guessing would go on at full speed.
 *
 * @param adminToken `null`: there is none, and nobody gets through.
 */
export const createAdminAuth = (adminToken: string | null): onRequestAsyncHookHandler => {
  const expected = adminToken === null ? null : digest(adminToken);
  const guesses = createGuesses(GUESSES);

  const refuse = (sent: string | undefined, address: string): void => {
    if (expected !== null && sent !== undefined) {
      guesses.refuseGuesser(address);
      // Digests have one length, so the comparison tells nothing about the token's.
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
