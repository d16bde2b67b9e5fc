import type { Changes } from '../../db/changes.ts';
import type { KeyOwner } from '../../db/tables/keys.ts';
import type { SessionHolder } from '../../db/tables/sessions.ts';
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

export interface HolderOptions<V> {
  /** @param hash SHA-256 of the secret. `null`: nobody has it. */
  load(hash: Buffer): Promise<V | null>;
  readonly changes: Pick<Changes, 'live' | 'subscribe'>;
  /** Slows addresses that send what nobody has. */
  readonly guesses: KeyGuesses;
}

export interface Holders<V extends KeyOwner> {
  /** @throws {AppError} 429 when the address guesses, 503 when the database can't be asked. */
  find(hash: Buffer, address: string): Promise<V | null>;
  stats: OutageCache<V>['stats'];
}

/**
 * Who holds a secret, by its hash: a key, or the token of a session. That a key was revoked, a session ended or a
 * plan changed is in force within a second. While the database is away, whoever was seen within ten minutes is
 * known, and anybody else gets a 503, not a 401.
 */
export const createHolders = <V extends KeyOwner & Partial<SessionHolder>>(
  { load, changes, guesses }: HolderOptions<V>,
  log: Log,
): Holders<V> => {
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
    else if (change.kind === 'key') cache.drop((holder) => holder.keyId === change.id);
    else if (change.kind === 'account') cache.drop((holder) => holder.accountId === change.id);
    else if (change.kind === 'session') cache.drop((holder) => holder.sessionId === change.id);
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
