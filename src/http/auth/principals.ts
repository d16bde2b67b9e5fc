import type { Changes } from '../../db/changes.ts';
import { isOfKey, type Principal } from '../../db/tables/accounts/keys.ts';
import type { SessionPrincipal } from '../../db/tables/accounts/sessions.ts';
import type { Log } from '../../log.ts';
import { createOutageCache } from '../../outage-cache/outage-cache.ts';
import type { LookUp } from '../limits/guesses.ts';

/** Changes are announced to the cache. While announcements may be missed, an entry is fresh for less than a second. */
const CACHE = {
  max: 10_000,
  freshMs: 60_000,
  unknownMs: 900,
  freshWithoutNewsMs: 900,
  staleMs: 600_000,
  maxLoads: 10_000,
  loadTimeoutMs: 1000,
  refreshTimeoutMs: 1000,
  retryMs: 500,
};

/** Whether the key of a principal has expired. The cache may hold a principal for longer than its key is valid. */
export const hasExpired = ({ keyExpiresAt }: Pick<Principal, 'keyExpiresAt'>): boolean =>
  keyExpiresAt !== null && keyExpiresAt.getTime() <= Date.now();

/** Where principals are loaded from, and what bounds the look-ups. */
export interface PrincipalOptions<V> {
  /** Loads the principal of a secret; `null`: the secret is unknown. @param hash The SHA-256 of the secret. */
  load(hash: Buffer): Promise<V | null>;
  readonly changes: Pick<Changes, 'live' | 'subscribe'>;
  /** Slows addresses that send unknown secrets. */
  readonly lookUp: LookUp;
}

/**
 * Creates the cache, for keys or for tokens of sessions. The revocation of a key, the end of a session and a change of
 * plan take effect within a second. While the database is unavailable, a principal that was used in the last ten
 * minutes is still found, and any other request gets a 503, not a 401.
 */
export const createPrincipals = <V extends Principal & Partial<SessionPrincipal>>(
  { load, changes, lookUp }: PrincipalOptions<V>,
  log: Log,
) => {
  const cache = createOutageCache<V>(
    {
      ...CACHE,
      what: 'keys',
      load: (hash) => load(Buffer.from(hash, 'base64')),
      isLive: () => changes.live,
      whileFailing: 'spare',
    },
    log,
  );
  changes.subscribe((change) => {
    if (change.kind === 'everything') cache.outdateAll();
    else if (change.kind === 'key') cache.drop((principal) => isOfKey(principal, change.id));
    else if (change.kind === 'account') cache.drop((principal) => principal.accountId === change.id);
    else if (change.kind === 'session') cache.drop((principal) => principal.sessionId === change.id);
  });

  return {
    /** Returns the cached answer of `find`; `undefined`: `find` must look the secret up. */
    peek: cache.peek,
    /**
     * Returns the principal of a secret; `null`: the secret is unknown.
     *
     * @param digest The SHA-256 of the secret, in base64.
     * @throws {AppError} 429 when the address has sent too many unknown ones, 503 when the database is unavailable.
     */
    find: (digest: string, address: string): Promise<V | null> => lookUp(cache, digest, address),
    stats: cache.stats,
  };
};
