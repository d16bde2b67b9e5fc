/** The pieces of batches, which gateways share in turns. The only clock is the database's. */

import type postgres from 'postgres';
import type { FileFormat } from '../../../../workers/lists.ts';
import type { DuplicateKind, DuplicateRule } from '../../../duplicates/rules.ts';
import type { ManifestForm, RowFormat } from '../../../lists.ts';
import { fromNow, type Sql } from '../../client.ts';
import type { LinkDomain } from '../domains/served.ts';
import { type RowError, saveErrors } from './batches.ts';
import { saveKeys } from './duplicates.ts';

/** A piece that a gateway works on. */
export interface Piece {
  readonly batchId: string;
  readonly leaseHolder: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly state: 'unchecked' | 'waiting';
  readonly firstRow: number;
  readonly rows: number;
  /** First row of the stored object that contains its rows, and the byte range within it. */
  readonly input: number;
  readonly startByte: number;
  readonly endByte: number;
  /** The rows of the file that its rows come from: one for each, or only the first if they follow each other. */
  readonly fileRows: readonly number[];
  readonly estimatedMs: number;
  /** How often it was begun but not finished, and how often it could not be made. */
  readonly begun: number;
  readonly failures: number;
  readonly format: RowFormat;
  readonly formats: readonly FileFormat[];
  readonly onError: 'skip' | 'stop';
  readonly design: object;
  /** The template names that are counters; each counter's first number, which is final once a piece is waiting. */
  readonly counters: Readonly<Record<string, string>>;
  readonly firstNumbers: Readonly<Record<string, number>>;
  /** Rows of the batch. */
  readonly batchRows: number;
  readonly minGrade: number;
  readonly repair: boolean;
  readonly duplicateRule: DuplicateRule;
  readonly uniqueColumn: string | null;
  readonly manifest: ManifestForm;
  /** The columns of the file that the manifest carries. */
  readonly inputColumns: readonly string[];
  readonly folderId: string | null;
  /** The own domain of its short links; `null`: the shared one. */
  readonly domain: Pick<LinkDomain, 'id' | 'place'> | null;
  /** The time from which the ids of the batch's codes count; `null` until it is queued. */
  readonly codesAt: Date | null;
  readonly secret: Buffer;
  /** The trace of the call that sent the batch, as `writeTraceContext` writes it. */
  readonly trace: string | null;
  readonly createdAt: Date;
}

/** The minimum time that a piece counts for in the rotation, to cover saving it and validating rows. */
const LEAST_MS = 20;

/**
 * Takes the next piece: from the least-served batch of the least-served account. Returns `null` when there is none. The
 * piece is charged to the turns of its account and its batch at once.
 */
export const takePiece = (sql: postgres.Sql, leaseHolder: string, leaseMs: number): Promise<Piece | null> =>
  sql.begin(async (tx) => {
    const [row] = await tx<Omit<Piece, 'leaseHolder'>[]>`
      select p.batch_id, b.account_id, b.key_id, p.state, p.first_row, p.rows, p.input, p.start_byte, p.end_byte, p.file_rows, p.estimated_ms,
        p.begun, p.failures, b.format, b.formats, b.on_error, b.design, b.counters, b.first_numbers, b.rows as batch_rows, b.min_grade, b.repair, b.duplicate_rule, b.unique_column,
        b.manifest, b.input_columns, b.folder_id, b.codes_at,
        (select json_build_object('id', d.id, 'place', d.place) from domains d where d.id = b.domain_id) as domain, b.secret, b.trace, b.created_at
      from (
        select o.* from batches o left join batch_turns t using (account_id)
        where o.finished_at is null and o.ending is null and o.state in ('validating', 'queued', 'running')
        order by t.served_ms nulls first, o.served_ms, o.created_at, o.id
      ) b cross join lateral (
        select * from batch_pieces
        where batch_id = b.id and state <> 'made' and leased_until <= now()
          and (state = 'unchecked') = (b.state = 'validating')
        order by first_row limit 1 for update skip locked
      ) p limit 1`;
    if (row === undefined) return null;
    const { batchId, firstRow, accountId } = row;
    await tx`
      update batch_pieces set lessee = ${leaseHolder}, leased_until = ${fromNow(tx, leaseMs)}, begun = begun + 1
      where batch_id = ${batchId} and first_row = ${firstRow}`;
    const servedMs = Math.max(LEAST_MS, row.estimatedMs);
    await tx`
      update batches set served_ms = served_ms + ${servedMs}, state = case state when 'queued' then 'running' else state end,
        started_at = case state when 'queued' then now() else started_at end
      where id = ${batchId}`;
    await tx`
      insert into batch_turns as t (account_id, served_ms) values (${accountId}, ${servedMs})
      on conflict (account_id) do update set served_ms = t.served_ms + ${servedMs}`;
    return { ...row, leaseHolder };
  });

