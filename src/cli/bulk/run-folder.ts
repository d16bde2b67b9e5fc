import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { lockFolder } from '../../db/embedded/folder-lock.ts';
import { openSocketFolder } from '../../db/embedded/socket-folder.ts';
import { failed } from '../fault.ts';
import type { Asked } from './asked-headers.ts';
import { type FilesAsked, inOptions } from './files/asked.ts';
import type { ColumnsSaid } from './input/columns.ts';
import { resume } from './resume.ts';

/** What a run was begun with. A later command continues it only with the same input, gateway and folder. */
export interface Run extends Asked {
  readonly runId: string;
  readonly input: string;
  readonly inputSha256: string;
  readonly rows: number;
  readonly url: string;
  /** Folder of the codes in the account. */
  readonly folderName: string;
  readonly files: FilesAsked;
  /** What is said of the columns of the input. */
  readonly columns: ColumnsSaid;
  /** What the batch of the run is; `null` when the run needs none. */
  readonly remote: object | null;
  /** The first characters of the key. */
  readonly keyPrefix: string;
}

/** What a command asks for: the run that it begins or continues. */
export type WantedRun = Omit<Run, 'runId' | 'folderName'> & {
  /** `null`: that of the run, or the default for a new one. */
  readonly folderName: string | null;
};

/** An `--out` folder that this process holds. */
export interface RunFolder {
  readonly run: Run;
  readonly journalPath: string;
  /** Where the run keeps its state. */
  readonly state: string;
  /** On the same file system as the pictures, and empty. */
  readonly temporary: string;
  /** Lets other processes use the folder. */
  release(): Promise<void>;
}

const STATE = '.tessera';
const JOURNAL = 'journal.ndjson';
/** Is there once a run with a batch has begun its upload. */
export const REMOTE_STATE = 'remote.json';

/** Writes a file, whole or not at all. Resolves when it is on the disk. */
export const writeWhole = async (path: string, text: string): Promise<void> => {
  const file = await open(`${path}.new`, 'w');
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(`${path}.new`, path);
};

const readRun = async (path: string): Promise<Run | null> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw failed(`${path} cannot be read: ${error.message}`);
  });
  return text === null ? null : (JSON.parse(text) as Run);
};

/** Returns why continuing would mix two runs; `null` when it would not. */
const differenceOf = (out: string, run: Run, wanted: WantedRun): string | null => {
  const begun = `the run in ${out} was begun`;
  if (!isDeepStrictEqual(run.remote, wanted.remote))
    return `${begun} with other options of --remote, or is of another batch`;
  if (run.inputSha256 !== wanted.inputSha256)
    return `${basename(wanted.input)} has changed since the run in ${out} began with it`;
  if (!isDeepStrictEqual(run.columns, wanted.columns))
    return `${begun} with other --column or --other-columns`;
  if (run.url !== wanted.url) return `${begun} with --url ${run.url}`;
  if (run.minGrade !== wanted.minGrade) return `${begun} with --min-grade ${run.minGrade}`;
  if (run.repair !== wanted.repair) return `${begun} ${run.repair ? 'with' : 'without'} --repair`;
  if (run.preset !== wanted.preset)
    return `${begun} ${run.preset === null ? 'without --preset' : `with --preset "${run.preset}"`}`;
  if (!isDeepStrictEqual(run.files, wanted.files)) return `${begun} with ${inOptions(run.files)}`;
  if (wanted.folderName !== null && run.folderName !== wanted.folderName)
    return `${begun} with --folder "${run.folderName}"`;
  return null;
};

/** Whether a run made nothing, and has no upload or batch that may still make something. */
const hasMadeNothing = async (state: string): Promise<boolean> => {
  const resumed = await resume(join(state, JOURNAL));
  return resumed.madeNothing && !(await readdir(state)).includes(REMOTE_STATE);
};

const lock = async (out: string, state: string): Promise<() => Promise<void>> => {
  const sockets = await openSocketFolder(join(state, 'lock'));
  const held = await lockFolder(sockets.path);
  if (!held.ok) {
    await sockets.release();
    throw failed(`${out} is in use by ${held.fault}`);
  }
  return async () => {
    await held.value.release();
    await sockets.release();
  };
};

const findOrBegin = async (
  out: string,
  state: string,
  wanted: WantedRun,
  defaultName: string,
): Promise<Run> => {
  const path = join(state, 'run.json');
  const begun = await readRun(path);
  if (begun !== null) {
    const difference = differenceOf(out, begun, wanted);
    const isSame = difference === null && begun.keyPrefix === wanted.keyPrefix;
    if (isSame || !(await hasMadeNothing(state))) {
      if (difference === null) return begun;
      throw failed(`${difference}; give a new --out folder to start a new run`);
    }
    // What it wrote says which rows failed.
    for (const name of ['manifest.csv', 'errors.ndjson']) await rm(join(out, name), { force: true });
  }
  const others = (await readdir(out)).filter((name) => name !== STATE);
  if (begun === null && others.length > 0)
    throw failed(`${out} is not empty and holds no run; give a new or an empty folder`);
  const run = { ...wanted, runId: randomUUID(), folderName: wanted.folderName ?? defaultName };
  await writeWhole(join(state, JOURNAL), '');
  await writeWhole(path, `${JSON.stringify(run, null, 2)}\n`);
  return run;
};

/**
 * Finds the run in an `--out` folder, or begins one in an empty folder, or in that of another run that made nothing. Keeps
 * its state in `.tessera` in that folder.
 *
 * @param defaultName Name of the codes' folder when neither the command nor the run names one.
 * @throws {CliFault} when another process uses the folder, when it holds another run, or when it is neither empty nor a
 *   run's.
 */
export const openRunFolder = async (
  out: string,
  wanted: WantedRun,
  defaultName: string,
): Promise<RunFolder> => {
  const state = join(out, STATE);
  const temporary = join(state, 'temporary');
  await mkdir(state, { recursive: true }).catch((error: Error) => {
    throw failed(`${out} cannot be used: ${error.message}`);
  });
  const release = await lock(out, state);
  try {
    const run = await findOrBegin(out, state, wanted, defaultName);
    await rm(temporary, { recursive: true, force: true });
    await mkdir(temporary);
    return { run, journalPath: join(state, JOURNAL), state, temporary, release };
  } catch (error) {
    await release();
    throw error;
  }
};
