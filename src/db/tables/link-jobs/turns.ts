/** Turns of link jobs: a gateway takes a job, does one bounded step of it, and gives it back. */
import { changesOne, findFirst, fromNow, nextTry, type Sql } from '../../client.ts';
import type { InputPiece } from '../batches/receiving.ts';
import { jobColumns, type LinkJob } from './jobs.ts';

/** A job that a gateway has taken. */
export interface JobTurn extends LinkJob {
  readonly leaseHolder: string;
  /** How often its present step was begun, this time included. */
  readonly tries: number;
  /** The last link that an undo has brought back; '': none. */
  readonly afterSlug: string;
  /** The trace of the call that sent it, as `writeTraceContext` writes it. */
  readonly trace: string | null;
}

/** Takes the job that has waited longest. Returns `null` when there is none. */
export const takeJob = (sql: Sql, leaseHolder: string, leaseMs: number): Promise<JobTurn | null> =>
  findFirst(sql<JobTurn[]>`
    update link_jobs j set lessee = ${leaseHolder}, leased_until = ${fromNow(sql, leaseMs)}, tries = tries + 1,
      served_at = now(), started_at = coalesce(started_at, now())
    where id = (
      select id from link_jobs where finished_at is null and state <> 'receiving' and leased_until <= now()
      order by served_at limit 1 for update skip locked)
    returning ${jobColumns(sql)}, j.lessee as lease_holder, j.tries, j.after_slug, j.trace`);

const holdsLease = (sql: Sql, { id, leaseHolder, state }: JobTurn) =>
  sql`id = ${id} and lessee = ${leaseHolder} and state = ${state} and finished_at is null`;

/** Renews the lease of a job. */
export const renewJob = async (sql: Sql, turn: JobTurn, leaseMs: number): Promise<void> => {
  await sql`update link_jobs set leased_until = ${fromNow(sql, leaseMs)} where ${holdsLease(sql, turn)}`;
};

/** Gives a job back whose step has failed. @param pauseMs Nobody takes it before this has passed. */
export const giveBackJob = async (sql: Sql, turn: JobTurn, pauseMs: number): Promise<void> => {
  await sql`
    update link_jobs set lessee = null, leased_until = ${fromNow(sql, pauseMs)} where ${holdsLease(sql, turn)}`;
};

/** What a step has done: rows by what became of them, and bytes that are kept for undoing it. */
export interface Progress
  extends Pick<LinkJob, 'handled' | 'made' | 'changed' | 'unchanged' | 'faults'>,
    Pick<JobTurn, 'afterSlug'> {
  readonly keptBytes: number;
}

export const NO_PROGRESS: Progress = {
  handled: 0,
  made: 0,
  changed: 0,
  unchanged: 0,
  faults: 0,
  afterSlug: '',
  keptBytes: 0,
};

/**
 * Adds what a step has done, and gives the job back. Must be the last thing in the transaction of the step. Returns `false`
 * when another gateway has taken the job, and then the transaction must be rolled back.
 */
export const advanceJob = (tx: Sql, turn: JobTurn, progress: Progress): Promise<boolean> => {
  const { handled, made, changed, unchanged, faults, afterSlug, keptBytes } = progress;
  return changesOne(tx`
    update link_jobs set handled = handled + ${handled}, made = made + ${made}, changed = changed + ${changed},
      unchanged = unchanged + ${unchanged}, faults = faults + ${faults}, after_slug = ${afterSlug},
      kept_bytes = kept_bytes + ${keptBytes}, tries = 0, lessee = null, leased_until = now()
    where ${holdsLease(tx, turn)}`);
};

/** Begins the next state of a job, whose rows are counted anew. */
export const enterState = async (sql: Sql, turn: JobTurn, state: 'running' | 'reverting'): Promise<void> => {
  const counts = state === 'running' ? sql`, made = 0, changed = 0, unchanged = 0` : sql``;
  await sql`
    update link_jobs set state = ${state}, handled = 0, tries = 0, lessee = null, leased_until = now() ${counts}
    where ${holdsLease(sql, turn)}`;
};

/** How many days an ended job is listed, and can be undone. */
const LISTED_DAYS = 30;

/** Ends a job, and tells its webhooks. Returns `false` when another gateway has taken it. */
export const finishJob = (
  sql: Sql,
  turn: JobTurn,
  ending: 'done' | 'failed' | 'cancelled',
): Promise<boolean> =>
  changesOne(sql`
    update link_jobs set state = ${ending}, finished_at = now(), lessee = null, leased_until = now(),
      expires_at = now() + ${LISTED_DAYS} * interval '1 day',
      kept_bytes = case when state = 'reverting' then 0 else kept_bytes end
    where ${holdsLease(sql, turn)}`);

/** Returns the piece that begins after the rows that are handled, or `null` when all are. */
export const findNextPiece = (sql: Sql, { id, handled }: JobTurn): Promise<InputPiece | null> =>
  findFirst(sql<InputPiece[]>`
    select first_row, rows, bytes, file_rows from link_job_pieces
    where job_id = ${id} and first_row = ${handled} + 1`);

/** An ended job that leaves something behind. */
export interface LeftJob {
  readonly id: string;
  readonly isExpired: boolean;
}

/** Takes an ended job whose objects, or itself, are to be removed. If it is not, it is taken again after a pause. */
export const takeLeftJob = (sql: Sql): Promise<LeftJob | null> =>
  findFirst(sql<LeftJob[]>`
    update link_jobs set leased_until = ${nextTry(sql, sql`finished_at`)} where id = (
      select id from link_jobs
      where finished_at is not null and leased_until <= now() and (has_files or expires_at <= now())
        and not exists (select from link_jobs u where u.undoes = link_jobs.id and u.finished_at is null)
      order by expires_at limit 1 for update skip locked)
    returning id, expires_at <= now() as is_expired`);

/** Removes at most `limit` links of an ended job that nothing is kept for, or any. Returns how many it removed. */
export const forgetJobLinks = async (
  sql: Sql,
  { id, isExpired }: LeftJob,
  limit: number,
): Promise<number> => {
  const { count } = await sql`
    delete from link_job_links where job_id = ${id} and slug in (
      select slug from link_job_links where job_id = ${id} ${isExpired ? sql`` : sql`and earlier is null`}
      limit ${limit})`;
  return count;
};

/** Records that the objects of an ended job are removed, or removes an expired one. */
export const forgetJob = async (sql: Sql, { id, isExpired }: LeftJob): Promise<void> => {
  if (isExpired) await sql`delete from link_jobs where id = ${id}`;
  else {
    await sql`delete from link_job_pieces where job_id = ${id}`;
    await sql`update link_jobs set has_files = false, leased_until = now() where id = ${id}`;
  }
};
