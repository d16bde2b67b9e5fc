/**
 * The orders in which codes are read, and where a page ends. A list by name has two parts, each in the order of an
 * index: first the codes with a name, then those without, newest first. A list by scans works likewise.
 */
import type { Sql } from '../../client.ts';
import { type Cursor, decodeCursor, encodeCursor } from '../../cursor.ts';
import { replaceNul } from '../../statements.ts';
import { hasTag } from '../names.ts';
import type { Fragment } from './look-up.ts';
import { isBelowBest, isGraded, isOfAge, type Traits } from './traits.ts';

/** `scans`: by the number of people who have scanned the short link since its creation. */
export const CODE_SORTS = ['newest', 'oldest', 'name', 'scans'] as const;
export type CodeSort = (typeof CODE_SORTS)[number];

/** The position of a code in a list. */
export interface Place extends Cursor {
  /** Only in lists by name, in the part with the named codes. */
  readonly nameKey?: string | null;
  /** Both only in lists by scans, in the part with the scanned codes. */
  readonly people?: number | null;
  readonly slug?: string | null;
}

/** Whether codes are listed by their age. */
export const isByAge = (sort: CodeSort): boolean => sort === 'newest' || sort === 'oldest';

/** The longest cursor: a key of 200 four-byte characters, and the rest, including what `closeCursor` adds. */
export const PLACE_MAX_CHARACTERS = 1906;

/** Encodes a place for use in a URL. Callers must treat it as opaque. */
export const encodePlace = (sort: CodeSort, place: Place): string => {
  if (isByAge(sort)) return encodeCursor(place);
  const { nameKey = null, people = null, slug = null } = place;
  return Buffer.from(JSON.stringify([sort, encodeCursor(place), nameKey, people, slug])).toString(
    'base64url',
  );
};

const parse = (text: string): readonly unknown[] => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
};

const isNullOr = <T>(value: unknown, is: (value: unknown) => value is T): value is T | null =>
  value === null || is(value);
const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0');
const isCount = (value: unknown): value is number => Number.isSafeInteger(value);

/** Reads a text that `encodePlace` wrote for the same order; `undefined` for any other. */
export const decodePlace = (sort: CodeSort, text: string): Place | undefined => {
  if (isByAge(sort)) return decodeCursor(text);
  const [writtenFor, cursor, nameKey, people, slug] = parse(text);
  if (writtenFor !== sort || typeof cursor !== 'string') return undefined;
  const end = decodeCursor(cursor);
  if (end === undefined) return undefined;
  if (!isNullOr(nameKey, isText) || !isNullOr(people, isCount) || !isNullOr(slug, isText)) return undefined;
  return { ...end, nameKey, people, slug };
};

/** Whether a short link leads to its destination now, will do so later, or no longer does. */
export const LINK_STATUSES = ['active', 'scheduled', 'expired'] as const;
/** One of `LINK_STATUSES`. */
export type LinkStatus = (typeof LINK_STATUSES)[number];

/** Which codes of an account are wanted. */
export interface CodeFilter extends Traits {
  readonly accountId: string;
  /** Absent: all folders. */
  readonly folderId?: string;
  /**
   * Only codes whose content, name, own slugs or beginning of the current destination includes this text, ignoring case;
   * '': all.
   */
  readonly search: string;
  /** Only codes with this tag, as returned by `toTag`. Absent: all. */
  readonly tag?: string;
  /** Only codes with this external id. Absent: all. */
  readonly externalId?: string;
  /** Only codes whose short link has this status. Absent: all. */
  readonly linkStatus?: LinkStatus;
  /** Absent: `newest`. */
  readonly sort?: CodeSort;
}

/**
 * Where a walk finds candidates: in the text index, which needs a search text of at least three bytes, in the index of
 * tags, of external ids or of grades below 4, or in all codes.
 */
export type Source = 'texts' | 'tags' | 'external ids' | 'grades' | 'codes';

/** Reads codes in one order. */
export interface Walk {
  /** Whether a page that starts after the place starts in this walk. */
  holds(place: Place): boolean;
  /** Selects codes that may be wanted, with the columns of `Place`. */
  rows(sql: Sql, filter: CodeFilter, source: Source): Fragment;
  /** The condition that a row comes after a place. */
  after(sql: Sql, place: Place): Fragment;
  /** The list's `order by` terms, forward or reversed. */
  order(sql: Sql, direction: 'onward' | 'back'): Fragment;
  /** The condition for a code `c` to be in this walk, beyond the filter. */
  condition(sql: Sql): Fragment;
}

/** Returns both forms of a search text: content is stored as sent, but names in NFC. */
export const formsOf = (search: string): readonly string[] => [
  ...new Set([replaceNul(search), replaceNul(search.normalize('NFC'))]),
];

/** The condition that uses the text index. Grams contain only part of the account's id; the folders settle the rest. */
const hasGrams = (sql: Sql, { accountId, search }: CodeFilter) => {
  const [first, second = first] = formsOf(search);
  const has = (form: string | undefined) =>
    sql`search_grams(account_id, code_text(content, name, leads_to, own_slugs)) @> search_grams(${accountId}, ${form ?? ''})`;
  return first === second ? has(first) : sql`(${has(first)} or ${has(second)})`;
};

