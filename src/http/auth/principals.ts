import type { Changes } from '../../db/changes.ts';
import type { Principal } from '../../db/tables/keys.ts';
import type { SessionPrincipal } from '../../db/tables/sessions.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { createOutageCache, type OutageCache } from '../../outage-cache.ts';
import type { KeyGuesses } from '../limits/key-guesses.ts';

/** Changes reach the cache as news; while these may be missing, an entry is good for the second that is promised. */
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

export interface PrincipalOptions<V> {
  /** @param hash SHA-256 of the secret. `null`: nobody has it. */
  load(hash: Buffer): Promise<V | null>;
  readonly changes: Pick<Changes, 'live' | 'subscribe'>;
  /** Slows addresses that send what nobody has. */
  readonly guesses: KeyGuesses;
}

export interface Principals<V extends Principal> {
  /** @throws {AppError} 429 when the address guesses, 503 when the database can't be asked. */
  find(hash: Buffer, address: string): Promise<V | null>;
  stats: OutageCache<V>['stats'];
}

/**
 * Finds the principal of a secret by its hash: of a key, or of the token of a session. A revoked key, an ended session
 * and a changed plan take effect within a second. While the database is unavailable, a principal that was seen within
 * ten minutes is known, and any other call gets a 503, not a 401.
 */
export const createPrincipals = <V extends Principal & Partial<SessionPrincipal>>(
  { load, changes, guesses }: PrincipalOptions<V>,
  log: Log,
): Principals<V> => {
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
    else if (change.kind === 'key') cache.drop((principal) => principal.keyId === change.id);
    else if (change.kind === 'account') cache.drop((principal) => principal.accountId === change.id);
    else if (change.kind === 'session') cache.drop((principal) => principal.sessionId === change.id);
  });

  return {
    async find(hash, address) {
      const key = hash.toString('base64');
      try {
        return await (cache.has(key) ? cache.get(key) : guesses.lookUp(address, () => cache.get(key)));
      } catch (cause) {
        if (cause instanceof AppError) throw cause;
        throw new AppError('unavailable', 'Keys cannot be looked up at the moment; try again.', {
          retryAfterS: 1,
          cause,
        });
      }
    },
    stats: cache.stats,
  };
};
