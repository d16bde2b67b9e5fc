import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { keyOf, parseWholeNumber, print, readAllPages, readBaseUrl } from '../../admin.ts';
import type { ApiCall, Ask } from '../../api.ts';
import type { BatchBody } from '../../bulk/batch.ts';
import { collectTexts, type Row } from '../../lists.ts';
import { type KeyOptions, openApi, withKeyOptions } from '../../options.ts';
import { wholeOf } from '../../receive.ts';
import { formatFields, formatRows, formatThing, type Terminal, usageError } from '../../terminal.ts';
import { conclude } from '../bulk.ts';

interface Options extends KeyOptions {
  readonly out?: string;
}

/** Adds `batches list`, `show`, `cancel`, `download` and `reprint`. */
export const addBatchCommands = (program: Command, terminal: Terminal): void => {
  const batches = program.command('batches').description('list, show, cancel and download batches');
  const add = (usage: string): Command => withKeyOptions(batches.command(usage), 'generate');
  const callAndPrint = async (call: ApiCall, id: string, options: Options): Promise<void> => {
    const batch = await openApi(options, terminal).call<BatchBody>(call, { path: { id } });
    print(terminal, options, batch, formatFields(Object.entries(batch)));
  };

  add('list')
    .description('list the batches of the account, newest first')
    .action(async (options: Options) => {
      const rows = await readAllPages<BatchBody>(openApi(options, terminal), 'GET /api/v1/batches');
      const shown = formatRows(rows, {
        ID: 'id',
        STATE: 'state',
        ROWS: 'rows',
        MADE: 'made',
        FAILED: 'failed',
        ERRORS: 'errors',
        CREATED: 'created_at',
        FINISHED: 'finished_at',
        EXPIRES: 'expires_at',
      });
      print(terminal, options, rows, shown);
    });

  add('show <batch-id>')
    .description('show a batch with its progress')
    .action((id: string, options: Options) => callAndPrint('GET /api/v1/batches/{id}', id, options));

  add('cancel <batch-id>')
    .description('end a batch after the pieces in progress; codes that were made stay and are charged')
    .action((id: string, options: Options) => callAndPrint('POST /api/v1/batches/{id}/cancel', id, options));

  add('download <batch-id>')
    .description('save the files of a batch and their manifest, even while it runs')
    .option(
      '--out <folder>',
      'new or empty folder, or that of an earlier download to continue; default: batch-<id>',
    )
    .action(async (id: string, options: Options) => {
      const out = resolve(terminal.cwd, options.out ?? `batch-${id}`);
      const run = { out, url: readBaseUrl(options, terminal), key: keyOf(options, terminal) };
      const { runDownload } = await import('../../bulk/run.ts');
      conclude(await runDownload(run, id, terminal), options, terminal);
    });
  addReprint(batches, terminal);
};

interface ReprintOptions extends KeyOptions {
  readonly rows?: string;
  readonly externalId?: readonly string[];
  readonly out?: string;
}

/** Returns the rows of `--rows`: a range such as `300-420`, or a list such as `300,312`. @throws {CliFault} */
const rowsOf = (text: string) => {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined)
    return { from: parseWholeNumber(from), to: parseWholeNumber(to) };
  return { rows: text.split(',').map((row) => parseWholeNumber(row.trim())) };
};

/** Adds `batches reprint`. */
const addReprint = (batches: Command, terminal: Terminal): void => {
  withKeyOptions(batches.command('reprint <batch-id>'), 'generate')
    .description('save the files of some rows again, without new numbers and units')
    .option('--rows <rows>', 'a range such as 300-420, or a list such as 300,312')
    .option('--external-id <id>', 'row with this id of your own; may be repeated', collectTexts)
    .option('--out <file>', 'name of the ZIP; default: reprint-<id>.zip')
    .action(async (id: string, options: ReprintOptions) => {
      const { rows, externalId, out = `reprint-${id}.zip` } = options;
      if ((rows === undefined) === (externalId === undefined))
        throw usageError('give either --rows or --external-id');
      const body = rows === undefined ? { external_ids: externalId } : rowsOf(rows);
      const api = openApi(options, terminal);
      const answer = await api.open('POST /api/v1/batches/{id}/reprints', { path: { id }, body });
      const { headers } = answer;
      const { signal } = new AbortController();
      await pipeline(wholeOf(answer, api.url, signal), createWriteStream(resolve(terminal.cwd, out)));
      const told = {
        file: out,
        missing: headers.get('tessera-missing-codes'),
        edited: headers.get('tessera-edited-codes'),
      };
      print(
        terminal,
        options,
        told,
        formatThing(told, { file: 'file', 'no files': 'missing', 'edited since': 'edited' }),
      );
    });
};

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
        FIRST: 'first',
        LAST: 'last',
        BATCH: 'batch_id',
        MADE: 'made',
        FAILED: 'failed',
        AT: 'at',
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
