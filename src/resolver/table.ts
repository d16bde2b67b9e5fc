/** Items as tables: each row is a link, and the rows of an item stand in their order. */
import { truthOf } from '../csv/columns.ts';
import { KindFault } from '../csv/encoding.ts';
import { readText } from '../csv/formula.ts';
import { fieldHint } from '../csv/match.ts';
import type { TableNotes } from '../csv/notes.ts';
import { RowFault, readCsvRecords, type TableRecord } from '../csv/records.ts';
import type { Item, NewItem } from '../db/tables/items.ts';
import { chunksInSlices, eachInSlices } from '../execution/time-limits.ts';
import { readColumnValue } from '../gs1/columns.ts';
import { ok, type Result, refused } from '../result.ts';
import { bracketsOf, type ItemKey, readKey } from './key.ts';
import { type LinkFault, readLinks, settleDefault, type WrittenLink } from './links.ts';

/** Most rows of an imported table. */
export const ROWS_MAX = 10_000;
/** Most bytes of an imported table. */
export const TABLE_MAX_BYTES = 4 * 1024 * 1024;
/** Most faults that are reported. */
const FAULTS_MAX = 10;

const BOUNDS = { maxRowBytes: 65_536, maxEmptyRows: ROWS_MAX, maxCells: 40 * ROWS_MAX };

/** The columns that an export has. */
export const COLUMNS = ['key', 'rel', 'href', 'title', 'hreflang', 'type', 'context', 'default'] as const;

/** Columns that together say what `key` says. */
const ELEMENTS: Readonly<Record<string, string>> = {
  gtin: '01',
  cpv: '22',
  lot: '10',
  serial: '21',
  tpx: '235',
  sscc: '00',
  gln: '414',
  gln_extension: '254',
  party: '417',
  grai: '8003',
  giai: '8004',
};

/** What is wrong with a table. */
export interface TableFault {
  /** The row and, where it is about one, the column: `row 3, href`. */
  readonly field: string;
  readonly message: string;
}

interface Row {
  readonly number: number;
  readonly cells: Readonly<Record<string, string>>;
}

const known = [...COLUMNS, ...Object.keys(ELEMENTS)];

