import { createHmac, randomBytes } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { deleteOperatorSession, findOperatorSession, insertOperatorSession } from '../db/tables/sessions.ts';

const TOKEN_BYTES = 32;
/** A long working day, as for accounts. */
const LIFETIME_MS = 12 * 3_600_000;
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
