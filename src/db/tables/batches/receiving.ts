/** Batches while they are being received, each by a single gateway. */

import { randomBytes } from 'node:crypto';
import type { FileFormat } from '../../../../workers/lists.ts';
import type { DuplicateRule, DuplicateScope } from '../../../duplicates/rules.ts';
import type { ManifestForm, RowFormat } from '../../../lists.ts';
import { ok, type Result, refused } from '../../../result.ts';
import { type Asked, changesOne, findAsked, fromNow, lockAccount, nextTry, type Sql } from '../../client.ts';
import { type Batch, type RowError, saveErrors } from './batches.ts';

/** What a new batch starts with. */
export interface NewBatch {
  readonly accountId: string;
  readonly keyId: string;
  readonly format: RowFormat;
  readonly formats: readonly FileFormat[];
  readonly onError: 'skip' | 'stop';
  /** The batch-wide design options. */
  readonly design: object;
  /** The names in its templates that are counters, each with the name of the counter. */
  readonly counters: Readonly<Record<string, string>>;
  /** Rows below this grade fail. */
  readonly minGrade: number;
  /** Whether designs below it are repaired first. */
  readonly repair: boolean;
  readonly duplicateRule: DuplicateRule;
  readonly duplicateScope: DuplicateScope;
  /** The column whose values must be unique; `null`: none. */
  readonly uniqueColumn: string | null;
  readonly manifest: ManifestForm;
  readonly folder: { readonly id: string } | { readonly name: string };
  /** The own domain of its short links; `null`: the shared one. */
  readonly domainId: string | null;
  readonly lifetimeS: number;
  readonly idempotencyKey: string | null;
  /** Notified when the batch ends, whatever it subscribes to. */
  readonly webhookId: string | null;
  /** The trace of the call, as `writeTraceContext` writes it. */
  readonly trace: string | null;
}

/** How batches are received. */
export interface ReceivingOptions {
  /** Identifies the gateway. */
  readonly leaseHolder: string;
  /** The batch is abandoned when its lease was not renewed for this long. */
  readonly leaseMs: number;
  /** Unfinished batches that an account may have, and the total number kept for it. */
  readonly maxOpen: number;
  readonly maxKept: number;
  /** Total bytes of the rows and results of all of them. */
  readonly accountMaxBytes: number;
}

/** An earlier batch with the same `Idempotency-Key`. `requestSha256` is `null` while it is being received. */
export interface Earlier {
  readonly id: string;
  readonly requestSha256: string | null;
}

/** Returns the account's batch with this `Idempotency-Key`, or `null`. */
export const findEarlier = (sql: Sql, accountId: string, key: string): Promise<Earlier | null> =>
  findAsked<Earlier>(
    `${accountId} ${key}`,
    sql<(Earlier & Asked)[]>`
    select concat_ws(' ', account_id, idempotency_key) as asked, id, request_sha256
    from batches where account_id = ${accountId} and idempotency_key = ${key}`,
  );

/**
 * Begins a batch and returns its id. Must be called in a transaction, because it locks the account's row. `open`,
 * `kept` and `full`: the account has reached its limit of unfinished batches, of all batches, or of bytes. `taken`:
 * another call has just begun one with the same `Idempotency-Key`.
 */
export const beginReceiving = async (
  sql: Sql,
  batch: NewBatch,
  { leaseHolder, leaseMs, maxOpen, maxKept, accountMaxBytes }: ReceivingOptions,
): Promise<Result<string, 'open' | 'kept' | 'full' | 'taken'>> => {
  const { accountId, keyId, format, formats, onError, design, folder, lifetimeS } = batch;
  const {
    counters,
    minGrade,
    repair,
    duplicateRule,
    duplicateScope,
    uniqueColumn,
    manifest,
    domainId,
    idempotencyKey,
    webhookId,
    trace,
  } = batch;
  await lockAccount(sql, accountId);
  const [counts] = await sql<[{ open: number; kept: number; bytes: number }]>`
    select count(*) filter (where finished_at is null)::int as open, count(*)::int as kept,
      coalesce(sum(bytes) filter (where has_files), 0)::float8 as bytes
    from batches where account_id = ${accountId}`;
  if (counts.open >= maxOpen) return refused('open');
  if (counts.kept >= maxKept) return refused('kept');
  if (counts.bytes >= accountMaxBytes) return refused('full');
  const [row] = await sql<{ id: string }[]>`
    insert into batches (account_id, key_id, format, formats, on_error, design, counters, min_grade, repair, duplicate_rule,
      duplicate_scope, unique_column, manifest, folder_id, folder_name, domain_id, secret,
      lifetime_s, idempotency_key, webhook_id, trace, lessee, leased_until, expires_at)
    values (${accountId}, ${keyId}, ${format}, ${formats}::text[], ${onError}, ${JSON.stringify(design)}::text::jsonb,
      ${JSON.stringify(counters)}::text::jsonb, ${minGrade}, ${repair}, ${duplicateRule}, ${duplicateScope}, ${uniqueColumn},
      ${JSON.stringify(manifest)}::text::jsonb, ${'id' in folder ? folder.id : null}, ${'id' in folder ? null : folder.name}, ${domainId}, ${randomBytes(32)}, ${lifetimeS},
      ${idempotencyKey}, ${webhookId}, ${trace}, ${leaseHolder}, ${fromNow(sql, leaseMs)}, now() + ${lifetimeS} * interval '1 second')
    on conflict do nothing
    returning id`;
  return row === undefined ? refused('taken') : ok(row.id);
};

