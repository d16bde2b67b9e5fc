import type { Command } from 'commander';
import { allPages, baseUrl, type CommonOptions, openAdminApi, print, withAdminOptions } from '../admin.ts';
import { createApi } from '../api.ts';
import { misused } from '../fault.ts';
import { fields, table } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import {
  checkHistoryOptions,
  type HistoryOptions,
  historyTable,
  readHistory,
  withHistoryOptions,
} from '../usage-history.ts';
import { type Account, pathOf } from './accounts.ts';

interface OwnUsage {
  readonly plan: string;
  readonly period: string;
  readonly monthly_quota: number;
  readonly monthly_used: number;
  readonly credits: number;
  readonly usage_count: number;
  readonly remaining: number;
  readonly resets_at: string;
}

const HEADINGS = ['NAME', 'PERIOD', 'USED', 'OF QUOTA', 'QUOTA', 'CREDITS', 'REMAINING', 'RESETS'];

const rowOf = ({ name, monthly_quota, credits, usage }: Account) => [
  name,
  usage?.period ?? null,
  usage?.usage_count ?? null,
  usage?.monthly_used ?? null,
  monthly_quota,
  credits,
  usage?.remaining ?? null,
  usage?.resets_at ?? null,
];

type UsageOptions = CommonOptions & HistoryOptions & { readonly key?: string };

/** Shows what the account of a key used. */
const showOwn = async (terminal: Terminal, options: UsageOptions, key: string): Promise<void> => {
  const api = createApi(baseUrl(options, terminal), key);
  if (options.history) {
    const history = await readHistory(api, '/api/v1/usage/history', options);
    return print(terminal, options, history, historyTable(history, options.group));
  }
  const own = await api.call<OwnUsage>({ method: 'GET', path: '/api/v1/usage' });
  print(terminal, options, own, fields(Object.entries(own)));
};

/** Shows what one account used, or all. */
const showAccounts = async (terminal: Terminal, options: UsageOptions, id?: string): Promise<void> => {
  const api = await openAdminApi(options, terminal);
  if (options.history && id !== undefined) {
    const history = await readHistory(api, `${pathOf(id)}/usage`, options);
    return print(terminal, options, history, historyTable(history, options.group));
  }
  const accounts =
    id === undefined
      ? await allPages<Account>(api, '/admin/v1/accounts')
      : [await api.call<Account>({ method: 'GET', path: pathOf(id) })];
  print(terminal, options, id === undefined ? accounts : accounts[0], table(HEADINGS, accounts.map(rowOf)));
};

/** Adds `usage`. */
export const addUsageCommand = (program: Command, terminal: Terminal): void => {
  withHistoryOptions(withAdminOptions(program.command('usage [account-id]')))
    .description('show the units used this month, of all accounts or of one; with --history over time')
    .option('--key <key>', 'show the account of this API key (scope manage); needs no admin token')
    .action(async (id: string | undefined, options: UsageOptions) => {
      checkHistoryOptions(options);
      if (options.key === undefined) {
        if (options.history && id === undefined) throw misused('--history needs an account id or --key');
        return showAccounts(terminal, options, id);
      }
      if (id !== undefined) throw misused('give an account id or --key, not both');
      return showOwn(terminal, options, options.key);
    });
};
