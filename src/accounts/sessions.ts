import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { deleteSession, insertSession } from '../db/tables/sessions.ts';

const TOKEN_BYTES = 32;
/** A working day, whatever happens in it. */
const LIFETIME_MS = 12 * 3_600_000;
/** Browsers signed in with one key; who signs in once more ends the oldest. */
const MAX_PER_KEY = 20;

/** SHA-256: a token has 256 random bits, so a slow hash would add nothing. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The dashboard's sessions. Each speaks for a key, and ends with it on every gateway within a second. */
export const createSessions = ({ sql, changes }: Pick<Database, 'sql' | 'changes'>) => ({
  /** The token is in the answer and nowhere else. */
  async begin(keyId: string): Promise<{ readonly token: string; readonly expiresAt: Date }> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(Date.now() + LIFETIME_MS);
    await sql.begin(async (tx) => {
      const session = { keyId, hash: hashToken(token), expiresAt, maxPerKey: MAX_PER_KEY };
      for (const id of await insertSession(tx, session)) await changes.announce(tx, { kind: 'session', id });
    });
    return { token, expiresAt };
  },

  end: (id: string): Promise<void> =>
    sql.begin(async (tx) => {
      await deleteSession(tx, id);
      await changes.announce(tx, { kind: 'session', id });
    }),
});

export type Sessions = ReturnType<typeof createSessions>;
