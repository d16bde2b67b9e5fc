import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorSessions } from '../../accounts/sessions.ts';
import { AppError } from '../../errors.ts';
import { createGuesses } from '../limits/guesses.ts';
import { createSameOriginRule, createSessionCookie } from './session-auth.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request has the admin token. The hook that checks the token sets this. */
    isOperator: boolean;
  }
}

/** Enough for a person who mistypes; a program that keeps trying has the wrong token. */
const TOKEN_GUESSES = { what: 'wrong admin tokens', burst: 20, perSecond: 1, maxAddresses: 10_000 };

const sha256Of = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Checks the operator's token that an address sent.
 *
 * @throws {AppError} 401 when it is missing or wrong. 429 when the address has sent too many wrong ones; then even the
 *   right one is refused, or guessing would not be slowed.
 */
type CheckAdminToken = (sent: string | undefined, address: string) => void;

/** Creates the check. @param adminToken `null`: every token is refused. */
export const createAdminTokenCheck = (adminToken: string | null): CheckAdminToken => {
  const expected = adminToken === null ? null : sha256Of(adminToken);
  const guesses = createGuesses(TOKEN_GUESSES);
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

/** No browser sends a made-up token. This only bounds the look-ups of those who send many. */
const SESSION_GUESSES = {
  what: "unknown operator's sessions",
  burst: 20,
  perSecond: 1,
  maxAddresses: 10_000,
};

/** The parts of the operator's authentication. */
interface OperatorAuthOptions {
  readonly check: CheckAdminToken;
  /** `null`: the admin API is off. */
  readonly sessions: OperatorSessions | null;
  readonly publicUrl: string | null;
}

/** Authenticates the operator, by the admin token or by the cookie of the dashboard's operator screen. */
export type OperatorAuth = ReturnType<typeof createOperatorAuth>;

/** Creates the authentication. An account's session is never accepted, whatever its scopes. */
export const createOperatorAuth = ({ check, sessions, publicUrl }: OperatorAuthOptions) => {
  const cookie = createSessionCookie(publicUrl, 'operator');
  const refuseCrossSite = createSameOriginRule(publicUrl);
  const requireToken = createAdminAuth(check);
  const guesses = createGuesses(SESSION_GUESSES);

  const find = async (request: FastifyRequest): Promise<Date | null> => {
    const token = cookie.read(request);
    if (token === null || sessions === null) return null;
    guesses.refuseGuesser(request.ip);
    const expiresAt = await sessions.find(token);
    if (expiresAt === null) guesses.note(request.ip);
    return expiresAt;
  };

  return {
    /** Returns when the cookie's session ends; `null`: nobody is signed in. */
    find,
    /** A hook that accepts the token in the header or, without that header, the cookie. Refuses with 401, 403 or 429. */
    async require(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (request.headers.authorization !== undefined || cookie.read(request) === null) {
        return requireToken(request);
      }
      if ((await find(request)) === null) {
        throw new AppError('admin_unauthorized', 'Sign in as the operator; the session may have ended.');
      }
      refuseCrossSite(request);
      reply.header('cache-control', 'no-store');
      request.isOperator = true;
    },
    /** Begins a session and sets its cookie. Returns when it ends. @throws {AppError} 401, 403 or 429. */
    async signIn(request: FastifyRequest, reply: FastifyReply, token: string): Promise<Date> {
      refuseCrossSite(request);
      check(token, request.ip);
      // Without sessions, the check refuses everybody.
      const begun = await sessions!.begin();
      reply.setCookie(cookie.name, begun.token, { ...cookie.options, expires: begun.expiresAt });
      return begun.expiresAt;
    },
    /** Ends the cookie's session and clears the cookie. @throws {AppError} 403 when another site asks for it. */
    async signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      refuseCrossSite(request);
      // The browser drops the cookie even if the session cannot be ended now.
      reply.clearCookie(cookie.name, cookie.options);
      const token = cookie.read(request);
      if (token !== null) await sessions?.end(token);
    },
  };
};
