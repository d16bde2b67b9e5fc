import type postgres from 'postgres';
import type { Sql } from '../client.ts';
import { type Cursor, encodeCursor, type Page, type PageRequest, toPage } from '../cursor.ts';
import { isTimeout } from '../faults.ts';
import { type CodeRow, type StoredCode, selectCodes, toCode } from './codes.ts';
import { containing, storedForm, withTimeLimit } from './search.ts';

/** Which codes of an account are wanted. */
export interface CodeFilter {
  readonly accountId: string;
  /** Absent: all folders. */
  readonly folderId?: string;
  /** Only codes whose content includes this text, in upper or lower case; '': all codes. */
  readonly search: string;
  /** Only codes of this grade or a lower one. Absent: all grades. */
  readonly maxGrade?: number;
}

/** How much of the database one page of a search may use. */
export interface SearchBounds {
  /** Codes that the first statement reads; each further one 16 times as many, up to `stepRows`. */
  readonly firstRows: number;
  /** Codes that one statement reads at most. On the embedded database all other queries wait for it. */
  readonly stepRows: number;
  /** Statements for one page. If they do not fill it, the page is short and the next one continues there. */
  readonly maxSteps: number;
  /** After this time no further statement begins, and a server ends the running one. */
  readonly timeoutMs: number;
  /** Once it is aborted, no further statement begins. */
  readonly signal?: AbortSignal;
}

const BOUNDS: SearchBounds = { firstRows: 40, stepRows: 1000, maxSteps: 120, timeoutMs: 1000 };

/** Whether a code `c` has the grade of the filter. `< 4` is said in so many words, because an index is for those codes. */
const hasGrade = (sql: Sql, { maxGrade = 4 }: CodeFilter) =>
  maxGrade >= 4 ? sql`` : sql`and c.grade < 4 and c.grade <= ${maxGrade}`;

/** The codes of the filter that come after the cursor, newest first. */
const inOrder = (sql: Sql, { accountId, folderId }: CodeFilter, after: Cursor | null, more = sql``) => sql`
  c.account_id = ${accountId}
  ${more}
  ${folderId === undefined ? sql`` : sql`and c.folder_id = ${folderId}`}
  ${after ? sql`and (c.created_at, c.position, c.id) < (${after.createdAt}, ${after.position}, ${after.id})` : sql``}
  order by c.created_at desc, c.position desc, c.id desc`;

/** Where a search finds candidates: in the index, which needs three bytes of text or more, or in all codes. */
type Source = 'index' | 'codes';

const sourceFor = async (sql: Sql, { accountId, search }: CodeFilter): Promise<Source> => {
  const [row] = await sql<[{ grams: number }]>`
    select cardinality(search_grams(${accountId}, ${storedForm(search)})) as grams`;
  return row.grams === 0 ? 'codes' : 'index';
};

/**
 * Selects codes that may match, as `c`, in their order. Two forms make the planner use an index where its estimates
 * would make it read all codes of the account: the folder is looked up in a subquery, since a join on folders counts as
 * selective, and `offset 0` keeps the conditions on grams and on order apart.
 */
const candidates = (sql: Sql, source: Source, filter: CodeFilter, after: Cursor | null) =>
  source === 'codes'
    ? sql`codes c where c.deleted_at is null
        and (select f.deleted_at is null from folders f where f.id = c.folder_id) and ${inOrder(sql, filter, after)}`
    : sql`(
        select created_at, position, id, account_id, folder_id from codes
        where deleted_at is null and search_grams(account_id, searchable(content))
          @> search_grams(${filter.accountId}, ${storedForm(filter.search)})
        offset 0
      ) c
      where c.folder_id in (select id from folders where account_id = ${filter.accountId} and deleted_at is null)
        and ${inOrder(sql, filter, after)}`;

interface Step {
  /** The last code that was read; `null`: none was left. */
  readonly last: Cursor | null;
  readonly isEnd: boolean;
  /** The matches, in order, at most `maxHits`. */
  readonly hits: readonly Cursor[];
}

