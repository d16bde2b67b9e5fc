/** Files that tools read and write. */
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';

/** Returns a file of `bench` that the build does not copy. @param path Its path there. */
export const sourceOf = (path: string): URL => {
  const beside = new URL(path, import.meta.url);
  return existsSync(beside) ? beside : new URL(`../../bench/${path}`, import.meta.url);
};

/** Writes JSON atomically, even if the run is interrupted. JSON has no Infinity: it becomes `null`. */
export const writeJson = async (file: string, value: object): Promise<void> => {
  const unfinished = `${file}.new`;
  await writeFile(unfinished, `${JSON.stringify(value, null, 1)}\n`);
  await rename(unfinished, file);
};
