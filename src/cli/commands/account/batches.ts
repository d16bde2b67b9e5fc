import { resolve } from 'node:path';
import type { Command } from 'commander';
import { keyOf, print, readAllPages, readBaseUrl } from '../../admin.ts';
import type { ApiCall } from '../../api.ts';
import type { BatchBody } from '../../bulk/batch.ts';
import { type KeyOptions, openApi, withKeyOptions } from '../../key-options.ts';
import { formatFields, formatRows } from '../../table.ts';
import type { Terminal } from '../../terminal.ts';
import { conclude } from '../bulk.ts';

interface Options extends KeyOptions {
  readonly out?: string;
}

/** Adds `batches list`, `show`, `cancel` and `download`. */
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
        ...{ ID: 'id', STATE: 'state', ROWS: 'rows', MADE: 'made', FAILED: 'failed', ERRORS: 'errors' },
        ...{ CREATED: 'created_at', FINISHED: 'finished_at', EXPIRES: 'expires_at' },
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
};
