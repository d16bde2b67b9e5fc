/** A run in an `--out` folder: a source makes pictures of the rows, and the manifest says what became of them. */
import { resolve } from 'node:path';
import type { TableNotes } from '../../csv/notes.ts';
import type { DuplicateRule } from '../../duplicates/rules.ts';
import { pluralise } from '../../texts.ts';
import { type Api, createApi } from '../api.ts';
import { createDuplicateCheck, type FoundDuplicates, keyOfUnique, keysOfItem } from '../duplicates.ts';
import { CliFault, commandError } from '../fault.ts';
import { formatCount, type Output, type Terminal } from '../terminal.ts';
import type { FilesAsked } from './files/asked.ts';
import { inspect, type Row, tellNotes } from './input/input.ts';
import type { Source } from './input/source.ts';
import { type Journal, openJournal, type Resumed, resume } from './journal.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import { openRunFolder, type Run, type WantedRun } from './run-folder.ts';
import type { Asked } from './sender.ts';
import { createStore, type Store } from './store.ts';

/** The folder of a run, and its gateway; `out` is absolute. */
export interface RunOptions {
  readonly out: string;
  readonly url: string;
  readonly key: string;
}

/** What the user asks of a run over a file. */
export interface FileRunOptions extends RunOptions, Asked {
  readonly source: Source;
  readonly folderName: string | null;
  readonly files: FilesAsked;
  /** What to do about rows that repeat an earlier one. */
  readonly duplicates: DuplicateRule;
}

/** A run that is open. */
export interface Work {
  readonly out: string;
  readonly api: Api;
  readonly run: Run;
  /** The folder in which the run keeps its state. */
  readonly state: string;
  readonly store: Store;
  readonly journal: Journal;
  /** What earlier commands have done. */
  readonly resumed: Resumed;
  /** Aborted when the user interrupts the command. */
  readonly interrupted: AbortSignal;
  readonly err: Output;
}

/** How a source ended. */
export interface Ended {
  /** Units left after the last call; `null` when nothing was sent. */
  readonly remaining: number | null;
  /** What stopped it before its last row, or `null`. */
  readonly stopped: unknown;
  /** What to do about rows that are not done, unless the same command continues. */
  readonly advice?: string;
  /** Rows that repeat an earlier one, where the source knows. */
  readonly duplicates?: FoundDuplicates;
  /** What was noted about the file. */
  readonly notes?: Readonly<TableNotes>;
}

/** Where the pictures of a run come from. */
export interface PictureSource {
  /** Makes and saves the rows that are not done, with an entry in the journal for each group of them. */
  make(): Promise<Ended>;
  /** Returns the short URL of a slug whose row does not have it. */
  shortUrlOf(slug: string): Promise<string>;
  /** Whether the manifest has a column for the caller's own ids. */
  readonly withIds: boolean;
  /** The message for the user after an interrupt. */
  readonly whenInterrupted: string;
}

/** How a run ended. */
export interface Summary extends Omit<Ended, 'stopped'> {
  readonly rows: number;
  readonly manifest: Manifest;
  /** Why the run ended early; `null` when it reached its last row. */
  readonly stopped: CliFault | null;
}

const KEY_SHOWN = 10;

/** Returns the first characters of a key. */
export const prefixOf = (key: string): string => key.slice(0, KEY_SHOWN);

/** Runs the source to its end and writes the manifest, whatever stops it. @throws What stopped it, when that is a bug. */
const runToEnd = async (work: Work, source: PictureSource, journalPath: string): Promise<Summary> => {
  const { out, run, interrupted } = work;
  const stop = (stopped: unknown): Ended => ({ remaining: null, stopped });
  const { stopped, ...ended } = await source.make().catch(stop);
  if (stopped !== null && !(stopped instanceof CliFault) && !interrupted.aborted) throw stopped;
  const options = { formats: run.files.formats, withIds: source.withIds };
  return {
    ...ended,
    rows: run.rows,
    manifest: await writeManifest(out, journalPath, options, source.shortUrlOf),
    stopped: stopped === null || stopped instanceof CliFault ? stopped : commandError(source.whenInterrupted),
  };
};

/**
 * Makes the rows of a run, or continues where an earlier command in the same folder ended, however it ended.
 *
 * @param begin Makes the source of the pictures.
 * @throws {CliFault} when the run cannot begin. What goes wrong later is in the summary.
 */
export const runInFolder = async (
  { out, url, key }: RunOptions,
  wanted: Omit<WantedRun, 'url' | 'keyPrefix'>,
  { err, onInterrupt }: Pick<Terminal, 'err' | 'onInterrupt'>,
  begin: (work: Work) => PictureSource | Promise<PictureSource>,
): Promise<Summary> => {
  const folder = await openRunFolder(out, { ...wanted, url, keyPrefix: prefixOf(key) });
  try {
    const { run, state, journalPath } = folder;
    const resumed = await resume(journalPath);
    const journal = await openJournal(journalPath, resumed.journalBytes);
    try {
      const store = createStore(out, folder.temporary);
      const api = createApi(url, key);
      const work = { out, api, run, state, store, journal, resumed, interrupted: onInterrupt(), err };
      const source = await begin(work);
      const { rowsDone, rowsFailed } = resumed;
      if (rowsDone > 0) {
        const failures = rowsFailed > 0 ? `, and ${formatCount(rowsFailed)} of them failed` : '';
        err.write(`Continuing: ${pluralise(rowsDone, 'row was', 'rows were')} done before${failures}.\n`);
      }
      return await runToEnd(work, source, journalPath);
    } finally {
      await journal.close();
    }
  } finally {
    await folder.release();
  }
};

/**
 * Makes a code of each row of a file, as `runInFolder`.
 *
 * @param remote What defines the batch of the run; `null` when the run needs none.
 * @param begin Receives whether any row has an id of the caller.
 */
export const runFile = async (
  options: FileRunOptions,
  remote: object | null,
  terminal: Terminal,
  begin: (work: Work, hasIds: boolean) => PictureSource | Promise<PictureSource>,
): Promise<Summary> => {
  const { source, folderName, files, minGrade, repair, preset } = options;
  const check = createDuplicateCheck(options.duplicates);
  // The gateway compares the rows of a batch.
  const look = (row: Row): void =>
    check.add(row, {
      ...(row.item.ok ? keysOfItem(JSON.parse(row.item.value)) : {}),
      ...keyOfUnique(source.unique, row.uniqueText, row.fileRow),
    });
  const { sha256, rows, hasIds, notes } =
    remote === null ? await inspect(source, 'refused', look) : await inspect(source, 'batch');
  terminal.err.write(tellNotes(notes));
  const duplicates = check.end();
  const wanted = {
    ...{ input: resolve(source.path), inputSha256: sha256, rows, columns: source.columns },
    encoding: source.encoding,
    ...{ folderName, files, minGrade, repair, preset, remote },
  };
  return {
    duplicates,
    notes,
    ...(await runInFolder(options, wanted, terminal, (work) => begin(work, hasIds))),
  };
};
