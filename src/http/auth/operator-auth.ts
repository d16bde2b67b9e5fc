import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { OperatorSessions } from '../../accounts/operator-sessions.ts';
import { AppError } from '../../errors.ts';
import { createGuesses } from '../limits/guesses.ts';
import { type CheckAdminToken, createAdminAuth } from './admin-auth.ts';
import { createSameOriginRule } from './same-origin.ts';
import { createSessionCookie } from './session-cookie.ts';

/** No browser makes a token up. This only bounds the look-ups for those who send many. */
const GUESSES = { what: "unknown operator's sessions", burst: 20, perSecond: 1, maxAddresses: 10_000 };

const OFF = 'The admin API is off: the gateway was started without ADMIN_TOKEN.';
const WRONG = 'This is not the admin token of this service.';

/** What the authentication of the operator is made of. */
export interface OperatorAuthOptions {
  readonly check: CheckAdminToken;
  /** `null`: the admin API is off. */
  readonly sessions: OperatorSessions | null;
  readonly publicUrl: string | null;
}

/** Authenticates the operator, by the admin token or by the cookie of the dashboard's operator screen. */
export interface OperatorAuth {
  /** A hook that accepts the token in the header or, without that header, the cookie. Refuses with 401, 403 or 429. */
  readonly require: onRequestAsyncHookHandler;
  /** Begins a session and sets its cookie. Returns when it ends. @throws {AppError} 401, 403 or 429. */
  signIn(request: FastifyRequest, reply: FastifyReply, token: string): Promise<Date>;
  /** Returns when the cookie's session ends; `null`: nobody is signed in. */
  find(request: FastifyRequest): Promise<Date | null>;
  /** Ends the cookie's session and clears the cookie. @throws {AppError} 403 when another site asks for it. */
  signOut(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** Creates the authentication. The session of an account is no session of the operator, whatever its scopes. */
export const createOperatorAuth = ({ check, sessions, publicUrl }: OperatorAuthOptions): OperatorAuth => {
  const cookie = createSessionCookie(publicUrl, 'operator');
  const refuseCrossSite = createSameOriginRule(publicUrl);
  const requireToken = createAdminAuth(check);
  const guesses = createGuesses(GUESSES);

  const find = async (request: FastifyRequest): Promise<Date | null> => {
    const token = cookie.read(request);
    if (token === null || sessions === null) return null;
    guesses.refuseGuesser(request.ip);
    const expiresAt = await sessions.find(token);
    if (expiresAt === null) guesses.note(request.ip);
    return expiresAt;
  };

  return {
    find,
    async require(request, reply) {
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
    async signIn(request, reply, token) {
      refuseCrossSite(request);
      if (sessions === null) throw new AppError('admin_unauthorized', OFF);
      check(token, request.ip, WRONG);
      const begun = await sessions.begin();
      reply.setCookie(cookie.name, begun.token, { ...cookie.options, expires: begun.expiresAt });
      return begun.expiresAt;
    },
    async signOut(request, reply) {
      refuseCrossSite(request);
      // The browser drops the cookie even if the session cannot be ended now.
      reply.clearCookie(cookie.name, cookie.options);
      const token = cookie.read(request);
      if (token !== null) await sessions?.end(token);
    },
  };
};
