/** Receives link jobs: their rows are stored as they arrive. */
import { storeRows } from '../batches/receive/store-rows.ts';
import type { ReadLine } from '../batches/receive/table.ts';
import type { Watch } from '../batches/receive/upload.ts';
import type { TableNotes } from '../csv/notes.ts';
import type { Database } from '../db/database.ts';
import type { LinkJob } from '../db/tables/link-jobs/jobs.ts';
import {
  beginLinkJob,
  beginUndo,
  endReceivingJob,
  findEarlierJob,
  forgetReceivingJob,
  giveUpReceivingJob,
  type LinkJobBounds,
  type LinkJobRefusal,
  type NewLinkJob,
  renewReceivingJob,
  saveJobPiece,
} from '../db/tables/link-jobs/receiving.ts';
import { AppError } from '../errors.ts';
import { runWhileRenewed } from '../execution/rounds.ts';
import type { Log } from '../log.ts';
import { type ObjectStore, StoreFault } from '../storage/store.ts';
import { SLOW_ROWS } from './passwords.ts';
import { jobFolder, pieceKey } from './pieces.ts';

/** What receiving needs. */
interface ReceiveParts {
  readonly sql: Database['sql'];
  readonly store: ObjectStore;
  readonly bounds: LinkJobBounds & { readonly maxRows: number; readonly maxBytes: number };
  readonly log: Pick<Log, 'warn'>;
  /** Makes this gateway look for work at once. */
  wake(): void;
}

/** A job that is sent, and its rows. */
export interface IncomingJob {
  readonly job: NewLinkJob;
  /** Filled in while the rows are read. */
  readonly notes: TableNotes;
  /** What of them is left out, once they are read. */
  leftOut(): LinkJob['leftOut'];
  /** Decompressed, and read through the watch. */
  readonly chunks: AsyncIterable<Buffer>;
  readonly watch: Pick<Watch, 'read'>;
  /** Yields a line of JSON for each row. */
  read(chunks: AsyncIterable<Buffer>): AsyncIterable<ReadLine>;
  /** SHA-256 of the request, hexadecimal, once all chunks are read. */
  requestSha256(): string;
}

/** A job that was received: its id, and whether an earlier request had sent it. */
export interface ReceivedJob {
  readonly id: string;
  readonly replayed: boolean;
}

/** The job could not be stored, or another gateway is receiving it by now. */
const givenUp = (cause?: unknown): AppError =>
  new AppError('unavailable', 'The link job could not be stored. Nothing was changed; send it again.', {
    retryAfterS: 5,
    cause,
  });

const stillReceived = (): AppError =>
  new AppError(
    'idempotency_running',
    'Idempotency-Key: the first request with this key has not ended; try again in some seconds.',
    { retryAfterS: 5 },
  );

const tooMany = (refusal: LinkJobRefusal, { maxOpen, maxKept, accountMaxBytes }: LinkJobBounds): AppError => {
  const why = {
    open: `${maxOpen} of your link jobs have not ended; send another when one has.`,
    kept: `${maxKept} of your link jobs are kept; delete one of them first.`,
    full: `Your link jobs keep more than ${accountMaxBytes} bytes of rows and of what undoes them; delete one of them first.`,
  };
  return new AppError('limit_reached', why[refusal]);
};

/** Makes the use cases that receive a job, and that undo one. */
export const createReceiveJob = ({ sql, store, bounds, log, wake }: ReceiveParts) => {
  /** Reads the whole request and compares it with the earlier one. */
  const replay = async (
    earlier: { readonly id: string; readonly requestSha256: string | null },
    { chunks, requestSha256 }: IncomingJob,
  ): Promise<ReceivedJob> => {
    if (earlier.requestSha256 === null) throw stillReceived();
    for await (const _ of chunks);
    if (requestSha256() === earlier.requestSha256) return { id: earlier.id, replayed: true };
    throw new AppError(
      'idempotency_mismatch',
      'Idempotency-Key: this key was used with another link job; use a new key for a new one.',
    );
  };

  const begin = async (job: NewLinkJob): Promise<string> => {
    const begun = await sql.begin((tx) => beginLinkJob(tx, job, bounds));
    if (begun.ok) return begun.value;
    throw begun.fault === 'taken' ? stillReceived() : tooMany(begun.fault, bounds);
  };

  const storeAll = async (id: string, incoming: IncomingJob): Promise<void> => {
    const { chunks, watch, read, notes, leftOut } = incoming;
    const { rows, fault } = await storeRows({
      chunks,
      watch,
      read,
      bounds,
      slow: SLOW_ROWS,
      of: 'link job',
      async save(piece, bytes) {
        await store.put(pieceKey(id, piece.firstRow), bytes);
        if (!(await saveJobPiece(sql, id, piece, bounds))) throw givenUp();
      },
    });
    if (fault === null && rows === 0) throw new AppError('malformed_body', 'body: has no rows');
    const told = fault === null ? null : { ...fault, slug: null, externalId: null, field: 'row' };
    const ended = {
      requestSha256: incoming.requestSha256(),
      fault: told,
      notes: { ...notes, leftOut: leftOut() },
    };
    if (!(await sql.begin((tx) => endReceivingJob(tx, id, bounds.leaseHolder, ended)))) throw givenUp();
  };

  const forget = async (id: string): Promise<void> => {
    try {
      if (!(await giveUpReceivingJob(sql, id))) return;
      await store.removeAll(jobFolder(id));
      await forgetReceivingJob(sql, id);
    } catch (err) {
      // The engine removes it once its lease has expired.
      log.warn({ err, job: id }, 'refused link job could not be removed; will retry');
    }
  };

  return {
    /** Receives a job. If it throws, nothing of the job remains. @throws {AppError}; {EncodingFault} */
    async receive(incoming: IncomingJob): Promise<ReceivedJob> {
      const { accountId, idempotencyKey } = incoming.job;
      const earlier = idempotencyKey === null ? null : await findEarlierJob(sql, accountId, idempotencyKey);
      if (earlier !== null) return replay(earlier, incoming);
      const id = await begin(incoming.job);
      try {
        await runWhileRenewed(
          () => renewReceivingJob(sql, id, bounds),
          () => storeAll(id, incoming),
        );
      } catch (error) {
        await forget(id);
        throw error instanceof StoreFault ? givenUp(error) : error;
      }
      wake();
      return { id, replayed: false };
    },

    /**
     * Begins a job that undoes one that has ended, and returns its id; `null`: that one has changed nothing that could be
     * undone.
     *
     * @param tx A transaction.
     * @throws {AppError} 409 when the account has too many jobs.
     */
    async undo(
      tx: Database['sql'],
      job: Pick<LinkJob, 'id' | 'accountId'>,
      sender: Pick<NewLinkJob, 'keyId' | 'trace'>,
    ): Promise<string | null> {
      const begun = await beginUndo(tx, job, sender, bounds);
      if (begun.ok) return begun.value;
      if (begun.fault === 'nothing') return null;
      throw tooMany(begun.fault, bounds);
    },
  };
};
