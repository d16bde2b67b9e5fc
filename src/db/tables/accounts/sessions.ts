import { type Asked, findAsked, type Sql } from '../../client.ts';
import { type Principal, principalColumns } from './keys.ts';

/** The principal of a session, which is that of its key. */
export interface SessionPrincipal extends Principal {
  readonly sessionId: string;
  readonly expiresAt: Date;
}

/**
 * Begins a session of a key. Ends the oldest sessions of the key beyond `maxPerKey` and returns their ids. Must be
 * called in a transaction, because it locks the key's row.
 *
 * @param session.hash The SHA-256 of the token, 32 bytes.
 */
export const insertSession = async (
  sql: Sql,
  session: { keyId: string; hash: Uint8Array; expiresAt: Date; maxPerKey: number },
): Promise<readonly string[]> => {
  const { keyId, hash, expiresAt, maxPerKey } = session;
  // Serializes callers per key. Concurrent ones would not see each other's sessions and leave one too many.
  await sql`select 1 from api_keys where id = ${keyId} for no key update`;
  await sql`
    insert into dashboard_sessions (key_id, hash, expires_at) values (${keyId}, ${hash}, ${expiresAt})`;
  const ended = await sql<{ id: string }[]>`
    delete from dashboard_sessions where id in (
      select id from dashboard_sessions where key_id = ${keyId}
      order by created_at desc, id desc offset ${maxPerKey}
    ) returning id`;
  return ended.map(({ id }) => id);
};

/** Returns the session with this hash, or `null` when it is unknown, ended or expired, or its key is revoked. */
export const findSession = (sql: Sql, hash: Uint8Array): Promise<SessionPrincipal | null> =>
  findAsked<SessionPrincipal>(
    Buffer.from(hash).toString('hex'),
    sql<(SessionPrincipal & Asked)[]>`
    select encode(s.hash, 'hex') as asked, s.id as session_id, s.expires_at, ${principalColumns(sql)}
    from dashboard_sessions s join api_keys k on k.id = s.key_id join accounts a on a.id = k.account_id
    where s.hash = ${hash} and s.expires_at > now() and k.revoked_at is null`,
  );

/** Deletes a session, if it exists. */
export const deleteSession = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from dashboard_sessions where id = ${id}`;
};

/** Deletes at most `limit` sessions that have expired or whose key is revoked; returns how many. */
export const deleteEndedSessions = async (sql: Sql, limit: number): Promise<number> => {
  const { count } = await sql`
    delete from dashboard_sessions where id in (
      select s.id from dashboard_sessions s join api_keys k on k.id = s.key_id
      where s.expires_at <= now() or k.revoked_at is not null limit ${limit}
    )`;
  return count;
};

/**
 * Begins a session of the operator. Deletes expired sessions, and the oldest ones beyond `max`.
 *
 * @param session.hash The HMAC of the token, 32 bytes.
 */
export const insertOperatorSession = async (
  sql: Sql,
  { hash, expiresAt, max }: { readonly hash: Uint8Array; readonly expiresAt: Date; readonly max: number },
): Promise<void> => {
  await sql`insert into operator_sessions (hash, expires_at) values (${hash}, ${expiresAt})`;
  await sql`
    delete from operator_sessions where expires_at <= now() or hash in (
      select hash from operator_sessions order by created_at desc, hash offset ${max}
    )`;
};

/** Returns when the session with this hash ends, or `null` when it is unknown, ended or expired. */
export const findOperatorSession = async (sql: Sql, hash: Uint8Array): Promise<Date | null> => {
  const found = await findAsked<{ expiresAt: Date }>(
    Buffer.from(hash).toString('hex'),
    sql<({ expiresAt: Date } & Asked)[]>`
    select encode(hash, 'hex') as asked, expires_at from operator_sessions
    where hash = ${hash} and expires_at > now()`,
  );
  return found?.expiresAt ?? null;
};

/** Deletes a session, if it exists. */
export const deleteOperatorSession = async (sql: Sql, hash: Uint8Array): Promise<void> => {
  await sql`delete from operator_sessions where hash = ${hash}`;
};
