import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken } from '../../accounts/sessions.ts';
import type { SessionPrincipal } from '../../db/tables/accounts/sessions.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { createPrincipals, hasExpired, type PrincipalOptions } from './principals.ts';

/** Whether a method only reads (RFC 9110, 9.2.1). */
const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Whether one of our pages sent the request. Browsers say so in Fetch Metadata, which no page can forge (W3C Fetch
 * Metadata, section 2.3). Over plain http they leave it out; then `Origin` decides.
 */
const isSameOrigin = (request: FastifyRequest, publicOrigin: string | null): boolean => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && origin === (publicOrigin ?? `${request.protocol}://${request.host}`);
};

/**
 * Creates a check that keeps other sites from writing with the cookie. The check throws an `AppError` (403) for a write
 * that our own pages did not send.
 *
 * @param publicUrl `PUBLIC_URL`; `null`: our origin is the one that the request names.
 */
export const createSameOriginRule = (publicUrl: string | null) => {
  const publicOrigin = publicUrl === null ? null : new URL(publicUrl).origin;
  return (request: FastifyRequest): void => {
    if (isSafe(request.method) || isSameOrigin(request, publicOrigin)) return;
    throw new AppError(
      'cross_site',
      "Only the dashboard's own pages may make this call with its cookie; elsewhere send an API key.",
    );
  };
};

/** Whose sessions a cookie carries. One browser may hold both. */
type SessionOwner = 'account' | 'operator';

const NAMES = {
  account: { plain: 'tessera_session', secure: '__Host-tessera' },
  operator: { plain: 'tessera_operator', secure: '__Host-tessera-operator' },
} as const;

/**
 * Creates the cookie of the dashboard's sessions. With https its name begins with `__Host-`, so a browser accepts it
 * from this host alone (draft-ietf-httpbis-rfc6265bis, section 4.1.3.2).
 */
export const createSessionCookie = (publicUrl: string | null, owner: SessionOwner = 'account') => {
  const secure = publicUrl?.startsWith('https:') ?? false;
  const name = NAMES[owner][secure ? 'secure' : 'plain'];
  // The token has 32 bytes in base64url. The name has no character that is special in a regular expression.
  const token = new RegExp(`(?:^|; ?)${name}=([\\w-]{43})(?:;|$)`);
  return {
    name,
    /** For `reply.setCookie`. */
    options: { httpOnly: true, sameSite: 'strict', path: '/', secure } as const,
    /** Returns the token of a request; `null` when there is none or it is malformed. */
    read: ({ headers }: FastifyRequest): string | null => token.exec(headers.cookie ?? '')?.[1] ?? null,
  };
};

/** How sessions are found, and where the dashboard is. */
interface SessionAuthOptions extends Omit<PrincipalOptions<SessionPrincipal>, 'load'> {
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
