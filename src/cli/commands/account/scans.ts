import { type Command, Option } from 'commander';
import type { Operation } from '../../../../clients/typescript/src/request.ts';
import { keyOf, readBaseUrl } from '../../admin.ts';
import { createPatientCall, explained } from '../../api.ts';
import { type KeyOptions, withKey } from '../../key-options.ts';
import type { Terminal } from '../../terminal.ts';

interface Options extends KeyOptions {
  readonly from?: string;
  readonly to?: string;
  readonly slug?: string;
  readonly format: 'ndjson' | 'csv';
}

const PAGE: Operation = {
  ...{ method: 'GET', path: '/api/v1/scans/raw' },
  ...{ auth: 'key', answer: 'file', whole: true },
};
const PAGE_ROWS = '5000';

export const addScansCommand = (program: Command, terminal: Terminal): void => {
  withKey(program.command('scans'), 'manage')
    .description('print every scan of short links, oldest first')
    .option('--from <time>', 'first day or time (UTC); default: 30 days before --to')
    .option('--to <time>', 'end (UTC), which is not included; default: now')
    .option('--slug <slug>', 'only scans of this short link')
    .addOption(new Option('--format <format>', 'output format').choices(['ndjson', 'csv']).default('ndjson'))
    .action(async (options: Options) => {
      const url = readBaseUrl(options, terminal);
      const { signal } = new AbortController();
      const call = createPatientCall(url, keyOf(options, terminal), signal, terminal.err);
      const { from, to = new Date().toISOString(), slug, format } = options;
      for (let cursor: string | undefined; ; ) {
        const query = { to, format, limit: PAGE_ROWS, from, slug, cursor };
        const { response } = await call(PAGE, { query }).catch((error: unknown) => {
          throw explained(url, error);
        });
        terminal.out.write(await response.text());
        const next = response.headers.get('tessera-next-cursor');
        if (next === null) return;
        cursor = next;
      }
    });
};
