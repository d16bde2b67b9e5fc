import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Database } from '../db/database.ts';
import {
  deleteOperatorSession,
  deleteSession,
  findOperatorSession,
  insertOperatorSession,
  insertSession,
} from '../db/tables/accounts/sessions.ts';

const TOKEN_BYTES = 32;
/** A long working day. Using a session does not extend it. */
const LIFETIME_MS = 12 * 3_600_000;
/** Maximum sessions per key. A further one ends the oldest. */
const MAX_PER_KEY = 20;

/** Returns the SHA-256 of a token, 32 bytes. A token has 256 random bits, so a slow hash would add nothing. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Creates the operations on the dashboard's sessions. A session has the rights of its key. When either ends, every
 * gateway refuses the session within a second.
 */
export const createSessions = ({ sql, changes }: Pick<Database, 'sql' | 'changes'>) => ({
  /**
   * Begins a session of the key, which does not outlast it. The token is returned but not stored.
   *
   * @param keyExpiresAt `null`: the key does not expire.
   */
  async begin(
    keyId: string,
    keyExpiresAt: Date | null,
  ): Promise<{ readonly token: string; readonly expiresAt: Date }> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const endMs = Date.now() + LIFETIME_MS;
    const expiresAt = new Date(Math.min(endMs, keyExpiresAt?.getTime() ?? endMs));
    await sql.begin(async (tx) => {
      const session = { keyId, hash: hashToken(token), expiresAt, maxPerKey: MAX_PER_KEY };
      for (const id of await insertSession(tx, session)) await changes.announce(tx, { kind: 'session', id });
    });
    return { token, expiresAt };
  },

  /** Ends a session. A no-op if it has already ended. */
  end: (id: string): Promise<void> =>
    sql.begin(async (tx) => {
      await deleteSession(tx, id);
      await changes.announce(tx, { kind: 'session', id });
    }),
});

/** What `createSessions` returns. */
export type Sessions = ReturnType<typeof createSessions>;

/** Maximum concurrent operator sessions. A further one ends the oldest. */
const MAX = 20;

/**
 * Creates the operations on the sessions of the operator's screen. Every gateway reads them from the database, so their
 * end applies at once. Stored token hashes are keyed with the admin token, so changing that ends all sessions.
 */
export const createOperatorSessions = ({ sql }: Pick<Database, 'sql'>, adminToken: string) => {
  const hashOf = (token: string): Buffer => createHmac('sha256', adminToken).update(token).digest();
  return {
    /** Begins a session. The token is returned but not stored. */
    async begin(): Promise<{ readonly token: string; readonly expiresAt: Date }> {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const expiresAt = new Date(Date.now() + LIFETIME_MS);
      await insertOperatorSession(sql, { hash: hashOf(token), expiresAt, max: MAX });
      return { token, expiresAt };
    },
    /** Returns when the session of this token ends; `null`: it has ended, or there is none. */
    find: (token: string): Promise<Date | null> => findOperatorSession(sql, hashOf(token)),
    /** Ends a session. A no-op if it has already ended. */
    end: (token: string): Promise<void> => deleteOperatorSession(sql, hashOf(token)),
  };
};

/** What `createOperatorSessions` returns. */
export type OperatorSessions = ReturnType<typeof createOperatorSessions>;
