import { rename, writeFile } from 'node:fs/promises';

/** Writes JSON atomically, even if the run is interrupted. JSON has no Infinity: it becomes `null`. */
export const writeJson = async (file: string, value: object): Promise<void> => {
  const unfinished = `${file}.new`;
  await writeFile(unfinished, `${JSON.stringify(value, null, 1)}\n`);
  await rename(unfinished, file);
};
