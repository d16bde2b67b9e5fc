/** Runs `bulk --remote` and `batches download`: from a file, or a batch, to a folder of files with their manifest. */
import { join, resolve } from 'node:path';
import { counted } from '../../counted.ts';
import { createApi } from '../api.ts';
import { type Asked, askedHeaders } from '../bulk/asked-headers.ts';
import type { FilesAsked } from '../bulk/files/asked.ts';
import { type ColumnsSaid, NOTHING_SAID } from '../bulk/input/columns.ts';
import { inspect, readRows, type Source } from '../bulk/input/input.ts';
import { openJournal } from '../bulk/journal.ts';
import { resume } from '../bulk/resume.ts';
import type { Summary } from '../bulk/run.ts';
import { createStore } from '../bulk/store.ts';
import { failed } from '../fault.ts';
import { count, type Terminal } from '../terminal.ts';
import { type BatchBody, getBatch } from './batch.ts';
import { collect } from './collect.ts';
import { type BatchRunOptions, isWorthAnother, type Open, runToEnd, withFolder } from './open.ts';
import { createPatient } from './patient.ts';
import type { WantedRow } from './slices.ts';
import { NEW, readState, writeState } from './state.ts';
import { uploadBatch } from './upload.ts';

/** What `bulk --remote` is asked. */
export interface RemoteOptions extends BatchRunOptions, Asked {
  readonly source: Source;
  readonly folderName: string | null;
  readonly files: FilesAsked;
  /** The options for all rows, with the sizes and colours of `files`, as JSON in ASCII; `null`: none. */
  readonly design: string | null;
  readonly onError: 'skip' | 'stop';
}

/** Yields the rows of a file, by the names that `bulk` gives their files. */
async function* wantedRows(source: Source): AsyncGenerator<WantedRow> {
  for await (const { row, name, content, id } of readRows(source, () => {}, 'batch'))
    yield { row, name, content, id: id || null };
}

/** Yields rows of which only the batch knows more. */
async function* numberedRows(rows: number): AsyncGenerator<WantedRow> {
  for (let row = 1; row <= rows; row += 1) yield { row, name: null, content: null, id: null };
}

const columnsQuery = ({ mapping, others }: ColumnsSaid): Readonly<Record<string, string>> => ({
  ...(Object.keys(mapping).length === 0 ? {} : { columns: JSON.stringify(mapping) }),
  ...(others === 'skipped' ? { other_columns: 'skip' } : {}),
});

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
    ...columnsQuery(source.columns),
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
  if (resumed.rowsDone > 0)
    err.write(`Continuing: ${counted(resumed.rowsDone, 'row was', 'rows were')} done before.\n`);
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

/**
 * Makes a code of each row in a batch, or continues where an earlier command in the same folder ended, however it
 * ended.
 *
 * @throws {CliFault} when the run cannot begin. What goes wrong later is in the summary.
 */
export const runRemote = async (options: RemoteOptions, terminal: Terminal): Promise<Summary> => {
  const { source, out, folderName, files, design, onError, minGrade, repair, preset } = options;
  const { sha256, rows, hasIds } = await inspect(source, 'batch');
  const wanted = {
    ...{ input: resolve(source.path), inputSha256: sha256, rows, folderName, files },
    ...{ minGrade, repair, preset },
    columns: source.columns,
    remote: { design, onError },
  };
  return withFolder(options, wanted, terminal, (open) =>
    runToEnd(open, out, hasIds, async () =>
      collectAll(open, out, await ensureBatch(open, options), wantedRows(source)),
    ),
  );
};

/**
 * Downloads a batch, or continues where an earlier command in the same folder ended.
 *
 * @throws {CliFault} As `runRemote`.
 */
export const runDownload = async (
  options: BatchRunOptions,
  batchId: string,
  terminal: Terminal,
): Promise<Summary> => {
  const { out, url, key } = options;
  const first = createPatient(createApi(url, key), new AbortController().signal, terminal.err);
  const batch = await getBatch(first, batchId);
  // Its rows are counted when all are received.
  if (batch.state === 'receiving') throw failed('the batch is still being received; try again when it is');
  const { rows, formats } = batch;
  const files = { formats, print: {} } as unknown as FilesAsked;
  const wanted = {
    ...{ input: `batch ${batchId}`, inputSha256: batchId, rows, folderName: null, files },
    ...{ minGrade: 0, repair: false, preset: null },
    columns: NOTHING_SAID,
    remote: { batch: batchId },
  };
  return withFolder(options, wanted, terminal, (open) =>
    runToEnd(open, out, true, () => collectAll(open, out, batchId, numberedRows(rows))),
  );
};
