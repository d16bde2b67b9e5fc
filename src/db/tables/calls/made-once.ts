/** What calls have made under an `Idempotency-Key`: at most once each, even if a gateway dies before it answers. */
import { type Asked, findAsked, type Sql } from '../../client.ts';
import type { Database } from '../../database.ts';

/** A key as sent. */
export interface OnceClaim {
  readonly accountId: string;
  readonly route: string;
  readonly key: string;
  /** The SHA-256 of the request, 32 bytes. */
  readonly requestSha256: Buffer;
}

/** What was made under a key, or why nothing was. */
export type Once<T> =
  | { readonly outcome: 'made'; readonly answer: T }
  /** The answer to the first call, as JSON. */
  | { readonly outcome: 'made before'; readonly answer: string }
  /** The key was used for another request. */
  | { readonly outcome: 'mismatch' }
  | { readonly outcome: 'running' };

/** Minimum time that an answer is kept. */
const KEPT = '24 hours';

interface Made {
  readonly requestSha256: Buffer;
  readonly answer: string;
}

/** Returns what was already made under the key, or `null`. */
export const findMade = async <T>(
  sql: Sql,
  { accountId, route, key, requestSha256 }: OnceClaim,
): Promise<Once<T> | null> => {
  const made = await findAsked<Made>(
    `${accountId} ${route} ${key}`,
    sql<(Made & Asked)[]>`
    select concat_ws(' ', account_id, route, key) as asked, request_sha256, answer from idempotent_answers
    where account_id = ${accountId} and route = ${route} and key = ${key}
      and created_at > now() - ${KEPT}::interval`,
  );
  if (made === null) return null;
  return requestSha256.equals(made.requestSha256)
    ? { outcome: 'made before', answer: made.answer }
    : { outcome: 'mismatch' };
};

/**
 * Makes something unless it was already made under the key, and stores the answer in the same transaction. If `make`
 * throws, everything is rolled back and nothing is stored.
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

/** Deletes at most `limit` answers whose time is over. */
export const deleteOldMade = async (sql: Sql, limit: number): Promise<void> => {
  await sql`
    delete from idempotent_answers where (account_id, route, key) in (
      select account_id, route, key from idempotent_answers where created_at < now() - ${KEPT}::interval
      order by created_at limit ${limit})`;
};
