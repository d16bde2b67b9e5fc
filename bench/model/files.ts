/** The file of the cost model, in the folder of the report. */
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeJson } from '../write-json.ts';
import type { CostModel } from './model.ts';

const VERSION = 1;
const NAME = 'model.json';
/** The figures of a reference machine in the repository, used until this machine is measured. */
const REFERENCE = fileURLToPath(new URL('../../../bench/model/reference.json', import.meta.url));

/** Writes the model into the folder atomically. @returns The file. */
export const writeModel = async (folder: string, model: CostModel): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const file = join(folder, NAME);
  await writeJson(file, { version: VERSION, ...model });
  return file;
};

/** Reads a model. @throws When the file is not one, or has another version. */
export const readModel = async (file: string): Promise<CostModel> => {
  const { version, ...model } = JSON.parse(await readFile(file, 'utf8')) as { version?: number };
  if (version !== VERSION)
    throw new Error(`${file} is not a cost model of version ${VERSION}: measure again (npm run bench:model)`);
  return model as CostModel;
};

/** Returns the model that was measured into the folder; `null` where there is none. */
export const readModelOf = async (folder: string): Promise<CostModel | null> => {
  const file = join(folder, NAME);
  return existsSync(file) ? readModel(file) : null;
};

/** Returns the file of the model that was measured into the folder; the reference where there is none. */
export const modelFile = (folder: string): string => {
  const own = join(folder, NAME);
  return existsSync(own) ? own : REFERENCE;
};
