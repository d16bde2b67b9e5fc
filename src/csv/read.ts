/** Reads rows of codes from the records of a table. */
import { CELL_MAX_LENGTH, type FieldColumn, limitLength, readText } from './columns.ts';
import {
  FIELDS_LISTED,
  FILE,
  fieldHint,
  type Mapping,
  type Matched,
  matchColumns,
  quoteName,
  tellMissingData,
} from './match.ts';
import type { TableRecord } from './records.ts';

/** What is wrong with a cell. */
interface CellFault {
  readonly field: string;
  readonly message: string;
}

/** A row as written. */
export interface TableRow extends Pick<TableRecord, 'fileRow'> {
  readonly item: Readonly<Record<string, unknown>>;
  /** The requested name of the picture file. */
  readonly file: string | null;
  /** The texts of all cells by column name if other columns are kept, otherwise empty. */
  readonly cells: Readonly<Record<string, string>>;
  /** Those of its invalid cells, whose fields the item lacks. */
  readonly faults: readonly CellFault[];
}

/** Says what is wrong with the header row. */
export class HeaderFault extends Error {
  /** Its row in the file; `null`: there is none. */
  fileRow: number | null = null;
}

/** What happens to columns that match no field. */
export type OtherColumns = 'refused' | 'skipped' | 'kept';

/** What a header row must have, and what it may have besides the fields. */
export interface HeaderRules {
  /** Returns a non-field column that is recognised by the form of its name, or `null`. */
  further(name: string): FieldColumn | null;
  /** Returns the fields that no row uses. Their columns are treated like those that match no field. */
  unused(matched: Matched): readonly string[];
  /** Says which column is missing; `null`: none. */
  findMissing(matched: Matched, names: readonly string[], byHand: string): string | null;
  /** Whether an item gets `data` even if its cell is empty, so that the emptiness is reported. @param fields That it may have. */
  needsData(fields: readonly string[]): boolean;
}

/** A column `data` is needed, and all fields are used. */
export const DATA_NEEDED: HeaderRules = {
  further: () => null,
  unused: () => [],
  findMissing: (matched, names, byHand) => (matched.includes('data') ? null : tellMissingData(names, byHand)),
  needsData: () => true,
};

/** The columns of a table, and how to treat them. */
export interface ColumnOptions {
  /** By field name. */
  readonly columns: ReadonlyMap<string, FieldColumn>;
  /** Explicitly mapped fields. */
  readonly mapping?: Mapping;
  /** The option for explicit mapping, for messages, for example `--column`. */
  readonly byHand: string;
  /** The option that skips columns that match no field, for messages, for example `--other-columns skip`. */
  readonly leaveOut: string;
  /** What happens to columns that match no field; default `refused`. */
  readonly others?: OtherColumns;
  /** Absent: `DATA_NEEDED`. */
  readonly rules?: HeaderRules;
  /** Where the fields are listed, for messages; absent: in docs/design.md. */
  readonly listed?: string;
}

/** A column, and its kind: a field of the item, the name of the file, or plain text. */
interface Column {
  readonly index: number;
  readonly name: string;
  readonly use: FieldColumn | 'file' | 'text';
}

/** Sets a value at a path in an item, creating intermediate objects. */
export const setAt = (item: Record<string, unknown>, path: readonly string[], value: unknown): void => {
  const [name, ...rest] = path as [string, ...string[]];
  // An assignment to `__proto__` would be lost, and what an object inherits is no value of it.
  const set = (own: unknown): void => {
    Object.defineProperty(item, name, { value: own, writable: true, enumerable: true, configurable: true });
  };
  if (rest.length === 0) {
    set(value);
    return;
  }
  const inner = Object.hasOwn(item, name) ? item[name] : null;
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
  set(next);
  setAt(next, rest, value);
};

const refuseOthers = (
  names: readonly string[],
  columns: readonly Column[],
  matched: Matched,
  open: readonly string[],
  { byHand, leaveOut, listed = FIELDS_LISTED }: ColumnOptions,
): void => {
  const unknown = columns.find(({ use }) => use === 'text');
  if (unknown === undefined) return;
  const { name, index } = unknown;
  const field = matched[index];
  if (field !== null)
    throw new HeaderFault(
      `the header row has a column ${quoteName(name)} for ${field}, which nothing uses; leave it out with ${leaveOut}`,
    );
  const twice = names.indexOf(name) !== names.lastIndexOf(name);
  throw new HeaderFault(
    twice
      ? `the header row has the column ${quoteName(name)} twice`
      : `the header row has a column ${quoteName(name)} that is not a field${fieldHint(name, open)}; name it with ${byHand}, or leave it out with ${leaveOut}; ${listed}`,
  );
};

