import { readText } from '../../../../csv/columns.ts';
import { FILE } from '../../../../csv/synonyms.ts';
import { ok, type Result, refused } from '../../../../result.ts';
import type { BatchPreview } from '../../../api/shapes.ts';
import type { Mapping } from '../../batches/columns/mapping.ts';
import type { Column, Row } from './rows.ts';

/** Returns the column of a field; `null` when only a batch keeps what is in it. */
const columnOf = (field: string, known: readonly Column[]): Column | null => {
  if (field === FILE) return { name: FILE, path: null, read: readText };
  return known.find(({ name }) => name === field) ?? null;
};

/** The rows of a file, with the columns that are used. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** A row with more or fewer cells than the header row keeps a wrong number of cells, so that this is reported. */
const pick = (cells: readonly string[], used: readonly number[], width: number): readonly string[] => [
  ...used.flatMap((at) => (at < cells.length ? [cells[at] ?? ''] : [])),
  ...cells.slice(width),
];

/**
 * Returns the table of a file that is read whole.
 *
 * @param mapping The field of each column.
 * @param known The fields that the page makes codes of.
 * @returns Refused with the names of the columns that only a batch keeps.
 */
export const toTable = (
  { columns, rows, file_rows: fileRows }: Pick<BatchPreview, 'columns' | 'rows' | 'file_rows'>,
  mapping: Mapping,
  known: readonly Column[],
): Result<Table, readonly string[]> => {
  const used = columns.flatMap(({ name }, at) => {
    const field = mapping[at] ?? null;
    return field === null ? [] : [{ at, name, column: columnOf(field, known) }];
  });
  const ofBatches = used.filter(({ column }) => column === null);
  if (ofBatches.length > 0) return refused(ofBatches.map(({ name }) => name));
  const places = used.map(({ at }) => at);
  return ok({
    columns: used.flatMap(({ column }) => (column === null ? [] : [column])),
    rows: rows.map((cells, index) => ({
      number: fileRows[index]!,
      cells: pick(cells, places, columns.length),
    })),
  });
};
