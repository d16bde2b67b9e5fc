/** A run with a batch: its folder, and how it ends. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultFolderName } from '../../db/tables/folder-name.ts';
import { createApi } from '../api.ts';
import { writeManifest } from '../bulk/manifest.ts';
import type { Summary } from '../bulk/run.ts';
import { openRunFolder, type RunFolder, type WantedRun, writeWhole } from '../bulk/run-folder.ts';
import { CliFault, failed } from '../fault.ts';
import type { Terminal } from '../terminal.ts';
import { type BatchBody, errorText, getErrors } from './batch.ts';
import { createPatient, type Patient } from './patient.ts';
import { createStatus, type Status } from './status.ts';

/** What every run with a batch is asked; `out` is absolute. */
export interface BatchRunOptions {
  readonly out: string;
  readonly url: string;
  readonly key: string;
}

/** A run with a batch that is open. */
export interface Open {
  readonly folder: RunFolder;
  readonly patient: Patient;
  readonly status: Status;
  readonly err: Terminal['err'];
}

const KEY_SHOWN = 10;
const ERRORS_SHOWN = 20;

/** What the user can do about a batch that did not make all rows. */
const STARTS_ANEW = 'they are not paid; begin a new run with a new --out folder';

/** Whether a batch ended before anything was made, for a reason that may be gone: too few units, for example. */
export const isWorthAnother = ({ finished_at, state, errors, made }: BatchBody): boolean =>
  finished_at !== null && state === 'failed' && errors === 0 && made === 0;

/** Writes the errors of a batch beside the manifest, and removes those of an earlier run when there are none. */
const writeErrors = async ({ patient }: Open, out: string, batch: BatchBody): Promise<void> => {
  const path = join(out, 'errors.ndjson');
  if (batch.errors + batch.failed === 0) return rm(path, { force: true });
  const lines = await getErrors(patient, batch.id);
  await writeWhole(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
};

/** Returns why a batch that has ended has not made all rows; `null` when it ended as done. */
const reasonOf = async ({ patient }: Open, batch: BatchBody): Promise<CliFault | null> => {
  if (batch.state === 'done') return null;
  const lines = batch.errors > 0 && batch.made === 0 ? await getErrors(patient, batch.id) : [];
  const shown = lines.slice(0, ERRORS_SHOWN).map((line) => `\n  row ${line.row}: ${errorText(line)}`);
  const more = batch.errors > shown.length && shown.length > 0 ? '\n  … see errors.ndjson' : '';
  return failed(`the batch ended as ${batch.state}: ${batch.reason ?? ''}${shown.join('')}${more}`);
};

/** Runs to the end of the batch, or until the command is stopped, and writes the manifest in any case. */
export const runToEnd = async (
  open: Open,
  out: string,
  withIds: boolean,
  work: () => Promise<BatchBody>,
): Promise<Summary> => {
  const { folder, patient, status } = open;
  let stopped: CliFault | null;
  let canContinue = true;
  try {
    const batch = await work();
    await writeErrors(open, out, batch);
    stopped = await reasonOf(open, batch);
    canContinue = isWorthAnother(batch);
  } catch (error) {
    if (error instanceof CliFault) stopped = error;
    else if (patient.signal.aborted)
      stopped = failed('interrupted; a batch that is sent goes on in the gateway');
    else throw error;
  }
  status.end();
  const { journalPath, run } = folder;
  const manifest = await writeManifest(
    out,
    journalPath,
    { formats: run.files.formats, withIds },
    async () => '',
  );
  return {
    rows: run.rows,
    manifest,
    remaining: null,
    stopped,
    ...(canContinue ? {} : { advice: STARTS_ANEW }),
  };
};

/** Opens the folder of a run, or goes on with the run that is in it, and ends it in any case. */
export const withFolder = async (
  { out, url, key }: BatchRunOptions,
  wanted: Omit<WantedRun, 'url' | 'keyPrefix'>,
  { err, onInterrupt }: Pick<Terminal, 'err' | 'onInterrupt'>,
  run: (open: Open) => Promise<Summary>,
): Promise<Summary> => {
  const keyPrefix = key.slice(0, KEY_SHOWN);
  const folder = await openRunFolder(out, { ...wanted, url, keyPrefix }, defaultFolderName(new Date()));
  try {
    const patient = createPatient(createApi(url, key), onInterrupt(), err);
    return await run({ folder, patient, status: createStatus(err), err });
  } finally {
    await folder.release();
  }
};
