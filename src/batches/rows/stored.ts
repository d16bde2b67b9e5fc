/** The stored rows of a batch: objects with one row a line. */
import type { ByteRange, ObjectStore } from '../../storage/store.ts';

/** Returns the key of the stored rows that begin with a row. */
export const inputKey = (batchId: string, firstRow: number): string => `${batchId}/input/${firstRow}`;

/**
 * Names a cell that could not be read. Receiving stores it in place of the row; only its own readers of tables write
 * it.
 */
export const CELL_FAULT = 'cell fault';

/** A stored row, and its place in the object. */
export interface StoredRow extends ByteRange {
  readonly text: string;
}

const NEWLINE = 0x0a;

/** Reads all rows of a range, which must begin and end with a row. */
export const readStored = async (
  store: Pick<ObjectStore, 'read'>,
  key: string,
  range: ByteRange,
): Promise<readonly StoredRow[]> => {
  const chunks: Buffer[] = [];
  for await (const chunk of store.read(key, range)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const rows: StoredRow[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end === -1) throw new Error('stored rows do not end with a row');
    rows.push({ text: bytes.toString('utf8', at, end), start: range.start + at, end: range.start + end + 1 });
    at = end + 1;
  }
  return rows;
};
