import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { print, readAllPages } from '../../admin.ts';
import { withLimit } from '../../lists.ts';
import { type KeyOptions, openApi, withEncoding, withKey, withKeyOptions } from '../../options.ts';
import { printFile } from '../../receive.ts';
import { formatRows, formatThing, type Terminal } from '../../terminal.ts';

/** A table of ten thousand rows takes seconds on a slow machine. */
const IMPORT_TIMEOUT_MS = 120_000;

interface Item {
  readonly key: string;
  readonly scan_count: number;
  readonly links: readonly { readonly href: string; readonly is_default: boolean }[];
}

const toRow = ({ key, links, scan_count }: Item) => ({
  key,
  scan_count,
  links: links.length,
  leads_to: links.find(({ is_default }) => is_default)?.href ?? '',
});

/** Adds `resolver list`, `import` and `export`. */
export const addResolverCommands = (program: Command, terminal: Terminal): void => {
  const resolver = program
    .command('resolver')
    .description('list, import and export what GS1 identifiers lead to');

  withLimit(withKeyOptions(resolver.command('list [key]'), 'manage'))
    .description('list all items, or those whose key begins with this one')
    .action(async (key: string | undefined, options: KeyOptions & { readonly limit: number }) => {
      const api = openApi(options, terminal);
      const ask = { query: { key } };
      const items = await readAllPages<Item>(api, 'GET /api/v1/resolver/items', ask, options.limit);
      const columns = { KEY: 'key', 'LEADS TO': 'leads_to', LINKS: 'links', SCANS: 'scan_count' } as const;
      print(terminal, options, items, formatRows(items.map(toRow), columns));
    });

  withEncoding(withKeyOptions(resolver.command('import <file>'), 'manage'))
    .description('make and change items from a CSV file, all or none')
    .option('--dry-run', 'only print what it would do')
    .action(
      async (file: string, options: KeyOptions & { readonly dryRun?: true; readonly encoding?: string }) => {
        const charset = options.encoding === undefined ? '' : `; charset=${options.encoding}`;
        const api = openApi(options, terminal);
        const done = await api.call<Record<string, unknown>>('POST /api/v1/resolver/items/import', {
          query: { dry_run: options.dryRun },
          body: await readFile(resolve(terminal.cwd, file)),
          contentType: `text/csv${charset}`,
          timeoutMs: IMPORT_TIMEOUT_MS,
        });
        const fields = {
          rows: 'rows',
          items: 'items',
          created: 'created',
          changed: 'changed',
          change: 'change_id',
          encoding: 'encoding',
          'empty rows': 'empty_rows',
        };
        print(terminal, options, done, formatThing(done, fields));
      },
    );

  withKey(resolver.command('export'), 'manage')
    .description('print all items as CSV')
    .action(async (options: KeyOptions) => {
      const ask = { timeoutMs: IMPORT_TIMEOUT_MS };
      await printFile('/api/v1/resolver/items.csv', ask, options, terminal);
    });
};
