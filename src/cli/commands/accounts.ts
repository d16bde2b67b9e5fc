import { type Command, Option } from 'commander';
import {
  allPages,
  type CommonOptions,
  openAdminApi,
  print,
  wholeNumber,
  withAdminOptions,
} from '../admin.ts';
import { misused } from '../fault.ts';
import { fields, table } from '../table.ts';
import type { Terminal } from '../terminal.ts';

/** An account as the admin API answers it. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: 'free' | 'pro';
  readonly monthly_quota: number;
  readonly credits: number;
  readonly created_at: string;
  readonly usage?: {
    readonly period: string;
    readonly monthly_used: number;
    readonly usage_count: number;
    readonly remaining: number;
    readonly resets_at: string;
  };
}

interface Wanted extends CommonOptions {
  readonly plan?: 'free' | 'pro';
  readonly name?: string;
  readonly monthlyQuota?: number | 'plan';
  readonly credits?: number;
}

/** Returns the path of an account in the admin API. */
export const pathOf = (accountId: string): string => `/admin/v1/accounts/${encodeURIComponent(accountId)}`;

/** Lays out an account for people: a line for each field. */
export const describe = (account: Account): string =>
  fields([
    ['id', account.id],
    ['name', account.name],
    ['plan', account.plan],
    ['monthly quota', account.monthly_quota],
    ['credits', account.credits],
    ...(account.usage === undefined
      ? []
      : ([
          ['used this month', account.usage.usage_count],
          ['remaining', account.usage.remaining],
          ['resets', account.usage.resets_at],
        ] as const)),
    ['created', account.created_at],
  ]);

const quotaOrPlan = (text: string): number | 'plan' => (text === 'plan' ? text : wholeNumber(text));

/** Returns the quota in the form that the API takes: `null` means the quota of the plan. */
const toQuota = (wanted: Wanted['monthlyQuota']): number | null | undefined =>
  wanted === 'plan' ? null : wanted;

const PLAN = new Option('--plan <plan>', 'free or pro').choices(['free', 'pro']);
const QUOTA = new Option(
  '--monthly-quota <units>',
  'units a month; "plan" for the quota of the plan',
).argParser(quotaOrPlan);

/** Adds `accounts list`, `create`, `show` and `update`. */
export const addAccountCommands = (program: Command, terminal: Terminal): void => {
  const accounts = program.command('accounts').description('make, list and change accounts');

  withAdminOptions(accounts.command('list'))
    .description('list all accounts with their usage, oldest first')
    .option('--search <text>', 'only the account of this id, or whose name includes the text')
    .action(async ({ search, ...options }: CommonOptions & { readonly search?: string }) => {
      const api = await openAdminApi(options, terminal);
      const all = await allPages<Account>(api, '/admin/v1/accounts', search === undefined ? {} : { search });
      const rows = all.map(({ id, name, plan, monthly_quota, credits, usage }) => [
        id,
        name,
        plan,
        usage?.usage_count ?? null,
        monthly_quota,
        credits,
        usage?.remaining ?? null,
      ]);
      const headings = ['ID', 'NAME', 'PLAN', 'USED', 'QUOTA', 'CREDITS', 'REMAINING'];
      print(terminal, options, all, table(headings, rows));
    });

  withAdminOptions(accounts.command('create <name>'))
    .description('make an account')
    .addOption(
      new Option('--plan <plan>', 'required: free or pro').choices(['free', 'pro']).makeOptionMandatory(),
    )
    .addOption(QUOTA)
    .option('--credits <units>', 'credits to begin with', wholeNumber)
    .action(async (name: string, options: Wanted) => {
      const { plan, monthlyQuota, credits } = options;
      const api = await openAdminApi(options, terminal);
      const body = { name, plan, monthlyQuota: toQuota(monthlyQuota), credits };
      const made = await api.call<Account>({ method: 'POST', path: '/admin/v1/accounts', body });
      print(terminal, options, made, describe(made));
    });

  withAdminOptions(accounts.command('show <account-id>'))
    .description('show one account with its usage')
    .action(async (id: string, options: CommonOptions) => {
      const api = await openAdminApi(options, terminal);
      const account = await api.call<Account>({ method: 'GET', path: pathOf(id) });
      print(terminal, options, account, describe(account));
    });

  withAdminOptions(accounts.command('update <account-id>'))
    .description('change plan, monthly quota or name; takes effect within a second')
    .addOption(PLAN)
    .addOption(QUOTA)
    .option('--name <name>', 'new name')
    .action(async (id: string, options: Wanted) => {
      const { plan, monthlyQuota, name } = options;
      const body = { plan, monthlyQuota: toQuota(monthlyQuota), name };
      if (Object.values(body).every((value) => value === undefined)) {
        throw misused('nothing to change: give --plan, --monthly-quota or --name');
      }
      const api = await openAdminApi(options, terminal);
      const account = await api.call<Account>({ method: 'PATCH', path: pathOf(id), body });
      print(terminal, options, account, describe(account));
    });
};
