/** Batches from their account's point of view. */
import type { FileFormat } from '../../../../workers/lists.ts';
import type { DuplicateRule, DuplicateScope } from '../../../duplicates/rules.ts';
import type { ManifestForm } from '../../../lists.ts';
import { findFirst, type Sql } from '../../client.ts';
import { newestFirst, type Page, type PageRequest, readPage } from '../../cursor.ts';
import { firstIdAt } from '../codes/look-up.ts';

/** The state of a batch. The last four are final. */
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

/** A batch. Counts are rows unless stated otherwise. */
export interface Batch {
  readonly id: string;
  readonly accountId: string;
  readonly state: BatchState;
  readonly ending: Ending | null;
  readonly reason: string | null;
  readonly formats: readonly FileFormat[];
  /** What the design says of print for all rows, as the caller wrote it; `null`: nothing. */
  readonly print: { readonly color?: string; readonly dpi?: number } | null;
  readonly onError: 'skip' | 'stop';
  readonly folderId: string | null;
  /** The name of its folder, or the name the folder will be created with. `null` when the folder was purged. */
  readonly folderName: string | null;
  readonly rows: number;
  /** The encoding of its file; `null`: it is XLSX, or not read yet. */
  readonly encoding: string | null;
  /** Rows without text, which were left out, and the first ones as rows of the file. */
  readonly emptyRows: number;
  readonly firstEmptyRows: readonly number[];
  readonly errors: number;
  /** Rows that repeat an earlier one. */
  readonly duplicates: number;
  readonly duplicateRule: DuplicateRule;
  readonly duplicateScope: DuplicateScope;
  readonly uniqueColumn: string | null;
  readonly manifest: ManifestForm;
  /** The columns of its file that the manifest carries. */
  readonly inputColumns: readonly string[];
  readonly made: number;
  readonly failed: number;
  /** Refunded units. */
  readonly refunded: number;
  /** The number of codes of each grade, 0 to 4. */
  readonly grades: readonly number[];
  /** Estimated render thread time: of all rows, and of those already made. */
  readonly estimatedMs: number;
  readonly madeMs: number;
  /** Unfinished batches queued ahead of it; `null` when it is not waiting. */
  readonly ahead: number | null;
  /** Estimated milliseconds of work that were done in a millisecond, lately; `null`: not enough to tell. */
  readonly pace: number | null;
  readonly createdAt: Date;
  readonly queuedAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date;
  readonly hasFiles: boolean;
}

/** The pace is measured over the pieces of this time, once the first of them was made this long ago. */
const PACE = { measuredS: 30, settledS: 5 } as const;

/** Between the first of these pieces and now. What was done before it was made is not known, so it does not count itself. */
const pace = (sql: Sql) => sql`
  select case when now() - min(made_at) > ${PACE.settledS} * interval '1 second' then
    (sum(estimated_ms) - (array_agg(estimated_ms order by made_at))[1])
      / (extract(epoch from now() - min(made_at))::float8 * 1000) end
  from batch_pieces where batch_id = b.id and made_at > now() - ${PACE.measuredS} * interval '1 second'`;

const columns = (sql: Sql) => sql`
  b.id, b.account_id, b.state, b.ending, b.reason, b.formats, b.design->'print' as print, b.on_error, b.folder_id,
  case when b.folder_id is null then b.folder_name else (select name from folders f where f.id = b.folder_id) end as folder_name,
  b.rows, b.encoding, b.empty_rows, b.first_empty_rows, b.errors, b.duplicates + b.kept_duplicates as duplicates, b.duplicate_rule, b.duplicate_scope, b.unique_column, b.manifest, b.input_columns, b.made, b.failed,
  b.refunded, b.grades, b.estimated_ms, b.made_ms, b.created_at, b.queued_at, b.started_at, b.finished_at, b.expires_at,
  b.has_files, case when b.state = 'running' then (${pace(sql)}) end as pace,
  case when b.state = 'queued' then (
    select count(*)::int from batches o
    where o.finished_at is null and o.queued_at < b.queued_at) end as ahead`;

/** Returns the account's batch, or `null` when it has none with this id. */
export const getBatch = (sql: Sql, accountId: string, id: string): Promise<Batch | null> =>
  findFirst(sql<Batch[]>`
    select ${columns(sql)} from batches b where b.account_id = ${accountId} and b.id = ${id}`);

