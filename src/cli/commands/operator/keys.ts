import type { Command } from 'commander';
import { type CommonOptions, openAdminApi, parseWholeNumber, print, withAdminOptions } from '../../admin.ts';
import { formatRows, formatThing, type Terminal, usageError } from '../../terminal.ts';

/** A key as the admin API answers it. */
type Key = Readonly<Record<string, unknown>>;
type Keys = { readonly data: readonly Key[] };

/** Bounds as they are given. */
interface Bounds extends CommonOptions {
  readonly rateLimit?: number | 'none';
  readonly monthlyQuota?: number | 'none';
  readonly expires?: string;
}

interface CreateOptions extends Bounds {
  readonly scopes?: string[];
  readonly sandbox?: true;
  readonly loadTests?: true;
}

interface UpdateOptions extends Bounds {
  readonly name?: string;
}

/** Returns a bound in the form that the API takes: `null` means none. */
const toBound = <T>(given: T | 'none'): T | null => (given === 'none' ? null : given);

const toBounds = ({ rateLimit, monthlyQuota, expires }: Bounds) => ({
  rate_limit_per_second: toBound(rateLimit),
  monthly_quota: toBound(monthlyQuota),
  expires_at: toBound(expires),
});

const numberOrNone = (text: string): number | 'none' => (text === 'none' ? text : parseWholeNumber(text));

/** Shows a key: a line for each field. */
const formatKey = (key: Key): string =>
  formatThing(key, {
    id: 'id',
    name: 'name',
    scopes: 'scopes',
    sandbox: 'sandbox',
    'load tests': 'load_tests',
    'rate limit': 'rate_limit_per_second',
    'monthly quota': 'monthly_quota',
    'used this month': 'usage_count',
    expires: 'expires_at',
    key: 'key',
  });

const list = (text: string): string[] => text.split(',').map((scope) => scope.trim());

/** Adds `keys list`, `create`, `update`, `rotate` and `revoke`. */
export const addKeyCommands = (program: Command, terminal: Terminal): void => {
  const keys = program.command('keys').description('make, list, change, replace and revoke API keys');
  addMaking(keys, terminal);
  addChanging(keys, terminal);
};

const addMaking = (keys: Command, terminal: Terminal): void => {
  withAdminOptions(keys.command('list <account-id>'))
    .description('list the keys of an account that are not revoked, newest first')
    .action(async (id: string, options: CommonOptions) => {
      const api = await openAdminApi(options, terminal);
      const { data } = await api.call<Keys>('GET /admin/v1/accounts/{id}/keys', { path: { id } });
      const shown = formatRows(data, {
        ID: 'id',
        KEY: 'prefix',
        NAME: 'name',
        SCOPES: 'scopes',
        'RATE LIMIT': 'rate_limit_per_second',
        USED: 'usage_count',
        QUOTA: 'monthly_quota',
        EXPIRES: 'expires_at',
        CREATED: 'created_at',
        'LAST USED': 'last_used_at',
        'MADE BY': 'made_by',
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
    .option('--monthly-quota <units>', 'units a month; default: as many as the account has', parseWholeNumber)
    .option('--expires <time>', 'a time, or a date (its start in UTC); default: never')
    .option('--sandbox', 'make a key for trying out: its pictures say TEST, and nothing is charged or saved')
    .option('--load-tests', 'its calls may have Tessera-Load-Test, which marks those of a load test')
    .action(async (id: string, name: string, options: CreateOptions) => {
      const api = await openAdminApi(options, terminal);
      const { scopes, sandbox, loadTests } = options;
      const body = { name, scopes, sandbox, load_tests: loadTests, ...toBounds(options) };
      const made = await api.call<Key>('POST /admin/v1/accounts/{id}/keys', { path: { id }, body });
      print(terminal, options, made, `${formatKey(made)}\nKeep the key: it is not shown again.\n`);
    });
};

const addChanging = (keys: Command, terminal: Terminal): void => {
  withAdminOptions(keys.command('update <key-id>'))
    .description('change the name or the bounds of a key; takes effect within a second')
    .option('--name <name>', 'new name')
    .option('--rate-limit <n>', 'requests a second for this key, or "none"', numberOrNone)
    .option('--monthly-quota <units>', 'units a month, or "none"', numberOrNone)
    .option('--expires <time>', 'a time, a date (its start in UTC), or "none"')
    .action(async (id: string, options: UpdateOptions) => {
      const body = { name: options.name, ...toBounds(options) };
      if (Object.values(body).every((value) => value === undefined))
        throw usageError('nothing to change: give --name, --rate-limit, --monthly-quota or --expires');
      const api = await openAdminApi(options, terminal);
      const changed = await api.call<Key>('PATCH /admin/v1/keys/{id}', { path: { id }, body });
      print(terminal, options, changed, formatKey(changed));
    });

  withAdminOptions(keys.command('rotate <key-id>'))
    .description('make a key like another one, which works on for a while, and show it once')
    .option(
      '--overlap-hours <n>',
      'how long the old key works on; 0 revokes it; default: 24',
      parseWholeNumber,
    )
    .option(
      '--expires <time>',
      'of the new key: a time, a date (its start in UTC), or "none"; default: as before',
    )
    .action(async (id: string, options: CommonOptions & { overlapHours?: number; expires?: string }) => {
      const api = await openAdminApi(options, terminal);
      const body = { overlap_hours: options.overlapHours, expires_at: toBound(options.expires) };
      const made = await api.call<Key>('POST /admin/v1/keys/{id}/rotate', { path: { id }, body });
      print(terminal, options, made, `${formatKey(made)}\nKeep the new key: it is not shown again.\n`);
    });

  withAdminOptions(keys.command('revoke <key-id>'))
    .description('revoke a key and the signing secrets that it made; takes effect within a second')
    .option('--with-made', 'revoke the keys that it made too')
    .action(async (id: string, options: CommonOptions & { readonly withMade?: true }) => {
      const api = await openAdminApi(options, terminal);
      const query = { with_made: options.withMade };
      await api.call('DELETE /admin/v1/keys/{id}', { path: { id }, query });
      print(terminal, options, { id, revoked: true }, `${id} is revoked.\n`);
    });
};
