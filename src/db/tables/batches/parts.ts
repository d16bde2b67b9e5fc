/** Parts: the results of up to 50,000 rows, as one file, and the mark of the store that has them. */
import { changesOne, findFirst, type Sql } from '../../client.ts';
import type { Shape } from './pieces.ts';

/** Rows of a part. No piece spans two parts. */
export const PART_ROWS = 50_000;

/** Returns the number, from 1, of the part that contains a row. */
export const partOf = (row: number): number => Math.floor((row - 1) / PART_ROWS) + 1;

/** A part whose pieces are all made. */
export interface StoredPart {
  readonly number: number;
  readonly codes: number;
  readonly bytes: number;
  readonly sha256: Buffer;
  readonly manifestCrc: number;
  readonly madeAt: Date;
}

export interface PartFragment extends Shape {
  readonly fragment: string;
  readonly codes: number;
}

const columns = (sql: Sql) => sql`number, codes, bytes, sha256, manifest_crc, made_at`;

/** Returns the parts of a batch in order. */
export const listParts = (sql: Sql, batchId: string): Promise<readonly StoredPart[]> =>
  sql<StoredPart[]>`select ${columns(sql)} from batch_parts where batch_id = ${batchId} order by number`;

/** Returns a part, or `null` when the batch has none with this number yet. */
export const getPart = (sql: Sql, batchId: string, number: number): Promise<StoredPart | null> =>
  findFirst(sql<StoredPart[]>`
    select ${columns(sql)} from batch_parts where batch_id = ${batchId} and number = ${number}`);

const inPart = (sql: Sql, batchId: string, number: number) => sql`
  batch_id = ${batchId} and first_row > ${(number - 1) * PART_ROWS} and first_row <= ${number * PART_ROWS}`;

/** Returns the fragments of a part in the order of their rows. */
export const listFragments = (sql: Sql, batchId: string, number: number): Promise<readonly PartFragment[]> =>
  sql<PartFragment[]>`
    select fragment, codes, files, entry_bytes, manifest_bytes, directory_bytes from batch_pieces
    where ${inPart(sql, batchId, number)} and state = 'made' order by first_row`;

/** Rows of a batch that follow each other, with the last one. */
export type RowRange = readonly [first: number, last: number];

/** Returns the fragments that have rows of some ranges, in the order of their rows. */
export const listFragmentsOf = (
  sql: Sql,
  batchId: string,
  ranges: readonly RowRange[],
): Promise<readonly PartFragment[]> =>
  sql<PartFragment[]>`
    select fragment, codes, files, entry_bytes, manifest_bytes, directory_bytes from batch_pieces p
    where batch_id = ${batchId} and state = 'made' and exists (
      select from unnest(${ranges.map(([first]) => first)}::integer[], ${ranges.map(([, last]) => last)}::integer[])
        as wanted (first, last)
      where wanted.last >= p.first_row and wanted.first < p.first_row + p.rows
    ) order by first_row`;

/** Whether all pieces of a part are made. */
export const isPartMade = async (sql: Sql, batchId: string, number: number): Promise<boolean> => {
  const rows = await sql`
    select from batch_pieces where ${inPart(sql, batchId, number)} and state <> 'made' limit 1`;
  return rows.length === 0;
};

/** Saves a part. A no-op if it is already saved. */
export const savePart = async (
  sql: Sql,
  batchId: string,
  { number, codes, bytes, sha256, manifestCrc, madeAt }: StoredPart,
): Promise<void> => {
  await sql`
    insert into batch_parts (batch_id, number, codes, bytes, sha256, manifest_crc, made_at)
    values (${batchId}, ${number}, ${codes}, ${bytes}, ${sha256}, ${manifestCrc}, ${madeAt})
    on conflict do nothing`;
};

/** Returns the mark of the installation's batch store; `null`: no gateway has chosen one yet. */
export const findStoreMark = async (sql: Sql): Promise<string | null> => {
  const [row] = await sql<{ mark: string }[]>`select mark from batch_store`;
  return row?.mark ?? null;
};

/**
 * Saves the mark if there is none, and returns whether it did. Concurrent callers wait until the first one's
 * transaction has ended.
 */
export const saveStoreMark = (sql: Sql, mark: string): Promise<boolean> =>
  changesOne(sql`insert into batch_store (mark) values (${mark}) on conflict do nothing`);
