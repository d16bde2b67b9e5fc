/** Prepares the pieces of link jobs, each while the database is still at work on the one before. */
import type { Sql } from '../db/client.ts';
import { findNextPiece, type JobTurn } from '../db/tables/link-jobs/turns.ts';
import type { ObjectStore } from '../storage/store.ts';
import type { JobRow, RowKind } from './kind.ts';
import { readPiece } from './pieces.ts';

/** What preparing needs. */
interface PieceParts {
  readonly sql: Sql;
  readonly store: Pick<ObjectStore, 'read'>;
  kindOf(job: JobTurn): RowKind;
}

/** The rows of a piece, and what handles them in a transaction. */
export interface PreparedPiece {
  readonly rows: readonly JobRow[];
  readonly handle: Awaited<ReturnType<RowKind['prepare']>>;
}

/** Makes what prepares pieces. It holds one piece ahead, and none while jobs take turns: another would be done in between. */
export const createPieces = ({ sql, store, kindOf }: PieceParts) => {
  let ahead: { readonly key: string; readonly piece: Promise<PreparedPiece | null> } | null = null;
  let lastId = '';

  const keyOf = ({ id, state, handled }: JobTurn): string => `${id} ${state} ${handled}`;

  const prepare = async (job: JobTurn): Promise<PreparedPiece | null> => {
    const piece = await findNextPiece(sql, job);
    if (piece === null) return null;
    const rows = await readPiece(store, job.id, piece);
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
      const isAlone = job.id === lastId;
      lastId = job.id;
      if (!isAlone) return;
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
