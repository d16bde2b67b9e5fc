import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Module } from './modules.ts';
import { type Lines, linesOf, type Mutant, mutantsOfLua, mutantsOfTypeScript } from './mutants.ts';
import { otherMutantsOfTypeScript } from './other-mutants.ts';

/** A mutant of a file of the project. */
export interface Found extends Mutant, Lines {
  /** The file's path within the project. */
  readonly file: string;
}

/**
 * Returns all mutants of a module's sources, in their order.
 *
 * @param root The project's folder.
 * @param others Those of other kinds instead; of Lua there is one kind.
 */
export const mutantsOf = async (root: string, { sources }: Module, others = false): Promise<Found[]> => {
  const ofTypeScript = others ? otherMutantsOfTypeScript : mutantsOfTypeScript;
  const lists = sources.map(async (file) => {
    const source = await readFile(join(root, file), 'utf8');
    const mutants = file.endsWith('.lua') ? mutantsOfLua(source) : ofTypeScript(source);
    return mutants.map((mutant) => ({ ...mutant, ...linesOf(source, mutant), file }));
  });
  return (await Promise.all(lists)).flat();
};
