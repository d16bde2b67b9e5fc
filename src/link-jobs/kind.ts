/** What the engine of link jobs calls for each kind of job. */
import type { JobTurn } from '../db/tables/link-jobs/turns.ts';
import type { LinkParts } from '../links/edit.ts';

/** A row of a job, as it is stored. */
export interface JobRow {
  /** From 1. */
  readonly row: number;
  /** Its row in the file. */
  readonly fileRow: number;
  /** A line of JSON. */
  readonly text: string;
}

/** Why a row cannot be handled. */
export interface RowFault {
  /** What the row calls its link; `null`: it does not say. */
  readonly slug: string | null;
  readonly externalId: string | null;
  readonly field: string;
  readonly message: string;
}

/** What became of a row, or would become of it. */
export type Outcome = 'made' | 'changed' | 'unchanged' | RowFault;

/** What became of the rows of a piece, in their order. */
export interface Handled {
  readonly outcomes: readonly Outcome[];
  /** Bytes that are kept for undoing it. */
  readonly keptBytes: number;
}

/** How the rows of one kind of job are handled. */
export interface RowKind {
  /**
   * Reads and checks rows, and returns what handles them in the transaction that it is given: it changes what has to be
   * changed, notes it under the id of the job, and announces it. It may be called again for the same rows. It calls
   * `whenWaiting` when the database has got the statement that takes longest, so that this thread works on something else.
   *
   * @param isDry Whether it changes nothing, and only says what would become of the rows.
   */
  prepare(
    job: JobTurn,
    rows: readonly JobRow[],
    isDry: boolean,
  ): Promise<(parts: LinkParts, whenWaiting: () => void) => Promise<Handled>>;
  /** Brings back some links that the job has changed, in a transaction. Returns how many; 0: none is left. */
  revert(parts: LinkParts, job: JobTurn): Promise<number>;
}
