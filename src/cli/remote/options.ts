/** Which options of `bulk` go with `--remote`. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { namesOf, parseTemplate } from '../../csv/template.ts';
import type { PrintQuery } from '../../generate/request/print.ts';
import type { Composed } from '../bulk/input/source.ts';
import { usageError } from '../fault.ts';

/** Options that have no meaning for a batch, and why. */
const LOCAL: Readonly<Record<string, string>> = {
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
    if (isGiven(command, name)) throw usageError(`not with --remote: ${why}`);
};

/** @throws {CliFault} when an option was given that only a batch has. */
export const refuseRemoteOptions = (command: Command): void => {
  for (const [name, option] of REMOTE)
    if (isGiven(command, name)) throw usageError(`${option} needs --remote`);
};

/** The gateway refuses a longer header. */
const DESIGN_MAX_BYTES = 8192;

interface Options {
  readonly print?: PrintQuery;
  readonly template?: unknown;
  readonly qrOptions?: { readonly gs1?: unknown };
  readonly gs1?: { readonly columns?: object };
}

/** Returns the names in the templates of options. Their faults are left to the gateway. */
const composedOf = ({ template, qrOptions, gs1 }: Options): Composed => {
  if (template === undefined && qrOptions?.gs1 === undefined) return null;
  const texts = template === undefined ? Object.values(gs1?.columns ?? {}) : [template];
  return texts.flatMap((text) => {
    const parsed = parseTemplate(String(text));
    return parsed.ok ? namesOf(parsed.value) : [];
  });
};

/** Reads the options for all rows. @throws {CliFault} when the file has none. */
const readOptions = async (path: string): Promise<Options> => {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw usageError(`${path} cannot be read: ${error.message}`);
  });
  let options: unknown;
  try {
    options = JSON.parse(text);
  } catch {
    throw usageError(`${path} is not JSON`);
  }
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw usageError(`${path} is not a JSON object`);
  return options;
};

/** Overrides the file's sizes and colours with the command's. A side of either kind replaces both kinds. */
const withPrint = (options: Options, asked: PrintQuery): Options => {
  const { module_mm, width_mm, ...rest } = options.print ?? {};
  const hasSide = asked.module_mm !== undefined || asked.width_mm !== undefined;
  const base = hasSide ? rest : options.print;
  const print = { ...base, ...asked };
  return Object.keys(print).length === 0 ? options : { ...options, print };
};

const inAscii = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * Returns the options for all rows as JSON in ASCII, for the header `Design`, `null` when there are none; and the names in
 * their templates.
 *
 * @param path A file with options, or `null`.
 * @param print What the command asks for in addition.
 * @throws {CliFault} when the file has none, or they are too long.
 */
export const readDesign = async (path: string | null, print: PrintQuery) => {
  const design = withPrint(path === null ? {} : await readOptions(path), print);
  if (Object.keys(design).length === 0) return { design: null, composed: null };
  const written = inAscii(design);
  if (written.length > DESIGN_MAX_BYTES)
    throw usageError(`${path} has more than ${DESIGN_MAX_BYTES} bytes; give its logo by URL`);
  return { design: written, composed: composedOf(design) };
};
