/** Which options of `bulk` go with `--remote`. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { misused } from '../fault.ts';

/** Options that have no meaning for a batch, and why. */
const LOCAL: Readonly<Record<string, string>> = {
  minGrade: '--min-grade: a batch makes pictures of every grade; the manifest and the batch say which',
  repair: '--repair: a batch draws designs as they are',
  concurrency: '--concurrency: the gateway decides how much of a batch it makes at once',
  payAgain: '--pay-again: a batch is never sent twice',
};

const REMOTE: readonly (readonly [string, string])[] = [
  ['design', '--design'],
  ['onError', '--on-error'],
];

const isGiven = (command: Command, name: string): boolean => command.getOptionValueSource(name) === 'cli';

/** @throws {CliFault} when an option was given that a batch does not have. */
export const refuseLocalOptions = (command: Command): void => {
  for (const [name, why] of Object.entries(LOCAL))
    if (isGiven(command, name)) throw misused(`not with --remote: ${why}`);
};

/** @throws {CliFault} when an option was given that only a batch has. */
export const refuseRemoteOptions = (command: Command): void => {
  for (const [name, option] of REMOTE) if (isGiven(command, name)) throw misused(`${option} needs --remote`);
};

/** A header of more is refused by the gateway. */
const DESIGN_MAX_BYTES = 8192;

/** Reads a design. Returns its JSON in ASCII, for a header. @throws {CliFault} when it is none, or too long. */
export const readDesign = async (path: string): Promise<string> => {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw misused(`${path} cannot be read: ${error.message}`);
  });
  let design: unknown;
  try {
    design = JSON.parse(text);
  } catch {
    throw misused(`${path} is not JSON`);
  }
  const written = JSON.stringify(design).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  if (written.length > DESIGN_MAX_BYTES)
    throw misused(`${path} has more than ${DESIGN_MAX_BYTES} bytes; give its logo by URL`);
  return written;
};
