import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Type, { type Static, type TSchema } from 'typebox';
import { FORMATS, namesOf } from '../../../workers/lists.ts';
import { lockFolder, openSocketFolder } from '../../db/embedded/folder.ts';
import { defaultFolderName } from '../../db/tables/names.ts';
import { printParameters } from '../../generate/request/print.ts';
import { orNull, readStored } from '../../stored-json.ts';
import { commandError } from '../fault.ts';
import { inOptions } from './files/asked.ts';
import { resume } from './journal.ts';
import { writeWhole } from './store.ts';

const Run = Type.Object({
  runId: Type.String(),
  input: Type.String(),
  inputSha256: Type.String(),
  rows: Type.Integer(),
  url: Type.String(),
  /** Folder of the codes in the account. */
  folderName: Type.String(),
  files: Type.Object({
    formats: Type.Immutable(Type.Array(Type.Enum(namesOf(FORMATS)))),
    print: Type.Object(printParameters),
  }),
  /** The options about the columns of the input. */
  columns: Type.Object({
    mapping: Type.Record(Type.String(), orNull(Type.String())),
    others: Type.Enum(['refused', 'skipped']),
  }),
  /** The encoding that the command says; `null`: none. */
  encoding: orNull(Type.String()),
  /** What defines the batch of the run; `null` when the run needs none. */
  remote: orNull(Type.Object({})),
  /** The first characters of the key. */
  keyPrefix: Type.String(),
  minGrade: Type.Number(),
  repair: Type.Boolean(),
  preset: orNull(Type.String()),
});
/** What a run was begun with. A later command continues it only with the same input, gateway and folder. */
export type Run = Readonly<Static<typeof Run>>;

/** What a command asks for: the run that it begins or continues. */
export type WantedRun = Omit<Run, 'runId' | 'folderName'> & {
  /** `null`: that of the run, or the default for a new one. */
  readonly folderName: string | null;
};

const STATE = '.tessera';
const JOURNAL = 'journal.ndjson';
/** Exists once a run with a batch has begun its upload. */
export const REMOTE_STATE = 'remote.json';

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

/** Returns why continuing would mix two runs; `null` when it would not. */
const differenceOf = (out: string, run: Run, wanted: WantedRun): string | null => {
  const differs = (name: Exclude<keyof Run, 'runId'>): boolean => !isDeepStrictEqual(run[name], wanted[name]);
  const begun = `the run in ${out} was begun`;
  if (differs('remote')) return `${begun} with other options of --remote, or is of another batch`;
  if (differs('inputSha256'))
    return `${basename(wanted.input)} has changed since the run in ${out} began with it`;
  if (differs('columns')) return `${begun} with other --column or --other-columns`;
  if (differs('encoding'))
    return `${begun} ${run.encoding === null ? 'without --encoding' : `with --encoding ${run.encoding}`}`;
  if (differs('url')) return `${begun} with --url ${run.url}`;
  // Before the grade, which follows from these.
  if (differs('files')) return `${begun} with ${inOptions(run.files)}`;
  if (differs('minGrade')) return `${begun} with --min-grade ${run.minGrade}`;
  if (differs('repair')) return `${begun} ${run.repair ? 'with' : 'without'} --repair`;
  if (differs('preset'))
    return `${begun} ${run.preset === null ? 'without --preset' : `with --preset "${run.preset}"`}`;
  return wanted.folderName !== null && differs('folderName')
    ? `${begun} with --folder "${run.folderName}"`
    : null;
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
    throw commandError(`${out} is in use by ${held.fault}`);
  }
  return async () => {
    await held.value.release();
    await sockets.release();
  };
};

const findOrBegin = async (out: string, state: string, wanted: WantedRun): Promise<Run> => {
  const path = join(state, 'run.json');
  const begun = await readState(path, Run);
  if (begun !== null) {
    const difference = differenceOf(out, begun, wanted);
    const isSame = difference === null && begun.keyPrefix === wanted.keyPrefix;
    if (isSame || !(await hasMadeNothing(state))) {
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
  await writeWhole(join(state, JOURNAL), '');
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
  const temporary = join(state, 'temporary');
  await mkdir(state, { recursive: true }).catch((error: Error) => {
    throw commandError(`${out} cannot be used: ${error.message}`);
  });
  const release = await lock(out, state);
  try {
    const run = await findOrBegin(out, state, wanted);
    await rm(temporary, { recursive: true, force: true });
    await mkdir(temporary);
    return {
      run,
      journalPath: join(state, JOURNAL),
      /** Where the run keeps its state. */
      state,
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
