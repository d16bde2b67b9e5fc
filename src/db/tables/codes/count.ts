/** Counts the codes of a list. */
import type postgres from 'postgres';
import { withTimeLimit } from '../../statements.ts';
import { BOUNDS, collect } from './search.ts';
import type { CodeFilter } from './walks.ts';

/** Matches of a search are counted one by one, up to this many. */
const COUNTED_MAX = 10_000;
/** Codes that a statement reads. Each statement reads the index of texts or tags anew, so there are few. */
const STEP_ROWS = 4000;

/** How many codes were found. */
export interface Counted {
  readonly count: number;
  /** Whether there are no more than that. */
  readonly isExact: boolean;
}

/** Returns the counts that triggers keep for each folder; `null` when the filter needs more. */
const readKept = async (sql: postgres.Sql, filter: CodeFilter): Promise<Counted | null> => {
  const { accountId, folderId, isDynamic, search, sort, ...others } = filter;
  if (search !== '' || Object.values(others).some((each) => each !== undefined)) return null;
  const [kept] = await withTimeLimit(
    sql,
    BOUNDS.timeoutMs,
    (tx) => tx<[{ codes: number; links: number }]>`
      select coalesce(sum(n.codes), 0)::float8 as codes, coalesce(sum(n.links), 0)::float8 as links
      from folders f join folder_counts n on n.folder_id = f.id
      where f.account_id = ${accountId} and f.deleted_at is null
        ${folderId === undefined ? tx`` : tx`and f.id = ${folderId}`}`,
  );
  if (isDynamic === undefined) return { count: kept.codes, isExact: true };
  return { count: isDynamic ? kept.links : kept.codes - kept.links, isExact: true };
};

/**
 * Counts an account's codes: exactly, unless there are more than 10,000, or they are not found within a second. Without a
 * filter other than the folder and whether codes are dynamic, always exactly. Fails with `isTimeout` when even the first
 * statement timed out.
 */
export const countCodes = async (
  sql: postgres.Sql,
  filter: CodeFilter,
  signal?: AbortSignal,
): Promise<Counted> => {
  const kept = await readKept(sql, filter);
  if (kept !== null) return kept;
  const bounds = { ...BOUNDS, firstRows: STEP_ROWS, stepRows: STEP_ROWS, ...(signal && { signal }) };
  const { hits, isEnd } = await collect(sql, filter, { after: null, limit: COUNTED_MAX }, bounds);
  return { count: Math.min(hits.length, COUNTED_MAX), isExact: isEnd && hits.length <= COUNTED_MAX };
};
