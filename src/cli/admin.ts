/** What the commands that call the API share. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { readSecrets } from '../config/secrets.ts';
import { type Api, type ApiCall, type Ask, createApi, toBaseUrl } from './api.ts';
import { type Terminal, usageError } from './terminal.ts';

/** Options of every command of the admin API, as the user gave them. */
export interface CommonOptions {
  readonly url?: string;
  readonly token?: string;
  readonly json?: true;
}

const DEFAULT_URL = 'http://127.0.0.1:3000';

/**
 * Returns the gateway's address without a trailing slash: `--url`, else `TESSERA_URL`, else `DEFAULT_URL`.
 *
 * @throws {CliFault} when it is not an http or https address.
 */
export const readBaseUrl = (options: { readonly url?: string }, { env }: Terminal): string =>
  toBaseUrl(options.url ?? (env.TESSERA_URL || DEFAULT_URL));

/** Returns the API key of `--key` or `TESSERA_KEY`. @throws {CliFault} when there is none. */
export const keyOf = (options: { readonly key?: string }, { env }: Terminal): string => {
  const key = options.key ?? env.TESSERA_KEY;
  if (!key) throw usageError('no API key: set TESSERA_KEY or give --key');
  return key;
};

/** The help text of `--url`. */
export const URL_HELP = `address of the gateway (TESSERA_URL; ${DEFAULT_URL})`;

/** Adds the options of every command that calls the admin API. */
export const withAdminOptions = (command: Command): Command =>
  command
    .option('--url <url>', URL_HELP)
    .option(
      '--token <token>',
      'admin token (ADMIN_TOKEN, or ADMIN_TOKEN_FILE; with the embedded database the file in DATA_DIR)',
    )
    .option('--json', 'print the JSON of the API, for scripts');

const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** Returns the token that a gateway on this machine made for itself. It is sent to this machine only. */
const tokenFromFile = async (url: string, { env, cwd }: Terminal): Promise<string | null> => {
  if (!isLoopback(url)) return null;
  const path = join(resolve(cwd, env.DATA_DIR || './data'), 'admin-token');
  return readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
};

/** Returns the token as a gateway reads it: from `ADMIN_TOKEN`, or from the file that `ADMIN_TOKEN_FILE` names. */
const tokenFromEnvironment = (env: Terminal['env']): string | undefined => {
  const { values, faults } = readSecrets(env, ['ADMIN_TOKEN']);
  if (faults.length > 0) throw usageError(faults.join('\n'));
  return env.ADMIN_TOKEN || values.ADMIN_TOKEN;
};

/**
 * Opens the admin API with the token of `--token`, `ADMIN_TOKEN`, `ADMIN_TOKEN_FILE`, or the file of a gateway on this
 * machine.
 *
 * @throws {CliFault} when there is no token, or its file is unusable.
 */
export const openAdminApi = async (options: CommonOptions, terminal: Terminal): Promise<Api> => {
  const url = readBaseUrl(options, terminal);
  const token = options.token ?? tokenFromEnvironment(terminal.env) ?? (await tokenFromFile(url, terminal));
  if (!token)
    throw usageError(
      'no admin token: set ADMIN_TOKEN or ADMIN_TOKEN_FILE, or DATA_DIR to the folder of the gateway',
    );
  return createApi(url, token);
};

/**
 * Reads the rows of a list, page by page.
 *
 * @param query What is undefined in it is left out.
 * @param most Maximum number of rows.
 * @throws {CliFault}
 */
export const readAllPages = async <Row>(
  api: Api,
  call: ApiCall,
  { query, ...input }: Ask = {},
  most = Number.POSITIVE_INFINITY,
): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (let cursor: string | null | undefined; cursor !== null && rows.length < most; ) {
    const asked = { ...input, query: { limit: 100, ...query, cursor } };
    const page: { data: readonly Row[]; next_cursor: string | null } = await api.call(call, asked);
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows.slice(0, most);
};

/** Prints the answer as JSON with `--json`, or else the text for people. */
export const print = (
  { out }: Terminal,
  { json }: { readonly json?: true },
  answer: unknown,
  forPeople: string,
): void => void out.write(json ? `${JSON.stringify(answer, null, 2)}\n` : forPeople);

/** Parses an argument. @throws {CliFault} when it is not a whole number of at most 15 digits. */
export const parseWholeNumber = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw usageError(`${text} is not a whole number`);
  return Number(text);
};

/** Returns an option parser that throws a `CliFault` for anything but a whole number within these bounds. */
export const createWholeNumberParser =
  (option: string, least: number, most: number) =>
  (text: string): number => {
    const value = parseWholeNumber(text);
    if (value < least || value > most) throw usageError(`${option} must be ${least} to ${most}`);
    return value;
  };
