/** The commands about saved codes and their folders. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { print } from '../../admin.ts';
import type { ApiCall } from '../../api.ts';
import {
  collectTexts,
  type LabelOptions,
  type ListOptions,
  printList,
  type Row,
  toLabels,
  withLimit,
  withListOptions,
} from '../../lists.ts';
import {
  codeHeaders,
  type KeyOptions,
  mediaTypeOf,
  openApi,
  readDesignFile,
  withKeyOptions,
} from '../../options.ts';
import { formatThing, type Terminal, toPrintable } from '../../terminal.ts';

/** Options of the commands that make a code. */
interface MakeOptions extends KeyOptions, LabelOptions {
  readonly dynamic?: true;
  readonly domain?: string;
  readonly slug?: string;
  readonly name?: string;
  readonly folder?: string;
  readonly folderId?: string;
  readonly design?: string;
  readonly preset?: string;
  readonly minGrade?: string;
  readonly repair?: true;
}

interface CreateOptions extends MakeOptions {
  readonly unique?: true;
  readonly once?: string;
  readonly out?: string;
}

/** What is shown of a code. */
const CODE_FIELDS = {
  id: 'id',
  name: 'name',
  content: 'content',
  slug: 'slug',
  'short link': 'short_url',
  domain: 'domain',
  destination: 'destination',
  ...{
    folder: 'folder_id',
    tags: 'tags',
    'external id': 'external_id',
    grade: 'grade',
    warnings: 'warnings',
  },
};

const SAVE: ApiCall = 'POST /api/v1/codes';

/** Returns the body of a call that makes a code. @throws {CliFault} when the file of the design cannot be read. */
const bodyOf = async (data: string, options: MakeOptions, { cwd }: Terminal) => {
  const { design, dynamic, slug, name, folder, folderId } = options;
  return {
    ...(design === undefined ? {} : await readDesignFile(resolve(cwd, design))),
    data,
    dynamic,
    slug,
    name,
    folder_name: folder,
    folder_id: folderId,
    ...toLabels(options),
  };
};

/** Saves a code and prints it, or saves its picture in a file. */
const createCode = async (data: string, options: CreateOptions, terminal: Terminal): Promise<void> => {
  const { out, unique, once } = options;
  const body = { ...(await bodyOf(data, options, terminal)), external_id_unique: unique };
  const headers = { ...codeHeaders(options), 'idempotency-key': once };
  const api = openApi(options, terminal);
  if (out === undefined) {
    const code = await api.call<Row>(SAVE, { body, headers });
    return print(terminal, options, code, formatThing(code, CODE_FIELDS));
  }
  const file = resolve(terminal.cwd, out);
  const response = await api.open(SAVE, { body, headers: { ...headers, accept: mediaTypeOf(out) } });
  await writeFile(file, new Uint8Array(await response.arrayBuffer()));
  const id = response.headers.get('location')?.split('/').at(-1);
  const saved = { id, file, grade: Number(response.headers.get('tessera-grade')) };
  print(terminal, options, saved, `${toPrintable(String(id))} is saved; ${toPrintable(out)}\n`);
};

interface UpdateOptions extends KeyOptions, LabelOptions {
  readonly name?: string;
  readonly folderId?: string;
}

/** Adds the options that say how a code is made. */
const withMakeOptions = (command: Command): Command =>
  withKeyOptions(command, 'generate')
    .option('--dynamic', 'encode a short link to the data, which must be a URL')
    .option('--slug <slug>', 'a slug of your own for the short link')
    .option('--domain <host>', 'own domain of the short link, or shared; default: your default domain')
    .option('--name <name>', 'a name for the code')
    .option('--folder <name>', 'name of a folder to make or reuse; default: Codes')
    .option('--folder-id <id>', 'id of an existing folder')
    .option('--tag <tag>', 'a tag; may be repeated', collectTexts)
    .option('--design <file>', 'JSON with design options')
    .option('--preset <preset>', 'id or name of a preset, or default')
    .option('--min-grade <grade>', 'refuse a picture of a lower grade, 0 to 4')
    .option('--repair', 'make the smallest change to the design that reaches --min-grade, or else grade 4');

