import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import { digestOfKey, isWellFormedKey } from '../../accounts/api-key.ts';
import type { Changes } from '../../db/changes.ts';
import type { Principal, Scope } from '../../db/tables/accounts/keys.ts';
import type { SessionPrincipal } from '../../db/tables/accounts/sessions.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { createLookUp } from '../limits/guesses.ts';
import { noteLoadTest } from '../load-test.ts';
import { createPrincipals, hasExpired } from './principals.ts';
import { createSessionAuth } from './session-auth.ts';

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

/** Authenticates requests and sets their principal. */
export type Auth = ReturnType<typeof createAuth>;

/** Where a route takes the key from: the header, or the query or the header. */
type KeyPlace = 'header' | 'query';

const keyFrom = (request: FastifyRequest, where: KeyPlace): string | null => {
  if (where === 'query') {
    const { key } = request.query as { key?: unknown };
    if (key !== undefined) return typeof key === 'string' ? key : '';
  }
  const { authorization } = request.headers;
  if (authorization === undefined) return null;
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
};

const IN_HEADER = 'as "Authorization: Bearer <API_KEY>"';
const IN_QUERY = `as the query parameter "key", or ${IN_HEADER}`;
const FORM =
  'a key is tsr_ or tsr_test_ followed by 38 letters and digits, and this one may be mistyped or cut off';
const UNKNOWN = 'There is no such API key, or it was revoked.';
const EXPIRED = 'This API key has expired; send another one, or set a later "expires_at".';

/** Refusals of a key by where it was sent. They reveal nothing about other keys. */
const REFUSALS = {
  header: {
    missing: `The API key is missing; send one ${IN_HEADER}.`,
    malformed: `This is not an API key: ${FORM}; send it ${IN_HEADER}.`,
    unknown: UNKNOWN,
    expired: EXPIRED,
  },
  query: {
    missing: `The API key is missing; send one ${IN_QUERY}.`,
    malformed: `This is not an API key: ${FORM}; send it ${IN_QUERY}.`,
    unknown: UNKNOWN,
    expired: EXPIRED,
  },
  body: {
    missing: 'key: is required',
    malformed: `key: this is not an API key: ${FORM}.`,
    unknown: 'key: there is no such key, or it was revoked.',
    expired: 'key: this key has expired; use another one, or set a later "expires_at".',
  },
} as const;

/** What else a route asks of its callers. */
export interface Admission {
  /** The plan that the account must have; absent: any. */
  readonly plan?: 'pro' | undefined;
  /** Whether sandbox keys may make the call; absent: no. */
  readonly isForSandbox?: boolean | undefined;
}

const refuseSandbox = ({ isSandbox }: Principal): void => {
  if (!isSandbox) return;
  throw new AppError(
    'sandbox_key',
    'A sandbox key can only make and check codes; it cannot see or change the account. Use another key for this call.',
  );
};

/** @throws {AppError} 403 when the key lacks the scope. */
export const refuseWithout = (principal: Principal, scope: Scope): void => {
  if (principal.scopes.includes(scope)) return;
  throw new AppError('scope_required', `This call needs a key with the scope "${scope}".`);
};

/** Creates the authentication for all routes, with its caches and its limits for guesses. */
export const createAuth = (options: AuthOptions, log: Log) => {
  const { findKey, findSession, changes, publicUrl } = options;
  const lookUp = createLookUp('Keys');
  const keys = createPrincipals({ load: findKey, changes, lookUp }, log);
  const sessions = createSessionAuth({ findSession, changes, lookUp, publicUrl }, log);

  const byKey = async (
    request: FastifyRequest,
    key: string | null,
    where: keyof typeof REFUSALS,
  ): Promise<Principal> => {
    const { missing, malformed, unknown, expired } = REFUSALS[where];
    if (key === null) throw new AppError('unauthorized', missing);
    if (!isWellFormedKey(key)) throw new AppError('unauthorized', malformed);
    const principal = await keys.find(digestOfKey(key), request.ip);
    if (principal === null) throw new AppError('unauthorized', unknown);
    if (hasExpired(principal)) throw new AppError('unauthorized', expired);
    return principal;
  };

  const byKeyOrCookie = async (
    request: FastifyRequest,
    reply: FastifyReply,
    key: string | null,
    where: KeyPlace,
  ): Promise<Principal> => {
    const isByCookie = key === null && where === 'header' && sessions.cookie.read(request) !== null;
    try {
      return await (isByCookie ? sessions.identify(request, reply) : byKey(request, key, where));
    } catch (error) {
      if (error instanceof AppError && error.status === 401 && where === 'header') {
        reply.header('www-authenticate', 'Bearer');
      }
      throw error;
    }
  };

  const letThrough = (request: FastifyRequest, principal: Principal): void => {
    noteLoadTest(request, principal);
    request.principal = principal;
    options.touchKey(principal.keyId);
  };

  return {
    /**
     * Returns a hook that accepts a request whose key has the scope, and whose key and account are as the route asks.
     * A route that takes the key from the header alone also accepts the dashboard's cookie instead of a key; a write with
     * the cookie must come from our own pages. Refuses with 401, 403, 429 or 503.
     */
    require(scope: Scope, where: KeyPlace, { plan, isForSandbox }: Admission = {}): onRequestHookHandler {
      const admit = (request: FastifyRequest, principal: Principal): void => {
        if (!isForSandbox) refuseSandbox(principal);
        refuseWithout(principal, scope);
        if (plan === 'pro' && principal.plan !== 'pro') {
          throw new AppError(
            'plan_required',
            'Bulk calls and batches need the Pro plan; ask the operator to upgrade your account, or make single codes.',
          );
        }
        letThrough(request, principal);
      };
      return (request, reply, done) => {
        const key = keyFrom(request, where);
        // Most keys are in memory, so their requests continue at once: a promise would cost as much as the look-up.
        const known = key === null ? undefined : keys.peek(digestOfKey(key));
        if (known && !hasExpired(known)) {
          admit(request, known);
          return done();
        }
        byKeyOrCookie(request, reply, key, where)
          .then((principal) => admit(request, principal))
          .then(() => done(), done);
      };
    },

    /** Returns the same kind of hook for the dashboard's own calls, which accepts the cookie and no key. */
    requireSession(scope: Scope): onRequestAsyncHookHandler {
      return async (request, reply) => {
        const session = await sessions.identify(request, reply);
        refuseWithout(session, scope);
        letThrough(request, session);
      };
    },

    /**
     * Authenticates a sign-in with a key.
     *
     * @throws {AppError} What a call with that key in its header throws; 403 when another site sends the request.
     */
    async signIn(request: FastifyRequest, key: string, scope: Scope): Promise<void> {
      sessions.refuseCrossSite(request);
      const principal = await byKey(request, key, 'body');
      refuseSandbox(principal);
      refuseWithout(principal, scope);
      letThrough(request, principal);
    },

    sessions,
    /** The statistics of the cache of keys. */
    stats: keys.stats,
  };
};

/** Returns the principal of a request. @throws {Error} When the route has no authentication hook. */
export const principalOf = (request: FastifyRequest): Principal => {
  if (request.principal === null) throw new Error('the route has no authentication hook');
  return request.principal;
};
