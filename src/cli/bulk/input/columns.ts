/** The columns of a file of codes, and what a command says of them. */
import { columnsOf, type FieldColumn, type FieldSchema } from '../../../csv/columns.ts';
import type { Mapping } from '../../../csv/match.ts';
import { textColumn } from '../../../csv/read.ts';
import { FILE } from '../../../csv/synonyms.ts';
import { printParameters } from '../../../generate/request/print.ts';
import { BulkItem } from '../../../generate/request/request.ts';
import { type CliFault, failed, misused } from '../../fault.ts';

/** What a command says of the columns of its file. */
export interface ColumnsSaid {
  readonly mapping: Mapping;
  /** What becomes of columns that are no field. */
  readonly others: 'refused' | 'skipped';
}

/** What a command says that says nothing of columns. */
export const NOTHING_SAID: ColumnsSaid = { mapping: {}, others: 'refused' };

/** All columns by their fields, for example `dotsOptions.color`. `name` names the row's files, as in a batch. */
export const COLUMNS: ReadonlyMap<string, FieldColumn> = new Map(
  [...columnsOf(BulkItem as FieldSchema), textColumn('name')].map((column) => [column.name, column]),
);

/** The same, with what only batches and sheets keep. */
export const COLUMNS_KEPT: ReadonlyMap<string, FieldColumn> = new Map([...COLUMNS, ['id', textColumn('id')]]);

/** The columns of a run without a batch, and the one that it must not take for any other. */
export const COLUMNS_HERE: ReadonlyMap<string, FieldColumn> = new Map([
  ...COLUMNS,
  ['slug', textColumn('slug')],
]);

/** The columns that rows of a batch may have. */
export const COLUMNS_BATCH: ReadonlyMap<string, FieldColumn> = new Map(
  [
    ...COLUMNS_KEPT.values(),
    textColumn('slug'),
    ...columnsOf({
      properties: {
        print: { type: 'object', properties: printParameters as NonNullable<FieldSchema['properties']> },
      },
    }),
  ].map((column) => [column.name, column]),
);

/**
 * Returns the fault of a row with a slug in a run without a batch.
 *
 * @param place The row or line, and where its slug stands.
 */
export const slugFault = (place: string): CliFault =>
  failed(
    `${place}: only a batch gives short links slugs of your own; add --remote, or leave the slugs out of the file`,
  );

/** Adds what an option `--column field=name` says; without a name, no column is this field. @throws {CliFault}. */
export const addColumn = (option: string, mapping: Mapping = {}): Mapping => {
  const [, field = '', name = ''] = /^([^=]+)=(.*)$/s.exec(option) ?? [];
  if (field.trim() === '')
    throw misused(`--column ${option}: write it as field=column, such as data="Web address"`);
  return { ...mapping, [field.trim()]: name.trim() === '' ? null : name.trim() };
};

/** Fields that only the gateway knows of, so that it is the one to refuse what no row has. */
export const fieldsFor = (
  mapping: Mapping,
  columns: ReadonlyMap<string, FieldColumn>,
): ReadonlyMap<string, FieldColumn> =>
  new Map([
    ...columns,
    ...Object.keys(mapping)
      .filter((field) => !columns.has(field) && field !== FILE)
      .map((field): [string, FieldColumn] => [field, textColumn(field)]),
  ]);
