/** Link jobs from their account's point of view. */
import { changesOne, findFirst, type Sql } from '../../client.ts';
import { newestFirst, type Page, type PageRequest, readPage } from '../../cursor.ts';

/** What a job does: changes links, makes or changes them as an import says, or undoes another job. */
export type LinkJobKind = 'change' | 'import' | 'undo';

/** The state of a job. The last three are final. */
export type LinkJobState =
  | 'receiving'
  | 'checking'
  | 'running'
  | 'reverting'
  | 'done'
  | 'failed'
  | 'cancelled';

/** A job. Counts are rows unless stated otherwise. */
export interface LinkJob {
  /** Also the change id in the histories of the links that it changes. */
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly kind: LinkJobKind;
  readonly state: LinkJobState;
  /** How it will end, once that is decided. */
  readonly ending: 'failed' | 'cancelled' | null;
  readonly reason: string | null;
  /** What the call said about its rows. */
  readonly terms: Readonly<Record<string, unknown>>;
  readonly isDryRun: boolean;
  readonly allOrNothing: boolean;
  /** The job that it undoes; `null`: none. */
  readonly undoes: string | null;
  /** The encoding of its file; `null`: it has none, or is not read yet. */
  readonly encoding: string | null;
  /** Rows without text, which were left out, and the first ones as rows of the file. */
  readonly emptyRows: number;
  readonly firstEmptyRows: readonly number[];
  /** Columns that an import leaves out, and how many rows have values there; `null`: further columns. */
  readonly leftOut: readonly { readonly column: string | null; readonly rows: number }[];
  readonly rows: number;
  /** Rows that are handled in the present state. */
  readonly handled: number;
  readonly made: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly faults: number;
  /** Whether what it has changed can be undone. */
  readonly isUndoable: boolean;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** It is listed, and can be undone, until then; `null`: it has not ended. */
  readonly expiresAt: Date | null;
}

/** The columns of a job of the table `j`. */
export const jobColumns = (sql: Sql) => sql`
  j.id, j.account_id, j.key_id, j.kind, j.state, j.ending, j.reason, j.terms, j.is_dry_run, j.all_or_nothing, j.undoes,
  j.encoding, j.empty_rows, j.first_empty_rows, j.left_out, j.rows, j.handled, j.made, j.changed, j.unchanged, j.faults,
  j.finished_at is not null and j.kept_bytes > 0 as is_undoable, j.created_at, j.started_at, j.finished_at,
  j.expires_at`;

/** The condition that a job of the table `j` is the account's, and has not expired. */
const isKept = (sql: Sql, accountId: string) =>
  sql`j.account_id = ${accountId} and (j.expires_at is null or j.expires_at > now())`;

/** Returns the account's job, or `null` when it has none with this id. */
export const getLinkJob = (sql: Sql, accountId: string, id: string): Promise<LinkJob | null> =>
  findFirst(sql<LinkJob[]>`
    select ${jobColumns(sql)} from link_jobs j where ${isKept(sql, accountId)} and j.id = ${id}`);

/** Returns a page of the account's jobs, newest first. */
export const listLinkJobs = (sql: Sql, accountId: string, page: PageRequest): Promise<Page<LinkJob>> =>
  readPage(
    page,
    sql<LinkJob[]>`
    select ${jobColumns(sql)} from link_jobs j where ${isKept(sql, accountId)} ${newestFirst(sql, page)}`,
  );

/** Decides how an unfinished job ends. A no-op if that is already decided. */
export const endLinkJob = async (
  sql: Sql,
  id: string,
  ending: NonNullable<LinkJob['ending']>,
  reason: string,
): Promise<void> => {
  await sql`
    update link_jobs set ending = ${ending}, reason = ${reason}, leased_until = case when lessee is null then now() else leased_until end
    where id = ${id} and ending is null and finished_at is null`;
};

/** Makes an ended job expire, so that it is removed. Returns `false` for one that has not ended. */
export const expireLinkJob = (sql: Sql, id: string): Promise<boolean> =>
  changesOne(sql`
    update link_jobs set expires_at = now(), leased_until = now() where id = ${id} and finished_at is not null`);

/** A fault of a row. */
export interface LinkJobFault {
  /** From 1. */
  readonly row: number;
  /** Its row in the file; `null`: the fault is of no row. */
  readonly fileRow: number | null;
  /** What the row calls its link. */
  readonly slug: string | null;
  readonly externalId: string | null;
  readonly field: string;
  readonly message: string;
}

/** The most faults that are kept of a job; all are counted. */
export const FAULTS_MAX = 10_000;

/** The database stores no NUL, which a slug or the name of a field may have in JSON. */
const storable = (text: string | null): string | null => text?.replaceAll('\0', '\ufffd') ?? null;

/** Saves faults, up to about `FAULTS_MAX` of a job. */
export const saveFaults = async (sql: Sql, jobId: string, faults: readonly LinkJobFault[]): Promise<void> => {
  if (faults.length === 0) return;
  await sql`
    insert into link_job_faults (job_id, row, file_row, slug, external_id, field, message)
    select ${jobId}::uuid, * from unnest(
      ${faults.map(({ row }) => row)}::integer[],
      ${faults.map(({ fileRow }) => fileRow)}::integer[],
      ${faults.map(({ slug }) => storable(slug))}::text[],
      ${faults.map(({ externalId }) => storable(externalId))}::text[],
      ${faults.map(({ field }) => storable(field))}::text[],
      ${faults.map(({ message }) => storable(message))}::text[])
    where (select count(*) from link_job_faults where job_id = ${jobId}) < ${FAULTS_MAX}
    on conflict do nothing`;
};

const FAULTS_AT_A_TIME = 1000;

/** Yields the stored faults of a job in row order. It holds no connection between two queries. */
export async function* eachFault(sql: Sql, jobId: string): AsyncGenerator<LinkJobFault, void> {
  let last = -1;
  for (;;) {
    const rows = await sql<LinkJobFault[]>`
      select row, file_row, slug, external_id, field, message from link_job_faults
      where job_id = ${jobId} and row > ${last} order by row limit ${FAULTS_AT_A_TIME}`;
    yield* rows;
    if (rows.length < FAULTS_AT_A_TIME) return;
    last = rows.at(-1)!.row;
  }
}
