/** Lists of codes and links: their options, and how they are read. */
import type { Command } from 'commander';
import { createWholeNumberParser, print, readAllPages } from './admin.ts';
import type { ApiCall } from './api.ts';
import { type KeyOptions, openApi, withKeyOptions } from './options.ts';
import { formatRows, type Terminal } from './terminal.ts';

/** Options of both lists. */
export interface ListOptions extends KeyOptions {
  readonly folderId?: string;
  readonly tag?: string;
  readonly externalId?: string;
  readonly search?: string;
  readonly sort?: string;
  readonly limit: number;
}

const ROWS_MAX = 100_000;
const USUAL_ROWS = 1000;

/** Adds `--limit` to a command that lists rows. */
export const withLimit = (command: Command): Command =>
  command.option(
    '--limit <n>',
    `maximum number of rows, at most ${ROWS_MAX}`,
    createWholeNumberParser('--limit', 1, ROWS_MAX),
    USUAL_ROWS,
  );

const ORDERS = 'newest, oldest, name or scans';

/** Adds those options. @param orders The values of `--sort`. */
export const withListOptions = (command: Command, orders = ORDERS): Command =>
  withLimit(withKeyOptions(command, 'manage'))
    .option('--folder-id <id>', 'only those in this folder')
    .option('--tag <tag>', 'only those with this tag')
    .option('--external-id <id>', 'only those with this id of your own')
    .option(
      '--search <text>',
      'only those whose content, name, own id, tags, own slugs or destination includes this text, or whose slug it is',
    )
    .option('--sort <order>', `${orders}; default: newest`);

/** A row as the API answers it. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Prints a list.
 *
 * @param also Query parameters in addition to the options above; undefined ones are left out.
 * @param columns The fields of a row, by their headings.
 */
export const printList = async (
  terminal: Terminal,
  call: ApiCall,
  options: ListOptions,
  also: Readonly<Record<string, string | undefined>>,
  columns: Readonly<Record<string, string>>,
): Promise<void> => {
  const { folderId, tag, externalId, search, sort, limit } = options;
  const query = { folder_id: folderId, tag, external_id: externalId, search, sort, ...also };
  const rows = await readAllPages<Row>(openApi(options, terminal), call, { query }, limit);
  print(terminal, options, rows, formatRows(rows, columns));
};

/** Collects the values of a repeatable option. */
export const collectTexts = (text: string, texts: readonly string[] = []): readonly string[] => [
  ...texts,
  text,
];

/** The labels that a command sets. */
export interface LabelOptions {
  readonly tag?: readonly string[];
  readonly externalId?: string;
}

/** Returns them as fields of a request; what was not given is undefined, and an empty text unsets. */
export const toLabels = ({ tag, externalId }: LabelOptions) => ({
  tags: tag?.filter((text) => text !== ''),
  external_id: externalId === '' ? null : externalId,
});
