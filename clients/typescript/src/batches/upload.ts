/** Sends the rows of a batch in chunks, each of which is stored before the next one: an interrupted upload is resumed. */
import type { Call, CallOptions } from '../call.ts';
import { codeOf, TesseraError } from '../error.ts';
import type { AnyInput, Operation } from '../request.ts';

/** Rows that are read by their places, such as those of a file on a disk. */
export interface UploadRows {
  readonly bytes: number;
  /** Reads from the one place up to the other. What it throws ends the upload. */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** An upload: its rows with their media type, and what the batch is asked for. */
interface NewUpload extends Pick<AnyInput, 'query' | 'headers'> {
  readonly rows: UploadRows;
  readonly contentType: string;
}

/** Options of an upload. */
export interface UploadOptions extends Pick<CallOptions, 'signal'> {
  /** An upload that was begun before with the same rows. A new one is begun when the service has removed it. */
  readonly uploadId?: string;
  /** Receives the id of a new upload before its first chunk is sent. */
  onBegin?(uploadId: string): Promise<void> | void;
  /** Receives the bytes that are stored, after each chunk. */
  onStored?(bytes: number): void;
}

const PATH = '/api/v1/batch-uploads/{id}';
const TYPE = 'application/partial-upload';
const BEGIN: Operation = { method: 'POST', path: '/api/v1/batches', auth: 'key', once: true };
const FIND: Operation = { method: 'HEAD', path: PATH, auth: 'key' };
/** A chunk says where it begins, so it is stored once. */
const APPEND: Operation = { method: 'PATCH', path: PATH, auth: 'key', sends: TYPE, repeatable: true };

const CHUNK_BYTES = 4 * 1024 * 1024;
/** A chunk takes this long at 0.3 Mbit/s. */
const CHUNK_TIMEOUT_MS = 110_000;
/** When the service takes longer, the call is repeated and waits for the same batch. */
const COMPLETE_TIMEOUT_MS = 240_000;
const DAMAGED_MAX = 3;

const digestOf = async (chunk: Uint8Array<ArrayBuffer>): Promise<string> => {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', chunk));
  return `sha-256=:${btoa(String.fromCharCode(...hash))}:`;
};

const offsetIn = ({ headers }: Response): number => Number(headers.get('upload-offset'));

/** Makes the functions of one upload. */
const openUpload = (call: Call, id: string, { signal }: UploadOptions) => {
  const options = signal === undefined ? {} : { signal };
  const path = { id };

  const find = async () => {
    const { response } = await call(FIND, { path }, options);
    return { bytes: offsetIn(response), isBatch: response.headers.get('upload-complete') === '?1' };
  };

  /** Appends a chunk, and returns how many bytes are stored. */
  const append = async (offset: number, body: Uint8Array<ArrayBuffer>): Promise<number> => {
    const headers = { 'upload-offset': offset, 'content-digest': await digestOf(body) };
    const limited = { ...options, timeoutMs: CHUNK_TIMEOUT_MS };
    for (let tries = 1; ; tries += 1) {
      try {
        return offsetIn((await call(APPEND, { path, headers, body }, limited)).response);
      } catch (error) {
        // It is stored, and the answer to that was lost.
        if (codeOf(error) === 'upload_offset') return (await find()).bytes;
        // It was damaged on its way.
        if (codeOf(error) !== 'malformed_body' || tries === DAMAGED_MAX) throw error;
      }
    }
  };

  /** Makes the batch of the upload, or finds it. */
  const complete = async (offset: number): Promise<unknown> => {
    const headers = { 'upload-offset': offset, 'upload-complete': '?1' };
    const limited = { ...options, timeoutMs: COMPLETE_TIMEOUT_MS };
    return (await call(APPEND, { path, headers, contentType: TYPE }, limited)).data;
  };

  return { find, append, complete };
};

const sendRest = async (call: Call, id: string, rows: UploadRows, options: UploadOptions) => {
  const { find, append, complete } = openUpload(call, id, options);
  let { bytes, isBatch } = await find();
  while (!isBatch && bytes < rows.bytes) {
    options.signal?.throwIfAborted();
    bytes = await append(bytes, await rows.read(bytes, Math.min(rows.bytes, bytes + CHUNK_BYTES)));
    options.onStored?.(bytes);
  }
  return complete(bytes);
};

const isGone = (error: unknown): boolean => error instanceof TesseraError && error.status === 404;

/**
 * Sends rows and returns their batch. With the same `Idempotency-Key` there is one batch, whatever was interrupted.
 *
 * @throws {TesseraError} The batch is refused.
 */
export const uploadBatch = async <Batch>(
  call: Call,
  { rows, contentType, query = {}, headers = {} }: NewUpload,
  options: UploadOptions = {},
): Promise<Batch> => {
  const { uploadId, signal, onBegin } = options;
  if (uploadId !== undefined) {
    const resumed = sendRest(call, uploadId, rows, options).catch((error: unknown) => {
      if (isGone(error)) return null;
      throw error;
    });
    const batch = await resumed;
    if (batch !== null) return batch as Batch;
  }
  const begun = { query, headers: { ...headers, 'upload-complete': '?0' }, contentType };
  const { response } = await call(BEGIN, begun, signal === undefined ? {} : { signal });
  const id = response.headers.get('location')?.split('/').at(-1);
  if (id === undefined || id === '')
    throw new TesseraError('unknown', { status: response.status, details: 'the answer names no upload' });
  await onBegin?.(id);
  return (await sendRest(call, id, rows, options)) as Batch;
};
