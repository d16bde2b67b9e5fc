/** Finds the codes of a list, a searched one in steps of bounded work. */
import type postgres from 'postgres';
import type { Sql } from '../../client.ts';
import type { Page } from '../../cursor.ts';
import { isTimeout } from '../../faults.ts';
import { replaceNul, toLikePattern, withTimeLimit } from '../../statements.ts';
import { type CodeRow, type StoredCode, selectCodes, toCode } from './codes.ts';
import { codesById, inRangeOrder, isFolderLive, isInRange, type Range } from './look-up.ts';
import { hasTraits, idsOfAge, isBelowBest } from './traits.ts';
import {
  type CodeFilter,
  encodePlace,
  formsOf,
  isByAge,
  type LinkStatus,
  type Place,
  type Source,
  WALKS,
  type Walk,
} from './walks.ts';

/** How much of the database one page of a search may use. */
interface SearchBounds {
  /** Codes that the first statement reads; each further one reads 16 times as many, up to `stepRows`. */
  readonly firstRows: number;
  /** Maximum codes read per statement. On the embedded database, all other queries wait for it. */
  readonly stepRows: number;
  /** Maximum statements per page. If they do not fill it, the page is short and the next one continues there. */
  readonly maxSteps: number;
  /** After this time no further statement starts, and a server cancels the running one. */
  readonly timeoutMs: number;
  /** Once aborted, no further statement starts. */
  readonly signal?: AbortSignal;
}

/** Which page of a list of codes is wanted. */
export interface CodesRequest {
  /** `null`: the first page. */
  readonly after: Place | null;
  readonly limit: number;
}

const sourceFor = async (sql: Sql, filter: CodeFilter): Promise<Source> => {
  const { accountId, search, tag, externalId, sort = 'newest' } = filter;
  if (externalId !== undefined) return 'external ids';
  const unlabelled = isBelowBest(filter) && !isByAge(sort) ? 'grades' : 'codes';
  const otherwise = tag === undefined ? unlabelled : 'tags';
  if (search === '') return otherwise;
  const [row] = await sql<[{ grams: number }]>`
    select min(cardinality(search_grams(${accountId}, form))) as grams
    from unnest(${formsOf(search)}::text[]) as form`;
  return row.grams === 0 ? otherwise : 'texts';
};

/**
 * The condition that one of the chosen slugs of a code `c` includes a text. The slugs are stored joined by spaces.
 */
const hasSlug = (sql: Sql, search: string) =>
  replaceNul(search).includes(' ') ? sql`false` : sql`c.own_slugs ilike ${toLikePattern(search)}`;

/** The condition that a short link `l` has a status. */
const hasStatus = (sql: Sql, status: LinkStatus) => {
  switch (status) {
    case 'active':
      return sql`coalesce(l.active_from <= now(), true) and coalesce(l.active_until > now(), true)`;
    case 'scheduled':
      return sql`l.active_from > now()`;
    case 'expired':
      return sql`l.active_until <= now()`;
  }
};

/** The conditions on a code `c` that every list's filter shares. */
const isOfFilter = (sql: Sql, filter: CodeFilter) => {
  const { folderId, tag, externalId, linkStatus } = filter;
  return sql`
  ${folderId === undefined ? sql`` : sql`and c.folder_id = ${folderId}`}
  ${tag === undefined ? sql`` : sql`and c.tags @> array[${tag}::text]`}
  ${externalId === undefined ? sql`` : sql`and c.external_id = ${externalId}`}
  ${hasTraits(sql, filter)}
  ${
    linkStatus === undefined
      ? sql``
      : sql`and exists (select from links l where l.slug = c.slug and ${hasStatus(sql, linkStatus)})`
  }`;
};

/** The condition that a code `c` is wanted, without what its place already implies. */
const isWanted = (sql: Sql, walk: Walk, filter: CodeFilter) => {
  const { search } = filter;
  return sql`
  ${walk.condition(sql)}
  ${isOfFilter(sql, filter)}
  ${
    search === ''
      ? sql``
      : sql`and (searchable(c.content) ilike ${toLikePattern(search)} or c.leads_to ilike ${toLikePattern(search)}
          or c.name ilike ${toLikePattern(search.normalize('NFC'))} or ${hasSlug(sql, search)})`
  }`;
};

