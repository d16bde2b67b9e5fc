/**
 * The folder of a run: what it was begun with, what it has saved, and that one process works on it. Each part has a file
 * in the folder of its state, written when all files of the part are on the disk, so that an interrupted command resumes
 * with the next part.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Type, { type Static, type TSchema } from 'typebox';
import type { Call } from '../../../clients/typescript/src/call.ts';
import { CodeFile } from '../../csv/file-columns.ts';
import { lockFolder, openSocketFolder } from '../../db/embedded/folder.ts';
import { defaultFolderName } from '../../db/tables/names.ts';
import { readStored } from '../../stored-json.ts';
import { type Store, writeWhole } from '../files.ts';
import { commandError, type Output, type Status } from '../terminal.ts';

const Run = Type.Object({
  runId: Type.String(),
  /** The file, or the batch. */
  input: Type.String(),
  inputSha256: Type.String(),
  rows: Type.Integer(),
  url: Type.String(),
  /** The first characters of the key. */
  keyPrefix: Type.String(),
  /** Folder of the codes in the account. */
  folderName: Type.String(),
  formats: Type.Immutable(Type.Array(Type.String())),
  /** The options that decide what is made, by their flags. */
  options: Type.Record(Type.String(), Type.Unknown()),
});
/** What a run was begun with. A later command continues it only with the same. */
export type Run = Readonly<Static<typeof Run>>;

/** What a command asks for: the run that it begins or continues. */
export type WantedRun = Omit<Run, 'runId' | 'folderName'> & {
  /** `null`: that of the run, or the default for a new one. */
  readonly folderName: string | null;
};

const STATE = '.tessera';
/** Exists once a run has begun its upload. */
export const BATCH_STATE = 'batch.json';

/** Returns a file of the state; `null` when there is none. @throws {CliFault} when it is damaged. */
export const readState = async <S extends TSchema>(
  path: string,
  schema: S,
): Promise<NoInfer<Static<S>> | null> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw commandError(`${path} cannot be read: ${error.message}`);
  });
  if (text === null) return null;
  const state = readStored(schema, text);
  if (state === null) throw commandError(`${path} is damaged; begin again with a new --out folder`);
  return state;
};

/** Writes a file of the state atomically. */
export const writeState = (path: string, state: object): Promise<void> =>
  writeWhole(path, `${JSON.stringify(state, null, 2)}\n`);

const SHOWN_MAX = 100;

const tellOption = (flag: string, value: unknown): string => {
  if (value === undefined) return `without ${flag}`;
  if (value === true) return `with ${flag}`;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > SHOWN_MAX ? `with another ${flag}` : `with ${flag} ${text}`;
};

/** Returns why continuing would mix two runs; `null` when it would not. */
const differenceOf = (out: string, run: Run, wanted: WantedRun): string | null => {
  const begun = `the run in ${out} was begun`;
  if (run.url !== wanted.url) return `${begun} with --url ${run.url}`;
  const flags = [...new Set([...Object.keys(wanted.options), ...Object.keys(run.options)])];
  const other = flags.find((flag) => !isDeepStrictEqual(run.options[flag], wanted.options[flag]));
  if (other !== undefined) return `${begun} ${tellOption(other, run.options[other])}`;
  if (run.inputSha256 !== wanted.inputSha256)
    return `${basename(wanted.input)} has changed since the run in ${out} began with it`;
  return wanted.folderName !== null && run.folderName !== wanted.folderName
    ? `${begun} with --folder "${run.folderName}"`
    : null;
};

/** Whether a run saved nothing, and has no upload or batch that may still make something. */
const hasMadeNothing = async (state: string, parts: string): Promise<boolean> =>
  (await readdir(parts)).length === 0 && !(await readdir(state)).includes(BATCH_STATE);

const lock = async (out: string, state: string): Promise<() => Promise<void>> => {
  const sockets = await openSocketFolder(join(state, 'lock'));
  const held = await lockFolder(sockets.path);
  if (!held.ok) {
    await sockets.release();
    throw commandError(`${out} is in use by ${held.fault}`);
  }
  return async () => {
    await held.value.release();
    await sockets.release();
  };
};

