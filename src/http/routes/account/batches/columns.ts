/** What the query of a batch says about the columns of its file. */
import type { ColumnTerms, TableContent } from '../../../../batches/receive/columns.ts';
import { FIELDS } from '../../../../batches/receive/fields.ts';
import { type Mapping, NAME_MAX_LENGTH } from '../../../../csv/match.ts';
import { type AppError, fieldError } from '../../../../errors.ts';
import { aiOfColumn } from '../../../../gs1/columns.ts';
import type { RowFormat } from '../../../../lists.ts';
import type { SendTerms } from './terms.ts';

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

const toMapping = (text: string, { names }: TableContent): Mapping => {
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw columnsError(
      'must be a JSON object of the names of columns by field, such as {"data": "Web address"}',
    );
  for (const [field, name] of Object.entries(value)) {
    if (!FIELDS.includes(field) && !names.includes(field) && aiOfColumn(field) === undefined)
      throw columnsError(`names a field that rows do not have; known fields are: ${FIELDS.join(', ')}`);
    if (!isName(name)) throw columnsError(`must have the name of a column, or null, for ${field}`);
  }
  return value as Mapping;
};

/** Reads the terms. @param content What the options for all rows say. @throws {AppError} 400. */
export const columnsOfQuery = (
  { columns, other_columns: others }: Pick<SendTerms['query'], 'columns' | 'other_columns'>,
  content: TableContent,
): ColumnTerms => ({
  mapping: columns === undefined ? {} : toMapping(columns, content),
  others: others === 'skip' ? 'skipped' : 'refused',
  content,
});

/** @throws {AppError} 400 when the query names columns for rows that have none. */
export const refuseColumnsOf = (format: RowFormat, { mapping }: ColumnTerms): void => {
  if (format === 'ndjson' && Object.keys(mapping).length > 0)
    throw columnsError('is only for CSV and XLSX; rows of NDJSON name their fields');
};