const readHeader = ({ texts }: TableRecord): Result<readonly string[], string> => {
  const names = Array.from(texts, (text = '') => text.trim().toLowerCase());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return refused(`there is no column "${unknown.slice(0, 60)}"${fieldHint(unknown, known)}`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return refused(`the column "${twice}" occurs twice`);
  const missing = ['rel', 'href', 'title'].find((name) => !names.includes(name));
  if (missing !== undefined) return refused(`the column "${missing}" is missing`);
  if (names.some((name) => name === 'key' || Object.hasOwn(ELEMENTS, name))) return ok(names);
  return refused('a column "key" is missing; "gtin", "gln" or "sscc" can replace it');
};

const listOf = (cell = ''): string[] => cell.split(/[\s;,]+/).filter((word) => word !== '');

const keyOf = ({ cells }: Row): Result<ItemKey, { column: string; message: string }> => {
  const { key = '' } = cells;
  const others = Object.keys(ELEMENTS).filter((name) => cells[name]);
  if (key !== '' && others.length > 0)
    return refused({ column: others[0]!, message: 'must be empty where "key" is not' });
  let text = key;
  for (const name of others) {
    // For any value: `readKey` checks the placeholder.
    if (/^\{.*\}$/.test(cells[name]!)) {
      text += `(${ELEMENTS[name]})${cells[name]}`;
      continue;
    }
    const value = readColumnValue(ELEMENTS[name]!, cells[name]!);
    if (!value.ok) return refused({ column: name, message: value.fault });
    text += `(${ELEMENTS[name]})${value.value.replaceAll('(', '\\(')}`;
  }
  const read = text === '' ? refused('must name an item') : readKey(text);
  return read.ok ? read : refused({ column: key === '' ? (others[0] ?? 'key') : 'key', message: read.fault });
};

const linkOf = ({ cells }: Row): Result<WrittenLink, { column: string; message: string }> => {
  const isDefault = cells.default ? truthOf(cells.default) : false;
  if (isDefault === null)
    return refused({ column: 'default', message: 'must be true or false, or be empty' });
  return ok({
    rel: cells.rel ?? '',
    href: cells.href ?? '',
    title: cells.title ?? '',
    hreflang: listOf(cells.hreflang),
    type: cells.type || null,
    context: listOf(cells.context),
    is_default: isDefault,
  });
};

/** How a link's field is called in a table. */
const columnOf = ({ field }: LinkFault): string => (field === 'is_default' ? 'default' : `${field}`);

/** Reads the rows of a table up to its end, or to a fault that makes the rest unreadable. */
const readRows = async (
  bytes: Buffer,
  encoding: string | null,
  notes: TableNotes,
): Promise<Result<readonly Row[], TableFault>> => {
  const rows: Row[] = [];
  let names: readonly string[] | null = null;
  const chunks = async function* () {
    yield bytes;
  };
  try {
    for await (const record of readCsvRecords(chunksInSlices(chunks()), BOUNDS, {
      encoding,
      wanted: 'rows',
      notes,
    })) {
      if (names === null) {
        const header = readHeader(record);
        if (!header.ok) return refused({ field: `row ${record.fileRow}`, message: header.fault });
        names = header.value;
        continue;
      }
      if (rows.length === ROWS_MAX)
        return refused({ field: 'body', message: `has more than ${ROWS_MAX} rows; send it in parts` });
      const cells = Object.fromEntries(
        names.map((name, i) => [name, readText((record.texts[i] ?? '').trim())]),
      );
      rows.push({ number: record.fileRow, cells });
    }
  } catch (error) {
    if (error instanceof RowFault)
      return refused({ field: `row ${error.place.fileRow}`, message: error.message });
    if (error instanceof KindFault) return refused({ field: 'body', message: error.message });
    throw error;
  }
  if (rows.length === 0) return refused({ field: 'body', message: 'has no rows below a header row' });
  return ok(rows);
};

/**
 * Reads the items of a CSV file: their links are those of their rows. Returns the items, or up to ten faults.
 *
 * @param encoding The name of its encoding; `null`: none is said.
 * @param checkHref As in `readLinks`.
 * @param notes Filled in.
 * @throws {EncodingFault}
 */
export const readTable = async (
  bytes: Buffer,
  encoding: string | null,
  notes: TableNotes,
  checkHref: (href: string) => Result<string, string>,
): Promise<Result<{ readonly items: readonly NewItem[]; readonly rows: number }, readonly TableFault[]>> => {
  const rows = await readRows(bytes, encoding, notes);
  if (!rows.ok) return refused([rows.fault]);
  const faults: TableFault[] = [];
  const found = new Map<string, { key: ItemKey; rows: Row[]; links: NewItem['links'][number][] }>();
  await eachInSlices(rows.value, (row) => {
    if (faults.length === FAULTS_MAX) return;
    const key = keyOf(row);
    const link = linkOf(row);
    const wrong = key.ok ? (link.ok ? null : link.fault) : key.fault;
    if (wrong !== null || !key.ok || !link.ok) {
      faults.push({ field: `row ${row.number}, ${wrong!.column}`, message: wrong!.message });
      return;
    }
    const read = readLinks([link.value], checkHref);
    if (!read.ok) {
      faults.push({ field: `row ${row.number}, ${columnOf(read.fault)}`, message: read.fault.message });
      return;
    }
    const item = found.get(key.value.path) ?? { key: key.value, rows: [], links: [] };
    found.set(key.value.path, item);
    item.rows.push(row);
    item.links.push(read.value[0]!);
  });
  const items = [...found.values()].flatMap(({ key, rows: own, links }) => {
    const settled = settleDefault(links, key.shape === '');
    if (settled.ok) return [{ ...key, links: settled.value }];
    const { number } = own[settled.fault.index ?? 0]!;
    const message = settled.fault.index === null ? `links ${settled.fault.message}` : settled.fault.message;
    if (faults.length < FAULTS_MAX) faults.push({ field: `row ${number}`, message });
    return [];
  });
  return faults.length > 0 ? refused(faults) : ok({ items, rows: rows.value.length });
};

/** Returns the rows of items, in the order of `COLUMNS`. */
export const rowsOf = (items: readonly Item[]): string[][] =>
  items.flatMap(({ path, links }) =>
    links.map(({ rel, href, title, hreflang, type, context, isDefault }) => [
      bracketsOf(path),
      rel,
      href,
      title,
      hreflang.join(' '),
      type ?? '',
      context.join(' '),
      isDefault ? 'true' : '',
    ]),
  );
