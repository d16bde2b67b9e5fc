import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import { digestOfKey, isWellFormedKey } from '../../accounts/api-key.ts';
import type { Changes } from '../../db/changes.ts';
import type { Principal, Scope } from '../../db/tables/keys.ts';
import type { SessionPrincipal } from '../../db/tables/sessions.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { OutageCache } from '../../outage-cache/outage-cache.ts';
import { createKeyGuesses } from '../limits/key-guesses.ts';
import { createPrincipals } from './principals.ts';
import { createSessionAuth, type SessionAuth } from './session-auth.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who the request speaks for. The authentication hook of a route sets it; `null` before, and without a hook. */
    principal: Principal | null;
  }
}

/** How keys and sessions are found, and where the dashboard is. */
export interface AuthOptions {
  findKey(hash: Buffer): Promise<Principal | null>;
  findSession(hash: Buffer): Promise<SessionPrincipal | null>;
  readonly changes: Pick<Changes, 'live' | 'subscribe'>;
  touchKey(keyId: string): void;
  readonly publicUrl: string | null;
}

const GUESSES = {
  what: 'unknown keys',
  burst: 20,
  perSecond: 10,
  maxLookups: 100,
  maxAddresses: 10_000,
};

/** Authenticates requests and sets their principal. */
export interface Auth {
  /**
   * Returns a hook that accepts a request whose key has the scope, and whose account has the plan if one is given.
   * A route that takes the key from the header also accepts the dashboard's cookie instead of a key; a write with the
   * cookie must come from our own pages. Refuses with 401, 403, 429 or 503.
   */
  require(scope: Scope, where: KeyPlace, plan?: 'pro'): onRequestHookHandler;
  /** Returns the same kind of hook for the dashboard's own calls, which accepts the cookie and no key. */
  requireSession(scope: Scope): onRequestAsyncHookHandler;
  /**
   * Authenticates a sign-in with a key.
   *
   * @throws {AppError} What a call with that key in its header throws; 403 when another site sends the request.
   */
  signIn(request: FastifyRequest, key: string, scope: Scope): Promise<void>;
  readonly sessions: SessionAuth;
  /** The statistics of the cache of keys. */
  stats: OutageCache<Principal>['stats'];
}

type KeyPlace = 'header' | 'query';

const keyFrom = (request: FastifyRequest, where: KeyPlace): string | null => {
  if (where === 'query') {
    const { key } = request.query as { key?: unknown };
    return typeof key === 'string' ? key : null;
  }
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
};

const HOW_TO_SEND = {
  header: 'Send a valid key as "Authorization: Bearer <API_KEY>".',
  query: 'Send a valid key as the query parameter "key".',
} as const;

const refuseWithout = (principal: Principal, scope: Scope): void => {
  if (principal.scopes.includes(scope)) return;
  throw new AppError('scope_required', `This call needs a key with the scope "${scope}".`);
};

/** Creates the authentication for all routes, with its caches and its limits for guesses. */
export const createAuth = (options: AuthOptions, log: Log): Auth => {
  const { findKey, findSession, changes, publicUrl } = options;
  const guesses = createKeyGuesses(GUESSES);
  const keys = createPrincipals({ load: findKey, changes, guesses }, log);
  const sessions = createSessionAuth({ findSession, changes, guesses, publicUrl }, log);

  const byKey = async (request: FastifyRequest, key: string | null, how: string): Promise<Principal> => {
    const principal =
      key !== null && isWellFormedKey(key) ? await keys.find(digestOfKey(key), request.ip) : null;
    if (principal === null) throw new AppError('unauthorized', how);
    return principal;
  };

  const byKeyOrCookie = async (
    request: FastifyRequest,
    reply: FastifyReply,
    key: string | null,
    where: KeyPlace,
  ): Promise<Principal> => {
    const isByCookie =
      key === null &&
      where === 'header' &&
      request.headers.authorization === undefined &&
      sessions.cookie.read(request) !== null;
    try {
      return await (isByCookie ? sessions.identify(request, reply) : byKey(request, key, HOW_TO_SEND[where]));
    } catch (error) {
      if (error instanceof AppError && error.status === 401 && where === 'header') {
        reply.header('www-authenticate', 'Bearer');
      }
      throw error;
    }
  };

  const letThrough = (request: FastifyRequest, principal: Principal): void => {
    request.principal = principal;
    options.touchKey(principal.keyId);
  };

  return {
    require(scope, where, plan) {
      const admit = (request: FastifyRequest, principal: Principal): void => {
        refuseWithout(principal, scope);
        if (plan === 'pro' && principal.plan !== 'pro') {
          throw new AppError(
            'plan_required',
            'Bulk calls and batches are for accounts on the Pro plan; ask the operator for it, or make single codes.',
          );
        }
        letThrough(request, principal);
      };
      return (request, reply, done) => {
        const key = keyFrom(request, where);
        // Most keys are in memory, and their requests go on at once: a promise would cost as much as the look-up.
        const known = key === null ? undefined : keys.peek(digestOfKey(key));
        if (known) {
          admit(request, known);
          return done();
        }
        byKeyOrCookie(request, reply, known === null ? null : key, where)
          .then((principal) => admit(request, principal))
          .then(() => done(), done);
      };
    },

    requireSession(scope) {
      return async (request, reply) => {
        const session = await sessions.identify(request, reply);
        refuseWithout(session, scope);
        letThrough(request, session);
      };
    },

    async signIn(request, key, scope) {
      sessions.refuseCrossSite(request);
      const principal = await byKey(request, key, 'key: there is no such key, or it was revoked.');
      refuseWithout(principal, scope);
      letThrough(request, principal);
    },

    sessions,
    stats: keys.stats,
  };
};

/** Returns the principal of a request. @throws {Error} When the route has no authentication hook. */
export const principalOf = (request: FastifyRequest): Principal => {
  if (request.principal === null) throw new Error('the route has no authentication hook');
  return request.principal;
};
