/** The columns that the page makes codes of: the fields of a bulk item, and `file`. */
import { type FieldColumn, readText } from '../../../../csv/columns.ts';
import { FILE } from '../../../../csv/synonyms.ts';

/** A column and how its cells are read. Its path is `null` for the column of file names. */
export type Column = Omit<FieldColumn, 'path'> & { readonly path: readonly string[] | null };

/** Returns the column of a field; `null` when only a batch keeps what is in it. */
export const columnOf = (field: string, known: readonly Column[]): Column | null => {
  if (field === FILE) return { name: FILE, path: null, read: readText };
  return known.find(({ name }) => name === field) ?? null;
};
