import { type Command, Option } from 'commander';
import {
  type CommonOptions,
  openAdminApi,
  print,
  readAllPages,
  readBaseUrl,
  withAdminOptions,
} from '../../admin.ts';
import { createApi } from '../../api.ts';
import { formatFields, formatRows, formatTable, type Terminal, usageError } from '../../terminal.ts';
import { type Account, withUsage } from './accounts.ts';

/** The options of a history, as the user gave them. */
interface HistoryOptions {
  readonly history?: true;
  readonly from?: string;
  readonly to?: string;
  readonly interval?: 'hour' | 'day' | 'month';
  readonly group?: 'key' | 'kind';
}

const COUNTS = [
  ...(['calls', 'units', 'monthly', 'credits', 'refunded', 'refunded_late'] as const),
  ...(['load_test_calls', 'load_test_units'] as const),
];

type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

/** The answer of the API. */
export interface History {
  readonly interval: 'hour' | 'day' | 'month';
  readonly total: Counts;
  readonly data: readonly (Counts & {
    readonly from: string;
    readonly key?: { readonly id: string; readonly name: string | null; readonly prefix: string | null };
    readonly kind?: string;
  })[];
}

const PARAMETERS = ['from', 'to', 'interval', 'group'] as const;

const oneOf = (flags: string, about: string, choices: readonly string[]): Option =>
  new Option(flags, `with --history: ${about}`).choices(choices);

/** Adds the options of a history to a command. */
const withHistoryOptions = (command: Command): Command =>
  command
    .option('--history', 'show usage over time; by default this month by day')
    .option('--from <time>', 'with --history: the start, a date or a time with a time zone')
    .option('--to <time>', 'with --history: the end, which is not included')
    .addOption(oneOf('--interval <interval>', 'length of the intervals', ['hour', 'day', 'month']))
    .addOption(oneOf('--group <group>', 'group by API key or by kind of call', ['key', 'kind']));

/** Checks that options of a history come with `--history`. @throws {CliFault} When one does not. */
const checkHistoryOptions = (options: HistoryOptions): void => {
  const alone = options.history ? undefined : PARAMETERS.find((name) => options[name] !== undefined);
  if (alone !== undefined) throw usageError(`--${alone} needs --history`);
};

const queryOf = ({ from, to, interval, group }: HistoryOptions) => ({ from, to, interval, group });

/** The part of an ISO 8601 time that names an interval. */
const SHOWN = { hour: '2026-11-21T13:00', day: '2026-11-21', month: '2026-11' } as const;

/** Lays out a history with its total. */
export const formatHistory = ({ interval, total, data }: History, group: HistoryOptions['group']): string => {
  const cells = (counts: Counts) => COUNTS.map((name) => counts[name]);
  const groupOf = ({ key, kind }: History['data'][number]): readonly string[] => {
    if (key !== undefined) return [key.name === null ? key.id : `${key.name} (${key.prefix})`];
    return kind === undefined ? [] : [kind];
  };
  const rows = data.map((row) => [row.from.slice(0, SHOWN[interval].length), ...groupOf(row), ...cells(row)]);
  const by = group === undefined ? [] : [group.toUpperCase()];
  const headings = COUNTS.map((name) => name.replaceAll('_', ' ').toUpperCase());
  return formatTable(
    ['FROM (UTC)', ...by, ...headings],
    [...rows, ['total', ...by.map(() => ''), ...cells(total)]],
  );
};

type UsageOptions = CommonOptions & HistoryOptions & { readonly key?: string };

/** Shows what the account of a key used. */
const showOwn = async (terminal: Terminal, options: UsageOptions, key: string): Promise<void> => {
  const api = createApi(readBaseUrl(options, terminal), key);
  if (options.history) {
    const history = await api.call<History>('GET /api/v1/usage/history', { query: queryOf(options) });
    return print(terminal, options, history, formatHistory(history, options.group));
  }
  const own = await api.call<object>('GET /api/v1/usage');
  print(terminal, options, own, formatFields(Object.entries(own)));
};

/** Shows what one account used, or all. */
const showAccounts = async (terminal: Terminal, options: UsageOptions, id?: string): Promise<void> => {
  const api = await openAdminApi(options, terminal);
  if (options.history && id !== undefined) {
    const ask = { path: { id }, query: queryOf(options) };
    const history = await api.call<History>('GET /admin/v1/accounts/{id}/usage', ask);
    return print(terminal, options, history, formatHistory(history, options.group));
  }
  const accounts =
    id === undefined
      ? await readAllPages<Account>(api, 'GET /admin/v1/accounts')
      : [await api.call<Account>('GET /admin/v1/accounts/{id}', { path: { id } })];
  const shown = formatRows(accounts.map(withUsage), {
    NAME: 'name',
    PERIOD: 'period',
    USED: 'usage_count',
    'OF QUOTA': 'monthly_used',
    QUOTA: 'monthly_quota',
    CREDITS: 'credits',
    REMAINING: 'remaining',
    RESETS: 'resets_at',
  });
  print(terminal, options, id === undefined ? accounts : accounts[0], shown);
};

export const addUsageCommand = (program: Command, terminal: Terminal): void => {
  withHistoryOptions(withAdminOptions(program.command('usage [account-id]')))
    .description(
      'show the units used this month by all accounts or by one, or usage over time with --history',
    )
    .option('--key <key>', 'show the account of this API key (scope manage), without the admin token')
    .action(async (id: string | undefined, options: UsageOptions) => {
      checkHistoryOptions(options);
      if (options.key === undefined) {
        if (options.history && id === undefined) throw usageError('--history needs an account id or --key');
        return showAccounts(terminal, options, id);
      }
      if (id !== undefined) throw usageError('give an account id or --key, not both');
      return showOwn(terminal, options, options.key);
    });
};
