/**
 * Look-ups of codes that cost the same whatever their account has. The planner makes one plan for all accounts, and for
 * an average one, with a few codes, it is as good to read all of them. So these queries leave it no choice.
 */
import type postgres from 'postgres';
import type { Sql } from '../../client.ts';

/** A part of a query. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** The columns of a code `c` that lists need. */
const COLUMNS = (sql: Sql) => sql`
  c.id, c.account_id, c.folder_id, c.design_id, c.deleted_at, c.redesigned_at, c.grade, c.warnings, c.slug, c.content, c.name, c.external_id,
  c.tags`;

/** The condition that the folder of a code `c` is outside the bin. */
export const isFolderLive = (sql: Sql) =>
  sql`(select f.deleted_at is null from folders f where f.id = c.folder_id)`;

/** A limit that the planner knows, which makes it read no more than that from an index. */
const knownLimit = (sql: Sql, limit: number) =>
  limit <= 128 ? sql`limit 128` : limit <= 2048 ? sql`limit 2048` : sql``;

/** Selects codes, to be used as a table. @param from A table `c`, conditions and, with a limit, an order. */
export const codesFrom = (sql: Sql, from: Fragment, limit: number | null) =>
  limit === null
    ? sql`(select ${COLUMNS(sql)} from ${from} offset 0)`
    : sql`(select * from (select ${COLUMNS(sql)} from ${from} ${knownLimit(sql, limit)}) as c limit ${limit})`;

/**
 * A table `c` of those of the ids that are codes of an account, each looked up in an index. They are in the order of
 * their ids, in which rows are locked. It has their `ctid` as `place`.
 *
 * @param condition Which codes; absent: those that are not in the bin themselves, though their folder may be.
 */
export const codesById = (sql: Sql, accountId: string, ids: readonly string[], condition?: Fragment) => sql`
  (select id from unnest(${ids as string[]}::uuid[]) as id order by id) as wanted cross join lateral (
    select c.ctid as place, ${COLUMNS(sql)} from codes c
    where c.account_id = ${accountId} and c.id = wanted.id and ${condition ?? sql`c.deleted_at is null`} offset 0
  ) as c`;

/** Returns an id below those of all codes created at or after the time: see `code_id` in sql/0004_codes.sql. */
export const firstIdAt = (time: Date): string => {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};

const FIRST = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** What is read in the order of an index: the codes of an account, or of a folder. */
export interface Range {
  readonly of: 'account' | 'folder';
  readonly id: string;
  /** The id after which codes are wanted; `null`: from the first one. */
  readonly after: string | null;
  readonly isNewestFirst: boolean;
  /** Ids that no code has, between which codes are wanted; absent: all of them. */
  readonly first?: string;
  readonly last?: string;
}

const columnOf = (sql: Sql, { of }: Range) => (of === 'account' ? sql`c.account_id` : sql`c.folder_id`);

/** The condition that a code `c` is in a range. */
export const isInRange = (sql: Sql, range: Range) => {
  const { id, isNewestFirst, first = FIRST, last = LAST } = range;
  const after = range.after ?? (isNewestFirst ? LAST : FIRST);
  const lower = !isNewestFirst && after > first ? after : first;
  const upper = isNewestFirst && after < last ? after : last;
  const column = columnOf(sql, range);
  return sql`(${column}, c.id) > (${id}::uuid, ${lower}::uuid) and (${column}, c.id) < (${id}::uuid, ${upper}::uuid)`;
};

/** The `order by` terms with which a range is read from its index. */
export const inRangeOrder = (sql: Sql, range: Range) => {
  const column = columnOf(sql, range);
  return range.isNewestFirst ? sql`${column} desc, c.id desc` : sql`${column}, c.id`;
};
