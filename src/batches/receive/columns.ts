/** The columns that a file of rows may have. Spreadsheet threads get the schema from the gateway. */
import { columnsOf, type FieldColumn, type FieldSchema } from '../../csv/columns.ts';
import { FILE, listNames, type Mapping, type Matched, quoteName, tellMissingData } from '../../csv/match.ts';
import { type HeaderRules, type OtherColumns, textColumn } from '../../csv/read.ts';
import { aiOfColumn, GS1_COLUMNS } from '../../gs1/columns.ts';
import { refused } from '../../result.ts';
import { createTokenBound } from '../../validation/json.ts';
import type { ContentPlan } from '../rows/content.ts';
import type { Counters } from '../rows/texts.ts';

/** What the batch-wide options imply for a table's columns. */
export interface TableContent {
  /** Where the data of rows comes from. */
  readonly source: 'data' | 'gs1' | 'template';
  /** The columns that templates reference, and which of those names are counters. */
  readonly names: readonly string[];
  readonly counters: readonly string[];
}

/** What a call specifies about its file's columns. */
export interface ColumnTerms {
  readonly mapping: Mapping;
  readonly others: OtherColumns;
  readonly content: TableContent;
}

/** Rows with data of their own. */
export const OWN_DATA: TableContent = { source: 'data', names: [], counters: [] };

/** The terms of a call that specifies nothing about columns. */
export const BY_NAME: ColumnTerms = { mapping: {}, others: 'refused', content: OWN_DATA };

/** Returns what a plan requires of a table. @param isGs1 Whether the options ask for GS1 data. */
export const contentOfTable = (
  { template, names }: ContentPlan,
  isGs1: boolean,
  counters: Counters,
): TableContent => ({
  source: template === null ? (isGs1 ? 'gs1' : 'data') : 'template',
  names: names.filter((name) => !Object.hasOwn(counters, name)),
  counters: Object.keys(counters),
});

/** Columns by field name, for example `dotsOptions.color`. */
export type Columns = ReadonlyMap<string, FieldColumn>;

/** A cell that contains JSON, which its column would parse. */
const JSON_CELL = /^\s*[[{]/;

/** Returns the columns that rows of a schema may have. */
export const columnsFor = (schema: FieldSchema): Columns => {
  const isParsable = createTokenBound(schema);
  const bounded = (column: FieldColumn): FieldColumn => ({
    ...column,
    read: (text) =>
      JSON_CELL.test(text) && !isParsable(text)
        ? refused('has too many values, or values that are nested too deeply')
        : column.read(text),
  });
  return new Map(columnsOf(schema).map((column) => [column.name, bounded(column)]));
};

/** Returns the names of all fields that a column may map to. */
export const fieldsOf = (columns: Columns): readonly string[] => [...new Set([...columns.keys(), FILE])];

const GS1_FIELDS: readonly string[] = Object.keys(GS1_COLUMNS);
/** With one of these columns, rows may ask for GS1 data themselves. */
const GS1_FORMS: readonly string[] = ['qrOptions.gs1', 'symbology'];

const isGs1Field = (field: string | null): boolean => field !== null && aiOfColumn(field) !== undefined;

const valueColumn = (name: string): FieldColumn => ({ ...textColumn(name), path: ['values', name] });

/** Adds columns for the template values that are not fields of a row. */
export const withValues = (columns: Columns, { names }: TableContent): Columns => {
  const own = names.filter((name) => !columns.has(name));
  return new Map([...columns, ...own.map((name) => [name, valueColumn(name)] as const)]);
};

const tellMissingName = (missing: string, names: readonly string[], byHand: string): string =>
  `the template names ${quoteName(missing)}, which is neither a column nor one of your counters; the columns are: ${listNames(names)}; say with ${byHand} which one it is`;

/** Returns the header-row rules of a table whose rows have this content. */
export const headerRules = ({ source, names, counters }: TableContent): HeaderRules => {
  const composes = (matched: Matched): boolean =>
    source === 'gs1' || matched.some((field) => GS1_FORMS.includes(field ?? ''));
  return {
    further: (name) =>
      aiOfColumn(name) !== undefined && !GS1_FIELDS.includes(name) ? valueColumn(name) : null,
    unused(matched) {
      const isUsed = (field: string): boolean =>
        names.includes(field) || (source !== 'template' && field === 'data') || composes(matched);
      return matched.filter(
        (field): field is string => (isGs1Field(field) || field === 'data') && !isUsed(field!),
      );
    },
    findMissing(matched, header, byHand) {
      const clash = counters.find((name) => matched.includes(name) || header.includes(name));
      if (clash !== undefined)
        return `the column ${quoteName(clash)} has the name of a counter; rename it, or give the counter another name by "counters"`;
      const missing = names.find((name) => !matched.includes(name));
      if (missing !== undefined) return tellMissingName(missing, header, byHand);
      if (source === 'template' || matched.includes('data')) return null;
      if (composes(matched) && (counters.length > 0 || matched.some(isGs1Field))) return null;
      const besides = composes(matched)
        ? 'no column of GS1 data such as gtin, and '
        : matched.some(isGs1Field)
          ? 'columns of GS1 data, for which the design needs qrOptions.gs1 or a barcode as symbology, but '
          : '';
      return tellMissingData(header, byHand, besides);
    },
    needsData: (fields) => source === 'data' && !composes(fields),
  };
};
