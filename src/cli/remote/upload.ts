/** Uploads the rows of a batch in chunks, and goes on where an earlier command stopped. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { errorOf, explain } from '../api.ts';
import type { Source } from '../bulk/input/input.ts';
import { duration } from '../bulk/progress.ts';
import { failed } from '../fault.ts';
import { sha256Of } from './hash.ts';
import type { Patient } from './patient.ts';
import { megabytes, type Status } from './status.ts';

/** What is uploaded, and how the batch is asked for. */
export interface UploadOptions {
  readonly source: Source;
  readonly inputSha256: string;
  /** Query of the call that begins. */
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: Status;
  /** The upload of an earlier command, or `null`. */
  readonly uploadId: string | null;
  /** Resolves when the id of a new upload is kept. */
  keep(uploadId: string): Promise<void>;
}

const CHUNK_BYTES = 4 * 1024 * 1024;
/** A chunk of 4 MB takes as long at 0.3 Mbit/s. */
const CHUNK_TIMEOUT_MS = 110_000;
/** When the gateway takes longer, the call is repeated and waits for the same batch. */
const COMPLETE_TIMEOUT_MS = 240_000;
const DAMAGED_MAX = 3;
const MEDIA_TYPES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

const pathOf = (uploadId: string): string => `/api/v1/batch-uploads/${uploadId}`;

/** Begins an upload and returns its id. @throws {CliFault} when the gateway refuses the batch. */
const begin = async (
  { api, ask }: Patient,
  { source, query, headers, keep }: UploadOptions,
): Promise<string> => {
  const answer = await ask(
    {
      method: 'POST',
      path: `/api/v1/batches?${query}`,
      headers: { ...headers, 'content-type': MEDIA_TYPES[source.format], 'upload-complete': '?0' },
    },
    [201],
  );
  const [, id] = /(?:^|\/)batch-uploads\/([0-9a-f-]{36})$/.exec(answer.headers.get('location') ?? '') ?? [];
  if (id === undefined) throw failed(explain(api.url, answer));
  await keep(id);
  return id;
};

const offsetIn = (headers: Headers): number => Number(headers.get('upload-offset'));

const readChunk = async (file: FileHandle, at: number): Promise<Buffer> => {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at);
  return chunk.subarray(0, bytesRead);
};

/**
 * Appends a chunk and returns where the upload ends then; `null` when the gateway does not know the upload any more.
 */
const append = async (
  { api, ask }: Patient,
  uploadId: string,
  offset: number,
  chunk: Buffer,
): Promise<number | null> => {
  const digest = createHash('sha256').update(chunk).digest('base64');
  for (let tries = 1; ; tries += 1) {
    const answer = await ask(
      {
        method: 'PATCH',
        path: pathOf(uploadId),
        body: chunk,
        headers: {
          'content-type': 'application/partial-upload',
          'upload-offset': String(offset),
          'upload-complete': '?0',
          'content-digest': `sha-256=:${digest}:`,
        },
        timeoutMs: CHUNK_TIMEOUT_MS,
      },
      [204, 400, 404, 409],
    );
    if (answer.status === 404) return null;
    if (answer.headers.has('upload-offset')) return offsetIn(answer.headers);
    // A chunk that was damaged on its way is sent again.
    const isDamaged = errorOf(answer)?.error === 'Malformed body';
    if (!isDamaged || tries === DAMAGED_MAX) throw failed(explain(api.url, answer));
  }
};

/**
 * Sends what is missing, and returns the length of the file; `null` when the gateway does not know the upload any more.
 */
const sendRest = async (
  patient: Patient,
  { source, status }: UploadOptions,
  uploadId: string,
): Promise<number | null> => {
  const found = await patient.ask({ method: 'HEAD', path: pathOf(uploadId) }, [204, 404]);
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
      const left = perMs > 0 ? `, ${duration((size - offset) / perMs / 1000)} left` : '';
      status.show(`Uploading: ${megabytes(offset)} of ${megabytes(size)}${left}`);
      patient.signal.throwIfAborted();
      offset = await append(patient, uploadId, offset, await readChunk(file, offset));
    }
    return offset;
  } finally {
    await file.close();
  }
};

/** Makes the batch of an upload, and returns its id; `null` when the gateway does not know the upload any more. */
const complete = async ({ ask }: Patient, uploadId: string, offset: number): Promise<string | null> => {
  const answer = await ask(
    {
      method: 'PATCH',
      path: pathOf(uploadId),
      headers: {
        'content-type': 'application/partial-upload',
        'upload-offset': String(offset),
        'upload-complete': '?1',
      },
      timeoutMs: COMPLETE_TIMEOUT_MS,
    },
    [202, 404],
  );
  return answer.status === 404 ? null : (answer.body as { id: string }).id;
};

/**
 * Uploads the file and returns the id of its batch. The same `Idempotency-Key` among the headers gives the same batch,
 * whatever broke off before.
 *
 * @throws {CliFault} when the gateway refuses the batch, or the file was changed.
 */
export const uploadBatch = async (patient: Patient, options: UploadOptions): Promise<string> => {
  let { uploadId } = options;
  for (;;) {
    uploadId ??= await begin(patient, options);
    const bytes = await sendRest(patient, options, uploadId);
    if (bytes !== null) {
      if ((await sha256Of(options.source.path)) !== options.inputSha256) {
        await patient.ask({ method: 'DELETE', path: pathOf(uploadId) }, [204, 404]);
        throw failed(`${options.source.path} was changed while it was read`);
      }
      options.status.show(`Uploaded ${megabytes(bytes)}; the gateway reads the rows`, true);
      const batchId = await complete(patient, uploadId, bytes);
      if (batchId !== null) return batchId;
    }
    // It has expired.
    uploadId = null;
  }
};
