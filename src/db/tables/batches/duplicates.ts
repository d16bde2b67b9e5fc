/** Rows of batches that repeat an earlier one, and what is needed to find them. */
import type postgres from 'postgres';
import type { DuplicateKind, PlacedDuplicate } from '../../../duplicates/rules.ts';
import type { Sql } from '../../client.ts';
import { type RowError, saveErrors } from './batches.ts';

type Hashes = Readonly<Partial<Record<DuplicateKind, Buffer>>>;

/** The rows of a piece, and where they are stored. */
interface Range {
  readonly firstRow: number;
  readonly rows: number;
  readonly input: number;
  readonly startByte: number;
  readonly endByte: number;
  /** The rows of the file, as `Piece` has them. */
  readonly fileRows: readonly number[];
}

/** Saves the hashes of a validated piece. Must be called in the transaction that saves its validation. */
export const saveKeys = async (
  tx: Sql,
  batchId: string,
  { firstRow, rows, input, startByte, endByte, fileRows }: Range,
  hashes: Hashes,
): Promise<void> => {
  if (Object.keys(hashes).length === 0) return;
  await tx`
    insert into batch_keys (batch_id, first_row, rows, input, start_byte, end_byte, file_rows, contents, gs1_keys, unique_values)
    values (${batchId}, ${firstRow}, ${rows}, ${input}, ${startByte}, ${endByte}, ${fileRows}, ${hashes.content ?? null},
      ${hashes['gs1-key'] ?? null}, ${hashes.value ?? null})`;
};

/** The hashes of a piece, and where its rows are stored. */
export interface KeyedPiece extends Range {
  readonly hashes: Hashes;
}

type KeyRow = Omit<KeyedPiece, 'hashes'> &
  Readonly<Record<'contents' | 'gs1Keys' | 'uniqueValues', Buffer | null>>;

/** Pieces read per query: at most some 500 kB, which are compared in a few milliseconds. */
const AT_A_TIME = 20;

/**
 * Yields the hashes of a batch in row order. It holds no connection between two queries.
 *
 * @param isCompared Those that were compared with each other, or those that were not.
 */
export async function* eachKeyedPiece(
  sql: Sql,
  batchId: string,
  isCompared: boolean,
): AsyncGenerator<KeyedPiece, void> {
  let last = 0;
  for (;;) {
    const found = await sql<KeyRow[]>`
      select first_row, rows, input, start_byte, end_byte, file_rows, contents, gs1_keys, unique_values from batch_keys
      where batch_id = ${batchId} and first_row > ${last} and is_compared = ${isCompared}
      order by first_row limit ${AT_A_TIME}`;
    for (const { contents, gs1Keys, uniqueValues, ...piece } of found) {
      const hashes = {
        ...(contents === null ? {} : { content: contents }),
        ...(gs1Keys === null ? {} : { 'gs1-key': gs1Keys }),
        ...(uniqueValues === null ? {} : { value: uniqueValues }),
      };
      yield { ...piece, hashes };
    }
    if (found.length < AT_A_TIME) return;
    last = found.at(-1)!.firstRow;
  }
}

/** Deletes the hashes of a batch. */
export const forgetKeys = async (sql: Sql, batchId: string): Promise<void> => {
  await sql`delete from batch_keys where batch_id = ${batchId}`;
};

/** A duplicate with the caller's own id of its row. */
export interface ListedDuplicate extends PlacedDuplicate {
  readonly externalId: string | null;
  /** The batch of the earlier row; `null`: the same. */
  readonly firstBatchId: string | null;
}

/** Maximum number of duplicates listed per batch; all are counted. */
export const DUPLICATES_MAX = 10_000;

/** The duplicates of a batch. */
export interface FoundDuplicates {
  readonly count: number;
  /** How many of them are errors. */
  readonly refused: number;
  readonly listed: readonly ListedDuplicate[];
  /** Those of the listed ones that are errors. */
  readonly errors: readonly RowError[];
}

/** Adds duplicates of rows that have none yet. */
export const listDuplicates = async (
  tx: Sql,
  batchId: string,
  listed: readonly ListedDuplicate[],
): Promise<void> => {
  await tx`
    insert into batch_duplicates (batch_id, row, first_row, file_row, first_file_row, external_id, kind, first_batch_id)
    select ${batchId}::uuid, * from unnest(
      ${listed.map(({ row }) => row)}::integer[],
      ${listed.map(({ firstRow }) => firstRow)}::integer[],
      ${listed.map(({ fileRow }) => fileRow)}::integer[],
      ${listed.map(({ firstFileRow }) => firstFileRow)}::integer[],
      ${listed.map(({ externalId }) => externalId)}::text[],
      ${listed.map(({ kind }) => kind)}::text[],
      ${listed.map(({ firstBatchId }) => firstBatchId)}::uuid[])
    on conflict do nothing`;
};

/**
 * Saves the duplicates of a batch in place of earlier ones, and marks its hashes, so that they are not counted twice. A
 * no-op if the lease of the step was lost.
 */
export const saveDuplicates = (
  sql: postgres.Sql,
  { id, leaseHolder }: { readonly id: string; readonly leaseHolder: string },
  { count, refused, listed, errors }: FoundDuplicates,
): Promise<void> =>
  sql.begin(async (tx) => {
    const saved = await tx`
      update batches set duplicates = ${count}, errors = errors + ${refused}
      where id = ${id} and lessee = ${leaseHolder} and state = 'validating'`;
    if (saved.count === 0) return;
    await tx`update batch_keys set is_compared = true where batch_id = ${id}`;
    await tx`delete from batch_duplicates where batch_id = ${id}`;
    await listDuplicates(tx, id, listed);
    await saveErrors(tx, id, errors);
  });

const LISTED_AT_A_TIME = 1000;

/** Yields the listed duplicates of a batch in row order. It holds no connection between two queries. */
export async function* eachDuplicate(sql: Sql, batchId: string): AsyncGenerator<ListedDuplicate, void> {
  let last = 0;
  for (;;) {
    const rows = await sql<ListedDuplicate[]>`
      select row, first_row, file_row, first_file_row, external_id, kind, first_batch_id from batch_duplicates where batch_id = ${batchId} and row > ${last}
      order by row limit ${LISTED_AT_A_TIME}`;
    yield* rows;
    if (rows.length < LISTED_AT_A_TIME) return;
    last = rows.at(-1)!.row;
  }
}
