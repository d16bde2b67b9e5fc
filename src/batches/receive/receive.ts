/** Receives a batch: its rows are stored while they come, and nothing of them stays in memory but one piece. */
import type { Sql } from '../../db/client.ts';
import type { Database } from '../../db/database.ts';
import { PART_ROWS } from '../../db/tables/batches/parts.ts';
import {
  beginReceiving,
  endReceiving,
  findEarlier,
  forgetReceiving,
  giveUpReceiving,
  type NewBatch,
  type ReceivingOptions,
  renewReceiving,
  saveInput,
} from '../../db/tables/batches/receiving.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Quota } from '../../quota/quota.ts';
import { type ObjectStore, StoreFault } from '../../storage/store.ts';
import { inputKey } from '../rows/stored.ts';
import type { ColumnTerms } from './columns.ts';
import { PIECE } from './limits.ts';
import { readRowLines, Unreadable } from './lines.ts';

/** What receiving needs. */
export interface ReceiveParts {
  readonly sql: Database['sql'];
  readonly store: ObjectStore;
  readonly quota: Pick<Quota, 'read'>;
  readonly log: Pick<Log, 'warn'>;
  readonly options: ReceivingOptions & { readonly maxRows: number };
  /** Makes this gateway look for work at once. */
  wake(): void;
}

/** An upload: what it is to be, and its bytes. */
export interface Incoming {
  readonly batch: NewBatch;
  readonly columns: ColumnTerms;
  /** Unpacked. */
  readonly chunks: AsyncIterable<Buffer>;
  /** SHA-256 of the request, hexadecimal, once all chunks are read. */
  requestSha256(): string;
  /**
   * Takes part in the transaction that ends the receiving, or is told the batch of an earlier request. What it throws
   * leaves nothing of a new batch behind.
   */
  settle(tx: Sql, id: string): Promise<void>;
}

/** A batch that was received: its id, and whether an earlier request had sent it. */
export interface Received {
  readonly id: string;
  readonly replayed: boolean;
}

const RENEW_MS = 5000;

/** How many rows are stored, and why the others cannot be read. */
interface Stored {
  readonly rows: number;
  readonly fault: { readonly row: number; readonly message: string } | null;
}

const givenUp = (cause?: unknown): AppError =>
  new AppError('unavailable', 'The batch could not be stored. Nothing was charged; send it again.', {
    retryAfterS: 5,
    cause,
  });

const stillReceived = (): AppError =>
  new AppError(
    'idempotency_running',
    'Idempotency-Key: the first request with this key has not ended; try again in some seconds.',
    { retryAfterS: 5 },
  );

/** Chunks for several readers in turn: each goes on where the one before it has stopped. */
const shareOut = (chunks: AsyncIterable<Buffer>) => {
  const iterator = chunks[Symbol.asyncIterator]();
  return {
    rest: { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) } as AsyncIterable<Buffer>,
    /** Ends the source, after the chunk that it waits for. Its failures are those of its readers. */
    end: (): void => void iterator.return?.().catch(() => {}),
  };
};

