/** A run in an `--out` folder: a batch makes the codes, and the manifest says what became of the rows. */
import { resolve } from 'node:path';
import type { TableNotes } from '../../csv/notes.ts';
import { pluralise } from '../../texts.ts';
import { createPatientCall, explained } from '../api.ts';
import type { FoundDuplicates } from '../duplicates.ts';
import { createStore } from '../files.ts';
import { CliFault, commandError, createStatus, type Terminal } from '../terminal.ts';
import { getBatch, isWorthAnother, reasonOf, writeFindings } from './batch.ts';
import { collect } from './collect.ts';
import { inspect, readRows, tellNotes } from './input.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import type { WantedRow } from './part.ts';
import { createSaved, openRunFolder, type WantedRun, type Work } from './run-folder.ts';
import { type BatchTerms, ensureBatch } from './send.ts';
import type { Source } from './source.ts';

/** The folder of a run, and its gateway; `out` is absolute. */
export interface RunOptions {
  readonly out: string;
  readonly url: string;
  readonly key: string;
}

/** What the user asks of a run over a file. */
export interface FileRunOptions extends RunOptions {
  readonly source: Source;
  readonly folderName: string | null;
  readonly formats: readonly string[];
  /** The options of the command that decide what is made, by their flags. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly terms: BatchTerms;
}

/** How a run ended. */
export interface Summary {
  readonly rows: number;
  readonly manifest: Manifest;
  /** Why the run ended early; `null` when it reached its last row. */
  readonly stopped: CliFault | null;
  /** What to do about rows that are not done, unless the same command continues. */
  readonly advice?: string;
  /** Rows that repeat an earlier one. */
  readonly duplicates?: FoundDuplicates;
  /** What was noted about the file. */
  readonly notes?: Readonly<TableNotes>;
}

/** What the user can do about a batch that did not make all rows. */
const STARTS_ANEW = 'they are not paid; begin a new run with a new --out folder';
const KEY_SHOWN = 10;

/** The rows of a run, and where its batch comes from. */
interface Origin {
  /** All rows, in order. */
  readonly rows: AsyncGenerator<WantedRow>;
  /** Whether any row has an id of the caller, as far as known. */
  readonly withIds: boolean;
  /** Returns the id of the batch, and makes it when there is none. */
  findBatch(work: Work): Promise<string>;
}

/** Collects a batch to its end. */
const runToEnd = async (
  work: Work,
  { rows, findBatch }: Origin,
): Promise<Pick<Summary, 'stopped' | 'advice' | 'duplicates'>> => {
  const batch = await collect(work, rows, await findBatch(work));
  const { errors, duplicates } = await writeFindings(work, batch);
  const ended = { duplicates, stopped: reasonOf(batch, errors) };
  return isWorthAnother(batch) ? ended : { ...ended, advice: STARTS_ANEW };
};

/** Returns what stopped a run, for a person. @throws A bug. */
const toFault = (error: unknown, { run, interrupted }: Work): CliFault => {
  const fault = explained(run.url, error);
  if (fault instanceof CliFault) return fault;
  if (interrupted.aborted) return commandError('interrupted; a batch that is sent goes on in the gateway');
  throw error;
};

/**
 * Makes the rows of a run, or continues where an earlier command in the same folder ended, however it ended.
 *
 * @throws {CliFault} when the run cannot begin. What goes wrong later is in the summary.
 */
const runInFolder = async (
  { out, url, key }: RunOptions,
  asked: Omit<WantedRun, 'url' | 'keyPrefix'>,
  { err, onInterrupt }: Pick<Terminal, 'err' | 'onInterrupt'>,
  origin: Origin,
): Promise<Summary> => {
  const folder = await openRunFolder(out, { ...asked, url, keyPrefix: key.slice(0, KEY_SHOWN) });
  const status = createStatus(err);
  try {
    const { run, state, parts, temporary } = folder;
    const saved = createSaved(parts);
    const before = new Set(await saved.list());
    const interrupted = onInterrupt();
    const call = createPatientCall(url, key, interrupted, err);
    const store = createStore(out, temporary);
    const work = { out, run, state, parts, store, saved, before, call, status, interrupted, err };
    if (before.size > 0)
      err.write(`Continuing: ${pluralise(before.size, 'part was', 'parts were')} saved before.\n`);
    const ended = await runToEnd(work, origin).catch((error: unknown) => ({
      stopped: toFault(error, work),
    }));
    const manifest = await writeManifest(out, saved, { ...run, ...origin });
    return { ...ended, rows: run.rows, manifest };
  } finally {
    status.end();
    await origin.rows.return(undefined);
    await folder.release();
  }
};

/** Yields the rows of a file, by the names of their files. */
async function* readWanted(source: Source): AsyncGenerator<WantedRow> {
  for await (const { row, fileRow, name, content, externalId } of readRows(source, () => {}, 'batch'))
    yield {
      row,
      fileRow,
      name,
      externalId: externalId || null,
      content: source.composed === null ? content : null,
    };
}

/** Yields bare row numbers; only the batch knows more of these rows. */
async function* numberRows(rows: number): AsyncGenerator<WantedRow> {
  for (let row = 1; row <= rows; row += 1)
    yield { row, fileRow: null, name: null, content: null, externalId: null };
}

/** Makes a code of each row of a file. @throws {CliFault} when the file cannot be read, or the run cannot begin. */
export const runFile = async (asked: FileRunOptions, terminal: Terminal): Promise<Summary> => {
  const { source, folderName, formats, options, terms } = asked;
  const { sha256, rows, hasIds, notes } = await inspect(source, 'batch');
  terminal.err.write(tellNotes(notes));
  const wanted = { input: resolve(source.path), inputSha256: sha256, rows, folderName, formats, options };
  const summary = await runInFolder(asked, wanted, terminal, {
    rows: readWanted(source),
    withIds: hasIds,
    findBatch: (work) => ensureBatch(work, source, terms),
  });
  return { notes, ...summary };
};

/** Downloads a batch. @throws {CliFault} when it is not known, or the run cannot begin. */
export const runDownload = async (
  options: RunOptions,
  batchId: string,
  terminal: Terminal,
): Promise<Summary> => {
  const { url, key } = options;
  const call = createPatientCall(url, key, new AbortController().signal, terminal.err);
  const batch = await getBatch(call, batchId).catch((error: unknown) => {
    throw explained(url, error);
  });
  // Its rows are counted when all are received.
  if (batch.state === 'receiving')
    throw commandError('the batch is still being received; try again when it is');
  const { rows, formats, encoding, empty_rows: emptyRows, first_empty_rows: firstEmptyRows } = batch;
  const origin = { input: `batch ${batchId}`, inputSha256: '', options: { 'a batch id': batchId } };
  const wanted = { ...origin, rows, folderName: null, formats };
  const summary = await runInFolder(options, wanted, terminal, {
    rows: numberRows(rows),
    withIds: true,
    findBatch: async () => batchId,
  });
  return { ...summary, notes: { encoding, delimiter: null, emptyRows, firstEmptyRows, keptColumns: [] } };
};
