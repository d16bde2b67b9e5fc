/** What calls have changed under an `Idempotency-Key`: at most once each, even if a gateway dies before it answers. */
import { type Asked, findAsked, inTransaction, type Sql } from '../client.ts';
import type { Database } from '../database.ts';

/** A key as sent. */
export interface OnceClaim {
  readonly accountId: string;
  /** The method and the pattern of the path. */
  readonly route: string;
  readonly key: string;
  /** The SHA-256 of the request, 32 bytes. */
  readonly requestSha256: Buffer;
}

export interface KeptAnswer {
  /** Its body; `undefined`: none. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>;
}

/** What was done under a key, or why nothing was. */
export type Once<T> =
  | { readonly outcome: 'made'; readonly answer: T }
  /** The answer to the first call. */
  | { readonly outcome: 'made before'; readonly kept: KeptAnswer }
  /** The key was used for another request. */
  | { readonly outcome: 'mismatch' }
  | { readonly outcome: 'running' };

/** Minimum time that an answer is kept, unless its account has more than are kept. */
const KEPT = '24 hours';

interface Made {
  readonly requestSha256: Buffer;
  readonly answer: string;
}

/** Returns what was already done under the key, or `null`. */
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
  if (!requestSha256.equals(made.requestSha256)) return { outcome: 'mismatch' };
  return { outcome: 'made before', kept: JSON.parse(made.answer) as KeptAnswer };
};

/**
 * Does something unless it was already done under the key, and stores in the same transaction what is kept of the
 * answer. If `make` throws, everything is rolled back and nothing is stored.
 */
export const makeOnce = <T>(
  sql: Database['sql'],
  claim: OnceClaim,
  make: (tx: Database['sql']) => Promise<T>,
  keep: (answer: T) => KeptAnswer,
): Promise<Once<T>> =>
  inTransaction(sql, async (tx): Promise<Once<T>> => {
    const { accountId, route, key, requestSha256 } = claim;
    const [{ isFree }] = await tx<[{ isFree: boolean }]>`
      select pg_try_advisory_xact_lock(hashtextextended(${`${accountId} ${route} ${key}`}, 0)) as is_free`;
    if (!isFree) return { outcome: 'running' };
    const before = await findMade<T>(tx, claim);
    if (before !== null) return before;
    const answer = await make(tx);
    await tx`
      insert into idempotent_answers (account_id, route, key, request_sha256, answer)
      values (${accountId}, ${route}, ${key}, ${requestSha256}, ${JSON.stringify(keep(answer))})
      on conflict (account_id, route, key) do update
      set request_sha256 = excluded.request_sha256, answer = excluded.answer, created_at = now()`;
    return { outcome: 'made', answer };
  });

/** How many answers of an account are kept, and how long they are together. */
export interface MadeBounds {
  readonly answers: number;
  readonly bytes: number;
}

/** Deletes at most `limit` answers whose time is over, and as many of each account beyond its bounds, the oldest ones. */
export const deleteOldMade = async (
  sql: Sql,
  limit: number,
  { answers, bytes }: MadeBounds,
): Promise<void> => {
  await sql`
    delete from idempotent_answers where (account_id, route, key) in (
      select account_id, route, key from idempotent_answers where created_at < now() - ${KEPT}::interval
      order by created_at limit ${limit})`;
  await sql`
    delete from idempotent_answers where (account_id, route, key) in (
      select account_id, route, key from (
        select account_id from idempotent_answers group by account_id
        having count(*) > ${answers} or sum(octet_length(answer)) > ${bytes}) as full_ones
      cross join lateral (
        select route, key from (
          select route, key, row_number() over newest as place, sum(octet_length(answer)) over newest as length
          from idempotent_answers as one where one.account_id = full_ones.account_id
          window newest as (order by created_at desc, route, key)) as placed
        where place > ${answers} or length > ${bytes} limit ${limit}) as oldest)`;
};
