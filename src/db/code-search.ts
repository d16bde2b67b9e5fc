import type { Sql } from './client.ts';
import { type CodeRow, type StoredCode, selectCodes, toCode } from './codes.ts';
import { type Cursor, encodeCursor, type Page, type PageRequest, toPage } from './cursor.ts';
import { containing } from './search.ts';

export interface CodeFilter {
  readonly accountId: string;
  /** All folders when absent. */
  readonly folderId?: string;
  /** What the content has in it, in any case; '' for everything. */
  readonly search: string;
}

export interface SearchBounds {
  /** Codes that one statement looks through: what others wait for at most on the embedded database. */
  readonly stepRows: number;
  /** Statements for one page. A page that they don't fill is short, and the next one goes on from there. */
  readonly maxSteps: number;
}

const BOUNDS: SearchBounds = { stepRows: 2000, maxSteps: 60 };

/** The newest codes that match, behind the cursor. */
const candidates = (sql: Sql, { accountId, folderId }: CodeFilter, after: Cursor | null) => sql`
  c.account_id = ${accountId}
  ${folderId === undefined ? sql`` : sql`and c.folder_id = ${folderId}`}
  ${after ? sql`and (c.created_at, c.position, c.id) < (${after.createdAt}, ${after.position}, ${after.id})` : sql``}
  order by c.created_at desc, c.position desc, c.id desc`;

interface Step {
  /** The last code looked at; `null`: there was none left. */
  readonly last: Cursor | null;
  readonly isEnd: boolean;
  /** Matches in their order, at most as many as asked for. */
  readonly hits: readonly Cursor[];
}

const lookThrough = async (
  sql: Sql,
  filter: CodeFilter,
  after: Cursor | null,
  { stepRows, maxHits }: { readonly stepRows: number; readonly maxHits: number },
): Promise<Step> => {
  const rows = await sql<(Cursor & { readonly isHit: boolean; readonly place: number })[]>`
    with step as materialized (
      select c.created_at, c.position, c.id, searchable(c.content) ilike ${containing(filter.search)} as is_hit
      from live_codes c where ${candidates(sql, filter, after)} limit ${stepRows}
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

const search = async (
  sql: Sql,
  filter: CodeFilter,
  { after, limit }: PageRequest,
  { stepRows, maxSteps }: SearchBounds,
): Promise<Page<StoredCode>> => {
  const hits: Cursor[] = [];
  let from = after;
  let isEnd = false;
  for (let step = 0; step < maxSteps && !isEnd && hits.length <= limit; step += 1) {
    const looked = await lookThrough(sql, filter, from, { stepRows, maxHits: limit + 1 - hits.length });
    hits.push(...looked.hits);
    from = looked.last;
    isEnd = looked.isEnd;
  }
  const shown = hits.slice(0, limit);
  const end = hits.length > limit ? shown.at(-1)! : isEnd ? null : from;
  const rows = await sql<CodeRow[]>`
    ${selectCodes(sql)}
    where c.account_id = ${filter.accountId} and c.id = any(${shown.map(({ id }) => id)}::uuid[])
    order by c.created_at desc, c.position desc, c.id desc`;
  return { rows: rows.map(toCode), next: end && encodeCursor(end) };
};

/**
 * The codes of an account, newest first. With a search a page may be short, even empty, while `next` is not
 * `null`: no index finds a text within another, so the codes are looked through, and only so many for one page.
 */
export const findCodes = async (
  sql: Sql,
  filter: CodeFilter,
  request: PageRequest,
  bounds: SearchBounds = BOUNDS,
): Promise<Page<StoredCode>> => {
  if (filter.search !== '') return search(sql, filter, request, bounds);
  const rows = await sql<CodeRow[]>`
    ${selectCodes(sql)} where ${candidates(sql, filter, request.after)} limit ${request.limit + 1}`;
  return toPage(rows.map(toCode), request.limit);
};