/** Looks through the next candidates in their order. It reads no content after the last wanted hit. */
const lookThrough = async (
  sql: Sql,
  source: Source,
  filter: CodeFilter,
  after: Cursor | null,
  { rows: stepRows, maxHits }: { readonly rows: number; readonly maxHits: number },
): Promise<Step> => {
  const rows = await sql<(Cursor & { readonly isHit: boolean; readonly read: number })[]>`
    with candidate as materialized (
      select c.created_at, c.position, c.id from ${candidates(sql, source, filter, after)} limit ${stepRows}
    )
    select *, true as is_hit, 0 as read from (
      select * from (select * from candidate order by created_at desc, position desc, id desc offset 0) c
      where (select searchable(content) ilike ${containing(filter.search)}
        ${filter.maxGrade === undefined ? sql`` : sql`and grade <= ${filter.maxGrade}`} from codes where id = c.id)
      limit ${maxHits}
    ) hit
    union all (
      select *, false, (select count(*) from candidate) from candidate order by created_at, position, id limit 1
    )`;
  const last = rows.find(({ isHit }) => !isHit);
  return { last: last ?? null, isEnd: (last?.read ?? 0) < stepRows, hits: rows.filter(({ isHit }) => isHit) };
};

interface Found {
  readonly hits: readonly Cursor[];
  /** The last code that was read. */
  readonly last: Cursor | null;
  readonly isEnd: boolean;
}

/** Whether `rows` more codes will have the missing hits, if hits are as frequent there as in the codes read so far. */
const fillsPage = (hits: number, read: number, missing: number, rows: number): boolean =>
  hits * rows >= missing * read;

/**
 * Finds the matches of one page. It reads codes in order, newest first, while matches are frequent enough to fill the
 * page; otherwise it uses the index. At the time limit it returns what it has found.
 */
const collect = async (
  sql: postgres.Sql,
  filter: CodeFilter,
  { after, limit }: PageRequest,
  { firstRows, stepRows, maxSteps, timeoutMs, signal }: SearchBounds,
): Promise<Found> => {
  const deadlineMs = performance.now() + timeoutMs;
  const hits: Cursor[] = [];
  let last = after;
  let read = 0;
  /** Chosen when matches turn out too rare to read on in order. */
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
        return lookThrough(tx, source ?? 'codes', filter, last, { rows, maxHits });
      });
      hits.push(...looked.hits);
      last = looked.last;
      read += rows;
      if (looked.isEnd) return { hits, last, isEnd: true };
    } catch (error) {
      if (step === 0 || !isTimeout(error)) throw error;
      break;
    }
  }
  return { hits, last, isEnd: false };
};

const search = async (
  sql: postgres.Sql,
  filter: CodeFilter,
  request: PageRequest,
  bounds: SearchBounds,
): Promise<Page<StoredCode>> => {
  const { limit } = request;
  const { hits, last, isEnd } = await collect(sql, filter, request, bounds);
  const shown = hits.slice(0, limit);
  const end = hits.length > limit ? shown.at(-1)! : isEnd ? null : last;
  const next = end && encodeCursor(end);
  if (shown.length === 0) return { rows: [], next };
  const rows = await sql<CodeRow[]>`
    ${selectCodes(sql)}
    where c.account_id = ${filter.accountId} and c.id = any(${shown.map(({ id }) => id)}::uuid[])
    order by c.created_at desc, c.position desc, c.id desc`;
  return { rows: rows.map(toCode), next };
};

/**
 * Returns a page of an account's codes, newest first. With a search, a page may be short or empty although `next` is
 * not `null`: its bounds were reached, and the next page continues there. Fails with `isTimeout` when even the first
 * statement reached the time limit.
 */
export const findCodes = async (
  sql: postgres.Sql,
  filter: CodeFilter,
  request: PageRequest,
  bounds: Partial<SearchBounds> = {},
): Promise<Page<StoredCode>> => {
  if (filter.search !== '') return search(sql, filter, request, { ...BOUNDS, ...bounds });
  const rows = await sql<CodeRow[]>`
    ${selectCodes(sql)} where ${inOrder(sql, filter, request.after, hasGrade(sql, filter))} limit ${request.limit + 1}`;
  return toPage(rows.map(toCode), request.limit);
};