/**
 * Lets an account that becomes active join the rotation level with the least-served one: idle time earns it no credit,
 * and it does not lose its place.
 */
export const enterRotation = async (sql: Sql, accountId: string): Promise<void> => {
  const [{ least }] = await sql<[{ least: number | null }]>`
    select min(t.served_ms) as least from batch_turns t
    where exists (select from batches b where b.account_id = t.account_id and b.finished_at is null)
      and t.account_id <> ${accountId}`;
  await sql`
    insert into batch_turns as t (account_id, served_ms) values (${accountId}, ${least ?? 0})
    on conflict (account_id) do update set served_ms = greatest(t.served_ms, excluded.served_ms)`;
};

const holdsLease = (sql: Sql, { batchId, firstRow, leaseHolder, state }: Piece) =>
  sql`batch_id = ${batchId} and first_row = ${firstRow} and lessee = ${leaseHolder} and state = ${state}`;

/** Renews the lease of the piece. */
export const renewPiece = async (sql: Sql, piece: Piece, leaseMs: number): Promise<void> => {
  await sql`update batch_pieces set leased_until = ${fromNow(sql, leaseMs)} where ${holdsLease(sql, piece)}`;
};

/** Releases the piece. `failed`: it could not be made, and nobody takes it before the pause is over. */
export const giveBackPiece = async (
  sql: Sql,
  piece: Piece,
  { pauseMs, failed }: { readonly pauseMs: number; readonly failed: boolean },
): Promise<void> => {
  await sql`
    update batch_pieces set lessee = null, leased_until = ${fromNow(sql, pauseMs)}, begun = greatest(0, begun - 1),
      failures = failures + ${failed ? 1 : 0}
    where ${holdsLease(sql, piece)}`;
};

/** A range of a stored object, to be made as one piece. */
export interface CheckedPiece {
  readonly firstRow: number;
  readonly rows: number;
  readonly startByte: number;
  readonly endByte: number;
  readonly fileRows: readonly number[];
  readonly estimatedMs: number;
}

/** The result of validating a piece: the pieces to be made, the rows with faults, and what tells the others apart. */
export interface Checked {
  readonly pieces: readonly CheckedPiece[];
  readonly errors: readonly RowError[];
  /** Hashes by kind, eight bytes for each row of the piece. */
  readonly keys: Readonly<Partial<Record<DuplicateKind, Buffer>>>;
}

