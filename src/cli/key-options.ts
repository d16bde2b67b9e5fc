/** Options of the commands that call the API with an API key. */
import type { Command } from 'commander';
import { keyOf, readBaseUrl, URL_HELP } from './admin.ts';
import { type Api, createApi } from './api.ts';
import type { Terminal } from './terminal.ts';

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
