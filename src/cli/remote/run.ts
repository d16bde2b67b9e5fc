/** Runs `bulk --remote` and `batches download`: the pictures of a run come from a batch in the gateway. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { orNull } from '../../stored-json.ts';
import { createApi } from '../api.ts';
import type { FilesAsked } from '../bulk/files/asked.ts';
import { readRows } from '../bulk/input/input.ts';
import { type ColumnsSaid, NOTHING_SAID, type Source } from '../bulk/input/source.ts';
import {
  type FileRunOptions,
  type PictureSource,
  type RunOptions,
  runFile,
  runInFolder,
  type Summary,
  type Work,
} from '../bulk/run.ts';
import { REMOTE_STATE, readState, writeState } from '../bulk/run-folder.ts';
import { toAskedHeaders } from '../bulk/sender.ts';
import { writeWhole } from '../bulk/store.ts';
import { type FoundDuplicates, SHOWN_MAX } from '../duplicates.ts';
import { type CliFault, commandError } from '../fault.ts';
import { createPatient, type Patient } from '../patient.ts';
import { createStatus } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import { type BatchBody, formatError, getBatch, getDuplicates, getErrors } from './batch.ts';
import { type Collecting, collect } from './collect.ts';
import type { WantedRow } from './slices.ts';
import { uploadBatch } from './upload.ts';

/** The options of `bulk --remote`. */
export interface RemoteOptions extends FileRunOptions {
  /** The options for all rows, with the sizes and colours of `files`, as JSON in ASCII; `null`: none. */
  readonly design: string | null;
  readonly onError: 'skip' | 'stop';
  /** The field whose values must be unique; `null`: none. */
  readonly unique: string | null;
}

/** What a run has to remember besides its journal: its upload and its batch, if any. */
const RemoteState = Type.Object({
  /** Counts batches that ended before anything was made. Each has an Idempotency-Key of its own. */
  attempt: Type.Integer(),
  uploadId: orNull(Type.String()),
  batchId: orNull(Type.String()),
});

const ERRORS_SHOWN = 20;

/** What the user can do about a batch that did not make all rows. */
const STARTS_ANEW = 'they are not paid; begin a new run with a new --out folder';

/** Whether a batch ended before anything was made, for a reason that may be gone: too few units, for example. */
const isWorthAnother = ({ finished_at, state, errors, made }: BatchBody): boolean =>
  finished_at !== null && state === 'failed' && errors === 0 && made === 0;

