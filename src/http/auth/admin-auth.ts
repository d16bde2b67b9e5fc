import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { createGuesses } from '../limits/guesses.ts';

/** Enough for a person who mistypes; a program that keeps trying has the wrong token. */
const GUESSES = { what: 'wrong admin tokens', burst: 20, perSecond: 1, maxAddresses: 10_000 };

const sha256Of = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Checks the operator's token that an address sent.
 *
 * @throws {AppError} 401 when it is missing or wrong. 429 when the address has sent too many wrong ones; then even the
 *   right one is refused, or guessing would not be slowed.
 */
export type CheckAdminToken = (sent: string | undefined, address: string) => void;

/** Creates the check. @param adminToken `null`: every token is refused. */
export const createAdminTokenCheck = (adminToken: string | null): CheckAdminToken => {
  const expected = adminToken === null ? null : sha256Of(adminToken);
  const guesses = createGuesses(GUESSES);
  return (sent, address) => {
    if (expected === null)
      throw new AppError(
        'admin_unauthorized',
        'The admin API is off: the gateway was started without ADMIN_TOKEN.',
      );
    if (sent === undefined) throw new AppError('admin_unauthorized', HOW_TO_SEND);
    guesses.refuseGuesser(address);
    // All digests have the same length, so the comparison reveals nothing about the token's length.
    if (timingSafeEqual(sha256Of(sent), expected)) return;
    guesses.note(address);
    throw new AppError('admin_unauthorized', 'This is not the admin token of this service.');
  };
};

const HOW_TO_SEND = 'The admin token is missing; send it as "Authorization: Bearer <ADMIN_TOKEN>".';

/**
 * Creates a hook that accepts requests with the operator's token in their header, and refuses others as the check does.
 */
export const createAdminAuth =
  (check: CheckAdminToken) =>
  async (request: FastifyRequest): Promise<void> => {
    check(/^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1], request.ip);
    request.isOperator = true;
  };
