/** Batches as one call: it sends the rows, waits, and yields the files as they are made. */
import type { Call, CallOptions } from '../call.ts';
import { type Code, TesseraError } from '../error.ts';
import { designOf, type RawBody } from '../request.ts';
import { ndjsonOf, type Rows } from '../rows.ts';
import type { Calls, Input, Schemas } from '../types.ts';
import { downloadPart, type PartPlace } from './download.ts';
import { type BatchPart, type FollowOptions, followBatch } from './follow.ts';
import { unzip, type ZipEntry } from './unzip.ts';
import { type UploadOptions, type UploadRows, uploadBatch } from './upload.ts';

/** A batch: its state, its counts and its times. */
export type Batch = Schemas['Batch'];

/** A row of a batch. */
export type BatchRow = Schemas['BatchRow'];
/** Rows in memory, or as they come. */
export type BatchRows = Rows<BatchRow>;

/** What a batch is made of: rows, or a file with rows and its media type. */
export type NewBatch = Pick<Input<'createBatch'>, 'query' | 'headers'> & {
  /** Options for all rows. */
  readonly design?: Schemas['BatchOptions'];
} & (
    | { readonly rows: BatchRows }
    | { readonly file: RawBody; readonly contentType: NonNullable<Input<'createBatch'>['contentType']> }
  );

/** A batch whose rows are uploaded in chunks, with their media type. */
export type UploadedBatch = Pick<Input<'createBatch'>, 'query' | 'headers'> & {
  /** Options for all rows. */
  readonly design?: Schemas['BatchOptions'];
  readonly rows: UploadRows;
  readonly contentType: NonNullable<Input<'createBatch'>['contentType']>;
};

/** A file of a batch. */
export interface BatchFile extends ZipEntry {
  /** Its row, from 1; `null` for `manifest.csv`, which says more about every file of its part. */
  readonly row: number | null;
  /** Its part, from 1. */
  readonly part: number;
}

/** Options of a batch call. */
export type BatchOptions = FollowOptions<Batch>;

/** The calls that make a batch. */
export interface BatchCalls {
  /**
   * Makes a batch and yields its files, those of each part as soon as it is made. Returns the finished batch. The batch
   * continues when the caller stops reading: `cancelBatch` ends it.
   *
   * @throws {TesseraError} `batch_failed`, with the faults of its first rows, `batch_cancelled` or `batch_expired`.
   */
  makeBatch(batch: NewBatch, options?: BatchOptions): AsyncGenerator<BatchFile, Batch, undefined>;
  /**
   * Sends the rows of a large file in chunks, and returns the batch when all are stored. An interrupted upload continues
   * with `uploadId`, also in another process; give it an `idempotency-key` among the headers, so that there is one batch.
   *
   * @throws {TesseraError}
   */
  uploadBatch(batch: UploadedBatch, options?: UploadOptions): Promise<Batch>;
  /**
   * Yields the parts of a batch in order, each as soon as it has all of its rows. Returns the batch when it has ended, in
   * whatever way.
   *
   * @throws {TesseraError}
   */
  followBatch(
    id: string,
    options?: BatchOptions,
  ): AsyncGenerator<{ readonly part: BatchPart; readonly batch: Batch }, Batch, undefined>;
  /** Yields the ZIP of a part, over connections that break. @throws {TesseraError} */
  downloadPart(part: PartPlace, options?: CallOptions): AsyncGenerator<Uint8Array, void, undefined>;
}

const FAULTS_MAX = 100;

const rowOf = (name: string): number | null => {
  const [, digits] = /^(\d+)[^/]*$/.exec(name) ?? [];
  return digits === undefined ? null : Number(digits);
};

interface Given {
  readonly headers: NewBatch['headers'] | undefined;
  readonly design: NewBatch['design'] | undefined;
}

const headersOf = ({ headers, design }: Given) => ({
  ...headers,
  ...(design !== undefined && { design: designOf(design) }),
});

const inputOf = ({ query, headers, design, ...rows }: NewBatch): Input<'createBatch'> => ({
  ...(query !== undefined && { query }),
  headers: headersOf({ headers, design }),
  ...('rows' in rows
    ? { body: ndjsonOf(rows.rows), contentType: 'application/x-ndjson' }
    : { body: rows.file, contentType: rows.contentType }),
});

/** Returns the faults of the first rows that have some. */
const faultsOf = async (calls: Calls, { id, errors }: Batch, options: CallOptions) => {
  if (errors === 0) return [];
  const { response } = await calls.listBatchErrors({ path: { id } }, options);
  const lines = (await response.text()).trim().split('\n').slice(0, FAULTS_MAX);
  return lines.map((line) => {
    const { row, field, message } = JSON.parse(line) as { row: number; field: string; message: string };
    return { field: `rows.${row}.${field}`, message };
  });
};

const throwUnlessDone = async (calls: Calls, batch: Batch, options: CallOptions): Promise<void> => {
  if (batch.state === 'done') return;
  const faults = await faultsOf(calls, batch, options);
  throw new TesseraError(`batch_${batch.state}` as Code, { details: batch.reason ?? '', faults });
};

/** Returns the calls that make a batch. */
export const batchCalls = (call: Call, calls: Calls): BatchCalls => ({
  async *makeBatch(given, { onProgress, ...options } = {}) {
    const { data: sent } = await calls.createBatch(inputOf(given), options);
    if (sent === undefined) throw new TesseraError('unknown', { details: 'no batch was made' });
    const following = { ...options, ...(onProgress && { onProgress }) };
    const parts = followBatch<Batch>(call, sent.id, following);
    let next = await parts.next();
    for (; !next.done; next = await parts.next()) {
      const { n } = next.value.part;
      for await (const file of unzip(downloadPart(call, { id: sent.id, n }, options)))
        yield { ...file, part: n, row: rowOf(file.name) };
    }
    await throwUnlessDone(calls, next.value, options);
    return next.value;
  },
  uploadBatch: ({ design, headers, ...upload }, options) =>
    uploadBatch(call, { ...upload, headers: headersOf({ headers, design }) }, options),
  followBatch: (id, options) => followBatch(call, id, options),
  downloadPart: (part, options) => downloadPart(call, part, options),
});