/** Writes lines beside the manifest, and removes those of an earlier run when there are none. */
const writeLines = (out: string, name: string, lines: readonly object[]): Promise<void> => {
  const path = join(out, name);
  if (lines.length === 0) return rm(path, { force: true });
  return writeWhole(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
};

/** Writes the errors and the duplicates of a batch, and returns the duplicates. */
const writeFindings = async (patient: Patient, out: string, batch: BatchBody): Promise<FoundDuplicates> => {
  const { id, errors, failed, duplicates: count } = batch;
  await writeLines(out, 'errors.ndjson', errors + failed === 0 ? [] : await getErrors(patient, id));
  const lines = count === 0 ? [] : await getDuplicates(patient, id);
  await writeLines(out, 'duplicates.ndjson', lines);
  const first = lines
    .slice(0, SHOWN_MAX)
    .map(({ row, file_row: fileRow, first_row: firstRow, first_file_row: firstFileRow, kind }) => ({
      ...{ row, fileRow, firstRow, firstFileRow, kind },
    }));
  return { count, first };
};

/** Returns why a batch that has ended has not made all rows; `null` when it ended as done. */
const reasonOf = async (patient: Patient, batch: BatchBody): Promise<CliFault | null> => {
  if (batch.state === 'done') return null;
  const lines = batch.errors > 0 && batch.made === 0 ? await getErrors(patient, batch.id) : [];
  const shown = lines.slice(0, ERRORS_SHOWN).map((line) => {
    const { file_row: fileRow } = line;
    const place = (fileRow ?? null) === null ? '' : `row ${fileRow} of the file: `;
    return `\n  ${place}${formatError(line)}`;
  });
  const more = batch.errors > shown.length && shown.length > 0 ? '\n  … see errors.ndjson' : '';
  return commandError(`the batch ended as ${batch.state}: ${batch.reason ?? ''}${shown.join('')}${more}`);
};

/** @param findBatch Returns the id of the batch, and makes it when there is none. */
const createBatchSource = (
  work: Work,
  wanted: AsyncGenerator<WantedRow>,
  withIds: boolean,
  findBatch: (collecting: Collecting) => Promise<string>,
): PictureSource => {
  const { out, api, interrupted, err } = work;
  const patient = createPatient(api, interrupted, err);
  const status = createStatus(err);
  const collecting = { ...work, patient, status, wanted };
  return {
    async make() {
      try {
        const batch = await collect(collecting, await findBatch(collecting));
        const duplicates = await writeFindings(patient, out, batch);
        const ended = { remaining: null, stopped: await reasonOf(patient, batch), duplicates };
        return isWorthAnother(batch) ? ended : { ...ended, advice: STARTS_ANEW };
      } finally {
        status.end();
        await wanted.return(undefined);
      }
    },
    shortUrlOf: async () => '',
    withIds,
    whenInterrupted: 'interrupted; a batch that is sent goes on in the gateway',
  };
};

/** Yields the rows of a file, by the names that `bulk` gives their files. */
async function* readWanted(source: Source): AsyncGenerator<WantedRow> {
  for await (const { row, fileRow, name, content, externalId } of readRows(source, () => {}, 'batch'))
    yield {
      row,
      fileRow,
      name,
      content: source.composed === null ? content : null,
      externalId: externalId || null,
    };
}

/** Yields bare row numbers; only the batch knows more of these rows. */
async function* numberRows(rows: number): AsyncGenerator<WantedRow> {
  for (let row = 1; row <= rows; row += 1)
    yield { row, fileRow: null, name: null, content: null, externalId: null };
}

const toQuery = ({ mapping, others }: ColumnsSaid): Readonly<Record<string, string>> => ({
  ...(Object.keys(mapping).length === 0 ? {} : { columns: JSON.stringify(mapping) }),
  ...(others === 'skipped' ? { other_columns: 'skip' } : {}),
});

/** Uploads the rows unless an earlier command did, and returns the id of the batch. */
const ensureBatch = async (
  { state: folder, run, patient, status, err }: Collecting,
  { source, files, design, onError, duplicates, unique, ...asked }: RemoteOptions,
): Promise<string> => {
  const path = join(folder, REMOTE_STATE);
  const none: Static<typeof RemoteState> = { attempt: 0, uploadId: null, batchId: null };
  let state = (await readState(path, RemoteState)) ?? none;
  if (state.batchId !== null) {
    if (!isWorthAnother(await getBatch(patient, state.batchId))) return state.batchId;
    state = { ...none, attempt: state.attempt + 1 };
  }
  const query = new URLSearchParams({
    folder_name: run.folderName,
    formats: files.formats.join(','),
    on_error: onError,
    duplicates,
    ...(unique === null ? {} : { unique }),
    ...toQuery(source.columns),
  });
  const headers = {
    'idempotency-key': `tessera-batch-${run.runId}-${state.attempt}`,
    ...(design === null ? {} : { design }),
    ...toAskedHeaders(asked),
  };
  const keep = (uploadId: string): Promise<void> => {
    state = { ...state, uploadId };
    return writeState(path, state);
  };
  const { inputSha256 } = run;
  const { uploadId } = state;
  const batchId = await uploadBatch(patient, { source, inputSha256, query, headers, status, uploadId, keep });
  await writeState(path, { ...state, batchId });
  status.end();
  err.write(`Batch ${batchId} is sent. It goes on if this command ends.\n`);
  return batchId;
};

/** Makes a code of each row in a batch. @throws As `runFile`. */
export const runRemote = (options: RemoteOptions, terminal: Terminal): Promise<Summary> => {
  const { source, design, onError, duplicates, unique } = options;
  return runFile(options, { design, onError, duplicates, unique }, terminal, (work, hasIds) =>
    createBatchSource(work, readWanted(source), hasIds, (collecting) => ensureBatch(collecting, options)),
  );
};

/** Downloads a batch. @throws As `runInFolder`. */
export const runDownload = async (
  options: RunOptions,
  batchId: string,
  terminal: Terminal,
): Promise<Summary> => {
  const { url, key } = options;
  const first = createPatient(createApi(url, key), new AbortController().signal, terminal.err);
  const batch = await getBatch(first, batchId);
  // Its rows are counted when all are received.
  if (batch.state === 'receiving')
    throw commandError('the batch is still being received; try again when it is');
  const { rows, formats } = batch;
  const wanted = {
    ...{ input: `batch ${batchId}`, inputSha256: batchId, rows, folderName: null },
    files: { formats, print: {} } as unknown as FilesAsked,
    ...{
      minGrade: 0,
      repair: false,
      preset: null,
      columns: NOTHING_SAID,
      encoding: null,
      remote: { batch: batchId },
    },
  };
  const summary = await runInFolder(options, wanted, terminal, (work) =>
    createBatchSource(work, numberRows(rows), true, async () => batchId),
  );
  const { encoding, empty_rows: emptyRows, first_empty_rows: firstEmptyRows } = batch;
  return { ...summary, notes: { encoding, emptyRows, firstEmptyRows } };
};
