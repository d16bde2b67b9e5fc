import type postgres from 'postgres';
import type { Sql } from '../client.ts';
import type { Page } from '../cursor.ts';
import { encodePlace, type Place } from './code-lists/place.ts';
import { type CodesRequest, collect, isOfFilter, type SearchBounds } from './code-lists/steps.ts';
import type { CodeFilter } from './code-lists/walks.ts';
import { codesById, inRangeOrder, isFolderLive, isInRange, type Range } from './codes/look-up.ts';
import { type CodeRow, type StoredCode, selectCodes, toCode } from './codes.ts';

const BOUNDS: SearchBounds = { firstRows: 40, stepRows: 1000, maxSteps: 120, timeoutMs: 1000 };

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
export const isPlainList = ({ search, sort = 'newest', tag, linkStatus }: CodeFilter): boolean =>
  search === '' && (sort === 'newest' || sort === 'oldest') && tag === undefined && linkStatus === undefined;

const list = async (
  sql: Sql,
  filter: CodeFilter,
  { after, limit }: CodesRequest,
): Promise<Page<StoredCode>> => {
  const { folderId, ...others } = filter;
  const { accountId, externalId, maxGrade = 4, sort = 'newest' } = filter;
  const isNewestFirst = sort === 'newest';
  const order = isNewestFirst ? sql`c.id desc` : sql`c.id`;
  const place = { after: after?.id ?? null, isNewestFirst };
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
        ${
          // The literal `< 4` lets the planner use the partial index on those codes.
          maxGrade >= 4 ? sql`` : sql`and c.grade < 4 and c.grade <= ${maxGrade}`
        }
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
