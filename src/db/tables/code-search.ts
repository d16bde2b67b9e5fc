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
}

/** How much of the database one page of a search may use. */
export interface SearchBounds {
  /** Codes that the first statement reads; each further one reads four times as many, up to `stepRows`. */
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

/** The codes of the filter that come after the cursor, newest first. */
const inOrder = (sql: Sql, { accountId, folderId }: CodeFilter, after: Cursor | null) => sql`
  c.account_id = ${accountId}
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
 * Selects codes that may match, as `c`, in their order. `offset 0` makes the planner use the index; by its estimates
 * it would often read the account's codes one by one.
 */
const candidates = (sql: Sql, source: Source, filter: CodeFilter, after: Cursor | null) =>
  source === 'codes'
    ? sql`live_codes c where ${inOrder(sql, filter, after)}`
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

const lookThrough = async (
  sql: Sql,
  source: Source,
  filter: CodeFilter,
  after: Cursor | null,
  { rows: stepRows, maxHits }: { readonly rows: number; readonly maxHits: number },
): Promise<Step> => {
  const rows = await sql<(Cursor & { readonly isHit: boolean; readonly place: number })[]>`
    with candidate as materialized (
      select c.created_at, c.position, c.id from ${candidates(sql, source, filter, after)} limit ${stepRows}
    ), step as materialized (
      select *, (
        select searchable(content) ilike ${containing(filter.search)} from codes where id = candidate.id
      ) as is_hit
      from candidate
    ), numbered as (
      select *, row_number() over (order by created_at desc, position desc, id desc) as place,
        sum(is_hit::integer) over (order by created_at desc, position desc, id desc) as hit_place
      from step
    )
    select created_at, position, id, is_hit, place from numbered
    where (is_hit and hit_place <= ${maxHits}) or place = (select count(*) from step)
    order by place`;
  const last = rows.at(-1);
  return {
    last: last ?? null,
    isEnd: last === undefined || last.place < stepRows,
    hits: rows.filter(({ isHit }) => isHit).slice(0, maxHits),
  };
};

interface Found {
  readonly hits: readonly Cursor[];
  /** The last code that was read. */
  readonly last: Cursor | null;
  readonly isEnd: boolean;
}

/**
 * Finds the matches of one page. The first statement reads the newest codes, where frequent texts are found at once;
 * the others use the index. At the time limit it returns what it has found.
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
  let source: Source = 'codes';
  for (let step = 0; step < maxSteps && hits.length <= limit; step += 1) {
    const leftMs = Math.ceil(deadlineMs - performance.now());
    if (step > 0 && (leftMs <= 0 || signal?.aborted)) break;
    const rows = Math.min(stepRows, firstRows * 4 ** step);
    try {
      const looked = await withTimeLimit(sql, Math.max(1, leftMs), async (tx) => {
        if (step === 1) source = await sourceFor(tx, filter);
        return lookThrough(tx, source, filter, last, { rows, maxHits: limit + 1 - hits.length });
      });
      hits.push(...looked.hits);
      last = looked.last;
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
    ${selectCodes(sql)} where ${inOrder(sql, filter, request.after)} limit ${request.limit + 1}`;
  return toPage(rows.map(toCode), request.limit);
};
