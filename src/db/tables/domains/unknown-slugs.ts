/** The slugs that visitors asked of domains in vain: the most frequent ones of each, and how many requests there were in all. */
import { inTransaction, type Sql } from '../../client.ts';
import type { Database } from '../../database.ts';

/** How many slugs of a domain are kept. */
export const UNKNOWN_SLUGS_MAX = 1000;
/** For how long one is kept that nobody asks for any more. */
const KEPT_DAYS = 90;

/** Requests for a slug of a domain since they were last written. */
export interface UnknownRequests {
  readonly domainId: string;
  /** `null`: those for slugs that are not counted one by one. */
  readonly slug: string | null;
  readonly requests: number;
}

/** Adds requests to those of domains that are still there, and forgets the least frequent slugs beyond the bound. */
export const addUnknown = (sql: Database['sql'], asked: readonly UnknownRequests[]): Promise<void> =>
  inTransaction(sql, async (tx) => {
    const item = tx`unnest(
      ${asked.map(({ domainId }) => domainId)}::uuid[], ${asked.map(({ slug }) => slug)}::text[],
      ${asked.map(({ requests }) => requests)}::bigint[]) as item (domain_id, slug, requests)`;
    // One order for all, which avoids deadlocks.
    await tx`
      select from domains where id = any(${asked.map(({ domainId }) => domainId)}::uuid[]) order by id for update`;
    await tx`
      update domains d set unknown_requests = d.unknown_requests + added.requests
      from (select domain_id, sum(requests)::bigint as requests from ${item} group by domain_id) as added
      where d.id = added.domain_id and d.verified_at is not null`;
    await tx`
      insert into unknown_slugs (domain_id, slug, requests, first_at, last_at)
      select item.domain_id, item.slug, item.requests, now(), now()
      from ${item} join domains d on d.id = item.domain_id
      where item.slug is not null and d.verified_at is not null
      on conflict (domain_id, slug) do update set requests = unknown_slugs.requests + excluded.requests, last_at = now()`;
    await tx`
      delete from unknown_slugs u using (
        select domain_id, slug, row_number() over (
          partition by domain_id order by requests desc, last_at desc, slug collate "C") as place
        from unknown_slugs where domain_id = any(${asked.map(({ domainId }) => domainId)}::uuid[])
      ) as ranked
      where u.domain_id = ranked.domain_id and u.slug = ranked.slug and ranked.place > ${UNKNOWN_SLUGS_MAX}`;
  });

/** A slug that visitors asked for in vain. */
export interface UnknownSlug {
  readonly slug: string;
  readonly requests: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** Returns the slugs of a domain that were asked for most. */
export const listUnknown = (
  sql: Sql,
  domainId: string,
  limit: number,
): Promise<readonly UnknownSlug[]> => sql<UnknownSlug[]>`
  select slug, requests, first_at, last_at from unknown_slugs where domain_id = ${domainId}
  order by requests desc, last_at desc, slug collate "C" limit ${limit}`;

/** Forgets slugs that nobody has asked for lately. */
export const expireUnknown = async (sql: Sql, now: Date): Promise<void> => {
  await sql`delete from unknown_slugs where last_at < ${now}::timestamptz - make_interval(days => ${KEPT_DAYS})`;
};
