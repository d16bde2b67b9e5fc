import { type Command, Option } from 'commander';
import type { Operation } from '../../../../clients/typescript/src/request.ts';
import { keyOf, print, readBaseUrl } from '../../admin.ts';
import { createPatientCall, explained } from '../../api.ts';
import {
  collectTexts,
  type LabelOptions,
  type ListOptions,
  printList,
  type Row,
  toLabels,
  withListOptions,
} from '../../lists.ts';
import { type KeyOptions, openApi, withKey, withKeyOptions } from '../../options.ts';
import { formatThing, type Terminal } from '../../terminal.ts';

interface UpdateOptions extends KeyOptions, LabelOptions {
  readonly destination?: string;
  readonly activeFrom?: string;
  readonly activeUntil?: string;
  readonly slug?: string;
}

const FIELDS = {
  slug: 'slug',
  'short link': 'short_url',
  destination: 'destination',
  status: 'status',
  'active from': 'active_from',
  'active until': 'active_until',
  tags: 'tags',
  'external id': 'external_id',
  scans: 'scan_count',
  code: 'code_id',
};

/** An empty text unsets a time. */
const toTime = (text: string | undefined) => (text === '' ? null : text);

/** Adds `links list`, `show`, `update` and `export`. */
export const addLinkCommands = (program: Command, terminal: Terminal): void => {
  const links = program.command('links').description('list, show and change short links');

  withListOptions(links.command('list'))
    .option('--status <status>', 'only those that are active, scheduled or expired')
    .description('list short links')
    .action((options: ListOptions & { readonly status?: string }) =>
      printList(
        terminal,
        'GET /api/v1/links',
        options,
        { status: options.status },
        {
          SLUG: 'slug',
          DESTINATION: 'destination',
          STATUS: 'status',
          SCANS: 'scan_count',
          TAGS: 'tags',
          'EXTERNAL ID': 'external_id',
          CREATED: 'created_at',
        },
      ),
    );

  withKeyOptions(links.command('show <slug>'), 'manage')
    .description('show where a short link leads')
    .action(async (slug: string, options: KeyOptions) => {
      const api = openApi(options, terminal);
      const link = await api.call<Row>('GET /api/v1/links/{slug}', { path: { slug } });
      print(terminal, options, link, formatThing(link, FIELDS));
    });

  addExport(links, terminal);

  withKeyOptions(links.command('update <slug>'), 'manage')
    .description('change where and when a short link leads, its slug and its labels')
    .option('--destination <url>', 'where it leads')
    .option('--active-from <time>', 'when it starts; an empty text: at once')
    .option('--active-until <time>', 'when it ends; an empty text: never')
    .option('--slug <slug>', 'a slug of your own, which the code encodes from then on')
    .option(
      '--tag <tag>',
      'a tag; may be repeated; replaces all tags; an empty text removes all',
      collectTexts,
    )
    .option('--external-id <id>', 'your own id for the code; an empty text removes it')
    .action(async (slug: string, options: UpdateOptions) => {
      const { destination, activeFrom, activeUntil } = options;
      const body = {
        destination,
        slug: options.slug,
        active_from: toTime(activeFrom),
        active_until: toTime(activeUntil),
        ...toLabels(options),
      };
      const api = openApi(options, terminal);
      const link = await api.call<Row>('PATCH /api/v1/links/{slug}', { path: { slug }, body });
      print(terminal, options, link, formatThing(link, FIELDS));
    });
};

const EXPORT: Operation = { method: 'GET', path: '/api/v1/links/export', auth: 'key', answer: 'file' };

/** Adds the command that writes all links. */
const addExport = (links: Command, terminal: Terminal): void => {
  withKey(links.command('export'), 'manage')
    .description('print all short links, as `POST /api/v1/links/imports` reads them back')
    .addOption(new Option('--format <format>', 'output format').choices(['ndjson', 'csv']).default('ndjson'))
    .action(async (options: KeyOptions & { readonly format: string }) => {
      const url = readBaseUrl(options, terminal);
      const call = createPatientCall(
        url,
        keyOf(options, terminal),
        new AbortController().signal,
        terminal.err,
      );
      const { response } = await call(EXPORT, { query: { format: options.format } }).catch(
        (error: unknown) => {
          throw explained(url, error);
        },
      );
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? [])
        terminal.out.write(decoder.decode(chunk, { stream: true }));
    });
};

interface Options extends KeyOptions {
  readonly from?: string;
  readonly to?: string;
  readonly slug?: string;
  readonly format: 'ndjson' | 'csv';
}

const PAGE: Operation = {
  method: 'GET',
  path: '/api/v1/scans/raw',
  auth: 'key',
  answer: 'file',
  whole: true,
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
