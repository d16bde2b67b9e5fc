/** Reads and prepares the pieces of link jobs, each while the database is still at work on the one before. */
import { fileRowOf, readStored } from '../batches/rows/stored.ts';
import type { Sql } from '../db/client.ts';
import type { InputPiece } from '../db/tables/batches/receiving.ts';
import { findNextPiece, type JobTurn } from '../db/tables/link-jobs/turns.ts';
import type { ObjectStore } from '../storage/store.ts';
import type { JobRow, RowKind } from './kind.ts';
import { pieceKey } from './receive.ts';

/** What preparing needs. */
interface PieceParts {
  readonly sql: Sql;
  readonly store: Pick<ObjectStore, 'read'>;
  kindOf(job: JobTurn): RowKind;
}

/** The rows of a piece, and what handles them in a transaction. */
interface PreparedPiece {
  readonly rows: readonly JobRow[];
  readonly handle: Awaited<ReturnType<RowKind['prepare']>>;
}

/** Returns the rows of a piece. */
const readRows = async (
  store: PieceParts['store'],
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

/** Makes what prepares pieces. It holds one piece ahead. */
export const createPieces = ({ sql, store, kindOf }: PieceParts) => {
  let ahead: { readonly key: string; readonly piece: Promise<PreparedPiece | null> } | null = null;

  const keyOf = ({ id, state, handled }: JobTurn): string => `${id} ${state} ${handled}`;

  const prepare = async (job: JobTurn): Promise<PreparedPiece | null> => {
    const piece = await findNextPiece(sql, job);
    if (piece === null) return null;
    const rows = await readRows(store, job.id, piece);
    const handle = await kindOf(job).prepare(job, rows, job.state === 'checking');
    return { rows, handle };
  };

  return {
    /** Returns the piece after the rows that are handled; `null`: all are. */
    async next(job: JobTurn): Promise<PreparedPiece | null> {
      const taken = ahead;
      ahead = null;
      return taken?.key === keyOf(job) ? taken.piece : prepare(job);
    },
    /** Begins to prepare the piece after a given one, for the next turn of the job if this gateway takes it. */
    prepareAfter(job: JobTurn, { rows }: PreparedPiece): void {
      const later = { ...job, handled: job.handled + rows.length };
      const piece = prepare(later);
      // Its failure is one of the next turn, if there is one.
      piece.catch(() => {});
      ahead = { key: keyOf(later), piece };
    },
  };
};

/** What prepares pieces. */
export type Pieces = ReturnType<typeof createPieces>;