const addMaking = (codes: Command, terminal: Terminal): void => {
  withMakeOptions(codes.command('create <data>'))
    .description('make one code and save it, for one unit')
    .option('--external-id <id>', 'your own id for the code')
    .option('--unique', 'fail when one of your codes has this external id')
    .option('--once <key>', 'Idempotency-Key: the same command makes the code once in 24 hours')
    .option('--out <file>', 'save the picture: .png, .svg, .pdf, .eps or .webp')
    .action((data: string, options: CreateOptions) => createCode(data, options, terminal));

  withMakeOptions(codes.command('set <external-id> <data>'))
    .description('make the code with this id of your own, for one unit, or change it')
    .action(async (id: string, data: string, options: MakeOptions) => {
      const code = await openApi(options, terminal).call<Row>(
        'PUT /api/v1/codes/by-external-id/{external_id}',
        {
          path: { external_id: id },
          body: await bodyOf(data, options, terminal),
          headers: codeHeaders(options),
        },
      );
      print(terminal, options, code, formatThing(code, CODE_FIELDS));
    });
};

/** Adds `codes list`, `show`, `create`, `set` and `update`. */
export const addCodeCommands = (program: Command, terminal: Terminal): void => {
  const codes = program.command('codes').description('list, show, make and label saved codes');

  withListOptions(codes.command('list'))
    .option('--max-grade <grade>', 'only those of this grade or a lower one, 0 to 4')
    .description('list saved codes')
    .action((options: ListOptions & { readonly maxGrade?: string }) =>
      printList(
        terminal,
        'GET /api/v1/codes',
        options,
        { max_grade: options.maxGrade },
        {
          ID: 'id',
          NAME: 'name',
          CONTENT: 'content',
          SLUG: 'slug',
          GRADE: 'grade',
          TAGS: 'tags',
          'EXTERNAL ID': 'external_id',
          CREATED: 'created_at',
        },
      ),
    );

  withKeyOptions(codes.command('show <code-id>'), 'manage')
    .description('show a saved code')
    .action(async (id: string, options: KeyOptions) => {
      const code = await openApi(options, terminal).call<Row>('GET /api/v1/codes/{id}', { path: { id } });
      print(terminal, options, code, formatThing(code, CODE_FIELDS));
    });

  addMaking(codes, terminal);

  withKeyOptions(codes.command('update <code-id>'), 'manage')
    .description('name, label or move a saved code')
    .option('--name <name>', 'a name for it; an empty text removes it')
    .option('--folder-id <id>', 'id of the folder to move it to')
    .option(
      '--tag <tag>',
      'a tag; may be repeated; replaces all tags; an empty text removes all',
      collectTexts,
    )
    .option('--external-id <id>', 'your own id for it; an empty text removes it')
    .action(async (id: string, options: UpdateOptions) => {
      const { name, folderId } = options;
      const body = { name: name === '' ? null : name, folder_id: folderId, ...toLabels(options) };
      const api = openApi(options, terminal);
      const code = await api.call<Row>('PATCH /api/v1/codes/{id}', { path: { id }, body });
      print(terminal, options, code, formatThing(code, CODE_FIELDS));
    });
};

/** Adds `folders list`. */
export const addFolderCommands = (program: Command, terminal: Terminal): void => {
  const folders = program.command('folders').description('list folders of saved codes');

  withLimit(withKeyOptions(folders.command('list'), 'manage'))
    .option('--search <text>', 'only those whose name includes this text')
    .description('list folders, newest first')
    .action((options: ListOptions) =>
      printList(
        terminal,
        'GET /api/v1/folders',
        options,
        {},
        { ID: 'id', NAME: 'name', CODES: 'code_count', CREATED: 'created_at' },
      ),
    );
};
