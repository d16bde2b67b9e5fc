import { type Command, Option } from 'commander';
import {
  type CommonOptions,
  openAdminApi,
  parseWholeNumber,
  print,
  readAllPages,
  withAdminOptions,
} from '../../admin.ts';
import { formatRows, formatThing, type Terminal, usageError } from '../../terminal.ts';

/** An account as the admin API answers it. */
export type Account = Readonly<Record<string, unknown>> & { readonly usage?: object };

interface AccountOptions extends CommonOptions {
  readonly plan?: 'free' | 'pro';
  readonly name?: string;
  readonly monthlyQuota?: number | 'plan';
  readonly credits?: number;
}

/** Returns the fields of an account and of its usage side by side. */
export const withUsage = ({ usage, ...account }: Account): Account => ({ ...account, ...usage });

/** Prints an account: a line for each field. */
const printAccount = (terminal: Terminal, options: CommonOptions, account: Account): void =>
  print(
    terminal,
    options,
    account,
    formatThing(withUsage(account), {
      id: 'id',
      name: 'name',
      plan: 'plan',
      'monthly quota': 'monthly_quota',
      credits: 'credits',
      'used this month': 'usage_count',
      remaining: 'remaining',
      resets: 'resets_at',
      created: 'created_at',
    }),
  );

const quotaOrPlan = (text: string): number | 'plan' => (text === 'plan' ? text : parseWholeNumber(text));

/** Returns the quota in the form that the API takes: `null` means the quota of the plan. */
const toQuota = (wanted: AccountOptions['monthlyQuota']): number | null | undefined =>
  wanted === 'plan' ? null : wanted;

const ORDERS = ['created', 'newest', 'name', 'used', 'share'];

interface ListOptions extends CommonOptions {
  readonly search?: string;
  readonly sort?: string;
}

const planOption = (flag: string): Option => new Option('--plan <plan>', flag).choices(['free', 'pro']);
const QUOTA = new Option(
  '--monthly-quota <units>',
  'units a month, or "plan" for the quota of the plan',
).argParser(quotaOrPlan);

/** Adds `accounts list`, `create`, `show` and `update`. */
export const addAccountCommands = (program: Command, terminal: Terminal): void => {
  const accounts = program.command('accounts').description('make, list and change accounts');

  withAdminOptions(accounts.command('list'))
    .description('list all accounts with their usage, oldest first or as --sort says')
    .option('--search <text>', 'only accounts with this id, or with this text in their name')
    .addOption(
      new Option('--sort <order>', 'used and share: only accounts that used units this month').choices(
        ORDERS,
      ),
    )
    .action(async ({ search, sort, ...options }: ListOptions) => {
      const api = await openAdminApi(options, terminal);
      const all = await readAllPages<Account>(api, 'GET /admin/v1/accounts', { query: { search, sort } });
      const shown = formatRows(all.map(withUsage), {
        ID: 'id',
        NAME: 'name',
        PLAN: 'plan',
        USED: 'usage_count',
        QUOTA: 'monthly_quota',
        CREDITS: 'credits',
        REMAINING: 'remaining',
      });
      print(terminal, options, all, shown);
    });

  withAdminOptions(accounts.command('create <name>'))
    .description('make an account')
    .addOption(planOption('required: free or pro').makeOptionMandatory())
    .addOption(QUOTA)
    .option('--credits <units>', 'initial credits', parseWholeNumber)
    .action(async (name: string, options: AccountOptions) => {
      const { plan, monthlyQuota, credits } = options;
      const api = await openAdminApi(options, terminal);
      const body = { name, plan, monthly_quota: toQuota(monthlyQuota), credits };
      printAccount(terminal, options, await api.call('POST /admin/v1/accounts', { body }));
    });

  withAdminOptions(accounts.command('show <account-id>'))
    .description('show one account with its usage')
    .action(async (id: string, options: CommonOptions) => {
      const api = await openAdminApi(options, terminal);
      printAccount(terminal, options, await api.call('GET /admin/v1/accounts/{id}', { path: { id } }));
    });

  withAdminOptions(accounts.command('update <account-id>'))
    .description('change plan, monthly quota or name; takes effect within a second')
    .addOption(planOption('free or pro'))
    .addOption(QUOTA)
    .option('--name <name>', 'new name')
    .action(async (id: string, options: AccountOptions) => {
      const { plan, monthlyQuota, name } = options;
      const body = { plan, monthly_quota: toQuota(monthlyQuota), name };
      if (Object.values(body).every((value) => value === undefined)) {
        throw usageError('nothing to change: give --plan, --monthly-quota or --name');
      }
      const api = await openAdminApi(options, terminal);
      const changed = await api.call<Account>('PATCH /admin/v1/accounts/{id}', { path: { id }, body });
      printAccount(terminal, options, changed);
    });
};

export const addCreditCommands = (program: Command, terminal: Terminal): void => {
  const credits = program.command('credits').description('add credits to an account');

  withAdminOptions(credits.command('add <account-id> <amount>'))
    .description('add credits; each reference counts only once')
    .option('--reference <text>', 'reference of the payment; counts only once, however often it is sent')
    .action(async (id: string, amount: string, options: CommonOptions & { reference?: string }) => {
      const body = { amount: parseWholeNumber(amount), reference: options.reference };
      const api = await openAdminApi(options, terminal);
      const paid = await api.call<Account>('POST /admin/v1/accounts/{id}/credits', { path: { id }, body });
      printAccount(terminal, options, paid);
    });
};