interface Step {
  /** The last code read; `null`: none was left. */
  readonly last: Place | null;
  readonly isEnd: boolean;
  /** The matches, in order, at most `maxHits`. */
  readonly hits: readonly Place[];
}

/** Scans the next candidates in order. It reads no content after the last wanted hit. */
const lookThrough = async (
  sql: Sql,
  walk: Walk,
  source: Source,
  filter: CodeFilter,
  after: Place | null,
  { rows: stepRows, maxHits }: { readonly rows: number; readonly maxHits: number },
): Promise<Step> => {
  const rows = await sql<(Place & { readonly isHit: boolean; readonly read: number })[]>`
    with candidate as materialized (
      select * from (${walk.rows(sql, filter, source)}) as listed
      ${after === null ? sql`` : sql`where ${walk.after(sql, after)}`}
      order by ${walk.order(sql, 'onward')} limit ${stepRows}
    )
    select *, true as is_hit, 0 as read from (
      select * from (select * from candidate order by ${walk.order(sql, 'onward')} offset 0) as place
      where (
        select ${isWanted(sql, walk, filter)} from codes c
        where c.account_id = ${filter.accountId} and c.id = place.id and c.deleted_at is null
      )
      limit ${maxHits}
    ) hit
    union all (
      select *, false, (select count(*) from candidate) from candidate order by ${walk.order(sql, 'back')} limit 1
    )`;
  const last = rows.find(({ isHit }) => !isHit);
  return { last: last ?? null, isEnd: (last?.read ?? 0) < stepRows, hits: rows.filter(({ isHit }) => isHit) };
};

/** What was found for a page. */
interface Found {
  readonly hits: readonly Place[];
  /** The last code read. */
  readonly last: Place | null;
  readonly isEnd: boolean;
}

/** Whether `rows` more codes will yield the missing hits, at the hit rate of the codes read so far. */
const fillsPage = (hits: number, read: number, missing: number, rows: number): boolean =>
  hits * rows >= missing * read;

/**
 * Finds the codes of one page. It reads codes in order while matches are frequent enough to fill the page; otherwise it
 * uses the text index. At the time limit it returns what it has found so far.
 */
export const collect = async (
  sql: postgres.Sql,
  filter: CodeFilter,
  { after, limit }: CodesRequest,
  { firstRows, stepRows, maxSteps, timeoutMs, signal }: SearchBounds,
): Promise<Found> => {
  const deadlineMs = performance.now() + timeoutMs;
  const walks = WALKS[filter.sort ?? 'newest'];
  let at = after === null ? 0 : walks.findIndex((walk) => walk.holds(after));
  const hits: Place[] = [];
  let last = after;
  /** Where the current walk continues; `null`: at its beginning. */
  let place = after;
  let read = 0;
  /** Chosen once matches turn out too rare to keep reading in order. */
  let source: Source | null = null;
  for (let step = 0; step < maxSteps && hits.length <= limit; step += 1) {
    const leftMs = Math.ceil(deadlineMs - performance.now());
    if (step > 0 && (leftMs <= 0 || signal?.aborted)) break;
    const rows = Math.min(stepRows, firstRows * 16 ** step);
    const maxHits = limit + 1 - hits.length;
    try {
      const looked = await withTimeLimit(sql, Math.max(1, leftMs), async (tx) => {
        const isFrequent = source === null && fillsPage(hits.length, read, maxHits, rows);
        if (!isFrequent) source ??= await sourceFor(tx, filter);
        return lookThrough(tx, walks[at]!, source ?? 'codes', filter, place, { rows, maxHits });
      });
      hits.push(...looked.hits);
      last = looked.last ?? last;
      place = looked.last;
      read += rows;
      if (!looked.isEnd) continue;
      at += 1;
      place = null;
      if (at === walks.length) return { hits, last, isEnd: true };
    } catch (error) {
      if (step === 0 || !isTimeout(error)) throw error;
      break;
    }
  }
  return { hits, last, isEnd: false };
};