/** Makes the use case that receives a batch. */
export const createReceive = ({ sql, store, quota, log, options, wake }: ReceiveParts) => {
  /** Reads the request to its end, and compares it with the earlier one. */
  const replay = async (earlier: { id: string; requestSha256: string | null }, incoming: Incoming) => {
    if (earlier.requestSha256 === null) throw stillReceived();
    for await (const _ of incoming.chunks);
    if (incoming.requestSha256() !== earlier.requestSha256)
      throw new AppError(
        'idempotency_mismatch',
        'Idempotency-Key: this key was used with another batch; use a new key for a new one.',
      );
    await incoming.settle(sql, earlier.id);
    return { id: earlier.id, replayed: true };
  };

  const begin = async (batch: NewBatch): Promise<string> => {
    const begun = await sql.begin((tx) => beginReceiving(tx, batch, options));
    if (begun.ok) return begun.value;
    if (begun.fault === 'taken') throw stillReceived();
    throw new AppError(
      'limit_reached',
      begun.fault === 'open'
        ? `${options.maxOpen} of your batches have not ended; send another when one has.`
        : `${options.maxKept} of your batches are kept; send another when one has expired.`,
    );
  };

  /** Stores all rows and returns how many there are. */
  const storeRows = async (id: string, { batch, columns, chunks }: Incoming): Promise<Stored> => {
    const { rest, end } = shareOut(chunks);
    let lines: string[] = [];
    let length = 0;
    let rows = 0;
    const flush = async (): Promise<void> => {
      if (lines.length === 0) return;
      const firstRow = rows - lines.length + 1;
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      const piece = { firstRow, rows: lines.length, bytes: bytes.length };
      lines = [];
      length = 0;
      await store.put(inputKey(id, firstRow), bytes);
      if (!(await saveInput(sql, id, piece, options))) throw givenUp();
    };
    try {
      for await (const line of readRowLines(rest, batch.format, columns)) {
        if (rows === options.maxRows)
          throw new AppError('body_too_large', `body: must have at most ${options.maxRows} rows`);
        if (length + line.length > PIECE.bytes) await flush();
        rows += 1;
        length += line.length;
        lines.push(line);
        if (lines.length === PIECE.rows || rows % PART_ROWS === 0) await flush();
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      // The hash of the request, by which it is known when it is sent again, needs all of it.
      for await (const _ of rest);
      return { rows, fault: { message: error.message, row: error.row ?? rows + 1 } };
    } finally {
      end();
    }
    await flush();
    return { rows, fault: null };
  };

  const refuseWithout = async (accountId: string, rows: number): Promise<void> => {
    const month = await quota.read(accountId);
    if (month.remaining >= rows) return;
    const missing = rows - month.remaining;
    throw new AppError(
      'quota_exhausted',
      `The batch needs ${rows} units and ${month.remaining} are left: ${missing} are missing. Nothing was charged; buy credits, or wait until ${new Date(month.resetsAtMs).toISOString()}.`,
      { retryAfterS: Math.max(1, Math.ceil((month.resetsAtMs - Date.now()) / 1000)), month },
    );
  };

  const storeAll = async (id: string, incoming: Incoming): Promise<void> => {
    const { rows, fault } = await storeRows(id, incoming);
    if (fault === null) {
      if (rows === 0) throw new AppError('malformed_body', 'body: has no rows');
      await refuseWithout(incoming.batch.accountId, rows);
    }
    const error = fault === null ? null : { ...fault, rowId: null, field: 'row' };
    const requestSha256 = incoming.requestSha256();
    await sql.begin(async (tx) => {
      if (!(await endReceiving(tx, id, options.lessee, { requestSha256, fault: error }))) throw givenUp();
      await incoming.settle(tx, id);
    });
  };

  const forget = async (id: string): Promise<void> => {
    try {
      if (!(await giveUpReceiving(sql, id))) return;
      await store.removeAll(id);
      await forgetReceiving(sql, id);
    } catch (err) {
      // A worker does it when nobody has renewed the batch for a while.
      log.warn({ err, batch: id }, 'a batch that was refused is removed later');
    }
  };

  /** Receives a batch. What it throws leaves nothing of the batch behind. @throws {AppError} */
  return async (incoming: Incoming): Promise<Received> => {
    const { accountId, idempotencyKey } = incoming.batch;
    const earlier = idempotencyKey === null ? null : await findEarlier(sql, accountId, idempotencyKey);
    if (earlier !== null) return replay(earlier, incoming);
    const id = await begin(incoming.batch);
    const renewal = setInterval(() => void renewReceiving(sql, id, options).catch(() => {}), RENEW_MS);
    try {
      await storeAll(id, incoming);
    } catch (error) {
      await forget(id);
      throw error instanceof StoreFault ? givenUp(error) : error;
    } finally {
      clearInterval(renewal);
    }
    wake();
    return { id, replayed: false };
  };
};
