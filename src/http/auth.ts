import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { hashKey, isWellFormedKey } from '../accounts/api-key.ts';
import type { Changes } from '../db/changes.ts';
import type { Log } from '../db/client.ts';
import type { KeyOwner, Scope } from '../db/keys.ts';
import { createLookupCache, type LookupCache } from '../db/lookup-cache.ts';
import { AppError } from '../errors.ts';
import { createKeyGuesses } from './key-guesses.ts';

export const SCOPES = ['generate', 'render', 'manage'] as const satisfies readonly Scope[];

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication hook of the route. */
    caller: KeyOwner | null;
  }
}

export interface AuthOptions {
  findKey(hash: Buffer): Promise<KeyOwner | null>;
  readonly changes: Pick<Changes, 'live' | 'subscribe'>;
  touchKey(keyId: string): void;
}

const CACHE = {
  max: 10_000,
  unknownMs: 900,
  staleMs: 600_000,
  loadTimeoutMs: 1000,
  retryMs: 500,
};
/** Changes reach the cache as events; while they may not, an entry is good for the second that is promised. */
const FRESH_MS = 60_000;
const FRESH_WITHOUT_EVENTS_MS = 900;

const GUESSES = { burst: 20, perSecond: 10, maxLookups: 100, maxAddresses: 10_000 };

export interface Auth {
  /** A hook that lets a request through when its key has the scope, and the plan where one is asked for. */
  require(scope: Scope, where: KeyPlace, plan?: 'pro'): onRequestAsyncHookHandler;
  /** Of the cache of keys. */
  stats: LookupCache<KeyOwner>['stats'];
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

const createKeyCache = ({ findKey, changes }: AuthOptions, log: Log): LookupCache<KeyOwner> => {
  const options = {
    ...CACHE,
    load: (hash: string) => findKey(Buffer.from(hash, 'base64')),
    freshMs: () => (changes.live ? FRESH_MS : FRESH_WITHOUT_EVENTS_MS),
  };
  const cache = createLookupCache<KeyOwner>(options, log);
  changes.subscribe((change) => {
    if (change.kind === 'everything') cache.expire();
    else if (change.kind === 'key') cache.drop((_, holder) => holder.keyId === change.id);
    else if (change.kind === 'account') cache.drop((_, holder) => holder.accountId === change.id);
  });
  return cache;
};

/**
 * Knows keys by their hash alone; a revoked key or a changed plan is in force within a second. While the database
 * is away, keys seen within ten minutes are let through, and others get a 503, not a 401.
 */
export const createAuth = (options: AuthOptions, log: Log): Auth => {
  const cache = createKeyCache(options, log);
  const guesses = createKeyGuesses(GUESSES);

  const findHolder = (hash: string, address: string): Promise<KeyOwner | null> =>
    cache.has(hash) ? cache.get(hash) : guesses.lookUp(address, () => cache.get(hash));

  const identify = async (request: FastifyRequest, where: KeyPlace): Promise<KeyOwner> => {
    const key = keyFrom(request, where);
    const unauthorized = new AppError('unauthorized', HOW_TO_SEND[where]);
    if (key === null || !isWellFormedKey(key)) throw unauthorized;
    const hash = hashKey(key).toString('base64');
    const holder = await findHolder(hash, request.ip).catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause;
      throw new AppError('unavailable', 'Keys cannot be looked up at the moment; try again.', {
        retryAfterS: 1,
        cause,
      });
    });
    if (holder === null) throw unauthorized;
    return holder;
  };

  return {
    require(scope, where, plan) {
      return async (request: FastifyRequest, reply: FastifyReply) => {
        const holder = await identify(request, where).catch((error: unknown) => {
          if (error instanceof AppError && error.status === 401 && where === 'header') {
            reply.header('www-authenticate', 'Bearer');
          }
          throw error;
        });
        if (!holder.scopes.includes(scope)) {
          throw new AppError('scope_required', `This call needs a key with the scope "${scope}".`);
        }
        if (plan === 'pro' && holder.plan !== 'pro') {
          throw new AppError('plan_required', 'Bulk generation is for accounts on the Pro plan.');
        }
        request.caller = holder;
        options.touchKey(holder.keyId);
      };
    },
    stats: cache.stats,
  };
};

/** The caller of a route behind `Auth.require`. */
export const callerOf = (request: FastifyRequest): KeyOwner => {
  if (request.caller === null) throw new Error('the route has no authentication hook');
  return request.caller;
};