/** Replaces a piece by the pieces that validation split it into. A no-op if its lease was lost. */
export const saveChecked = (
  sql: postgres.Sql,
  piece: Piece,
  { pieces, errors, keys }: Checked,
): Promise<void> =>
  sql.begin(async (tx) => {
    const { batchId, input } = piece;
    const ms = pieces.reduce((sum, { estimatedMs }) => sum + estimatedMs, 0);
    const { count } = await tx`
      update batches set unchecked_pieces = unchecked_pieces - 1, waiting_pieces = waiting_pieces + ${pieces.length},
        errors = errors + ${errors.length}, estimated_ms = estimated_ms + ${ms}
      where id = ${batchId} and state = 'validating' and exists (select from batch_pieces where ${holdsLease(tx, piece)})`;
    if (count === 0) return;
    await tx`delete from batch_pieces where ${holdsLease(tx, piece)}`;
    await tx`
      insert into batch_pieces (batch_id, state, input, first_row, rows, start_byte, end_byte, file_rows, estimated_ms)
      select ${batchId}::uuid, 'waiting', ${input}::int, first_row, rows, start_byte, end_byte, file_rows::integer[], ms from unnest(
        ${pieces.map(({ firstRow }) => firstRow)}::integer[],
        ${pieces.map(({ rows }) => rows)}::integer[],
        ${pieces.map(({ startByte }) => startByte)}::integer[],
        ${pieces.map(({ endByte }) => endByte)}::integer[],
        -- An array of arrays of different lengths is not possible.
        ${pieces.map(({ fileRows }) => `{${fileRows.join(',')}}`)}::text[],
        ${pieces.map(({ estimatedMs }) => estimatedMs)}::float8[])
        as p (first_row, rows, start_byte, end_byte, file_rows, ms)`;
    await saveErrors(tx, batchId, errors);
    await saveKeys(tx, batchId, piece, keys);
  });

/** The lengths of the sections of a stored fragment (src/zip), and the number of its files. */
export interface Shape {
  readonly files: number;
  readonly entryBytes: number;
  readonly manifestBytes: number;
  readonly directoryBytes: number;
}

/** The result of making a piece. */
export interface MadePiece {
  /** The number of codes of each grade, 0 to 4. */
  readonly grades: readonly number[];
  readonly errors: readonly RowError[];
  /** Failed rows whose unit is refunded. */
  readonly refundable: number;
  /** The name of its stored fragment. */
  readonly fragment: string;
  readonly shape: Shape;
}

/**
 * Marks a piece as made. Must be called in the transaction that saves its codes. Returns `false` when the piece was
 * lost or its batch has ended; the transaction must then be rolled back.
 */
export const saveMade = async (
  sql: Sql,
  piece: Piece,
  made: MadePiece,
  accountMaxBytes: number,
): Promise<boolean> => {
  const { grades, errors, refundable, fragment, shape } = made;
  const codes = piece.rows - errors.length;
  const { count } = await sql`
    update batch_pieces set state = 'made', made_at = now(), lessee = null, codes = ${codes}, fragment = ${fragment},
      files = ${shape.files}, entry_bytes = ${shape.entryBytes}, manifest_bytes = ${shape.manifestBytes},
      directory_bytes = ${shape.directoryBytes}
    where ${holdsLease(sql, piece)}`;
  if (count === 0) return false;
  const [g0, g1, g2, g3, g4] = grades as readonly [number, number, number, number, number];
  const bytes = shape.entryBytes + shape.manifestBytes + shape.directoryBytes;
  const isStopped = piece.onError === 'stop' && errors.length > 0;
  const [{ isFull }] = await sql<[{ isFull: boolean }]>`
    select coalesce(sum(bytes), 0) + ${bytes} > ${accountMaxBytes} as is_full from batches
    where account_id = ${piece.accountId} and has_files`;
  const reason = isStopped
    ? 'A row failed, and on_error is stop; see the errors.'
    : `The account’s batches would keep more than ${accountMaxBytes} bytes of rows and results.`;
  const saved = await sql`
    update batches set made = made + ${codes}, failed = failed + ${errors.length}, errors = errors + ${errors.length},
      refundable = refundable + ${refundable}, waiting_pieces = waiting_pieces - 1,
      made_ms = made_ms + ${piece.estimatedMs}, bytes = bytes + ${bytes},
      grades = array[grades[1] + ${g0}, grades[2] + ${g1}, grades[3] + ${g2}, grades[4] + ${g3}, grades[5] + ${g4}],
      ending = case when ending is not null then ending when ${isStopped} then 'failed'
        when waiting_pieces = 1 then 'done' when ${isFull} then 'failed' end,
      reason = case when ending is null and (${isStopped} or (${isFull} and waiting_pieces > 1)) then ${reason} else reason end
    where id = ${piece.batchId} and state = 'running'`;
  if (saved.count === 0) return false;
  await saveErrors(sql, piece.batchId, errors);
  return true;
};
