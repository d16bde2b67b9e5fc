/** Receives a batch: its rows are stored as they arrive. */
import type { TableNotes } from '../../csv/notes.ts';
import type { Sql } from '../../db/client.ts';
import type { Database } from '../../db/database.ts';
import { findKeyUnits } from '../../db/tables/accounts/keys.ts';
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
import { runWhileRenewed } from '../../execution/rounds.ts';
import type { Log } from '../../log.ts';
import type { Quota } from '../../quota/quota.ts';
import { type ObjectStore, StoreFault } from '../../storage/store.ts';
import { inputKey } from '../rows/stored.ts';
import type { ColumnTerms } from './columns.ts';
import { readRowLines } from './lines.ts';
import { type StoredRows, storeRows } from './store-rows.ts';
import type { Watch } from './upload.ts';

/** What storing rows needs. */
interface RowStoreParts {
  readonly sql: Database['sql'];
  readonly store: ObjectStore;
  readonly options: ReceivingOptions & { readonly maxRows: number; readonly maxBytes: number };
}

/** The rows of an upload, and the batch that they are for. */
interface IncomingRows {
  readonly batch: NewBatch;
  readonly columns: ColumnTerms;
  /** The encoding of CSV that the call names; `null`: it names none. */
  readonly encoding: string | null;
  /** Filled in while the rows are stored. */
  readonly notes: TableNotes;
  /** Decompressed, and read through the watch. */
  readonly chunks: AsyncIterable<Buffer>;
  readonly watch: Pick<Watch, 'read'>;
}

/** The batch could not be stored, or another gateway is receiving it by now. */
const givenUp = (cause?: unknown): AppError =>
  new AppError('unavailable', 'The batch could not be stored. Nothing was charged; send it again.', {
    retryAfterS: 5,
    cause,
  });

/** The account stores too many bytes. */
const tooManyKept = (bytes: number): AppError =>
  new AppError(
    'limit_reached',
    `Your batches would keep more than ${bytes} bytes of rows and results; send another when one has expired.`,
  );

/** Stores all rows of a batch. @throws As `storeRows`, and when another gateway is receiving the batch by now. */
const storeInput = (
  { sql, store, options }: RowStoreParts,
  id: string,
  { batch, columns, encoding, notes, chunks, watch }: IncomingRows,
): Promise<StoredRows> =>
  storeRows({
    chunks,
    watch,
    read: (rest) => readRowLines(rest, { format: batch.format, encoding, columns, notes }),
    bounds: options,
    of: 'batch',
    async save(piece, bytes) {
      await store.put(inputKey(id, piece.firstRow), bytes);
      const saved = await saveInput(sql, id, piece, options);
      if (saved === 'full') throw tooManyKept(options.accountMaxBytes);
      if (saved === 'lost') throw givenUp();
    },
  });

/** What receiving needs. */
interface ReceiveParts extends RowStoreParts {
  readonly quota: Pick<Quota, 'read'>;
  readonly log: Pick<Log, 'warn'>;
  /** Makes this gateway look for work at once. */
  wake(): void;
}

/** An upload: its rows, and what happens once they are stored. */
export interface Incoming extends IncomingRows {
  /** SHA-256 of the request, hexadecimal, once all chunks are read. */
  requestSha256(): string;
  /**
   * Runs in the transaction that ends the receiving, or is given the batch of an earlier request. If it throws, nothing
   * of a new batch remains.
   */
  settle(tx: Sql, id: string): Promise<void>;
}

/** A batch that was received: its id, and whether an earlier request had sent it. */
export interface Received {
  readonly id: string;
  readonly replayed: boolean;
}

const stillReceivedError = (): AppError =>
  new AppError(
    'idempotency_running',
    'Idempotency-Key: the first request with this key has not ended; try again in some seconds.',
    { retryAfterS: 5 },
  );

