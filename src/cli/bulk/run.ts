/** Runs `bulk` from its input to its manifest. */
import { resolve } from 'node:path';
import { counted } from '../../counted.ts';
import { defaultFolderName } from '../../db/tables/folder-name.ts';
import { type Api, createApi } from '../api.ts';
import { CliFault, failed } from '../fault.ts';
import type { Terminal } from '../terminal.ts';
import type { Asked } from './asked-headers.ts';
import { type Call, toCalls } from './calls.ts';
import type { FilesAsked } from './files/asked.ts';
import { createFileMaker } from './files/create.ts';
import { inspect, readRows, type Source } from './input/input.ts';
import { type Journal, openJournal } from './journal.ts';
import { createMaker, type Made } from './maker.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import { createProgress, type Progress } from './progress.ts';
import { type Resumed, resume } from './resume.ts';
import { openRunFolder, type RunFolder } from './run-folder.ts';
import { createSender } from './sender.ts';
import { createShortUrls } from './short-urls.ts';
import { createStore } from './store.ts';

/** What the user asks of a run; paths are absolute. */
export interface BulkOptions extends Asked {
  readonly source: Source;
  readonly out: string;
  readonly url: string;
  readonly key: string;
  readonly folderName: string | null;
  readonly files: FilesAsked;
  /** Calls under way at once. */
  readonly concurrency: number;
  /** Send calls again although the gateway may have forgotten that they were paid for. */
  readonly payAgain: boolean;
}

/** How a run ended. */
export interface Summary {
  /** Rows of the input. */
  readonly rows: number;
  readonly manifest: Manifest;
  /** Units left after the last call; `null` when nothing was sent. */
  readonly remaining: number | null;
  /** Why the run ended early; `null` when it reached its last row. */
  readonly stopped: CliFault | null;
  /** What to do about rows that are not done, unless the same command continues. */
  readonly advice?: string;
}

/** How far ahead of the oldest unfinished call others may begin. This bounds what the manifest must put in order. */
const LEAD_MAX = 64;
const KEY_SHOWN = 10;

/** @throws {CliFault} when calls may have been paid for and sending them again may cost again. */
const refuseUnknown = ({ unknown }: Resumed, payAgain: boolean): void => {
  if (unknown.length === 0 || payAgain) return;
  throw failed(
    `${counted(unknown.length, 'call was', 'calls were')} sent more than 23 hours ago without an answer. What is sent again may be made twice and cost twice. Give --pay-again to send it.`,
  );
};

interface Work {
  readonly source: Source;
  readonly inputSha256: string;
  readonly resumed: Resumed;
  readonly journal: Journal;
  readonly progress: Progress;
  readonly concurrency: number;
  /** Aborted when no more calls may begin. */
  readonly stop: AbortController;
  make(call: Call): Promise<Made>;
  /** Whether any call of this process may have been made. */
  mayHaveMade(): boolean;
}

/**
 * Makes the calls that are not done, several at once, and returns the units that are left. When `stop` is aborted, it
 * begins no more and ends when those under way have ended.
 */
const makeAll = async (work: Work): Promise<number | null> => {
  const { source, inputSha256, resumed, journal, progress, concurrency, stop } = work;
  const running = new Map<number, Promise<void>>();
  let remaining: number | null = null;

  const makeOne = async (call: Call): Promise<void> => {
    await journal.begin(call.index);
    const made = await work.make(call).catch(async (error: unknown) => {
      if (!resumed.isPending(call.index) && !work.mayHaveMade()) await journal.refuse(call.index);
      throw error;
    });
    await journal.end(call.index, made.rows);
    remaining = made.remaining ?? remaining;
    progress.add(made.rows.length, made.rows.filter(({ error }) => error !== undefined).length);
  };

  const begin = (call: Call): void => {
    const made = makeOne(call)
      .catch((error: unknown) => stop.abort(error))
      .finally(() => running.delete(call.index));
    running.set(call.index, made);
  };

  const beginAll = async (): Promise<void> => {
    const rows = readRows(source, (sha256) => {
      if (sha256 !== inputSha256) stop.abort(failed(`${source.path} was changed while it was read`));
    });
    for await (const call of toCalls(rows)) {
      if (resumed.isDone(call.index)) continue;
      const [oldest = call.index] = running.keys();
      if (call.index - oldest >= LEAD_MAX) await running.get(oldest);
      if (running.size >= concurrency) await Promise.race(running.values());
      if (stop.signal.aborted) return;
      begin(call);
    }
  };

  await beginAll().catch((error: unknown) => stop.abort(error));
  await Promise.all(running.values());
  return remaining;
};

