/** Which column of a file is which field, as a person chooses it. */
import type { BatchPreview } from '../../../api/shapes.ts';

/** The field of each column; `null`: the column is left out. */
export type Mapping = readonly (string | null)[];

/** What a call for a batch says of columns, in its query. */
export type ColumnsQuery = Readonly<Record<string, string>>;

const isAddress = (cell: string): boolean => /^https?:\/\/\S+$/i.test(cell.trim());

/** Returns the only column that has an address in each row and is nothing else; -1: there is none, or several. */
const addressesAt = ({ columns, rows }: BatchPreview): number => {
  const found = columns.flatMap(({ field }, at) =>
    field === null && rows.length > 0 && rows.every((row) => isAddress(row[at] ?? '')) ? [at] : [],
  );
  return found.length === 1 ? (found[0] ?? -1) : -1;
};

/**
 * Returns what each column seems to be: what the service takes it for, and the only column of addresses as the content.
 */
export const guessOf = (preview: BatchPreview): Mapping => {
  const named = preview.columns.map(({ field }) => field);
  const at = named.includes('data') ? -1 : addressesAt(preview);
  return named.map((field, index) => (index === at ? 'data' : field));
};

/** Whether every column has the name of its field, so that no question is needed. */
export const isClear = ({ columns, fault }: BatchPreview): boolean =>
  fault === null && columns.every(({ name, field }) => name === field);

/** Makes a column a field. Another column that was this field is left out. */
export const choose = (mapping: Mapping, at: number, field: string | null): Mapping =>
  mapping.map((own, index) => {
    if (index === at) return field;
    return own === field ? null : own;
  });

/** Returns why the columns cannot be taken like that; otherwise `null`. */
export const faultOf = ({ columns }: BatchPreview, mapping: Mapping): string | null => {
  if (!mapping.includes('data')) return 'Say which column is the content of the codes.';
  const names = columns.map(({ name }) => name);
  const twice = names.find(
    (name, index) => mapping[index] !== null && names.indexOf(name) !== names.lastIndexOf(name),
  );
  return twice === undefined
    ? null
    : `The file has the column “${twice}” twice. Rename one of them in the file.`;
};

/** Returns the names of the columns that are left out. */
export const leftOut = ({ columns }: BatchPreview, mapping: Mapping): readonly string[] =>
  columns.flatMap(({ name }, index) => (mapping[index] === null ? [name] : []));

/** Returns the query of a batch with these columns. Columns that are clear need none. */
export const toQuery = (preview: BatchPreview, mapping: Mapping): ColumnsQuery => {
  const isGuess = mapping.every((field, index) => field === preview.columns[index]?.field);
  const skips: ColumnsQuery = mapping.includes(null) ? { other_columns: 'skip' } : {};
  if (isGuess && preview.fault === null) return skips;
  const chosen = preview.columns.flatMap(({ name }, index) => {
    const field = mapping[index] ?? null;
    return field === null ? [] : [[field, name] as const];
  });
  // Fields that a column has by its name, and that no column is to be.
  const dropped = preview.columns.flatMap(({ field }) =>
    field === null || mapping.includes(field) ? [] : [[field, null] as const],
  );
  return { ...skips, columns: JSON.stringify(Object.fromEntries([...chosen, ...dropped])) };
};