/** Makes the use case that receives a batch. */
export const createReceive = (parts: ReceiveParts) => {
  const { sql, store, quota, log, options, wake } = parts;

  /** Reads the whole request and compares it with the earlier one. */
  const replay = async (earlier: { id: string; requestSha256: string | null }, incoming: Incoming) => {
    if (earlier.requestSha256 === null) throw stillReceivedError();
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
    if (begun.fault === 'taken') throw stillReceivedError();
    if (begun.fault === 'full') throw tooManyKept(options.accountMaxBytes);
    throw new AppError(
      'limit_reached',
      begun.fault === 'open'
        ? `${options.maxOpen} of your batches have not ended; send another when one has.`
        : `${options.maxKept} of your batches are kept; send another when one has expired.`,
    );
  };

  /**
   * Refuses early what the account, the key or one of the keys that made it cannot pay for. The ledger has the final say
   * when the units are held.
   *
   * @param rows `null`: none is read yet, and there must be a unit for one.
   */
  const refuseWithout = async ({ accountId, keyId }: NewBatch, rows: number | null): Promise<void> => {
    const [month, ofKeys] = await Promise.all([
      quota.read(accountId),
      findKeyUnits(sql, { accountId, keyId }),
    ]);
    const left = Math.min(month.remaining, ofKeys?.left ?? Number.POSITIVE_INFINITY);
    if (left >= (rows ?? 1)) return;
    const isKey = left < month.remaining;
    const owner = ofKeys?.isShared ? 'quotas of the key and its makers' : "key's own quota";
    const [whose, advice] = isKey ? [` of the ${owner}`, 'use another key'] : ['', 'buy credits'];
    const why =
      rows === null
        ? `No units are left${whose}, so the batch was not read`
        : `The batch needs ${rows} units and ${left} are left${whose}: ${rows - left} are missing`;
    throw new AppError(
      'quota_exhausted',
      `${why}. Nothing was charged; ${advice}, or wait until ${new Date(month.resetsAtMs).toISOString()}.`,
      { retryAfterS: Math.max(1, Math.ceil((month.resetsAtMs - Date.now()) / 1000)), month },
    );
  };

  const storeAll = async (id: string, incoming: Incoming): Promise<void> => {
    const { rows, fault } = await storeInput(parts, id, incoming);
    if (fault === null) {
      if (rows === 0) throw new AppError('malformed_body', 'body: has no rows');
      await refuseWithout(incoming.batch, rows);
    }
    const error = fault === null ? null : { ...fault, externalId: null, field: 'row' };
    const requestSha256 = incoming.requestSha256();
    const { notes } = incoming;
    await sql.begin(async (tx) => {
      if (!(await endReceiving(tx, id, options.leaseHolder, { requestSha256, fault: error, notes })))
        throw givenUp();
      await incoming.settle(tx, id);
    });
  };

  const forget = async (id: string): Promise<void> => {
    try {
      if (!(await giveUpReceiving(sql, id))) return;
      await store.removeAll(id);
      await forgetReceiving(sql, id);
    } catch (err) {
      // A worker removes it once its lease has expired.
      log.warn({ err, batch: id }, 'refused batch could not be removed; will retry');
    }
  };

  /** Receives a batch. If it throws, nothing of the batch remains. @throws {AppError}; {EncodingFault} */
  return async (incoming: Incoming): Promise<Received> => {
    const { accountId, idempotencyKey } = incoming.batch;
    const earlier = idempotencyKey === null ? null : await findEarlier(sql, accountId, idempotencyKey);
    if (earlier !== null) return replay(earlier, incoming);
    await refuseWithout(incoming.batch, null);
    const id = await begin(incoming.batch);
    try {
      await runWhileRenewed(
        () => renewReceiving(sql, id, options),
        () => storeAll(id, incoming),
      );
    } catch (error) {
      await forget(id);
      throw error instanceof StoreFault ? givenUp(error) : error;
    }
    wake();
    return { id, replayed: false };
  };
};
