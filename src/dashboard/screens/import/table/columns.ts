/** The columns that a file may have: the fields of a bulk item, `file`, and those that only batches know. */
import { FILE_NAMES, type FieldColumn, readText } from '../../../../csv/columns.ts';
import { ok, type Result, refused } from '../../../../result.ts';

/** A column and how its cells are read. Its path is `null` for the column of file names. */
export type Column = Omit<FieldColumn, 'path'> & { readonly path: readonly string[] | null };

/** The fields that the rows of batches have beyond those of bulk items. */
const BATCH_COLUMNS: readonly Column[] = ['id', 'name'].map((name) => ({
  name,
  path: [name],
  read: readText,
}));

/** Whether only a batch keeps what is in a column. */
export const isOfBatches = (column: Column): boolean => BATCH_COLUMNS.includes(column);

type Header = Result<readonly Column[], string>;

/** Returns the columns that a header row names, or what is wrong with it. */
export const readHeader = (names: readonly string[], known: readonly Column[]): Header => {
  const trimmed = names.map((name) => name.trim());
  const columns = trimmed.map((name): Column | string => {
    if (FILE_NAMES.has(name.toLowerCase())) return { name: 'file', path: null, read: readText };
    return [...known, ...BATCH_COLUMNS].find((column) => column.name === name) ?? name;
  });
  const unknown = columns.find((column) => typeof column === 'string');
  if (unknown !== undefined) return refused(`The header row has an unknown column “${String(unknown)}”.`);
  const found = columns as readonly Column[];
  const twice = found.find((column, index) => found.findIndex(({ name }) => name === column.name) !== index);
  if (twice !== undefined) return refused(`The header row has the column “${twice.name}” twice.`);
  if (!found.some(({ name }) => name === 'data')) return refused('The header row has no column “data”.');
  return ok(found);
};