/** Codes that share a millisecond in their ids (sql/0004_codes.sql). */
const CODES_OF_MS = 10_000;

/** Returns the ids between which the codes of the account's batch are, without the second one; `null`: no such batch. */
export const idsOfBatch = async (
  sql: Sql,
  accountId: string,
  id: string,
): Promise<readonly [first: string, end: string] | null> => {
  const batch = await findFirst(sql<{ codesAt: Date | null; rows: number }[]>`
    select codes_at, rows from batches where account_id = ${accountId} and id = ${id}`);
  if (batch === null) return null;
  const at = batch.codesAt ?? new Date(0);
  const lastMs = batch.codesAt === null ? 0 : Math.floor(batch.rows / CODES_OF_MS) + 1;
  return [firstIdAt(at), firstIdAt(new Date(at.getTime() + lastMs))];
};

/** Returns a page of the account's batches, newest first. */
export const listBatches = (sql: Sql, accountId: string, page: PageRequest): Promise<Page<Batch>> =>
  readPage(
    page,
    sql<Batch[]>`
    select ${columns(sql)} from batches b where b.account_id = ${accountId} ${newestFirst(sql, page)}`,
  );

/**
 * Counts the batches that are adding codes: they are queued, so their rows have their places among the account's codes,
 * and have not ended.
 *
 * @param where.folderId Only batches of this folder.
 * @param where.since Also those that have ended after this time.
 */
export const countFilling = async (
  sql: Sql,
  accountId: string,
  { folderId, since }: { readonly folderId?: string; readonly since?: Date },
): Promise<number> => {
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*)::int as count from batches
    where account_id = ${accountId} and queued_at is not null
      and ${since === undefined ? sql`finished_at is null` : sql`(finished_at is null or finished_at > ${since})`}
      ${folderId === undefined ? sql`` : sql`and folder_id = ${folderId}`}`;
  return count;
};

/**
 * Decides how an unfinished batch ends. No new piece of it starts then; those in progress are still saved. A batch that
 * is being received ends once it is received. A no-op if the end is already decided.
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
  /** Its row in the file; `null`: the fault is of no row. */
  readonly fileRow: number | null;
  /** The caller's own id of the row. */
  readonly externalId: string | null;
  readonly field: string;
  readonly message: string;
}

/** Maximum number of faults kept per batch; all are counted. */
export const ERRORS_MAX = 10_000;

/**
 * Saves the errors of some rows, up to about `ERRORS_MAX` per batch. Must be called in a transaction that locks the
 * row of the batch.
 */
export const saveErrors = async (sql: Sql, batchId: string, errors: readonly RowError[]): Promise<void> => {
  if (errors.length === 0) return;
  await sql`
    insert into batch_errors (batch_id, row, file_row, external_id, field, message)
    select ${batchId}::uuid, * from unnest(
      ${errors.map(({ row }) => row)}::integer[],
      ${errors.map(({ fileRow }) => fileRow)}::integer[],
      ${errors.map(({ externalId }) => externalId)}::text[],
      ${errors.map(({ field }) => field)}::text[],
      ${errors.map(({ message }) => message)}::text[])
    where (select count(*) from batch_errors where batch_id = ${batchId}) < ${ERRORS_MAX}
    on conflict do nothing`;
};

const ERRORS_AT_A_TIME = 1000;

/** Yields the stored faults of a batch in row order. It holds no connection between two queries. */
export async function* eachError(sql: Sql, batchId: string): AsyncGenerator<RowError, void> {
  let last = -1;
  for (;;) {
    const rows = await sql<RowError[]>`
      select row, file_row, external_id, field, message from batch_errors where batch_id = ${batchId} and row > ${last}
      order by row limit ${ERRORS_AT_A_TIME}`;
    yield* rows;
    if (rows.length < ERRORS_AT_A_TIME) return;
    last = rows.at(-1)!.row;
  }
}

/** Unfinished batches of all accounts by state, and the age of the oldest one that has not started. */
export interface BatchCounts {
  readonly states: Readonly<Record<string, number>>;
  readonly oldestWaitingS: number;
}

/** The counts when there are no batches. */
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
