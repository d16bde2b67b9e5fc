/** Reads rows of codes from CSV. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Info, parse } from 'csv-parse';
import { FILE_NAMES, type FieldColumn } from './columns.ts';

/** A row as it was written. */
export interface CsvRow {
  readonly item: Readonly<Record<string, unknown>>;
  /** The wanted name of the picture's file. */
  readonly file: string | null;
  /** What is wrong with the first wrong cell; else `null`. */
  readonly fault: { readonly field: string; readonly message: string } | null;
}

/** Says what is wrong with the header row. */
export class HeaderFault extends Error {}

/** Which columns there are, and how much is read. */
export interface CsvOptions {
  /** By their names in the header row. */
  readonly columns: ReadonlyMap<string, FieldColumn>;
  readonly maxRowBytes: number;
  /** Empty lines are left out. A file with more of them is refused. */
  readonly maxEmptyLines: number;
}

/** Sets a value at a path in an item. Makes the objects on the way. */
export const place = (item: Record<string, unknown>, path: readonly string[], value: unknown): void => {
  const [name, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) {
    item[name] = value;
    return;
  }
  const inner = item[name];
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
  item[name] = next;
  place(next, rest, value);
};

/**
 * The first comma, semicolon or tab of the header row. Some spreadsheets write semicolons; no column has one in its
 * name.
 */
const delimiterOf = (beginning: string): string => /^[^\r\n]*?([,;\t])/.exec(beginning)?.[1] ?? ',';

async function* decode(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Reads at least to the first line end. */
const readBeginning = async (texts: AsyncIterator<string>, maxLength: number): Promise<string> => {
  const parts: string[] = [];
  for (let length = 0; length < maxLength; ) {
    const next = await texts.next();
    if (next.done) break;
    parts.push(next.value);
    length += next.value.length;
    if (/[\r\n]/.test(next.value)) break;
  }
  return parts.join('');
};

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

/** A name of a column on one line and of bounded length, since it goes into messages. */
const shown = (name: string): string => name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, 100);

/** Returns the columns of a header row; `null` stands for the column of file names. */
const readHeader = (names: readonly string[], columns: CsvOptions['columns']): (FieldColumn | null)[] => {
  const trimmed = names.map((name) => name.trim());
  const found = trimmed.map((name) => {
    if (FILE_NAMES.has(name.toLowerCase())) return null;
    const column = columns.get(name);
    if (column !== undefined) return column;
    const known = [...columns.keys(), 'file'].join(', ');
    throw new HeaderFault(`the header row has a column "${shown(name)}"; known columns are: ${known}`);
  });
  const twice = trimmed.find((name, index) => trimmed.indexOf(name) !== index);
  if (twice !== undefined) throw new HeaderFault(`the header row has the column "${twice}" twice`);
  if (found.filter((column) => column === null).length > 1)
    throw new HeaderFault('the header row names files twice');
  if (!trimmed.includes('data')) throw new HeaderFault('the header row has no column "data"');
  return found;
};

/** An empty cell leaves its field out, except for `data`, which every item needs. */
const readRecord = (columns: readonly (FieldColumn | null)[], cells: readonly string[]): CsvRow => {
  const item: Record<string, unknown> = {};
  let file: string | null = null;
  let fault: CsvRow['fault'] = null;
  for (const [index, column] of columns.entries()) {
    const text = cells[index]!;
    if (column === null) file = text;
    else if (text !== '' || column.path[0] === 'data') {
      const cell = column.read(text);
      if (cell.ok) place(item, column.path, cell.value);
      else fault ??= { field: column.path.join('.'), message: cell.fault };
    }
  }
  return { item, file, fault };
};

/**
 * Reads CSV (RFC 4180) in UTF-8 with a header row. Semicolons or tabs may stand in place of commas.
 *
 * @throws {HeaderFault} for an unknown column, or without a header row; {RangeError} for too many empty lines; what
 *   `csv-parse` throws for broken quotes, a row that is too long, or one with too few or too many cells; a `TypeError` for
 *   bytes that are not UTF-8.
 */
export async function* readCsvRows(
  chunks: AsyncIterable<Buffer>,
  { columns: known, maxRowBytes, maxEmptyLines }: CsvOptions,
): AsyncGenerator<CsvRow> {
  const texts = decode(chunks);
  const beginning = await readBeginning(texts, maxRowBytes);
  const parser = parse({
    delimiter: delimiterOf(beginning),
    // A file may mix all three. Without this, the end of the first line would decide for all.
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    max_record_size: maxRowBytes,
  });
  async function* watched(): AsyncGenerator<string> {
    for await (const text of prepend(beginning, texts)) {
      yield text;
      // The types of the package leave `info` out.
      const { empty_lines } = (parser as unknown as { readonly info: Info }).info;
      if (empty_lines > maxEmptyLines) throw new RangeError(`more than ${maxEmptyLines} lines are empty`);
    }
  }
  // A failure anywhere ends the parser with the same error, which the loop below throws.
  pipeline(Readable.from(watched()), parser).catch(() => {});
  let columns: (FieldColumn | null)[] | undefined;
  for await (const cells of parser as AsyncIterable<string[]>) {
    if (columns === undefined) columns = readHeader(cells, known);
    else yield readRecord(columns, cells);
  }
  if (columns === undefined)
    throw new HeaderFault('the file is empty; it needs a header row with a column "data"');
}
