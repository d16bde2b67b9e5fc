/** Stores the rows of a batch as they arrive. */
import { EncodingFault } from '../../csv/encoding.ts';
import type { TableNotes } from '../../csv/notes.ts';
import type { Database } from '../../db/database.ts';
import type { RowError } from '../../db/tables/batches/batches.ts';
import { PART_ROWS } from '../../db/tables/batches/parts.ts';
import { type NewBatch, type ReceivingOptions, saveInput } from '../../db/tables/batches/receiving.ts';
import { AppError } from '../../errors.ts';
import type { ObjectStore } from '../../storage/store.ts';
import { inputKey, toFileRows } from '../rows/stored.ts';
import type { ColumnTerms } from './columns.ts';
import { PIECE } from './limits.ts';
import { readRowLines } from './lines.ts';
import { type ReadLine, Unreadable } from './table.ts';
import type { Watch } from './upload.ts';

/** What storing rows needs. */
export interface RowStoreParts {
  readonly sql: Database['sql'];
  readonly store: ObjectStore;
  readonly options: ReceivingOptions & { readonly maxRows: number; readonly maxBytes: number };
}

/** The rows of an upload, and the batch that they are for. */
export interface IncomingRows {
  readonly batch: NewBatch;
  readonly columns: ColumnTerms;
  /** The name of the encoding of CSV; `null`: none is said. */
  readonly encoding: string | null;
  /** Filled in while the rows are stored. */
  readonly notes: TableNotes;
  /** Decompressed, and read through the watch. */
  readonly chunks: AsyncIterable<Buffer>;
  readonly watch: Pick<Watch, 'read'>;
}

/** How many rows are stored, and why the rest cannot be read. */
export interface Stored {
  readonly rows: number;
  readonly fault: Pick<RowError, 'row' | 'fileRow' | 'message'> | null;
}

/** The batch could not be stored, or another gateway is receiving it by now. */
export const givenUp = (cause?: unknown): AppError =>
  new AppError('unavailable', 'The batch could not be stored. Nothing was charged; send it again.', {
    retryAfterS: 5,
    cause,
  });

/** The account stores too many bytes. */
export const tooManyKept = (bytes: number): AppError =>
  new AppError(
    'limit_reached',
    `Your batches would keep more than ${bytes} bytes of rows and results; send another when one has expired.`,
  );

/** Shares chunks among successive readers: each continues where the previous one stopped. */
const shareOut = (chunks: AsyncIterable<Buffer>) => {
  const iterator = chunks[Symbol.asyncIterator]();
  return {
    rest: { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) } as AsyncIterable<Buffer>,
    /** Ends the source after the pending chunk. Its readers report its failures. */
    end: (): void => void iterator.return?.().catch(() => {}),
  };
};

/**
 * Stores all rows in pieces and reads the whole request.
 *
 * @throws {AppError} When there are too many rows or bytes, or another gateway is receiving the batch by now.
 * @throws {EncodingFault}; {StoreFault}
 */
export const storeRows = async (
  { sql, store, options }: RowStoreParts,
  id: string,
  { batch, columns, encoding, notes, chunks, watch }: IncomingRows,
): Promise<Stored> => {
  const { rest, end } = shareOut(chunks);
  let lines: ReadLine[] = [];
  let length = 0;
  let rows = 0;
  let storedBytes = 0;
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const firstRow = rows - lines.length + 1;
    const bytes = Buffer.from(lines.map(({ text }) => `${text}\n`).join(''));
    const fileRows = toFileRows(lines.map(({ fileRow }) => fileRow));
    const piece = { firstRow, rows: lines.length, fileRows, bytes: bytes.length };
    lines = [];
    length = 0;
    storedBytes += bytes.length;
    if (storedBytes > options.maxBytes)
      throw new AppError(
        'body_too_large',
        `body: the rows of a batch must have at most ${options.maxBytes} bytes as they are stored`,
      );
    await store.put(inputKey(id, firstRow), bytes);
    const saved = await saveInput(sql, id, piece, options);
    if (saved === 'full') throw tooManyKept(options.accountMaxBytes);
    if (saved === 'lost') throw givenUp();
  };
  const reading = { format: batch.format, encoding, columns, notes };
  try {
    for await (const line of watch.read(readRowLines(rest, reading))) {
      if (rows === options.maxRows)
        throw new AppError('body_too_large', `body: must have at most ${options.maxRows} rows`);
      if (length + line.text.length > PIECE.bytes) await flush();
      rows += 1;
      length += line.text.length;
      lines.push(line);
      if (lines.length === PIECE.rows || rows % PART_ROWS === 0) await flush();
    }
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof EncodingFault)) throw error;
    // The request hash, which identifies a retry, covers the whole request; an earlier answer would be lost.
    for await (const _ of rest);
    if (error instanceof EncodingFault) throw error;
    const { row, fileRow } = error.place;
    return { rows, fault: { message: error.message, row: Math.max(1, row ?? rows + 1), fileRow } };
  } finally {
    end();
  }
  await flush();
  return { rows, fault: null };
};
