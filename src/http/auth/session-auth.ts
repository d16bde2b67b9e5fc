import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken } from '../../accounts/sessions.ts';
import type { SessionPrincipal } from '../../db/tables/sessions.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { createPrincipals, hasExpired, type PrincipalOptions } from './principals.ts';
import { createSameOriginRule } from './same-origin.ts';
import { createSessionCookie } from './session-cookie.ts';

/** How sessions are found, and where the dashboard is. */
export interface SessionAuthOptions extends Omit<PrincipalOptions<SessionPrincipal>, 'load'> {
  findSession(hash: Buffer): Promise<SessionPrincipal | null>;
  readonly publicUrl: string | null;
}

/** Creates the authentication by cookie, with its cache of sessions. */
export const createSessionAuth = (options: SessionAuthOptions, log: Log) => {
  const { findSession, changes, lookUp, publicUrl } = options;
  const sessions = createPrincipals({ load: findSession, changes, lookUp }, log);
  const cookie = createSessionCookie(publicUrl);
  const refuseCrossSite = createSameOriginRule(publicUrl);

  const find = async (request: FastifyRequest): Promise<SessionPrincipal | null> => {
    const token = cookie.read(request);
    const session =
      token === null ? null : await sessions.find(hashToken(token).toString('base64'), request.ip);
    if (session === null || hasExpired(session) || session.expiresAt.getTime() <= Date.now()) return null;
    return session;
  };

  return {
    cookie,
    /** Checks where a request comes from. @throws {AppError} 403 for a write that our own pages did not send. */
    refuseCrossSite,
    /** Returns the principal of the cookie's session; `null`: there is no cookie, or its session has ended. */
    find,
    /**
     * Returns the principal of the cookie's session, and forbids caches to keep the answer.
     *
     * @throws {AppError} 401 without a session, 403 for a write that our own pages did not send.
     */
    async identify(request: FastifyRequest, reply: FastifyReply): Promise<SessionPrincipal> {
      const session = await find(request);
      if (session === null) {
        throw new AppError('unauthorized', 'Sign in to the dashboard; the session may have ended.');
      }
      refuseCrossSite(request);
      // A shared cache does not keep answers to requests with a key. With a cookie it might.
      reply.header('cache-control', 'no-store');
      return session;
    },
  };
};