/** Returns all columns that a header row may have: the fields, and those recognised by the form of their name. */
export const withFurther = (
  columns: ColumnOptions['columns'],
  names: readonly string[],
  mapping: Mapping,
  { further }: Pick<HeaderRules, 'further'>,
): ColumnOptions['columns'] => {
  const own = [...names, ...Object.keys(mapping)].flatMap((name) => further(name) ?? []);
  return new Map([...columns, ...own.map((column) => [column.name, column] as const)]);
};

/**
 * Returns the columns to read. A missing column is reported first, because nothing else matters until it is there.
 */
const readHeader = ({ texts, fault }: TableRecord, options: ColumnOptions): readonly Column[] => {
  if (fault !== null) throw new HeaderFault(`the header row: ${fault.message}`);
  const { mapping = {}, byHand, others = 'refused', rules = DATA_NEEDED } = options;
  const names = Array.from(texts, (text = '') => text.trim());
  const columns = withFurther(options.columns, names, mapping, rules);
  const fields = [...new Set([...columns.keys(), FILE])];
  const matched = matchColumns(names, { fields, mapping, byHand });
  if (!matched.ok) throw new HeaderFault(matched.fault);
  const missing = rules.findMissing(matched.value, names, byHand);
  if (missing !== null) throw new HeaderFault(missing);
  const unused = rules.unused(matched.value);
  const found = matched.value.map((field, index): Column => {
    const name = names[index]!;
    if (field === null || unused.includes(field)) return { index, name, use: 'text' };
    return { index, name, use: field === FILE ? 'file' : columns.get(field)! };
  });
  const open = fields.filter((field) => !matched.value.includes(field) && !Object.hasOwn(mapping, field));
  if (others === 'refused') refuseOthers(names, found, matched.value, open, options);
  const twice = others === 'kept' ? names.find((name, index) => names.indexOf(name) !== index) : undefined;
  if (twice !== undefined) throw new HeaderFault(`the header row has the column ${quoteName(twice)} twice`);
  return others === 'kept' ? found : found.filter(({ use }) => use !== 'text');
};

const headerOf = (record: TableRecord, options: ColumnOptions): readonly Column[] => {
  try {
    return readHeader(record, options);
  } catch (error) {
    if (error instanceof HeaderFault) error.fileRow = record.fileRow;
    throw error;
  }
};

const readFile = limitLength(CELL_MAX_LENGTH, readText);

/** An empty cell omits its field, except `data` where every item needs it. */
const readRecord = (
  columns: readonly Column[],
  { texts, fileRow, fault: own }: TableRecord,
  { others }: ColumnOptions,
  needsData: boolean,
): TableRow => {
  const item: Record<string, unknown> = {};
  const cells: Record<string, string> = {};
  let file: string | null = null;
  const faults: CellFault[] = [];
  for (const { index, name, use } of columns) {
    const text = texts[index] ?? '';
    if (others === 'kept') cells[name] = text;
    if (use === 'text') continue;
    if (own?.index === index) faults.push({ field: use === 'file' ? FILE : use.name, message: own.message });
    else if (use === 'file') {
      file = text;
      const cell = readFile(text);
      if (!cell.ok) faults.push({ field: FILE, message: cell.fault });
    } else if (text !== '' || (use.path[0] === 'data' && needsData)) {
      const cell = use.read(text);
      if (cell.ok) setAt(item, use.path, cell.value);
      else faults.push({ field: use.path.join('.'), message: cell.fault });
    }
  }
  return { item, file, cells, fileRow, faults };
};

export const textColumn = (name: string): FieldColumn => ({ name, path: [name], read: readText });

/**
 * Reads the records of a table: a header row and rows.
 *
 * @throws {HeaderFault} without a header row or a column `data`, and for an unknown or ambiguous column; whatever the
 *   records throw.
 */
export async function* readRows(
  records: AsyncIterable<TableRecord>,
  options: ColumnOptions,
): AsyncGenerator<TableRow> {
  const { rules = DATA_NEEDED } = options;
  let columns: readonly Column[] | undefined;
  let needsData = false;
  for await (const record of records) {
    if (columns === undefined) {
      columns = headerOf(record, options);
      needsData = rules.needsData(columns.flatMap(({ use }) => (typeof use === 'string' ? [] : [use.name])));
    } else yield readRecord(columns, record, options, needsData);
  }
  if (columns === undefined)
    throw new HeaderFault(
      `the file is empty; it needs a header row${rules.needsData([]) ? ' with a column "data"' : ''}`,
    );
}
