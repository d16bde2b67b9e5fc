/** Sends the file of a run as a batch, unless an earlier command did. */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { uploadBatch } from '../../../clients/typescript/src/batches/upload.ts';
import { ROW_MEDIA_TYPES } from '../../lists.ts';
import { orNull } from '../../stored-json.ts';
import { hashOfFile } from '../files.ts';
import { commandError, createUploadLine, formatMegabytes } from '../terminal.ts';
import { type BatchBody, getBatch, isWorthAnother } from './batch.ts';
import { BATCH_STATE, readState, type Work, writeState } from './run-folder.ts';
import type { Source } from './source.ts';

/** What a batch is asked for, besides its rows and its folder. */
export interface BatchTerms {
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

const BatchState = Type.Object({
  /** Counts batches that ended before anything was made. Each has an Idempotency-Key of its own. */
  attempt: Type.Integer(),
  uploadId: orNull(Type.String()),
  batchId: orNull(Type.String()),
});

/** The rows of a file. @throws {CliFault} before the last of them, when the file is not that of the run any more. */
const rowsOf = (file: FileHandle, bytes: number, path: string, sha256: string) => ({
  bytes,
  async read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    if (to === bytes && (await hashOfFile(path)) !== sha256)
      throw commandError(`${path} was changed while it was read`);
    const chunk = new Uint8Array(to - from);
    const { bytesRead } = await file.read(chunk, 0, chunk.length, from);
    return chunk.subarray(0, bytesRead);
  },
});

/** Returns the id of the run's batch, which it makes unless an earlier command did. */
export const ensureBatch = async (
  { state: folder, run, call, status, interrupted, err }: Work,
  { path, format, encoding }: Source,
  { query, headers }: BatchTerms,
): Promise<string> => {
  const statePath = join(folder, BATCH_STATE);
  const none: Static<typeof BatchState> = { attempt: 0, uploadId: null, batchId: null };
  let state = (await readState(statePath, BatchState)) ?? none;
  if (state.batchId !== null) {
    if (!isWorthAnother(await getBatch(call, state.batchId))) return state.batchId;
    state = { ...none, attempt: state.attempt + 1 };
  }
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const tell = createUploadLine(size);
    const batch = await uploadBatch<BatchBody>(
      call,
      {
        rows: rowsOf(file, size, path, run.inputSha256),
        contentType: ROW_MEDIA_TYPES[format] + (encoding === null ? '' : `; charset=${encoding}`),
        query: { folder_name: run.folderName, ...query },
        headers: { 'idempotency-key': `tessera-batch-${run.runId}-${state.attempt}`, ...headers },
      },
      {
        signal: interrupted,
        ...(state.uploadId !== null && { uploadId: state.uploadId }),
        onBegin(uploadId) {
          state = { ...state, uploadId };
          return writeState(statePath, state);
        },
        onStored: (stored) =>
          stored < size
            ? status.show(tell(stored))
            : status.show(`Uploaded ${formatMegabytes(size)}; the gateway reads the rows`, true),
      },
    );
    await writeState(statePath, { ...state, batchId: batch.id });
    status.end();
    err.write(`Batch ${batch.id} is sent. It goes on if this command ends.\n`);
    return batch.id;
  } finally {
    await file.close();
  }
};
