import type { Command } from 'commander';
import { type CommonOptions, openAdminApi, print, wholeNumber, withAdminOptions } from '../admin.ts';
import { fields, table } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { pathOf } from './accounts.ts';

interface Key {
  readonly id: string;
  readonly prefix: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly rate_limit_per_second: number | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

interface CreatedKey extends Omit<Key, 'last_used_at'> {
  readonly key: string;
}

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
      const rows = data.map((key) => [
        key.id,
        key.prefix,
        key.name,
        key.scopes.join(','),
        key.rate_limit_per_second,
        key.created_at,
        key.last_used_at,
      ]);
      const header = ['ID', 'KEY', 'NAME', 'SCOPES', 'RATE LIMIT', 'CREATED', 'LAST USED'];
      print(terminal, options, data, table(header, rows));
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
      wholeNumber,
    )
    .action(async (accountId: string, name: string, options: CreateOptions) => {
      const api = await openAdminApi(options, terminal);
      const body = { name, scopes: options.scopes, rateLimitPerSecond: options.rateLimit };
      const made = await api.call<CreatedKey>({ method: 'POST', path: `${pathOf(accountId)}/keys`, body });
      const shown = fields([
        ['id', made.id],
        ['name', made.name],
        ['scopes', made.scopes.join(',')],
        ['rate limit', made.rate_limit_per_second],
        ['key', made.key],
      ]);
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