/** Returns why the run was stopped, or `null`. @throws What stopped the run, when that is a bug. */
const reasonOf = ({ signal }: AbortController, interrupted: AbortSignal): CliFault | null => {
  if (!signal.aborted) return null;
  if (signal.reason instanceof CliFault) return signal.reason;
  if (interrupted.aborted) return failed('interrupted');
  throw signal.reason;
};

const makeRun = async (
  options: BulkOptions,
  folder: RunFolder,
  api: Api,
  { err, onInterrupt }: Pick<Terminal, 'err' | 'onInterrupt'>,
): Promise<Summary> => {
  const { run, journalPath } = folder;
  const resumed = await resume(journalPath);
  refuseUnknown(resumed, options.payAgain);
  if (resumed.rowsDone > 0)
    err.write(`Continuing: ${counted(resumed.rowsDone, 'row was', 'rows were')} done before.\n`);

  const stop = new AbortController();
  const interrupted = onInterrupt();
  interrupted.addEventListener('abort', () => stop.abort());
  const progress = createProgress(err, run.rows, resumed);
  const journal = await openJournal(journalPath, resumed.journalBytes);
  const store = createStore(options.out, folder.temporary);
  const files = await createFileMaker(options.files, { api, store, err, preset: run.preset });
  const sender = createSender(api, run, stop.signal, err);
  const make = createMaker({ ...run, sender, files, store });
  const { mayHaveMade } = sender;
  const common = { resumed, journal, progress, stop, make, mayHaveMade };
  const work = { ...options, ...common, inputSha256: run.inputSha256 };
  const remaining = await makeAll(work).finally(() => Promise.all([journal.close(), files.close()]));
  progress.end();

  const stopped = reasonOf(stop, interrupted);
  const shortUrlOf = createShortUrls(api, () =>
    err.write('The key may not read links (scope manage): the short URLs in the manifest are a guess.\n'),
  );
  return {
    rows: run.rows,
    manifest: await writeManifest(options.out, journalPath, run.files, shortUrlOf),
    remaining,
    stopped,
  };
};

/**
 * Makes a code of each row, or continues where an earlier run in the same folder ended, however it ended.
 *
 * @throws {CliFault} when the run cannot begin. What goes wrong later is in the summary.
 */
export const runBulk = async (options: BulkOptions, terminal: Terminal): Promise<Summary> => {
  const { source, url, key, folderName, minGrade, repair, preset, files } = options;
  const { sha256, rows } = await inspect(source);
  const keyPrefix = key.slice(0, KEY_SHOWN);
  const folder = await openRunFolder(
    options.out,
    {
      input: resolve(source.path),
      inputSha256: sha256,
      rows,
      url,
      folderName,
      minGrade,
      repair,
      preset,
      files,
      columns: source.columns,
      keyPrefix,
      remote: null,
    },
    defaultFolderName(new Date()),
  );
  try {
    if (folder.run.keyPrefix !== keyPrefix) {
      terminal.err.write(
        `The run was begun with the key ${folder.run.keyPrefix}…: if this key is another account's, calls that were under way may be paid for twice.\n`,
      );
    }
    return await makeRun(options, folder, createApi(url, key), terminal);
  } finally {
    await folder.release();
  }
};
