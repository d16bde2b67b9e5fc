import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Module } from './modules.ts';
import { type Lines, linesOf, type Mutant, mutantsOfLua, mutantsOfTypeScript } from './mutants.ts';

/** A mutant of a file of the project. */
export interface Found extends Mutant, Lines {
  /** The file's path within the project. */
  readonly file: string;
}

/** Returns all mutants of a module's sources, in their order. @param root The project's folder. */
export const mutantsOf = async (root: string, { sources }: Module): Promise<Found[]> => {
  const lists = sources.map(async (file) => {
    const source = await readFile(join(root, file), 'utf8');
    const mutants = file.endsWith('.lua') ? mutantsOfLua(source) : mutantsOfTypeScript(source);
    return mutants.map((mutant) => ({ ...mutant, ...linesOf(source, mutant), file }));
  });
  return (await Promise.all(lists)).flat();
};
