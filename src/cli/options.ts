/** Options that several commands have: how a file is read, how codes look, and whom a command calls. */

import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { FORMATS, namesOf } from '../../workers/lists.ts';
import { readEncoding } from '../csv/charset.ts';
import { keyOf, readBaseUrl, URL_HELP } from './admin.ts';
import { type Api, createApi } from './api.ts';
import { addColumn, INPUT_FORMATS } from './bulk/source.ts';
import { type Terminal, usageError } from './terminal.ts';

/** Adds `--column`. */
export const withColumn = (command: Command): Command =>
  command.option(
    '--column <field=name>',
    'column of a field, such as data="Web address"; "width=" means that width has no column; may be repeated',
    addColumn,
  );

/** Adds `--column` and `--other-columns`. */
export const withColumns = (command: Command): Command =>
  withColumn(command).addOption(
    new Option('--other-columns <do>', 'what to do with columns that are not fields')
      .choices(['refuse', 'skip'])
      .default('refuse'),
  );

const toEncoding = (label: string): string => {
  const encoding = readEncoding(label);
  if (!encoding.ok) throw usageError(`--encoding: ${encoding.fault}`);
  return encoding.value;
};

/** Adds `--encoding`. */
export const withEncoding = (command: Command): Command =>
  command.option(
    '--encoding <name>',
    'encoding of a CSV file that is neither UTF-8 nor UTF-16 with a byte order mark, such as windows-1251',
    toEncoding,
  );

/** Makes the option for the format of the file. */
export const formatOption = (flag: string): Option =>
  new Option(`${flag} <format>`, 'format of the file; default: by its extension').choices([...INPUT_FORMATS]);

/** Reads JSON. @param source The path of a file, or standard input. @throws {CliFault} */
export const readJsonFile = async (source: string | Terminal['input']): Promise<unknown> => {
  const name = typeof source === 'string' ? source : 'standard input';
  const text = await (typeof source === 'string' ? readFile(source, 'utf8') : textOf(source)).catch(
    (error: Error) => {
      throw usageError(`${name} cannot be read: ${error.message}`);
    },
  );
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(`${name} is not JSON`);
  }
};

/** Returns the JSON of `--forward`; `null` for an empty text. @throws {CliFault} */
export const parseForward = (text: string): unknown => {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    throw usageError('--forward must be JSON, such as {"query": "keep-own", "path": true}');
  }
};

/** Reads the JSON object of `--design`. @throws {CliFault} */
export const readDesignFile = async (path: string): Promise<object> => {
  const design = await readJsonFile(path);
  if (typeof design === 'object' && design !== null && !Array.isArray(design)) return design;
  throw usageError(`${path} is not a JSON object`);
};

/** Returns the media type of a picture by the name of the file of `--out`. @throws {CliFault} */
export const mediaTypeOf = (path: string): string => {
  const format = namesOf(FORMATS).find((each) => extname(path).toLowerCase() === `.${each}`);
  if (format !== undefined) return FORMATS[format].mediaType;
  throw usageError(
    `--out must end with one of ${namesOf(FORMATS)
      .map((each) => `.${each}`)
      .join(', ')}`,
  );
};

/** What a command asks of its codes besides their options. */
interface AskedCode {
  /** The own domain of short links, or `shared`. */
  readonly domain?: string | undefined;
  /** Id or name of a preset of the account. */
  readonly preset?: string | undefined;
  /** Pictures of a lower grade are not made. */
  readonly minGrade?: number | string | undefined;
  /** Designs below the minimum grade are repaired; without one, those below grade 4. */
  readonly repair?: true | undefined;
}

/** Returns the request headers that ask for it. A name is sent in UTF-8, which `fetch` takes as Latin-1. */
export const codeHeaders = ({
  domain,
  preset,
  minGrade,
  repair,
}: AskedCode): Readonly<Record<string, string>> => ({
  ...(domain === undefined ? {} : { 'tessera-domain': domain }),
  ...(preset === undefined ? {} : { 'tessera-preset': Buffer.from(preset).toString('latin1') }),
  ...(minGrade === undefined ? {} : { 'tessera-min-grade': String(minGrade) }),
  ...(repair && { 'tessera-repair': 'true' }),
});

/** Whom a command calls, and how it prints. */
export interface KeyOptions {
  readonly key?: string;
  readonly url?: string;
  readonly json?: true;
}

/** Adds `--key` and `--url`. @param scope The scope that the key needs. */
export const withKey = (command: Command, scope: 'generate' | 'manage'): Command =>
  command
    .option('--key <key>', `API key with the scope ${scope} (TESSERA_KEY)`)
    .option('--url <url>', URL_HELP);

/** Adds `--key`, `--url` and `--json`. @param scope The scope that the key needs. */
export const withKeyOptions = (command: Command, scope: 'generate' | 'manage'): Command =>
  withKey(command, scope).option('--json', 'print the JSON of the API, for scripts');

/** Opens the API with the key of the command. @throws {CliFault} when there is none. */
export const openApi = (options: KeyOptions, terminal: Terminal): Api =>
  createApi(readBaseUrl(options, terminal), keyOf(options, terminal));
