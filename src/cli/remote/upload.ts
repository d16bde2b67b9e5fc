/** Uploads the rows of a batch in chunks, and resumes where an earlier command stopped. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { ROW_MEDIA_TYPES } from '../../lists.ts';
import { errorOf, explain } from '../api.ts';
import type { Source } from '../bulk/input/source.ts';
import { commandError } from '../fault.ts';
import { hashOfFile } from '../hash.ts';
import { hasStatus, type Patient } from '../patient.ts';
import { formatDuration, formatMegabytes, type Status } from '../progress.ts';

/** What is uploaded, and how the batch is requested. */
export interface UploadOptions {
  readonly source: Source;
  readonly inputSha256: string;
  /** Query of the call that begins. */
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: Status;
  /** The upload of an earlier command, or `null`. */
  readonly uploadId: string | null;
  /** Persists the id of a new upload. */
  keep(uploadId: string): Promise<void>;
}

const CHUNK_BYTES = 4 * 1024 * 1024;
/** A chunk of 4 MB takes this long at 0.3 Mbit/s. */
const CHUNK_TIMEOUT_MS = 110_000;
/** When the gateway takes longer, the call is repeated and waits for the same batch. */
const COMPLETE_TIMEOUT_MS = 240_000;
const DAMAGED_MAX = 3;

const pathOf = (uploadId: string): string => `/api/v1/batch-uploads/${uploadId}`;

/** Begins an upload and returns its id. @throws {CliFault} when the gateway refuses the batch. */
const begin = async (
  { api, ask }: Patient,
  { source, query, headers, keep }: UploadOptions,
): Promise<string> => {
  const charset = source.encoding === null ? '' : `; charset=${source.encoding}`;
  const ours = { 'content-type': ROW_MEDIA_TYPES[source.format] + charset, 'upload-complete': '?0' };
  const post = {
    method: 'POST',
    path: `/api/v1/batches?${query}`,
    headers: { ...headers, ...ours },
  } as const;
  const answer = await ask(post, hasStatus(201));
  const [, id] = /(?:^|\/)batch-uploads\/([0-9a-f-]{36})$/.exec(answer.headers.get('location') ?? '') ?? [];
  if (id === undefined) throw commandError(explain(api.url, answer));
  await keep(id);
  return id;
};

const patchHeaders = (offset: number, isLast: boolean) => ({
  'content-type': 'application/partial-upload',
  'upload-offset': String(offset),
  'upload-complete': isLast ? '?1' : '?0',
});

const offsetIn = (headers: Headers): number => Number(headers.get('upload-offset'));

const readChunk = async (file: FileHandle, at: number): Promise<Buffer> => {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at);
  return chunk.subarray(0, bytesRead);
};

/**
 * Appends a chunk and returns the new end of the upload; `null` when the gateway no longer knows the upload.
 */
const append = async (
  { api, ask }: Patient,
  uploadId: string,
  offset: number,
  chunk: Buffer,
): Promise<number | null> => {
  const digest = createHash('sha256').update(chunk).digest('base64');
  for (let tries = 1; ; tries += 1) {
    const headers = { ...patchHeaders(offset, false), 'content-digest': `sha-256=:${digest}:` };
    const patch = { method: 'PATCH', path: pathOf(uploadId), body: chunk, headers } as const;
    const answer = await ask({ ...patch, timeoutMs: CHUNK_TIMEOUT_MS }, hasStatus(204, 400, 404, 409));
    if (answer.status === 404) return null;
    if (answer.headers.has('upload-offset')) return offsetIn(answer.headers);
    // A chunk that was damaged in transit is sent again.
    const isDamaged = errorOf(answer)?.error === 'Malformed body';
    if (!isDamaged || tries === DAMAGED_MAX) throw commandError(explain(api.url, answer));
  }
};

/**
 * Sends what is missing, and returns the length of the file; `null` when the gateway no longer knows the upload.
 */
const sendRest = async (
  patient: Patient,
  { source, status }: UploadOptions,
  uploadId: string,
): Promise<number | null> => {
  const found = await patient.ask({ method: 'HEAD', path: pathOf(uploadId) }, hasStatus(204, 404));
  if (found.status === 404) return null;
  let offset: number | null = offsetIn(found.headers);
  if (found.headers.get('upload-complete') === '?1') return offset;
  const file = await open(source.path);
  try {
    const { size } = await file.stat();
    const first = offset;
    const startedMs = performance.now();
    while (offset !== null && offset < size) {
      const perMs = (offset - first) / Math.max(1, performance.now() - startedMs);
      const left = perMs > 0 ? `, ${formatDuration((size - offset) / perMs / 1000)} left` : '';
      status.show(`Uploading: ${formatMegabytes(offset)} of ${formatMegabytes(size)}${left}`);
      patient.signal.throwIfAborted();
      offset = await append(patient, uploadId, offset, await readChunk(file, offset));
    }
    return offset;
  } finally {
    await file.close();
  }
};

/** Makes the batch of an upload, and returns its id; `null` when the gateway no longer knows the upload. */
const complete = async ({ ask }: Patient, uploadId: string, offset: number): Promise<string | null> => {
  const patch = { method: 'PATCH', path: pathOf(uploadId), headers: patchHeaders(offset, true) } as const;
  const answer = await ask({ ...patch, timeoutMs: COMPLETE_TIMEOUT_MS }, hasStatus(202, 404));
  return answer.status === 404 ? null : (answer.body as { id: string }).id;
};

/**
 * Uploads the file and returns the id of its batch. The same `Idempotency-Key` among the headers gives the same batch,
 * whatever was interrupted before.
 *
 * @throws {CliFault} when the gateway refuses the batch, or the file was changed.
 */
export const uploadBatch = async (patient: Patient, options: UploadOptions): Promise<string> => {
  let { uploadId } = options;
  for (;;) {
    uploadId ??= await begin(patient, options);
    const bytes = await sendRest(patient, options, uploadId);
    if (bytes !== null) {
      if ((await hashOfFile(options.source.path)) !== options.inputSha256) {
        await patient.ask({ method: 'DELETE', path: pathOf(uploadId) }, hasStatus(204, 404));
        throw commandError(`${options.source.path} was changed while it was read`);
      }
      options.status.show(`Uploaded ${formatMegabytes(bytes)}; the gateway reads the rows`, true);
      const batchId = await complete(patient, uploadId, bytes);
      if (batchId !== null) return batchId;
    }
    // It has expired.
    uploadId = null;
  }
};
