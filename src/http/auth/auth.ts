import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { hashKey, isWellFormedKey } from '../../accounts/api-key.ts';
import type { Changes } from '../../db/changes.ts';
import type { KeyOwner, Scope } from '../../db/tables/keys.ts';
import type { SessionHolder } from '../../db/tables/sessions.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { OutageCache } from '../../outage-cache.ts';
import { createKeyGuesses } from '../limits/key-guesses.ts';
import { createHolders } from './principals.ts';
import { createSessionAuth, type SessionAuth } from './session-auth.ts';

export const SCOPES = ['generate', 'render', 'manage'] as const satisfies readonly Scope[];

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication hook of the route. */
    caller: KeyOwner | null;
  }
}

export interface AuthOptions {
  findKey(hash: Buffer): Promise<KeyOwner | null>;
  findSession(hash: Buffer): Promise<SessionHolder | null>;
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

export interface Auth {
  /**
   * A hook that lets a request through when its key has the scope, and the plan where one is asked for. Where a key
   * is taken from the header, the dashboard's cookie will do in its absence, for writes only from our own pages.
   */
  require(scope: Scope, where: KeyPlace, plan?: 'pro'): onRequestAsyncHookHandler;
  /** The same for the dashboard's own calls: by cookie, never by key. */
  requireSession(scope: Scope): onRequestAsyncHookHandler;
  /** For signing in. @throws {AppError} As a call with that key in its header would fail; 403 for another site. */
  signIn(request: FastifyRequest, key: string, scope: Scope): Promise<void>;
  readonly sessions: SessionAuth;
  /** Of the cache of keys. */
  stats: OutageCache<KeyOwner>['stats'];
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

const refuseWithout = (holder: KeyOwner, scope: Scope): void => {
  if (holder.scopes.includes(scope)) return;
  throw new AppError('scope_required', `This call needs a key with the scope "${scope}".`);
};

export const createAuth = (options: AuthOptions, log: Log): Auth => {
  const { findKey, findSession, changes, publicUrl } = options;
  const guesses = createKeyGuesses(GUESSES);
  const keys = createHolders({ load: findKey, changes, guesses }, log);
  const sessions = createSessionAuth({ findSession, changes, guesses, publicUrl }, log);

  const byKey = async (request: FastifyRequest, key: string | null, how: string): Promise<KeyOwner> => {
    const holder = key !== null && isWellFormedKey(key) ? await keys.find(hashKey(key), request.ip) : null;
    if (holder === null) throw new AppError('unauthorized', how);
    return holder;
  };

  const letThrough = (request: FastifyRequest, holder: KeyOwner): void => {
    request.caller = holder;
    options.touchKey(holder.keyId);
  };

  return {
    require(scope, where, plan) {
      return async (request, reply) => {
        const key = keyFrom(request, where);
        const isByCookie =
          key === null &&
          where === 'header' &&
          request.headers.authorization === undefined &&
          sessions.cookie.read(request) !== null;
        const identified = isByCookie
          ? sessions.identify(request, reply)
          : byKey(request, key, HOW_TO_SEND[where]);
        const holder = await identified.catch((error: unknown) => {
          if (error instanceof AppError && error.status === 401 && where === 'header') {
            reply.header('www-authenticate', 'Bearer');
          }
          throw error;
        });
        refuseWithout(holder, scope);
        if (plan === 'pro' && holder.plan !== 'pro') {
          throw new AppError('plan_required', 'Bulk generation is for accounts on the Pro plan.');
        }
        letThrough(request, holder);
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
      const holder = await byKey(request, key, 'key: there is no such key, or it was revoked.');
      refuseWithout(holder, scope);
      letThrough(request, holder);
    },

    sessions,
    stats: keys.stats,
  };
};

/** The caller of a route behind `Auth.require`. */
export const callerOf = (request: FastifyRequest): KeyOwner => {
  if (request.caller === null) throw new Error('the route has no authentication hook');
  return request.caller;
};
