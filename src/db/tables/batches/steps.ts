/**
 * Steps of whole batches, each taken by one gateway at a time: admission, the end, and the removal of expired results.
 */
import type postgres from 'postgres';
import type { FileFormat } from '../../../../workers/lists.ts';
import type { DuplicateRule, DuplicateScope } from '../../../duplicates/rules.ts';
import type { ManifestForm } from '../../../lists.ts';
import { fromNow, lockAccount, nextTry, type Sql } from '../../client.ts';
import { type Maker, makersOf } from '../accounts/keys.ts';
import { ensureFolder } from '../folders.ts';
import type { Ending } from './batches.ts';
import { giveToBatch, lockCounters, noteRows } from './counters.ts';
import { forgetKeys } from './duplicates.ts';
import { hasKeptBesides } from './kept-rows.ts';

/** A batch whose next step a gateway has taken. */
export interface Step {
  readonly id: string;
  readonly leaseHolder: string;
  readonly accountId: string;
  readonly keyId: string;
  /** Units that the key may use per month; `null`: as many as its account. */
  readonly keyQuota: number | null;
  /** The keys that made the key, for whose quotas its units count as well. */
  readonly makers: readonly Maker[];
  readonly state: 'validating' | 'queued' | 'running' | 'finishing';
  readonly ending: Ending | null;
  readonly folderName: string | null;
  readonly design: object;
  readonly counters: Readonly<Record<string, string>>;
  /** By counter, the first row's number when the rows were validated. */
  readonly firstNumbers: Readonly<Record<string, number>>;
  readonly rows: number;
  readonly errors: number;
  readonly made: number;
  readonly failed: number;
  readonly refundable: number;
  /** Whether its units are held. `null`: unknown, because an attempt to queue it had no recorded outcome. */
  readonly hasHold: boolean | null;
  readonly duplicateRule: DuplicateRule;
  readonly duplicateScope: DuplicateScope;
  /** The column whose values must be unique; `null`: none. */
  readonly uniqueColumn: string | null;
  readonly formats: readonly FileFormat[];
  readonly manifest: ManifestForm;
  /** The columns of the file that the manifest carries. */
  readonly inputColumns: readonly string[];
  /** The trace of the call that sent the batch, as `writeTraceContext` writes it. */
  readonly trace: string | null;
}

/**
 * Takes a batch that is validated, or one whose end is decided and that has no piece in progress. First expires overdue
 * batches, even those whose decided end could not be completed. Returns `null` when there is none.
 */
export const takeStep = (sql: postgres.Sql, leaseHolder: string, leaseMs: number): Promise<Step | null> =>
  sql.begin(async (tx) => {
    await tx`
      update batches set ending = 'expired', reason = 'It was not done in its time.'
      where expires_at <= now() and finished_at is null and ending is distinct from 'expired' and state <> 'receiving'`;
    const [row] = await tx<Omit<Step, 'leaseHolder'>[]>`
      select b.id, b.account_id, b.key_id, b.state, b.ending, b.folder_name, b.design, b.counters, b.first_numbers, b.rows, b.errors, b.made, b.failed, b.refundable, b.duplicate_rule, b.duplicate_scope, b.unique_column,
        b.formats, b.manifest, b.input_columns, b.trace,
        k.monthly_quota as key_quota, ${makersOf(tx)} as makers,
        case when b.queued_at is not null then true
          -- Repeats of other batches may be found again after units were held.
          when not b.is_rechecked and b.kept_duplicates = 0 and (b.errors > 0 or b.unchecked_pieces > 0) then false end as has_hold
      from batches b join api_keys k on k.id = b.key_id
      where b.finished_at is null and b.state <> 'receiving' and b.leased_until <= now()
        and (b.state = 'finishing' or (b.state = 'validating' and b.ending is null and b.unchecked_pieces = 0)
          or (b.ending is not null and not exists (
            select from batch_pieces p
            where p.batch_id = b.id and p.state <> 'made' and p.lessee is not null and p.leased_until > now())))
      order by b.created_at limit 1 for update of b skip locked`;
    if (row === undefined) return null;
    // From here on no piece of an ended batch is saved.
    const state = row.ending === null ? row.state : 'finishing';
    await tx`
      update batches set lessee = ${leaseHolder}, leased_until = ${fromNow(tx, leaseMs)}, state = ${state} where id = ${row.id}`;
    return { ...row, state, leaseHolder };
  });

const holdsLease = (sql: Sql, { id, leaseHolder }: Step) =>
  sql`id = ${id} and lessee = ${leaseHolder} and finished_at is null`;

/** Renews the lease of the step. */
export const renewStep = async (sql: Sql, step: Step, leaseMs: number): Promise<void> => {
  await sql`update batches set leased_until = ${fromNow(sql, leaseMs)} where ${holdsLease(sql, step)}`;
};

/** Releases the step. @param pauseMs Nobody takes it before this has passed. */
export const giveBackStep = async (sql: Sql, step: Step, pauseMs: number): Promise<void> => {
  await sql`
    update batches set lessee = null, leased_until = ${fromNow(sql, pauseMs)} where ${holdsLease(sql, step)}`;
};

/** Refuses a validated batch, which fails it. */
export const refuseBatch = async (sql: Sql, step: Step, reason: string): Promise<void> => {
  await sql`
    update batches set ending = 'failed', reason = ${reason}, lessee = null, leased_until = now()
    where ${holdsLease(sql, step)} and ending is null`;
};

/**
 * Whether the rows of a batch accept the numbers of its counters. `longer`: they must be validated again, because none
 * was validated with numbers of that many digits.
 */
