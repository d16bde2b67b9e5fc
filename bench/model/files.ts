/** The file of the cost model, in the folder of the report. */
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceOf, writeJson } from '../files.ts';
import type { CostModel } from './model.ts';

const VERSION = 2;
const NAME = 'model.json';
/** The figures of a reference machine in the repository, used until this machine is measured. */
const REFERENCE = fileURLToPath(sourceOf('model/reference.json'));

/** Reads a model. @throws When the file is not one, or has another version. */
export const readModel = async (file: string): Promise<CostModel> => {
  const { version, ...model } = JSON.parse(await readFile(file, 'utf8')) as { version?: number };
  if (version !== VERSION)
    throw new Error(`${file} is not a cost model of version ${VERSION}: measure again (npm run bench:model)`);
  return model as CostModel;
};

/** Returns the model that was measured into the folder; `null` where there is none. */
export const readModelOf = async (folder: string): Promise<CostModel | null> =>
  modelFile(folder) === REFERENCE ? null : readModel(modelFile(folder));

/** Returns the file of the model that was measured into the folder; the reference where there is none. */
export const modelFile = (folder: string): string => {
  const own = join(folder, NAME);
  return existsSync(own) ? own : REFERENCE;
};

/** Whether two models are of machines whose costs can be compared. */
export const isSameMachine = (one: CostModel['machine'], other: CostModel['machine']): boolean =>
  one.cpu === other.cpu && one.cores === other.cores && one.node === other.node;

/**
 * Writes a model into the folder atomically. Kinds that it does not have stay as they were measured on the same machine
 * before.
 *
 * @returns The file.
 */
export const writeModel = async (folder: string, model: CostModel): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const file = join(folder, NAME);
  const before = await readModelOf(folder);
  const kept =
    before !== null && isSameMachine(before.machine, model.machine)
      ? before.kinds.filter(({ kind }) => !model.kinds.some((one) => one.kind === kind))
      : [];
  await writeJson(file, { version: VERSION, ...model, kinds: [...kept, ...model.kinds] });
  return file;
};
