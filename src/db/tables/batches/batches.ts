/** Batches as their account sees them. */
import type { FileFormat } from '../../../../workers/lists.ts';
import { findFirst, type Sql } from '../../client.ts';
import { newestFirst, type Page, type PageRequest, readPage } from '../../cursor.ts';

/** Where a batch stands. The last four are ends. */
export type BatchState =
  | 'receiving'
  | 'validating'
  | 'queued'
  | 'running'
  | 'finishing'
  | 'done'
  | 'failed'
  | 'cancelled'
  | 'expired';

/** How a batch can end. */
export type Ending = Extract<BatchState, 'done' | 'failed' | 'cancelled' | 'expired'>;

/** A batch. Counts are rows, if nothing else is said. */
export interface Batch {
  readonly id: string;
  readonly accountId: string;
  readonly state: BatchState;
  readonly ending: Ending | null;
  readonly reason: string | null;
  readonly formats: readonly FileFormat[];
  readonly onError: 'skip' | 'stop';
  readonly folderId: string | null;
  /** That of its folder; before there is one, that with which it will be made. `null` when the folder was purged. */
  readonly folderName: string | null;
  readonly rows: number;
  readonly errors: number;
  readonly made: number;
  readonly failed: number;
  /** Units that went back. */
  readonly refunded: number;
  /** Codes of grade 0 to 4. */
  readonly grades: readonly number[];
  /** Estimated time of a render thread: of all rows, and of those that are made. */
  readonly estimatedMs: number;
  readonly madeMs: number;
  /** Unfinished batches that were queued before it; `null` when it does not wait. */
  readonly ahead: number | null;
  /** Milliseconds since its first piece began. */
  readonly runningMs: number | null;
  readonly createdAt: Date;
  readonly queuedAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date;
  readonly hasFiles: boolean;
}

const columns = (sql: Sql) => sql`
  b.id, b.account_id, b.state, b.ending, b.reason, b.formats, b.on_error, b.folder_id,
  case when b.folder_id is null then b.folder_name else (select name from folders f where f.id = b.folder_id) end as folder_name,
  b.rows, b.errors, b.made, b.failed,
  b.refunded, b.grades, b.estimated_ms, b.made_ms, b.created_at, b.queued_at, b.started_at, b.finished_at, b.expires_at,
  b.has_files, extract(epoch from now() - b.started_at)::float8 * 1000 as running_ms,
  case when b.state = 'queued' then (
    select count(*)::int from batches o
    where o.finished_at is null and o.queued_at < b.queued_at) end as ahead`;

/** Returns the account's batch, or `null` when it has none with this id. */
export const getBatch = (sql: Sql, accountId: string, id: string): Promise<Batch | null> =>
  findFirst(sql<Batch[]>`
    select ${columns(sql)} from batches b where b.account_id = ${accountId} and b.id = ${id}`);

/** Returns a page of the account's batches, newest first. */
export const listBatches = (sql: Sql, accountId: string, page: PageRequest): Promise<Page<Batch>> =>
  readPage(
    page,
    sql<Batch[]>`
    select ${columns(sql)} from batches b where b.account_id = ${accountId} ${newestFirst(sql, page)}`,
  );

/**
 * Decides how an unfinished batch ends. No new piece of it begins then; those under way are still saved. A batch that
 * is being received ends once it is received. One whose end is decided stays as it is.
 */
export const endBatch = async (sql: Sql, id: string, ending: Ending, reason: string): Promise<void> => {
  await sql`
    update batches set ending = ${ending}, reason = ${reason}
    where id = ${id} and ending is null and state in ('receiving', 'validating', 'queued', 'running')`;
};

/** A fault of a row. */
export interface RowError {
  /** From 1. */
  readonly row: number;
  /** The caller's own name of the row. */
  readonly rowId: string | null;
  readonly field: string;
  readonly message: string;
}

/** Faults of a batch that are kept; all are counted. */
export const ERRORS_MAX = 10_000;

/**
 * Saves the errors of some rows, about `ERRORS_MAX` of a batch at most. Must be called in a transaction that locks the
 * row of the batch.
 */
export const saveErrors = async (sql: Sql, batchId: string, errors: readonly RowError[]): Promise<void> => {
  if (errors.length === 0) return;
  await sql`
    insert into batch_errors (batch_id, row, row_id, field, message)
    select ${batchId}::uuid, * from unnest(
      ${errors.map(({ row }) => row)}::integer[],
      ${errors.map(({ rowId }) => rowId)}::text[],
      ${errors.map(({ field }) => field)}::text[],
      ${errors.map(({ message }) => message)}::text[])
    where (select count(*) from batch_errors where batch_id = ${batchId}) < ${ERRORS_MAX}
    on conflict do nothing`;
};

const ERRORS_AT_A_TIME = 1000;

/** Yields the faults of a batch that are kept, in the order of its rows. It holds no connection between two queries. */
export async function* eachError(sql: Sql, batchId: string): AsyncGenerator<RowError, void> {
  let last = -1;
  for (;;) {
    const rows = await sql<RowError[]>`
      select row, row_id, field, message from batch_errors where batch_id = ${batchId} and row > ${last}
      order by row limit ${ERRORS_AT_A_TIME}`;
    yield* rows;
    if (rows.length < ERRORS_AT_A_TIME) return;
    last = rows.at(-1)!.row;
  }
}

/** Unfinished batches of all accounts by state, and the age of the oldest one that waits to be begun. */
export interface BatchCounts {
  readonly states: Readonly<Record<string, number>>;
  readonly oldestWaitingS: number;
}

/** The counts without any batch. */
export const NONE: BatchCounts = {
  states: { receiving: 0, validating: 0, queued: 0, running: 0, finishing: 0 },
  oldestWaitingS: 0,
};

/** Counts unfinished batches. */
export const countBatches = async (sql: Sql): Promise<BatchCounts> => {
  const rows = await sql<{ state: string; count: number; oldestS: number | null }[]>`
    select state, count(*)::int as count,
      max(extract(epoch from now() - created_at)) filter (where started_at is null)::float8 as oldest_s
    from batches where finished_at is null group by state`;
  return {
    states: { ...NONE.states, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) },
    oldestWaitingS: Math.max(0, ...rows.map(({ oldestS }) => oldestS ?? 0)),
  };
};
