/** Which column of a file is which field, as a person chooses it. */
import type { BatchPreview } from '../../../api/shapes.ts';

/** The field of each column; `null`: the column is left out. */
export type Mapping = readonly (string | null)[];

/** What a call for a batch says of columns, in its query. */
export type ColumnsQuery = Readonly<Record<string, string>>;

/** Returns what the service takes each column for. */
export const guessOf = ({ columns }: BatchPreview): Mapping => columns.map(({ field }) => field);

/** Whether every column has the name of its field, so that nobody needs to be asked. */
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
  const dropped = guessOf(preview).flatMap((field) =>
    field === null || mapping.includes(field) ? [] : [[field, null] as const],
  );
  return { ...skips, columns: JSON.stringify(Object.fromEntries([...chosen, ...dropped])) };
};
