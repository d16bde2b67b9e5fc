/** What calls have made under an `Idempotency-Key`: each at most once, also when a gateway dies before it answers. */
import { findFirst, type Sql } from '../../client.ts';
import type { Database } from '../../database.ts';

/** A key as it was sent. */
export interface OnceClaim {
  readonly accountId: string;
  readonly route: string;
  readonly key: string;
  /** The SHA-256 of the request, 32 bytes. */
  readonly requestSha256: Buffer;
}

/** What was made under a key, or why nothing is. */
export type Once<T> =
  | { readonly outcome: 'made'; readonly answer: T }
  /** The answer to the first call, as JSON. */
  | { readonly outcome: 'made before'; readonly answer: string }
  /** The key was used for another request. */
  | { readonly outcome: 'mismatch' }
  | { readonly outcome: 'running' };

/** How long an answer is kept at least. */
const KEPT = '24 hours';

/** Returns what was made under the key before; `null`: nothing was. */
export const findMade = async <T>(
  sql: Sql,
  { accountId, route, key, requestSha256 }: OnceClaim,
): Promise<Once<T> | null> => {
  const made = await findFirst(sql<{ requestSha256: Buffer; answer: string }[]>`
    select request_sha256, answer from idempotent_answers
    where account_id = ${accountId} and route = ${route} and key = ${key}
      and created_at > now() - ${KEPT}::interval`);
  if (made === null) return null;
  return requestSha256.equals(made.requestSha256)
    ? { outcome: 'made before', answer: made.answer }
    : { outcome: 'mismatch' };
};

/**
 * Makes something unless it was made under the key before, and keeps the answer in the same transaction. What `make`
 * throws undoes everything, and then nothing is kept.
 */
export const makeOnce = <T extends object>(
  sql: Pick<Database['sql'], 'begin'>,
  claim: OnceClaim,
  make: (tx: Sql) => Promise<T>,
): Promise<Once<T>> =>
  sql.begin(async (tx): Promise<Once<T>> => {
    const { accountId, route, key, requestSha256 } = claim;
    const [{ isFree }] = await tx<[{ isFree: boolean }]>`
      select pg_try_advisory_xact_lock(hashtextextended(${`${accountId} ${route} ${key}`}, 0)) as is_free`;
    if (!isFree) return { outcome: 'running' };
    const before = await findMade<T>(tx, claim);
    if (before !== null) return before;
    const answer = await make(tx);
    await tx`
      insert into idempotent_answers (account_id, route, key, request_sha256, answer)
      values (${accountId}, ${route}, ${key}, ${requestSha256}, ${JSON.stringify(answer)})
      on conflict (account_id, route, key) do update
      set request_sha256 = excluded.request_sha256, answer = excluded.answer, created_at = now()`;
    return { outcome: 'made', answer };
  });

/** Deletes answers that are kept no longer, at most `limit`. */
export const deleteOldMade = async (sql: Sql, limit: number): Promise<void> => {
  await sql`
    delete from idempotent_answers where (account_id, route, key) in (
      select account_id, route, key from idempotent_answers where created_at < now() - ${KEPT}::interval
      order by created_at limit ${limit})`;
};
