import type { Command } from 'commander';
import { parseWholeNumber, print, readAllPages } from '../../admin.ts';
import type { Ask } from '../../api.ts';
import type { Row } from '../../codes/lists.ts';
import { type KeyOptions, openApi, withKeyOptions } from '../../key-options.ts';
import { formatRows, formatThing } from '../../table.ts';
import type { Terminal } from '../../terminal.ts';

interface TakeOptions extends KeyOptions {
  readonly once?: string;
}

/** Writes numbers for people as they appear in codes, without commas. */
const inDigits = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  );

const FIELDS = { name: 'name', next: 'next', made: 'created_at' };

const pathOf = (name: string): string => `/api/v1/counters/${encodeURIComponent(name)}`;

/** Adds `counters list`, `set`, `blocks` and `take`. */
export const addCounterCommands = (program: Command, terminal: Terminal): void => {
  const counters = program.command('counters').description('list, make and raise counters, and take numbers');
  const add = (usage: string): Command => withKeyOptions(counters.command(usage), 'generate');
  const callAndPrint = async (options: KeyOptions, ask: Ask, fields: Readonly<Record<string, string>>) => {
    const answer = await openApi(options, terminal).call<Row>(ask);
    print(terminal, options, answer, formatThing(inDigits(answer), fields));
  };

  add('list')
    .description('list the counters of the account')
    .action(async (options: KeyOptions) => {
      const ask = { method: 'GET', path: '/api/v1/counters' } as const;
      const { data } = await openApi(options, terminal).call<{ data: readonly Row[] }>(ask);
      print(
        terminal,
        options,
        data,
        formatRows(data.map(inDigits), { NAME: 'name', NEXT: 'next', MADE: 'created_at' }),
      );
    });

  add('set <name> <next>')
    .description('make a counter, or raise its next number')
    .action((name: string, next: string, options: KeyOptions) =>
      callAndPrint(
        options,
        { method: 'PUT', path: pathOf(name), body: { next: parseWholeNumber(next) } },
        FIELDS,
      ),
    );

  add('blocks <name>')
    .description('list the blocks of numbers that a counter gave, the last one first')
    .action(async (name: string, options: KeyOptions) => {
      const blocks = await readAllPages<Row>(openApi(options, terminal), `${pathOf(name)}/blocks`);
      const shown = formatRows(blocks.map(inDigits), {
        ...{ FIRST: 'first', LAST: 'last', BATCH: 'batch_id', MADE: 'made', FAILED: 'failed', AT: 'at' },
      });
      print(terminal, options, blocks, shown);
    });

  add('take <name> <count>')
    .description('take numbers for codes that are printed elsewhere')
    .option('--once <key>', 'Idempotency-Key: the same command takes numbers once in 24 hours')
    .action((name: string, count: string, { once, ...options }: TakeOptions) =>
      callAndPrint(
        options,
        {
          ...{ method: 'POST', path: `${pathOf(name)}/take`, body: { count: parseWholeNumber(count) } },
          ...(once === undefined ? {} : { headers: { 'idempotency-key': once } }),
        },
        { first: 'first', last: 'last' },
      ),
    );
};
