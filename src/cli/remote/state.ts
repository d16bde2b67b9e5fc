/** What a run with a batch has to remember beside its journal. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REMOTE_STATE, writeWhole } from '../bulk/run-folder.ts';
import { failed } from '../fault.ts';

/** The upload and the batch of a run, as far as there are any. */
export interface RemoteState {
  /** Counts batches that ended before anything was made. Each has an Idempotency-Key of its own. */
  readonly attempt: number;
  readonly uploadId: string | null;
  readonly batchId: string | null;
}

/** The state of a new run. */
export const NEW: RemoteState = { attempt: 0, uploadId: null, batchId: null };

const pathIn = (folder: string): string => join(folder, REMOTE_STATE);

/** Reads the state in a folder. @throws {CliFault} when it is damaged. */
export const readState = async (folder: string): Promise<RemoteState> => {
  const text = await readFile(pathIn(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return NEW;
  try {
    return JSON.parse(text) as RemoteState;
  } catch {
    throw failed(`${pathIn(folder)} is damaged; begin again with a new --out folder`);
  }
};

/** Writes the state, whole or not at all. */
export const writeState = (folder: string, state: RemoteState): Promise<void> =>
  writeWhole(pathIn(folder), `${JSON.stringify(state, null, 2)}\n`);
