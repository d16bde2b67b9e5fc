import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken } from '../../accounts/sessions.ts';
import type { SessionPrincipal } from '../../db/tables/sessions.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { createPrincipals, type PrincipalOptions } from './principals.ts';
import { createSameOriginRule } from './same-origin.ts';
import { createSessionCookie, type SessionCookie } from './session-cookie.ts';

export interface SessionAuthOptions extends Omit<PrincipalOptions<SessionPrincipal>, 'load'> {
  findSession(hash: Buffer): Promise<SessionPrincipal | null>;
  readonly publicUrl: string | null;
}

export interface SessionAuth {
  readonly cookie: SessionCookie;
  /** @throws {AppError} 403 for a write that does not come from our own pages. */
  refuseCrossSite(request: FastifyRequest): void;
  /** Who the cookie speaks for; `null`: nobody, or not any more. */
  find(request: FastifyRequest): Promise<SessionPrincipal | null>;
  /** @throws {AppError} 401 without a session, 403 for a write that does not come from our own pages. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<SessionPrincipal>;
}

export const createSessionAuth = (options: SessionAuthOptions, log: Log): SessionAuth => {
  const { findSession, changes, guesses, publicUrl } = options;
  const sessions = createPrincipals({ load: findSession, changes, guesses }, log);
  const cookie = createSessionCookie(publicUrl);
  const refuseCrossSite = createSameOriginRule(publicUrl);

  const find = async (request: FastifyRequest): Promise<SessionPrincipal | null> => {
    const token = cookie.read(request);
    const session = token === null ? null : await sessions.find(hashToken(token), request.ip);
    return session !== null && session.expiresAt.getTime() > Date.now() ? session : null;
  };

  return {
    cookie,
    refuseCrossSite,
    find,
    async identify(request, reply) {
      const session = await find(request);
      if (session === null) {
        throw new AppError('unauthorized', 'Sign in to the dashboard; the session may have ended.');
      }
      refuseCrossSite(request);
      // A shared cache leaves alone what was asked for with a key; with a cookie it might not.
      reply.header('cache-control', 'no-store');
      return session;
    },
  };
};
