/** Link jobs while they are being received, each by a single gateway. */
import { ok, type Result, refused } from '../../../result.ts';
import {
  type Asked,
  changesOne,
  findAsked,
  findFirst,
  fromNow,
  lockAccount,
  nextTry,
  type Sql,
} from '../../client.ts';
import type { Earlier, InputPiece } from '../batches/receiving.ts';
import { type LinkJob, type LinkJobFault, saveFaults } from './jobs.ts';

/** What a new job starts with. */
export interface NewLinkJob
  extends Pick<LinkJob, 'accountId' | 'keyId' | 'kind' | 'terms' | 'isDryRun' | 'allOrNothing'> {
  readonly idempotencyKey: string | null;
  /** Notified when the job ends, whatever it subscribes to. */
  readonly webhookId: string | null;
  /** The trace of the call, as `writeTraceContext` writes it. */
  readonly trace: string | null;
}

/** What jobs of an account are bounded by, and how they are received. */
export interface LinkJobBounds {
  /** Identifies the gateway. */
  readonly leaseHolder: string;
  /** The job is abandoned when its lease was not renewed for this long. */
  readonly leaseMs: number;
  /** Unfinished jobs that an account may have, and the number of all of its jobs. */
  readonly maxOpen: number;
  readonly maxKept: number;
  /** Bytes of their rows, and of what is kept for undoing them. */
  readonly accountMaxBytes: number;
}

/** Why an account may not have another job. */
export type LinkJobRefusal = 'open' | 'kept' | 'full';

/** Returns the account's job with this `Idempotency-Key`, or `null`. */
export const findEarlierJob = (sql: Sql, accountId: string, key: string): Promise<Earlier | null> =>
  findAsked<Earlier>(
    `${accountId} ${key}`,
    sql<(Earlier & Asked)[]>`
    select concat_ws(' ', account_id, idempotency_key) as asked, id, request_sha256
    from link_jobs where account_id = ${accountId} and idempotency_key = ${key}`,
  );

/** Returns why the account may have no more jobs; `null`: it may. Locks its row until the transaction ends. */
const refuse = async (
  tx: Sql,
  accountId: string,
  { maxOpen, maxKept, accountMaxBytes }: LinkJobBounds,
): Promise<LinkJobRefusal | null> => {
  await lockAccount(tx, accountId);
  const [counts] = await tx<[{ open: number; kept: number; bytes: number }]>`
    select count(*) filter (where finished_at is null)::int as open, count(*)::int as kept,
      coalesce(sum(kept_bytes + case when has_files then bytes else 0 end), 0)::float8 as bytes
    from link_jobs where account_id = ${accountId}`;
  if (counts.open >= maxOpen) return 'open';
  if (counts.kept >= maxKept) return 'kept';
  return counts.bytes >= accountMaxBytes ? 'full' : null;
};

/**
 * Begins a job and returns its id. Must be called in a transaction. `taken`: another call has just begun one with the
 * same `Idempotency-Key`.
 */
export const beginLinkJob = async (
  tx: Sql,
  job: NewLinkJob,
  bounds: LinkJobBounds,
): Promise<Result<string, LinkJobRefusal | 'taken'>> => {
  const { accountId, keyId, kind, terms, isDryRun, allOrNothing, idempotencyKey, webhookId, trace } = job;
  const refusal = await refuse(tx, accountId, bounds);
  if (refusal !== null) return refused(refusal);
  const [row] = await tx<{ id: string }[]>`
    insert into link_jobs (account_id, key_id, kind, terms, is_dry_run, all_or_nothing, idempotency_key, webhook_id, trace,
      lessee, leased_until)
    values (${accountId}, ${keyId}, ${kind}, ${JSON.stringify(terms)}::text::jsonb, ${isDryRun}, ${allOrNothing},
      ${idempotencyKey}, ${webhookId}, ${trace}, ${bounds.leaseHolder}, ${fromNow(tx, bounds.leaseMs)})
    on conflict do nothing
    returning id`;
  return row === undefined ? refused('taken') : ok(row.id);
};

/**
 * Begins a job that undoes another one, which has ended, and returns its id. Must be called in a transaction. `nothing`:
 * that one has changed nothing that could be undone.
 */
