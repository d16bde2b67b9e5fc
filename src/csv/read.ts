/** Reads rows of codes from CSV. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Info, parse } from 'csv-parse';
import { FILE_NAMES, type FieldColumn } from './columns.ts';

/** A row as it was written. */
export interface CsvRow {
  readonly item: Readonly<Record<string, unknown>>;
  /** The wanted name of the picture's file. */
  readonly file: string | null;
  /** The texts of all cells by the names of their columns, when other columns are kept; else empty. */
  readonly cells: Readonly<Record<string, string>>;
  /** What is wrong with the first wrong cell; else `null`. */
  readonly fault: { readonly field: string; readonly message: string } | null;
}

/** Says what is wrong with the header row. */
export class HeaderFault extends Error {}

/** Whether an error of `readCsvRows` is about quotes, the length of a row, or the number of its cells. */
export const isCsvFault = (error: unknown): error is CsvError & { readonly records?: number } =>
  error instanceof CsvError;

/** Which columns there are, and how much is read. */
export interface CsvOptions {
  /** By their names in the header row. */
  readonly columns: ReadonlyMap<string, FieldColumn>;
  readonly maxRowBytes: number;
  /** Empty lines are left out. A file with more of them is refused. */
  readonly maxEmptyLines: number;
  /** What becomes of columns that are not among `columns`: `refused` unless told. */
  readonly others?: 'refused' | 'kept';
}

/** A column, and what it is: a field of the item, the name of the file, or text alone. */
interface Column {
  readonly name: string;
  readonly use: FieldColumn | 'file' | 'text';
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

const useOf = (name: string, { columns, others }: CsvOptions): Column['use'] => {
  if (FILE_NAMES.has(name.toLowerCase())) return 'file';
  const column = columns.get(name);
  if (column !== undefined) return column;
  if (others === 'kept') return 'text';
  const known = [...new Set([...columns.keys(), 'file'])].join(', ');
  throw new HeaderFault(`the header row has a column "${shown(name)}"; known columns are: ${known}`);
};

const readHeader = (names: readonly string[], options: CsvOptions): readonly Column[] => {
  const columns = names.map((text): Column => {
    const name = text.trim();
    return { name, use: useOf(name, options) };
  });
  const trimmed = columns.map(({ name }) => name);
  const twice = trimmed.find((name, index) => trimmed.indexOf(name) !== index);
  if (twice !== undefined) throw new HeaderFault(`the header row has the column "${shown(twice)}" twice`);
  if (columns.filter(({ use }) => use === 'file').length > 1)
    throw new HeaderFault('the header row names files twice');
  if (!trimmed.includes('data')) throw new HeaderFault('the header row has no column "data"');
  return columns;
};

/** An empty cell leaves its field out, except for `data`, which every item needs. */
const readRecord = (columns: readonly Column[], texts: readonly string[], keepsCells: boolean): CsvRow => {
  const item: Record<string, unknown> = {};
  const cells: Record<string, string> = {};
  let file: string | null = null;
  let fault: CsvRow['fault'] = null;
  for (const [index, { name, use }] of columns.entries()) {
    const text = texts[index]!;
    if (keepsCells) cells[name] = text;
    if (use === 'text') continue;
    if (use === 'file') file = text;
    else if (text !== '' || use.path[0] === 'data') {
      const cell = use.read(text);
      if (cell.ok) place(item, use.path, cell.value);
      else fault ??= { field: use.path.join('.'), message: cell.fault };
    }
  }
  return { item, file, cells, fault };
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
  options: CsvOptions,
): AsyncGenerator<CsvRow> {
  const { maxRowBytes, maxEmptyLines, others } = options;
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
  // With one text at a time in hand, a source that pauses keeps the parser from running on.
  pipeline(Readable.from(watched(), { highWaterMark: 1 }), parser).catch(() => {});
  let columns: readonly Column[] | undefined;
  for await (const cells of parser as AsyncIterable<string[]>) {
    if (columns === undefined) columns = readHeader(cells, options);
    else yield readRecord(columns, cells, others === 'kept');
  }
  if (columns === undefined)
    throw new HeaderFault('the file is empty; it needs a header row with a column "data"');
}