const holdsLease = (sql: Sql, id: string, leaseHolder: string) =>
  sql`id = ${id} and lessee = ${leaseHolder} and state = 'receiving'`;

/** A stored object with rows. */
export interface InputPiece {
  readonly firstRow: number;
  readonly rows: number;
  /** The rows of the file, as `Piece` has them. */
  readonly fileRows: readonly number[];
  readonly bytes: number;
}

/**
 * Records a stored object with rows, and renews the lease of the batch. `lost`: the batch was abandoned. `full`: the
 * account's batches would exceed their byte limit; concurrent uploads may exceed it by one object each.
 */
export const saveInput = async (
  sql: Sql,
  id: string,
  { firstRow, rows, fileRows, bytes }: InputPiece,
  { leaseHolder, leaseMs, accountMaxBytes }: ReceivingOptions,
): Promise<'saved' | 'lost' | 'full'> => {
  const [{ isSaved, isFull }] = await sql<[{ isSaved: boolean; isFull: boolean }]>`
    with kept as (
      select coalesce(sum(bytes), 0) + ${bytes} > ${accountMaxBytes} as is_full from batches
      where account_id = (select account_id from batches where id = ${id}) and has_files),
    leased as (
      update batches set rows = rows + ${rows}, bytes = bytes + ${bytes}, unchecked_pieces = unchecked_pieces + 1,
        leased_until = ${fromNow(sql, leaseMs)}
      where ${holdsLease(sql, id, leaseHolder)} and not (select is_full from kept) returning id),
    saved as (
      insert into batch_pieces (batch_id, first_row, rows, input, start_byte, end_byte, file_rows)
      select id, ${firstRow}::int, ${rows}::int, ${firstRow}::int, 0, ${bytes}::int, ${fileRows}::integer[] from leased returning batch_id)
    select exists (select from saved) as is_saved, is_full from kept`;
  if (isSaved) return 'saved';
  return isFull ? 'full' : 'lost';
};

/** Renews the lease of a batch that is being received. */
export const renewReceiving = async (
  sql: Sql,
  id: string,
  { leaseHolder, leaseMs }: ReceivingOptions,
): Promise<void> => {
  await sql`update batches set leased_until = ${fromNow(sql, leaseMs)} where ${holdsLease(sql, id, leaseHolder)}`;
};

/** What is known once a batch is received. */
export interface Ended {
  readonly requestSha256: string;
  /** Why its rows cannot be read; `null`: they can. */
  readonly fault: RowError | null;
  readonly notes: Pick<Batch, 'encoding' | 'emptyRows' | 'firstEmptyRows'> & {
    /** The names of the columns that the manifest carries. */
    readonly keptColumns: readonly string[];
  };
}

/** Postgres stores no U+0000, and a name with any control character would break the lines of a manifest. */
const storable = (name: string): string => name.replace(/\p{Cc}/gu, ' ');

/**
 * Ends the receiving: the batch is validated next. If a fault made the rest of its rows unreadable, it fails, unless
 * it was cancelled meanwhile. Must be called in a transaction. Returns `false` when the batch was abandoned.
 */
export const endReceiving = async (
  sql: Sql,
  id: string,
  leaseHolder: string,
  { requestSha256, fault, notes }: Ended,
): Promise<boolean> => {
  const { count } = await sql`
    update batches set state = 'validating', request_sha256 = ${requestSha256}, lessee = null, leased_until = now(),
      encoding = ${notes.encoding}, empty_rows = ${notes.emptyRows}, first_empty_rows = ${notes.firstEmptyRows},
      input_columns = ${notes.keptColumns.map(storable)}::text[],
      errors = ${fault === null ? 0 : 1}, ending = coalesce(ending, ${fault === null ? null : 'failed'}),
      reason = coalesce(reason, ${fault === null ? null : 'The rows cannot be read; see the errors.'}),
      served_ms = coalesce((
        select min(o.served_ms) from batches o
        where o.account_id = batches.account_id and o.state in ('validating', 'queued', 'running') and o.ending is null), 0),
      first_numbers = (
        select coalesce(jsonb_object_agg(c.name, c.next), '{}') from counters c
        where c.account_id = batches.account_id and c.name in (select value from jsonb_each_text(batches.counters)))
    where ${holdsLease(sql, id, leaseHolder)}`;
  if (count === 0) return false;
  if (fault !== null) await saveErrors(sql, id, [fault]);
  return true;
};

/**
 * Abandons a batch, so that nothing can be added to it, and returns whether it was still being received. It is already
 * received if only the answer to the last transaction was lost.
 */
export const giveUpReceiving = (sql: Sql, id: string): Promise<boolean> =>
  changesOne(sql`update batches set lessee = null where id = ${id} and state = 'receiving'`);

/** Deletes a batch that was not fully received, once its objects are removed. */
export const forgetReceiving = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from batches where id = ${id} and state = 'receiving'`;
};

/**
 * Takes a batch from a gateway that let its lease expire, and returns its id, or `null` when there is none. From then
 * on that gateway can add nothing to it. If it is not removed, it is taken again after a pause.
 */
export const takeAbandoned = async (sql: Sql): Promise<string | null> => {
  const [row] = await sql<{ id: string }[]>`
    update batches set lessee = null, leased_until = ${nextTry(sql, sql`created_at`)} where id = (
      select id from batches where state = 'receiving' and leased_until < now()
      order by leased_until limit 1 for update skip locked)
    returning id`;
  return row?.id ?? null;
};
