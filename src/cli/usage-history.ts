/** Asks for usage over time, and lays it out for people. */
import { type Command, Option } from 'commander';
import type { Api } from './api.ts';
import { misused } from './fault.ts';
import { table } from './table.ts';

/** The options of a history, as the user gave them. */
export interface HistoryOptions {
  readonly history?: true;
  readonly from?: string;
  readonly to?: string;
  readonly interval?: 'hour' | 'day' | 'month';
  readonly group?: 'key' | 'kind';
}

interface Counts {
  readonly calls: number;
  readonly units: number;
  readonly monthly: number;
  readonly credits: number;
  readonly refunded: number;
  readonly refunded_late: number;
}

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

/** Adds the options of a history to a command. */
export const withHistoryOptions = (command: Command): Command =>
  command
    .option('--history', 'show what was used over time; without other options this month by day')
    .option('--from <time>', 'with --history: the start, a date or a time with its zone')
    .option('--to <time>', 'with --history: the end, which is not included')
    .addOption(
      new Option('--interval <interval>', 'with --history: by what it is summed up').choices([
        'hour',
        'day',
        'month',
      ]),
    )
    .addOption(
      new Option('--group <group>', 'with --history: divide by API key or kind of call').choices([
        'key',
        'kind',
      ]),
    );

/** Checks that options of a history come with `--history`. @throws {CliFault} When one does not. */
export const checkHistoryOptions = (options: HistoryOptions): void => {
  const alone = options.history ? undefined : PARAMETERS.find((name) => options[name] !== undefined);
  if (alone !== undefined) throw misused(`--${alone} needs --history`);
};

/** Reads a history. @param path Without a query. @throws {CliFault} When the gateway refuses. */
export const readHistory = (api: Api, path: string, options: HistoryOptions): Promise<History> => {
  const query = new URLSearchParams();
  for (const name of PARAMETERS) if (options[name] !== undefined) query.set(name, options[name]);
  return api.call<History>({ method: 'GET', path: query.size === 0 ? path : `${path}?${query}` });
};

/** How much of an ISO 8601 time names an interval. */
const SHOWN = { hour: '2026-11-21T13:00', day: '2026-11-21', month: '2026-11' } as const;

/** Lays out a history with its total. */
export const historyTable = ({ interval, total, data }: History, group: HistoryOptions['group']): string => {
  const cells = ({ calls, units, monthly, credits, refunded, refunded_late }: Counts) => [
    calls,
    units,
    monthly,
    credits,
    refunded,
    refunded_late,
  ];
  const groupOf = ({ key, kind }: History['data'][number]): readonly string[] => {
    if (key !== undefined) return [key.name === null ? key.id : `${key.name} (${key.prefix})`];
    return kind === undefined ? [] : [kind];
  };
  const rows = data.map((row) => [row.from.slice(0, SHOWN[interval].length), ...groupOf(row), ...cells(row)]);
  const by = group === undefined ? [] : [group.toUpperCase()];
  return table(
    ['FROM (UTC)', ...by, 'CALLS', 'UNITS', 'MONTHLY', 'CREDITS', 'REFUNDED', 'REFUNDED LATE'],
    [...rows, ['total', ...by.map(() => ''), ...cells(total)]],
  );
};
