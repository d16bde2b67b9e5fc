import { resolve } from 'node:path';
import type { Command } from 'commander';
import { allPages, baseUrl, print } from '../admin.ts';
import { type Api, createApi } from '../api.ts';
import { keyOf } from '../key.ts';
import { type BatchBody, batchPath } from '../remote/batch.ts';
import { runDownload } from '../remote/run.ts';
import { fields, table } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { conclude, toJson, toText } from './bulk.ts';

interface Options {
  readonly key?: string;
  readonly url?: string;
  readonly json?: true;
  readonly out?: string;
}

const HEADINGS = ['ID', 'STATE', 'ROWS', 'MADE', 'FAILED', 'ERRORS', 'CREATED', 'FINISHED', 'EXPIRES'];

const rowOf = (batch: BatchBody) => [
  batch.id,
  batch.state,
  batch.rows,
  batch.made,
  batch.failed,
  batch.errors,
  batch.created_at,
  batch.finished_at,
  batch.expires_at,
];

const cellOf = (value: unknown): string | number | null =>
  typeof value === 'number' || typeof value === 'string' || value === null ? value : String(value);

const toFields = (batch: BatchBody): string =>
  fields(Object.entries(batch).map(([name, value]) => [name, cellOf(value)] as const));

const openApi = (options: Options, terminal: Terminal): Api =>
  createApi(baseUrl(options, terminal), keyOf(options, terminal));

const download = async (id: string, options: Options, terminal: Terminal): Promise<void> => {
  const out = resolve(terminal.cwd, options.out ?? `batch-${id}`);
  const run = { out, url: baseUrl(options, terminal), key: keyOf(options, terminal) };
  const summary = await runDownload(run, id, terminal);
  terminal.out.write(options.json ? toJson(summary) : toText(summary));
  conclude(summary);
};

const withOptions = (command: Command): Command =>
  command
    .option('--key <key>', 'API key with the scope generate (TESSERA_KEY)')
    .option('--url <url>', 'address of the gateway (TESSERA_URL; http://127.0.0.1:3000)')
    .option('--json', 'print JSON, for scripts');

/** Adds `batches list`, `show`, `cancel` and `download`. */
export const addBatchCommands = (program: Command, terminal: Terminal): void => {
  const batches = program.command('batches').description('list, show, cancel and download batches');

  withOptions(batches.command('list'))
    .description('list the batches of the account, newest first')
    .action(async (options: Options) => {
      const rows = await allPages<BatchBody>(openApi(options, terminal), '/api/v1/batches');
      print(terminal, options, rows, table(HEADINGS, rows.map(rowOf)));
    });

  withOptions(batches.command('show <batch-id>'))
    .description('show a batch with its progress')
    .action(async (id: string, options: Options) => {
      const path = batchPath(id);
      const batch = await openApi(options, terminal).call<BatchBody>({ method: 'GET', path });
      print(terminal, options, batch, toFields(batch));
    });

  withOptions(batches.command('cancel <batch-id>'))
    .description('end a batch after the pieces under way; what was made stays and is paid')
    .action(async (id: string, options: Options) => {
      const path = `${batchPath(id)}/cancel`;
      const batch = await openApi(options, terminal).call<BatchBody>({ method: 'POST', path });
      print(terminal, options, batch, toFields(batch));
    });

  withOptions(batches.command('download <batch-id>'))
    .description('save the files of a batch and their manifest, while it still runs too')
    .option(
      '--out <folder>',
      'new, empty, or that of an earlier download to continue; default: batch- and the id',
    )
    .action((id: string, options: Options) => download(id, options, terminal));
};
