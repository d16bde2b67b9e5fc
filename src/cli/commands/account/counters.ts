import type { Command } from 'commander';
import { parseWholeNumber, print, readAllPages } from '../../admin.ts';
import type { ApiCall, Ask } from '../../api.ts';
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

/** Adds `counters list`, `set`, `blocks` and `take`. */
export const addCounterCommands = (program: Command, terminal: Terminal): void => {
  const counters = program.command('counters').description('list, make and raise counters, and take numbers');
  const add = (usage: string): Command => withKeyOptions(counters.command(usage), 'generate');
  const callAndPrint = async (
    options: KeyOptions,
    call: ApiCall,
    ask: Ask,
    fields: Readonly<Record<string, string>>,
  ) => {
    const answer = await openApi(options, terminal).call<Row>(call, ask);
    print(terminal, options, answer, formatThing(inDigits(answer), fields));
  };

  add('list')
    .description('list the counters of the account')
    .action(async (options: KeyOptions) => {
      const api = openApi(options, terminal);
      const { data } = await api.call<{ data: readonly Row[] }>('GET /api/v1/counters');
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
        'PUT /api/v1/counters/{name}',
        { path: { name }, body: { next: parseWholeNumber(next) } },
        FIELDS,
      ),
    );

  add('blocks <name>')
    .description('list the blocks of numbers that a counter gave, the last one first')
    .action(async (name: string, options: KeyOptions) => {
      const api = openApi(options, terminal);
      const blocks = await readAllPages<Row>(api, 'GET /api/v1/counters/{name}/blocks', { path: { name } });
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
        'POST /api/v1/counters/{name}/take',
        {
          path: { name },
          body: { count: parseWholeNumber(count) },
          headers: { 'idempotency-key': once },
        },
        { first: 'first', last: 'last' },
      ),
    );
};
