/**
 * What the query of a batch says about the columns of its file, and its options about the data of all rows, for an
 * account with its counters.
 */
import { type ColumnTerms, contentOfTable, type TableContent } from '../../../../batches/receive/columns.ts';
import { FIELDS } from '../../../../batches/receive/fields.ts';
import { formOf, planContent } from '../../../../batches/rows/content.ts';
import type { BatchOptions } from '../../../../batches/rows/schema.ts';
import { type Counters, isOwnText } from '../../../../batches/rows/texts.ts';
import { type Mapping, NAME_MAX_LENGTH } from '../../../../csv/match.ts';
import type { Sql } from '../../../../db/client.ts';
import { type Counter, listCounters } from '../../../../db/tables/batches/counters.ts';
import { type AppError, type ErrorCode, fieldError } from '../../../../errors.ts';
import { aiOfColumn } from '../../../../gs1/columns.ts';
import type { RowFormat } from '../../../../lists.ts';
import type { SendTerms } from './send-terms.ts';

const columnsError = (rule: string): AppError => fieldError('columns', rule, 'invalid_query');

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const isName = (name: unknown): boolean =>
  name === null || (typeof name === 'string' && name.trim() !== '' && name.length <= NAME_MAX_LENGTH);

/**
 * Reads which columns of a table have which fields.
 *
 * @param fields Those that are listed in errors.
 * @param isField Whether a field is another one that rows may have.
 * @throws {AppError} 400.
 */
export const readMapping = (
  text: string | undefined,
  fields: readonly string[],
  isField: (field: string) => boolean = () => false,
): Mapping => {
  if (text === undefined) return {};
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw columnsError(
      `must be a JSON object of the names of columns by field, such as {"${fields[0]}": "Web address"}`,
    );
  for (const [field, name] of Object.entries(value)) {
    if (!fields.includes(field) && !isField(field))
      throw columnsError(`names a field that rows do not have; known fields are: ${fields.join(', ')}`);
    if (!isName(name)) throw columnsError(`must have the name of a column, or null, for ${field}`);
  }
  return value as Mapping;
};

const OTHERS = { refuse: 'refused', skip: 'skipped', keep: 'kept' } as const;

/** Reads the terms. @param content What the options for all rows say. @throws {AppError} 400. */
export const columnsOfQuery = (
  { columns, other_columns: others = 'refuse' }: Pick<SendTerms['query'], 'columns' | 'other_columns'>,
  content: TableContent,
): ColumnTerms => ({
  mapping: readMapping(
    columns,
    FIELDS,
    (field) => content.names.includes(field) || aiOfColumn(field) !== undefined,
  ),
  others: OTHERS[others],
  content,
});

/** @throws {AppError} 400 when the query names columns for rows that have none. */
export const refuseColumnsOf = (format: RowFormat, { mapping, others }: ColumnTerms): void => {
  if (format === 'ndjson' && others === 'kept')
    throw fieldError(
      'other_columns',
      'keep is only for CSV and XLSX; rows of NDJSON have no other columns',
      'invalid_query',
    );
  if (format === 'ndjson' && Object.keys(mapping).length > 0)
    throw columnsError('is only for CSV and XLSX; rows of NDJSON name their fields');
};

/** What is read from validated options. */
interface SettledContent {
  /** The names in templates that are counters, each with the name of the counter. */
  readonly counters: Counters;
  /** What a table with such rows must have. */
  readonly table: TableContent;
  /** The account's counters; empty where no template names anything. */
  readonly known: readonly Counter[];
}

/** A name is a counter if the options say so, or if it is not a field of the row and the account has that counter. */
const resolve = (
  names: readonly string[],
  said: Counters,
  known: readonly Counter[],
  code: ErrorCode,
): Counters => {
  const has = (name: string): boolean => known.some((counter) => counter.name === name);
  for (const [name, counter] of Object.entries(said))
    if (!has(counter))
      throw fieldError(
        `Design.counters.${name}`,
        `you have no counter "${counter}"; make it with PUT /api/v1/counters/${counter}`,
        code,
      );
  const own = names.filter((name) => !isOwnText(name) && has(name)).map((name) => [name, name] as const);
  return { ...Object.fromEntries(own), ...said };
};

/**
 * Reads what the options for all rows say about their data.
 *
 * @param code The error code for the part of the request that holds the options.
 * @throws {AppError} 400.
 */
export const settleContent = async (
  sql: Sql,
  accountId: string,
  design: object,
  code: ErrorCode,
): Promise<SettledContent> => {
  const options = design as BatchOptions;
  const plan = planContent(options);
  if (!plan.ok) throw fieldError(`Design.${plan.fault.field}`, plan.fault.message, code);
  const { names } = plan.value;
  const known = names.length === 0 ? [] : await listCounters(sql, accountId);
  const counters = resolve(names, options.counters ?? {}, known, code);
  const isGs1 = formOf(options) !== undefined;
  return { counters, table: contentOfTable(plan.value, isGs1, counters), known };
};