export const BOUNDS: SearchBounds = { firstRows: 40, stepRows: 1000, maxSteps: 120, timeoutMs: 1000 };

/** Returns the codes of places, in the order of the places. */
const codesAt = async (
  sql: Sql,
  accountId: string,
  places: readonly Place[],
): Promise<readonly StoredCode[]> => {
  if (places.length === 0) return [];
  const ids = places.map(({ id }) => id);
  const rows = await sql<CodeRow[]>`
    ${selectCodes(sql, codesById(sql, accountId, ids))}
    where ${isFolderLive(sql)}`;
  const byId = new Map(rows.map((row) => [row.id, toCode(row)]));
  return places.flatMap(({ id }) => byId.get(id) ?? []);
};

const look = async (
  sql: postgres.Sql,
  filter: CodeFilter,
  request: CodesRequest,
  bounds: SearchBounds,
): Promise<Page<StoredCode>> => {
  const { accountId, sort = 'newest' } = filter;
  const { limit } = request;
  const { hits, last, isEnd } = await collect(sql, filter, request, bounds);
  const shown = hits.slice(0, limit);
  const end = hits.length > limit ? shown.at(-1)! : isEnd ? null : last;
  return { rows: await codesAt(sql, accountId, shown), next: end && encodePlace(sort, end) };
};

/** Whether a page needs no searching, because its codes are adjacent in an index. */
export const isPlainList = (filter: CodeFilter): boolean => {
  const {
    search,
    sort = 'newest',
    folderId,
    tag,
    linkStatus,
    isDynamic,
    grades,
    minWidthPx,
    maxWidthPx,
  } = filter;
  const sought = [tag, linkStatus, grades, minWidthPx, maxWidthPx];
  if (search !== '' || !isByAge(sort) || sought.some((each) => each !== undefined)) return false;
  return isDynamic === undefined || (isDynamic && folderId === undefined);
};

const list = async (
  sql: Sql,
  filter: CodeFilter,
  { after, limit }: CodesRequest,
): Promise<Page<StoredCode>> => {
  const { folderId, ...others } = filter;
  const { accountId, externalId, sort = 'newest' } = filter;
  const isNewestFirst = sort === 'newest';
  const order = isNewestFirst ? sql`c.id desc` : sql`c.id`;
  const place = { after: after?.id ?? null, isNewestFirst, ...idsOfAge(filter) };
  const range: Range =
    folderId === undefined
      ? { of: 'account', id: accountId, ...place }
      : { of: 'folder', id: folderId, ...place };
  // Few codes have an external id, and an index finds them.
  const listed = externalId === undefined ? inRangeOrder(sql, range) : order;
  const rows = await sql<CodeRow[]>`
    ${selectCodes(
      sql,
      sql`codes c where c.deleted_at is null and ${isFolderLive(sql)} and ${isInRange(sql, range)}
        ${folderId === undefined ? sql`` : sql`and (select f.account_id = ${accountId} from folders f where f.id = ${folderId})`}
        ${externalId === undefined ? sql`` : sql`and c.account_id = ${accountId}`}
        ${isOfFilter(sql, others)} order by ${listed}`,
      limit + 1,
    )} order by ${order}`;
  const shown = rows.slice(0, limit);
  const end = rows.length > limit ? shown.at(-1) : undefined;
  return { rows: shown.map(toCode), next: end === undefined ? null : encodePlace(sort, end) };
};

/**
 * Returns a page of an account's codes in the order of `filter.sort`. Unless `isPlainList`, a page may be short or
 * empty even though `next` is not `null`: it reached its bounds, and the next page continues there. Fails with
 * `isTimeout` when even the first statement timed out.
 */
export const findCodes = (
  sql: postgres.Sql,
  filter: CodeFilter,
  request: CodesRequest,
  bounds: Partial<SearchBounds> = {},
): Promise<Page<StoredCode>> =>
  isPlainList(filter) ? list(sql, filter, request) : look(sql, filter, request, { ...BOUNDS, ...bounds });
