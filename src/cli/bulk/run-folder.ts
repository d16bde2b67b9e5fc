import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { lockFolder } from '../../db/embedded/folder-lock.ts';
import { openSocketFolder } from '../../db/embedded/socket-folder.ts';
import { failed } from '../fault.ts';
import type { Asked } from './asked-headers.ts';
import { type FilesAsked, inOptions } from './files/asked.ts';

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

/** @throws {CliFault} when continuing would mix two runs. */
const requireSame = (out: string, run: Run, wanted: WantedRun): void => {
  const again = 'give a new --out folder to start a new run';
  if (!isDeepStrictEqual(run.remote, wanted.remote))
    throw failed(
      `the run in ${out} was begun with other options of --remote, or is of another batch; ${again}`,
    );
  if (run.inputSha256 !== wanted.inputSha256) {
    throw failed(`${basename(wanted.input)} has changed since the run in ${out} began with it; ${again}`);
  }
  if (run.url !== wanted.url) throw failed(`the run in ${out} was begun with --url ${run.url}; ${again}`);
  if (run.minGrade !== wanted.minGrade) {
    throw failed(`the run in ${out} was begun with --min-grade ${run.minGrade}; ${again}`);
  }
  if (run.repair !== wanted.repair) {
    throw failed(`the run in ${out} was begun ${run.repair ? 'with' : 'without'} --repair; ${again}`);
  }
  if (run.preset !== wanted.preset) {
    const begun = run.preset === null ? 'without --preset' : `with --preset "${run.preset}"`;
    throw failed(`the run in ${out} was begun ${begun}; ${again}`);
  }
  if (!isDeepStrictEqual(run.files, wanted.files)) {
    throw failed(`the run in ${out} was begun with ${inOptions(run.files)}; ${again}`);
  }
  if (wanted.folderName !== null && run.folderName !== wanted.folderName) {
    throw failed(`the run in ${out} was begun with --folder "${run.folderName}"; ${again}`);
  }
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
    requireSame(out, begun, wanted);
    return begun;
  }
  const others = (await readdir(out)).filter((name) => name !== STATE);
  if (others.length > 0) throw failed(`${out} is not empty and holds no run; give a new or an empty folder`);
  const run = { ...wanted, runId: randomUUID(), folderName: wanted.folderName ?? defaultName };
  await writeWhole(join(state, 'journal.ndjson'), '');
  await writeWhole(path, `${JSON.stringify(run, null, 2)}\n`);
  return run;
};

/**
 * Finds the run in an `--out` folder, or begins one in an empty folder. Keeps its state in `.tessera` in that folder.
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
    return { run, journalPath: join(state, 'journal.ndjson'), state, temporary, release };
  } catch (error) {
    await release();
    throw error;
  }
};
