/** What the commands over the admin API share. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Api, createApi, toBaseUrl } from './api.ts';
import { misused } from './fault.ts';
import type { Terminal } from './terminal.ts';

export interface CommonOptions {
  readonly url?: string;
  readonly token?: string;
  readonly json?: true;
}

const DEFAULT_URL = 'http://127.0.0.1:3000';

export const baseUrl = (options: { readonly url?: string }, { env }: Terminal): string =>
  toBaseUrl(options.url ?? (env.TESSERA_URL || DEFAULT_URL));

/** Options of every command that talks to the admin API. */
export const withAdminOptions = (command: Command): Command =>
  command
    .option('--url <url>', `address of the gateway (TESSERA_URL; ${DEFAULT_URL})`)
    .option('--token <token>', 'admin token (ADMIN_TOKEN; with the embedded database the file in DATA_DIR)')
    .option('--json', 'print JSON as the API answers it, for scripts');

const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** The token that a gateway on this machine made for itself; it is not sent anywhere else. */
const tokenFromFile = async (url: string, { env, cwd }: Terminal): Promise<string | null> => {
  if (!isLoopback(url)) return null;
  const path = join(resolve(cwd, env.DATA_DIR || './data'), 'admin-token');
  return readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
};

/** @throws {CliFault} when no admin token is to be found. */
export const openAdminApi = async (options: CommonOptions, terminal: Terminal): Promise<Api> => {
  const url = baseUrl(options, terminal);
  const token = options.token ?? (terminal.env.ADMIN_TOKEN || (await tokenFromFile(url, terminal)));
  if (!token) throw misused('no admin token: set ADMIN_TOKEN, or DATA_DIR to the folder of the gateway');
  return createApi(url, token);
};

/** All rows of a paged list, page after page. */
export const allPages = async <Row>(api: Api, path: string): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  let after = '';
  for (;;) {
    const page = await api.call<{ data: readonly Row[]; next_cursor: string | null }>({
      method: 'GET',
      path: `${path}?limit=100${after}`,
    });
    rows.push(...page.data);
    if (page.next_cursor === null) return rows;
    after = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
};

/** Prints what the API answered, or what people rather read. */
export const print = (
  { out }: Terminal,
  { json }: CommonOptions,
  answer: unknown,
  forPeople: string,
): void => {
  out.write(json ? `${JSON.stringify(answer, null, 2)}\n` : forPeople);
};

export const wholeNumber = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw misused(`${text} is no whole number`);
  return Number(text);
};
