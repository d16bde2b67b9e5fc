import type { Command } from 'commander';
import { type CommonOptions, openAdminApi, parseWholeNumber, print, withAdminOptions } from '../admin.ts';
import { formatRows, formatThing } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { pathOf } from './accounts.ts';

/** A key as the admin API answers it. */
type Key = Readonly<Record<string, unknown>>;

interface CreateOptions extends CommonOptions {
  readonly scopes?: string[];
  readonly rateLimit?: number;
}

const list = (text: string): string[] => text.split(',').map((scope) => scope.trim());

/** Adds `keys list`, `create` and `revoke`. */
export const addKeyCommands = (program: Command, terminal: Terminal): void => {
  const keys = program.command('keys').description('make, list and revoke API keys');

  withAdminOptions(keys.command('list <account-id>'))
    .description('list the keys of an account that are not revoked, newest first')
    .action(async (accountId: string, options: CommonOptions) => {
      const api = await openAdminApi(options, terminal);
      const path = `${pathOf(accountId)}/keys`;
      const { data } = await api.call<{ data: readonly Key[] }>({ method: 'GET', path });
      const shown = formatRows(data, {
        ...{ ID: 'id', KEY: 'prefix', NAME: 'name', SCOPES: 'scopes', 'RATE LIMIT': 'rate_limit_per_second' },
        ...{ CREATED: 'created_at', 'LAST USED': 'last_used_at' },
      });
      print(terminal, options, data, shown);
    });

  withAdminOptions(keys.command('create <account-id> <name>'))
    .description('make a key and show it once')
    .option(
      '--scopes <scopes>',
      'any of generate, render and manage, separated by commas; default: all',
      list,
    )
    .option(
      '--rate-limit <n>',
      'requests a second for this key; default: only the limit of the account applies',
      parseWholeNumber,
    )
    .action(async (accountId: string, name: string, options: CreateOptions) => {
      const api = await openAdminApi(options, terminal);
      const body = { name, scopes: options.scopes, rate_limit_per_second: options.rateLimit };
      const made = await api.call<Key>({ method: 'POST', path: `${pathOf(accountId)}/keys`, body });
      const shown = formatThing(made, {
        ...{ id: 'id', name: 'name', scopes: 'scopes' },
        ...{ 'rate limit': 'rate_limit_per_second', key: 'key' },
      });
      print(terminal, options, made, `${shown}\nKeep the key: it is not shown again.\n`);
    });

  withAdminOptions(keys.command('revoke <key-id>'))
    .description('revoke a key; takes effect within a second')
    .action(async (keyId: string, options: CommonOptions) => {
      const api = await openAdminApi(options, terminal);
      await api.call({ method: 'DELETE', path: `/admin/v1/keys/${encodeURIComponent(keyId)}` });
      print(terminal, options, { id: keyId, revoked: true }, `${keyId} is revoked.\n`);
    });
};
