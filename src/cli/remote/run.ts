/** Runs `bulk --remote` and `batches download`: from a file, or a batch, to a folder of files with their manifest. */
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { defaultFolderName } from '../../db/tables/folder-name.ts';
import { createApi } from '../api.ts';
import { type Asked, askedHeaders } from '../bulk/asked-headers.ts';
import type { FilesAsked } from '../bulk/files/asked.ts';
import { inspect, readRows, type Source } from '../bulk/input/input.ts';
import { openJournal } from '../bulk/journal.ts';
import { type Manifest, writeManifest } from '../bulk/manifest.ts';
import { resume } from '../bulk/resume.ts';
import type { Summary } from '../bulk/run.ts';
import { openRunFolder, type RunFolder, type WantedRun, writeWhole } from '../bulk/run-folder.ts';
import { createStore } from '../bulk/store.ts';
import { CliFault, failed } from '../fault.ts';
import { count, type Terminal } from '../terminal.ts';
import { type BatchBody, errorText, getBatch, getErrors } from './batch.ts';
import { collect } from './collect.ts';
import { createPatient, type Patient } from './patient.ts';
import type { WantedRow } from './slices.ts';
import { NEW, readState, writeState } from './state.ts';
import { createStatus, type Status } from './status.ts';
import { uploadBatch } from './upload.ts';

/** What every run with a batch is asked; `out` is absolute. */
export interface BatchRunOptions {
  readonly out: string;
  readonly url: string;
  readonly key: string;
}

/** What `bulk --remote` is asked. */
export interface RemoteOptions extends BatchRunOptions, Asked {
  readonly source: Source;
  readonly folderName: string | null;
  readonly files: FilesAsked;
  /** The options for all rows, with the sizes and colours of `files`, as JSON in ASCII; `null`: none. */
  readonly design: string | null;
  readonly onError: 'skip' | 'stop';
}

/** A run that is open. */
interface Open {
  readonly folder: RunFolder;
  readonly patient: Patient;
  readonly status: Status;
  readonly err: Terminal['err'];
}

const KEY_SHOWN = 10;
const ERRORS_SHOWN = 20;

/** What the user can do about a batch that did not make all rows. */
const STARTS_ANEW = 'they are not paid; begin a new run with a new --out folder';

/** Yields the rows of a file, by the names that `bulk` gives their files. */
async function* wantedRows(source: Source): AsyncGenerator<WantedRow> {
  for await (const { row, name, content, cells } of readRows(source, () => {}, 'kept'))
    yield { row, name, content, id: cells.id || null };
}

/** Yields rows of which only the batch knows more. */
async function* numberedRows(rows: number): AsyncGenerator<WantedRow> {
  for (let row = 1; row <= rows; row += 1) yield { row, name: null, content: null, id: null };
}

/** Whether a batch ended before anything was made, for a reason that may be gone: too few units, for example. */
const isWorthAnother = ({ finished_at, state, errors, made }: BatchBody): boolean =>
  finished_at !== null && state === 'failed' && errors === 0 && made === 0;

/** Uploads the rows unless an earlier command did, and returns the id of the batch. */
const ensureBatch = async (
  { folder, patient, status, err }: Open,
  { source, files, design, onError, ...asked }: RemoteOptions,
): Promise<string> => {
  let state = await readState(folder.state);
  if (state.batchId !== null) {
    if (!isWorthAnother(await getBatch(patient, state.batchId))) return state.batchId;
    state = { ...NEW, attempt: state.attempt + 1 };
  }
  const { runId, folderName, inputSha256 } = folder.run;
  const query = new URLSearchParams({
    folder: folderName,
    formats: files.formats.join(','),
    on_error: onError,
  });
  const headers = {
    'idempotency-key': `tessera-batch-${runId}-${state.attempt}`,
    ...(design === null ? {} : { design }),
    ...askedHeaders(asked),
  };
  const keep = async (uploadId: string): Promise<void> => {
    state = { ...state, uploadId };
    await writeState(folder.state, state);
  };
  const { uploadId } = state;
  const batchId = await uploadBatch(patient, { source, inputSha256, query, headers, status, uploadId, keep });
  await writeState(folder.state, { ...state, batchId });
  status.end();
  err.write(`Batch ${batchId} is sent. It goes on if this command ends.\n`);
  return batchId;
};

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