const isNamedBy = (sql: Sql, filter: CodeFilter, source: Exclude<Source, 'codes'>) => {
  const { accountId, tag = '', externalId = '', grades = [] } = filter;
  switch (source) {
    case 'texts':
      return hasGrams(sql, filter);
    case 'tags':
      return hasTag(sql, accountId, tag);
    case 'external ids':
      return sql`account_id = ${accountId} and external_id = ${externalId}`;
    case 'grades':
      return sql`account_id = ${accountId} and grade < 4 and grade = any(${grades as number[]}::smallint[])`;
  }
};

/**
 * Selects live codes of an account from an index, as `c`. `offset 0` separates the index conditions from the ordering:
 * otherwise the planner's estimates would make it read all codes of the account.
 */
const selectIndexed = (sql: Sql, filter: CodeFilter, source: Exclude<Source, 'codes'>) => {
  const { accountId, folderId } = filter;
  return sql`(
    select id, name_key, slug, folder_id from codes
    where deleted_at is null and ${isNamedBy(sql, filter, source)}
    offset 0
  ) c where c.folder_id in (select id from folders where account_id = ${accountId} and deleted_at is null)
    ${folderId === undefined ? sql`` : sql`and c.folder_id = ${folderId}`} ${isOfAge(sql, filter)}`;
};

/**
 * Selects live codes of an account, as `c`. The folder is looked up in a subquery: the planner considers a join on
 * folders selective, and would then read all codes of the account. A filter that no index has in this order is left to
 * `isWanted`, so that a step reads no more than its rows.
 */
const selectLive = (sql: Sql, filter: CodeFilter, isByAge: boolean) => {
  const { accountId, folderId, isDynamic } = filter;
  const isIndexed = isByAge && isBelowBest(filter) && folderId === undefined;
  return sql`
  codes c where c.deleted_at is null and c.account_id = ${accountId}
    and (select f.deleted_at is null from folders f where f.id = c.folder_id)
    ${folderId === undefined ? sql`` : sql`and c.folder_id = ${folderId}`}
    ${isDynamic && folderId === undefined && !isIndexed ? sql`and c.slug is not null` : sql``}
    ${isIndexed ? isGraded(sql, filter) : sql``} ${isOfAge(sql, filter)}`;
};

const selectCandidates = (sql: Sql, filter: CodeFilter, source: Source, isByAge = false) =>
  source === 'codes' ? selectLive(sql, filter, isByAge) : selectIndexed(sql, filter, source);

/** The columns of a place that are encoded at the start of a code's id. */
const AGE = (sql: Sql) => sql`code_time(id) as created_at, code_place(id) as position`;

const byAge = (isNewestFirst: boolean): Walk => ({
  holds: () => true,
  rows: (sql, filter, source) => sql`
    select c.id, ${AGE(sql)}, null::text as name_key, null::bigint as people, null::text as slug
    from ${selectCandidates(sql, filter, source, true)}`,
  after: (sql, { id }) => (isNewestFirst ? sql`id < ${id}` : sql`id > ${id}`),
  order: (sql, direction) => (isNewestFirst === (direction === 'onward') ? sql`id desc` : sql`id`),
  condition: (sql) => sql`true`,
});

const named: Walk = {
  holds: ({ nameKey = null }) => nameKey !== null,
  rows: (sql, filter, source) => sql`
    select c.id, ${AGE(sql)}, c.name_key, null::bigint as people, null::text as slug
    from ${selectCandidates(sql, filter, source)} and c.name_key is not null`,
  after: (sql, { nameKey = null, id }) => sql`(name_key, id) > (${nameKey}, ${id})`,
  order: (sql, direction) => (direction === 'onward' ? sql`name_key, id` : sql`name_key desc, id desc`),
  condition: (sql) => sql`true`,
};

const unnamed: Walk = { ...byAge(true), condition: (sql) => sql`c.name_key is null` };

/** Placeholder for a code that is being purged. */
const NO_CODE = '00000000-0000-0000-0000-000000000000';

const scanned: Walk = {
  holds: ({ people = null }) => people !== null,
  rows: (sql, filter, source) =>
    source === 'codes'
      ? sql`
        select coalesce((select c.id from codes c where c.slug = r.slug), ${NO_CODE}::uuid) as id,
          now() as created_at, 0 as position, null::text as name_key, r.people, r.slug
        from scan_ranks r where r.account_id = ${filter.accountId}`
      : sql`
        select found.id, ${AGE(sql)}, name_key, r.people, r.slug
        from (select c.* from ${selectIndexed(sql, filter, source)}) as found join scan_ranks r on r.slug = found.slug`,
  after: (sql, { people = null, slug = null }) => sql`(people, slug) < (${people}::bigint, ${slug}::text)`,
  order: (sql, direction) => (direction === 'onward' ? sql`people desc, slug desc` : sql`people, slug`),
  condition: (sql) => sql`c.deleted_at is null
    and (select f.deleted_at is null from folders f where f.id = c.folder_id)`,
};

const unscanned: Walk = {
  ...byAge(true),
  condition: (sql) => sql`not exists (select from scan_ranks r where r.slug = c.slug)`,
};

/** The parts of a list in each order. */
export const WALKS: Readonly<Record<CodeSort, readonly Walk[]>> = {
  newest: [byAge(true)],
  oldest: [byAge(false)],
  name: [named, unnamed],
  scans: [scanned, unscanned],
};