export const beginUndo = async (
  tx: Sql,
  { id: undoes, accountId }: Pick<LinkJob, 'id' | 'accountId'>,
  { keyId, trace }: Pick<NewLinkJob, 'keyId' | 'trace'>,
  bounds: LinkJobBounds,
): Promise<Result<string, LinkJobRefusal | 'nothing'>> => {
  const refusal = await refuse(tx, accountId, bounds);
  if (refusal !== null) return refused(refusal);
  const row = await findFirst(tx<{ id: string }[]>`
    insert into link_jobs (account_id, key_id, kind, state, undoes, trace, rows, has_files)
    select ${accountId}, ${keyId}, 'undo', 'running', ${undoes}, ${trace}, links, false
    from (
      select count(*)::int as links from link_job_links where job_id = ${undoes} and earlier is not null
    ) as kept
    where links > 0 returning id`);
  return row === null ? refused('nothing') : ok(row.id);
};

const holdsLease = (sql: Sql, id: string, leaseHolder: string) =>
  sql`id = ${id} and lessee = ${leaseHolder} and state = 'receiving'`;

/** Records a stored piece, and renews the lease of the job. Returns `false` when the job was abandoned. */
export const saveJobPiece = (
  sql: Sql,
  id: string,
  { firstRow, rows, fileRows, bytes }: InputPiece,
  { leaseHolder, leaseMs }: LinkJobBounds,
): Promise<boolean> =>
  changesOne(sql`
    with leased as (
      update link_jobs set rows = rows + ${rows}, bytes = bytes + ${bytes}, leased_until = ${fromNow(sql, leaseMs)}
      where ${holdsLease(sql, id, leaseHolder)} returning id)
    insert into link_job_pieces (job_id, first_row, rows, bytes, file_rows)
    select id, ${firstRow}::int, ${rows}::int, ${bytes}::int, ${fileRows}::integer[] from leased`);

/** Renews the lease of a job that is being received. */
export const renewReceivingJob = async (
  sql: Sql,
  id: string,
  { leaseHolder, leaseMs }: LinkJobBounds,
): Promise<void> => {
  await sql`
    update link_jobs set leased_until = ${fromNow(sql, leaseMs)} where ${holdsLease(sql, id, leaseHolder)}`;
};

/** What is known once a job is received. */
interface Ended {
  readonly requestSha256: string;
  /** Why its rows cannot be read; `null`: they can. */
  readonly fault: LinkJobFault | null;
  readonly notes: Pick<LinkJob, 'encoding' | 'emptyRows' | 'firstEmptyRows' | 'leftOut'>;
}

/**
 * Ends the receiving: the rows are handled next. If a fault made the rest of them unreadable, the job fails, unless it was
 * cancelled meanwhile. Must be called in a transaction. Returns `false` when the job was abandoned.
 */
export const endReceivingJob = async (
  tx: Sql,
  id: string,
  leaseHolder: string,
  { requestSha256, fault, notes }: Ended,
): Promise<boolean> => {
  const { count } = await tx`
    update link_jobs set state = case when is_dry_run or all_or_nothing then 'checking' else 'running' end,
      request_sha256 = ${requestSha256}, lessee = null, leased_until = now(), encoding = ${notes.encoding},
      empty_rows = ${notes.emptyRows}, first_empty_rows = ${notes.firstEmptyRows},
      left_out = ${JSON.stringify(notes.leftOut)}::text::jsonb,
      faults = ${fault === null ? 0 : 1}, ending = coalesce(ending, ${fault === null ? null : 'failed'}),
      reason = coalesce(reason, ${fault === null ? null : 'The rows cannot be read; see the faults. Nothing was changed.'})
    where ${holdsLease(tx, id, leaseHolder)}`;
  if (count === 0) return false;
  if (fault !== null) await saveFaults(tx, id, [fault]);
  return true;
};

/** Abandons a job, so that nothing can be added to it, and returns whether it was still being received. */
export const giveUpReceivingJob = (sql: Sql, id: string): Promise<boolean> =>
  changesOne(sql`update link_jobs set lessee = null where id = ${id} and state = 'receiving'`);

/** Deletes a job that was not fully received, once its objects are removed. */
export const forgetReceivingJob = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from link_jobs where id = ${id} and state = 'receiving'`;
};

/**
 * Takes a job from a gateway that let its lease expire while receiving it, and returns its id, or `null` when there is
 * none. If it is not removed, it is taken again after a pause.
 */
export const takeAbandonedJob = async (sql: Sql): Promise<string | null> => {
  const [row] = await sql<{ id: string }[]>`
    update link_jobs set lessee = null, leased_until = ${nextTry(sql, sql`created_at`)} where id = (
      select id from link_jobs where state = 'receiving' and leased_until < now()
      order by leased_until limit 1 for update skip locked)
    returning id`;
  return row?.id ?? null;
};