/** Waits for the batch and saves what it made. */
const collectAll = async (
  open: Open,
  out: string,
  batchId: string,
  wanted: AsyncIterator<WantedRow>,
): Promise<BatchBody> => {
  const { folder, patient, status, err } = open;
  const { run, journalPath } = folder;
  const resumed = await resume(journalPath);
  if (resumed.rowsDone > 0) err.write(`Continuing: ${count(resumed.rowsDone)} rows were done before.\n`);
  const journal = await openJournal(journalPath, resumed.journalBytes);
  let saved = resumed.rowsDone;
  try {
    return await collect(
      {
        ...{ patient, status, journal, wanted },
        store: createStore(out, folder.temporary),
        folder: join(folder.state, 'parts'),
        rows: run.rows,
        formats: run.files.formats,
        isDone: resumed.isDone,
        onSaved: (rows) => {
          saved += rows.length;
          status.show(`Saved: ${count(saved)} of ${count(run.rows)} rows`);
        },
      },
      batchId,
    );
  } finally {
    await journal.close();
    await wanted.return?.();
  }
};

const manifestOf = (out: string, { journalPath, run }: RunFolder, withIds: boolean): Promise<Manifest> =>
  writeManifest(out, journalPath, { formats: run.files.formats, withIds }, async () => '');

/** Runs to the end of the batch, or until the command is stopped, and writes the manifest in any case. */
const runToEnd = async (
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
  const manifest = await manifestOf(out, folder, withIds);
  return {
    rows: folder.run.rows,
    manifest,
    remaining: null,
    stopped,
    ...(canContinue ? {} : { advice: STARTS_ANEW }),
  };
};

const withFolder = async (
  { out, url, key }: BatchRunOptions,
  wanted: Omit<WantedRun, 'url' | 'keyPrefix'>,
  { err, onInterrupt }: Pick<Terminal, 'err' | 'onInterrupt'>,
  run: (open: Open) => Promise<Summary>,
): Promise<Summary> => {
  const keyPrefix = key.slice(0, KEY_SHOWN);
  const folder = await openRunFolder(out, { ...wanted, url, keyPrefix }, defaultFolderName(new Date()));
  try {
    const patient = createPatient(createApi(url, key), onInterrupt());
    return await run({ folder, patient, status: createStatus(err), err });
  } finally {
    await folder.release();
  }
};

/**
 * Makes a code of each row in a batch, or continues where an earlier command in the same folder ended, however it ended.
 *
 * @throws {CliFault} when the run cannot begin. What goes wrong later is in the summary.
 */
export const runRemote = async (options: RemoteOptions, terminal: Terminal): Promise<Summary> => {
  const { source, out, folderName, files, design, onError, minGrade, repair, preset } = options;
  const { sha256, rows, hasIds } = await inspect(source, 'kept');
  const wanted = {
    ...{ input: resolve(source.path), inputSha256: sha256, rows, folderName, files },
    ...{ minGrade, repair, preset },
    remote: { design, onError },
  };
  return withFolder(options, wanted, terminal, (open) =>
    runToEnd(open, out, hasIds, async () =>
      collectAll(open, out, await ensureBatch(open, options), wantedRows(source)),
    ),
  );
};

/** Downloads a batch, or continues where an earlier command in the same folder ended. @throws {CliFault} As `runRemote`. */
export const runDownload = async (
  options: BatchRunOptions,
  batchId: string,
  terminal: Terminal,
): Promise<Summary> => {
  const { out, url, key } = options;
  const first = createPatient(createApi(url, key), new AbortController().signal);
  const batch = await getBatch(first, batchId);
  // Its rows are counted when all are received.
  if (batch.state === 'receiving') throw failed('the batch is still being received; try again when it is');
  const { rows, formats } = batch;
  const files = { formats, print: {} } as unknown as FilesAsked;
  const wanted = {
    ...{ input: `batch ${batchId}`, inputSha256: batchId, rows, folderName: null, files },
    ...{ minGrade: 0, repair: false, preset: null },
    remote: { batch: batchId },
  };
  return withFolder(options, wanted, terminal, (open) =>
    runToEnd(open, out, true, () => collectAll(open, out, batchId, numberedRows(rows))),
  );
};
