import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { deleteSession, insertSession } from '../db/tables/sessions.ts';

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