const findOrBegin = async (out: string, state: string, parts: string, wanted: WantedRun): Promise<Run> => {
  const path = join(state, 'run.json');
  const begun = await readState(path, Run);
  if (begun !== null) {
    const difference = differenceOf(out, begun, wanted);
    const isSame = difference === null && begun.keyPrefix === wanted.keyPrefix;
    if (isSame || !(await hasMadeNothing(state, parts))) {
      if (difference === null) return begun;
      throw commandError(`${difference}; give a new --out folder to start a new run`);
    }
    // These list the rows that failed in it.
    for (const name of ['manifest.csv', 'errors.ndjson']) await rm(join(out, name), { force: true });
  }
  const others = (await readdir(out)).filter((name) => name !== STATE);
  if (begun === null && others.length > 0)
    throw commandError(`${out} is not empty and has no earlier run; give a new or an empty folder`);
  const folderName = wanted.folderName ?? defaultFolderName(new Date());
  const run = { ...wanted, runId: randomUUID(), folderName };
  await writeState(path, run);
  return run;
};

/**
 * Finds the run in an `--out` folder, or begins one in an empty folder, or in that of another run that made nothing. Keeps
 * its state in `.tessera` in that folder.
 *
 * @throws {CliFault} when another process uses the folder, when it holds another run, or when it is neither empty nor a
 *   run's.
 */
export const openRunFolder = async (out: string, wanted: WantedRun) => {
  const state = join(out, STATE);
  const [temporary, parts] = [join(state, 'temporary'), join(state, 'parts')];
  await mkdir(parts, { recursive: true }).catch((error: Error) => {
    throw commandError(`${out} cannot be used: ${error.message}`);
  });
  const release = await lock(out, state);
  try {
    const run = await findOrBegin(out, state, parts, wanted);
    await rm(temporary, { recursive: true, force: true });
    await mkdir(temporary);
    return {
      run,
      /** Where the run keeps its state. */
      state,
      /** Where parts are downloaded to, and what is saved of them. */
      parts,
      /** On the same file system as the pictures, and empty. */
      temporary,
      /** Lets other processes use the folder. */
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
};

const RowResult = Type.Object({
  row: Type.Integer(),
  /** Its row in the file, where that is known. */
  fileRow: Type.Optional(Type.Integer()),
  /** The caller's own id of the row's code, when it has one. */
  externalId: Type.Optional(Type.String()),
  content: Type.String(),
  /** In the order of the run's formats, when the row was made. */
  files: Type.Optional(Type.Immutable(Type.Array(CodeFile))),
  /** What was drawn, when the row was made. */
  symbology: Type.Optional(Type.String()),
  /** Grade of the files, 0 to 4; a barcode has none. */
  grade: Type.Optional(Type.Number()),
  /** Why it is below 4; as `Tessera-Warnings` has them. */
  warnings: Type.Optional(Type.String()),
  /** When the row is dynamic and was made. */
  slug: Type.Optional(Type.String()),
  shortUrl: Type.Optional(Type.String()),
  /** When the row failed. */
  error: Type.Optional(Type.String()),
});
const Rows = Type.Immutable(Type.Array(RowResult));
/** What became of a row. */
export type RowResult = Readonly<Static<typeof RowResult>>;

/** The saved parts of a run. */
export type Saved = ReturnType<typeof createSaved>;

const SUFFIX = '.rows.json';

/** Opens the saved parts of a run. @param folder Exists. */
export const createSaved = (folder: string) => {
  const pathOf = (n: number): string => join(folder, `${n}${SUFFIX}`);
  /** Returns the numbers of the saved parts, in order. */
  const list = async (): Promise<readonly number[]> => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX));
    return names.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b);
  };
  return {
    list,
    /** Adds a part. Resolves when it is on the disk. */
    add: (n: number, rows: readonly RowResult[]): Promise<void> =>
      writeWhole(pathOf(n), JSON.stringify(rows)),
    /** Yields the rows of each part, in order. @throws {CliFault} when a file is damaged. */
    async *read(): AsyncGenerator<readonly RowResult[]> {
      for (const n of await list()) {
        const rows = readStored(Rows, await readFile(pathOf(n), 'utf8'));
        if (rows === null) throw commandError(`${pathOf(n)} is damaged; begin again with a new --out folder`);
        yield rows;
      }
    },
  };
};

/** A run that is open. */
export interface Work {
  readonly out: string;
  readonly run: Run;
  /** The folder in which the run keeps its state. */
  readonly state: string;
  /** The folder of the parts that are being downloaded. */
  readonly parts: string;
  readonly store: Store;
  readonly saved: Saved;
  /** The parts that earlier commands have saved. */
  readonly before: ReadonlySet<number>;
  readonly call: Call;
  readonly status: Status;
  /** Aborted when the user interrupts the command. */
  readonly interrupted: AbortSignal;
  readonly err: Output;
}
