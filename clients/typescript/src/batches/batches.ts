/** Batches as one call: it sends the rows, waits, and yields the files as they are made. */
import { type Code, TesseraError } from '../error.ts';
import { pause } from '../retries.ts';
import type { CallOptions, Calls, Input, RawBody, Schemas } from '../types.ts';
import { download } from './download.ts';
import { type BatchRows, designOf, ndjsonOf } from './rows.ts';
import { unzip, type ZipEntry } from './unzip.ts';

/** A batch: its state, its counts and its times. */
export type Batch = Schemas['Batch'];

/** What a batch is made of: rows, or a file with rows and its media type. */
export type NewBatch = Pick<Input<'createBatch'>, 'query' | 'headers'> & {
  /** Options for all rows. */
  readonly design?: Schemas['BatchOptions'];
} & (
    | { readonly rows: BatchRows }
    | { readonly file: RawBody; readonly contentType: NonNullable<Input<'createBatch'>['contentType']> }
  );

/** A file of a batch. */
export interface BatchFile extends ZipEntry {
  /** Its row, from 1; `null` for `manifest.csv`, which says more about every file of its part. */
  readonly row: number | null;
  /** Its part, from 1. */
  readonly part: number;
}

/** Options of a batch call. */
export interface BatchOptions extends CallOptions {
  /** Receives the state of the batch after each poll. */
  onProgress?(batch: Batch): void;
}

/** The call that makes a batch. */
export interface BatchCalls {
  /**
   * Makes a batch and yields its files, those of each part as soon as it is made. Returns the finished batch. The batch
   * continues when the caller stops reading: `cancelBatch` ends it.
   *
   * @throws {TesseraError} `batch_failed`, with the faults of its first rows, `batch_cancelled` or `batch_expired`.
   */
  makeBatch(batch: NewBatch, options?: BatchOptions): AsyncGenerator<BatchFile, Batch, undefined>;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;
const ENDED: ReadonlySet<Batch['state']> = new Set(['done', 'failed', 'cancelled', 'expired']);
const FAULTS_MAX = 100;

const rowOf = (name: string): number | null => {
  const [, digits] = /^(\d+)[^/]*$/.exec(name) ?? [];
  return digits === undefined ? null : Number(digits);
};

const inputOf = ({ query, headers, design, ...rows }: NewBatch): Input<'createBatch'> => ({
  ...(query !== undefined && { query }),
  headers: { ...headers, ...(design !== undefined && { design: designOf(design) }) },
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

/** Returns the call that makes a batch. */
export const batchCalls = (calls: Calls): BatchCalls => ({
  async *makeBatch(given, { onProgress, ...options } = {}) {
    const { data: sent } = await calls.createBatch(inputOf(given), options);
    if (sent === undefined) throw new TesseraError('unknown', { details: 'no batch was made' });
    const path = { id: sent.id };
    let seen = 0;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
      // In this order: once a batch has ended, all of its parts are listed.
      const { data: batch } = await calls.getBatch({ path }, options);
      onProgress?.(batch);
      const { data: parts } = await calls.listBatchParts({ path }, options);
      for (const { n } of parts.data.slice(seen)) {
        for await (const file of unzip(download(calls, { ...path, n }, options)))
          yield { ...file, part: n, row: rowOf(file.name) };
        seen += 1;
      }
      if (ENDED.has(batch.state)) {
        await throwUnlessDone(calls, batch, options);
        return batch;
      }
      await pause(waitMs, options.signal);
    }
  },
});
