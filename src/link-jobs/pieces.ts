/** The rows of link jobs as objects in the batch store. */
import { fileRowOf, readStored } from '../batches/rows/stored.ts';
import type { InputPiece } from '../db/tables/batches/receiving.ts';
import type { ObjectStore } from '../storage/store.ts';
import type { JobRow } from './kind.ts';

/** The folder of a job's objects. */
export const jobFolder = (id: string): string => `link-jobs/${id}`;

/** The key of the stored object that begins with a row. */
export const pieceKey = (id: string, firstRow: number): string => `${jobFolder(id)}/${firstRow}`;

/** Returns the rows of a piece of a job. */
export const readPiece = async (
  store: Pick<ObjectStore, 'read'>,
  id: string,
  piece: InputPiece,
): Promise<readonly JobRow[]> => {
  const { firstRow, bytes } = piece;
  const stored = await readStored(store, pieceKey(id, firstRow), { start: 0, end: bytes });
  return stored.map(({ text }, place) => {
    const row = firstRow + place;
    return { row, fileRow: fileRowOf(piece, row), text };
  });
};