export type Numbers =
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'longer' }
  | { readonly outcome: 'refused'; readonly why: string };

/** Sends the rows of a batch back to validation, with these numbers. */
const recheck = async (tx: Sql, { id }: Step, firstNumbers: Step['firstNumbers']): Promise<void> => {
  await tx`
    update batch_pieces set state = 'unchecked', lessee = null, leased_until = now() where batch_id = ${id}`;
  await forgetKeys(tx, id);
  await tx`
    update batches set is_rechecked = true, first_numbers = ${JSON.stringify(firstNumbers)}::text::jsonb,
      unchecked_pieces = waiting_pieces, waiting_pieces = 0, estimated_ms = 0, lessee = null, leased_until = now()
    where id = ${id}`;
};

/**
 * Queues a batch whose units are held, issues its rows their numbers, and creates its folder. Takes no numbers if
 * `judge` refuses them, and sends the rows back to validation if they are longer. `lost`: the lease was lost, and the
 * units may have to be released. A batch whose end was decided meanwhile is queued too, and then ends.
 *
 * @param comparedWith The batches with whose rows it was compared, or `null`. `again`: the account has another one now.
 * @param judge Receives the first numbers, by counter.
 */
export const queueBatch = (
  sql: postgres.Sql,
  step: Step,
  comparedWith: readonly string[] | null,
  judge: (firstNumbers: Step['firstNumbers']) => Numbers,
): Promise<Numbers | { readonly outcome: 'lost' | 'again' }> =>
  sql.begin(async (tx) => {
    await lockAccount(tx, step.accountId);
    const held = await tx`
      select from batches where ${holdsLease(tx, step)} and state = 'validating' for update`;
    if (held.length === 0) return { outcome: 'lost' };
    if (comparedWith !== null && (await hasKeptBesides(tx, step, comparedWith))) return { outcome: 'again' };
    const counters = await lockCounters(tx, step);
    const firstNumbers = Object.fromEntries(counters.map(({ name, next }) => [name, next]));
    const numbers = judge(firstNumbers);
    if (numbers.outcome === 'longer') await recheck(tx, step, firstNumbers);
    if (numbers.outcome !== 'taken') return numbers;
    await giveToBatch(tx, step, counters);
    const folder = step.folderName === null ? null : await ensureFolder(tx, step.accountId, step.folderName);
    await tx`
      update batches set state = 'queued', queued_at = now(), folder_id = coalesce(${folder?.id ?? null}, folder_id),
        -- A millisecond has 10,000 places (sql/0004_codes.sql).
        codes_at = greatest(now(), (
          select max(o.codes_at + (o.rows / 10000 + 1) * interval '1 ms') from batches o
          where o.account_id = ${step.accountId})),
        first_numbers = ${JSON.stringify(firstNumbers)}::text::jsonb, lessee = null, leased_until = now()
      where id = ${step.id}`;
    return numbers;
  });

/** Whether a batch is ending, or has ended, without having been queued. */
export const endsUnqueued = async (sql: Sql, id: string): Promise<boolean> => {
  const rows = await sql`
    select from batches where id = ${id} and queued_at is null and (state = 'finishing' or finished_at is not null)`;
  return rows.length === 1;
};

/** Ends a batch whose units are settled. The requested lifetime of its results starts now. */
export const finishBatch = (sql: postgres.Sql, step: Step, refunded: number): Promise<void> =>
  sql.begin(async (tx) => {
    const { count } = await tx`
      update batches set state = ending, refunded = ${refunded}, finished_at = now(), lessee = null,
        expires_at = case when ending = 'expired' then now() else now() + lifetime_s * interval '1 second' end
      where ${holdsLease(tx, step)} and state = 'finishing'`;
    if (count === 0) return;
    await noteRows(tx, step.id);
    // Later batches are not compared with a batch that was never queued.
    await tx`
      delete from batch_keys where batch_id = ${step.id}
        and exists (select from batches where id = ${step.id} and queued_at is null)`;
  });

/** How many days an expired batch is still listed. */
const LISTED_DAYS = 30;

/**
 * Takes a finished batch whose results are due for removal, and returns its id, or `null` when there is none. If they
 * are not removed, it is taken again after a pause.
 */
export const takeExpired = async (sql: Sql): Promise<string | null> => {
  const [row] = await sql<{ id: string }[]>`
    update batches set leased_until = ${nextTry(sql, sql`expires_at`)} where id = (
      select id from batches
      where expires_at <= now() and finished_at is not null and has_files and leased_until <= now()
      order by expires_at limit 1 for update skip locked)
    returning id`;
  return row?.id ?? null;
};

/** Records that the results of a batch are removed. Its reason still says how it ended. */
export const saveExpired = (sql: postgres.Sql, id: string): Promise<void> =>
  sql.begin(async (tx) => {
    await tx`
      update batches set state = 'expired', has_files = false,
        reason = case when state = 'expired' then reason else concat_ws(' ', reason, 'Its results have expired.') end
      where id = ${id} and finished_at is not null`;
    await tx`delete from batch_pieces where batch_id = ${id}`;
    await tx`delete from batch_parts where batch_id = ${id}`;
    await tx`delete from batch_errors where batch_id = ${id}`;
    await tx`delete from batch_duplicates where batch_id = ${id}`;
    await forgetKeys(tx, id);
  });

/** Deletes batches that expired long ago. */
export const forgetExpired = async (sql: Sql): Promise<void> => {
  await sql`
    delete from batches where not has_files and finished_at is not null
      and expires_at < now() - ${LISTED_DAYS} * interval '1 day'`;
};
