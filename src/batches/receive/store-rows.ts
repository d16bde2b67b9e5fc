/** Stores the rows of an upload as they arrive, in pieces: one is stored while the next is read, and no more are held in memory. */
import { EncodingFault } from '../../csv/encoding.ts';
import type { RowError } from '../../db/tables/batches/batches.ts';
import { PART_ROWS } from '../../db/tables/batches/parts.ts';
import type { InputPiece } from '../../db/tables/batches/receiving.ts';
import { AppError } from '../../errors.ts';
import { toFileRows } from '../rows/stored.ts';
import { PIECE } from './limits.ts';
import { type ReadLine, Unreadable } from './table.ts';
import type { Watch } from './upload.ts';

/** Rows that take long, found by their text. */
export interface SlowRows {
  is(text: string): boolean;
  readonly perPiece: number;
  readonly max: number;
  /** What they are, for messages: `with a password`. */
  readonly what: string;
}

/** The rows of an upload, and where they go. */
interface Storing {
  /** Decompressed, and read through the watch. */
  readonly chunks: AsyncIterable<Buffer>;
  readonly watch: Pick<Watch, 'read'>;
  /** Yields a line for each row. */
  read(chunks: AsyncIterable<Buffer>): AsyncIterable<ReadLine>;
  readonly bounds: { readonly maxRows: number; readonly maxBytes: number };
  /** Rows that take long: how many a piece and an upload may have. */
  readonly slow?: SlowRows;
  /** What the rows are of, for messages. */
  readonly of: 'batch' | 'link job';
  /** Stores a piece: one line for each of its rows. It is called for one piece at a time. */
  save(piece: InputPiece, bytes: Buffer): Promise<void>;
}

/** How many rows are stored, and why the rest cannot be read. */
export interface StoredRows {
  readonly rows: number;
  readonly fault: Pick<RowError, 'row' | 'fileRow' | 'message'> | null;
}

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
 * @throws {AppError} When there are too many rows or bytes; whatever `save` throws.
 * @throws {EncodingFault}
 */
export const storeRows = async ({
  chunks,
  watch,
  read,
  bounds,
  slow,
  of,
  save,
}: Storing): Promise<StoredRows> => {
  const { rest, end } = shareOut(chunks);
  let lines: ReadLine[] = [];
  let length = 0;
  let rows = 0;
  let slowRows = 0;
  let storedBytes = 0;
  let saving: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const firstRow = rows - lines.length + 1;
    const bytes = Buffer.from(lines.map(({ text }) => `${text}\n`).join(''));
    const fileRows = toFileRows(lines.map(({ fileRow }) => fileRow));
    const piece = { firstRow, rows: lines.length, fileRows, bytes: bytes.length };
    lines = [];
    length = 0;
    storedBytes += bytes.length;
    if (storedBytes > bounds.maxBytes)
      throw new AppError(
        'body_too_large',
        `body: the rows of a ${of} must have at most ${bounds.maxBytes} bytes as they are stored`,
      );
    await saving;
    saving = save(piece, bytes);
    // Its failure is that of the next piece, or of the end.
    saving.catch(() => {});
  };
  try {
    for await (const line of watch.read(read(rest))) {
      if (rows === bounds.maxRows)
        throw new AppError('body_too_large', `body: must have at most ${bounds.maxRows} rows`);
      const isSlow = slow?.is(line.text) === true;
      if (isSlow && slowRows === slow!.max)
        throw new AppError('body_too_large', `body: must have at most ${slow!.max} rows ${slow!.what}`);
      if (length + line.text.length > PIECE.bytes || (isSlow && slowRows % slow!.perPiece === 0))
        await flush();
      if (isSlow) slowRows += 1;
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
    await saving;
    return { rows, fault: { message: error.message, row: Math.max(1, row ?? rows + 1), fileRow } };
  } finally {
    end();
    await saving.catch(() => {});
  }
  await flush();
  await saving;
  return { rows, fault: null };
};
