import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { FILE_NAMES, type FieldColumn } from '../../../csv/columns.ts';
import { failed } from '../../fault.ts';
import { printable } from '../../terminal.ts';
import { MAX_ROW_BYTES, type Written } from '../written.ts';
import { COLUMNS, place } from './columns.ts';

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
const readBeginning = async (texts: AsyncIterator<string>): Promise<string> => {
  let beginning = '';
  while (!/[\r\n]/.test(beginning) && beginning.length < MAX_ROW_BYTES) {
    const next = await texts.next();
    if (next.done) break;
    beginning += next.value;
  }
  return beginning;
};

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

/** Returns the columns of a header row; `null` stands for the column of file names. */
const readHeader = (names: readonly string[]): (FieldColumn | null)[] => {
  const trimmed = names.map((name) => name.trim());
  const columns = trimmed.map((name) => {
    if (FILE_NAMES.has(name.toLowerCase())) return null;
    const column = COLUMNS.get(name);
    if (column !== undefined) return column;
    const known = [...COLUMNS.keys(), 'file'].join(', ');
    throw failed(`the header row has a column "${printable(name)}"; known columns are: ${known}`);
  });
  const twice = trimmed.find((name, index) => trimmed.indexOf(name) !== index);
  if (twice !== undefined) throw failed(`the header row has the column "${twice}" twice`);
  if (columns.filter((column) => column === null).length > 1)
    throw failed('the header row names files twice');
  if (!trimmed.includes('data')) throw failed('the header row has no column "data"');
  return columns;
};

/** An empty cell leaves its field out, except for `data`, which every item needs. */
const readRecord = (columns: readonly (FieldColumn | null)[], cells: readonly string[]): Written => {
  const item: Record<string, unknown> = {};
  let file: string | null = null;
  let fault: string | null = null;
  for (const [index, column] of columns.entries()) {
    const text = cells[index]!;
    if (column === null) file = text;
    else if (text !== '' || column.path[0] === 'data') {
      const cell = column.read(text);
      if (cell.ok) place(item, column.path, cell.value);
      else fault ??= `${column.path.join('.')}: ${cell.fault}`;
    }
  }
  return { item, file, fault };
};

/**
 * Reads CSV (RFC 4180) in UTF-8 with a header row. Semicolons or tabs may stand in place of commas.
 *
 * @throws {CliFault} for an unknown column; what `csv-parse` throws for broken quotes or a row with too few or too many
 *   cells; a `TypeError` for bytes that are not UTF-8.
 */
export async function* readCsv(chunks: AsyncIterable<Buffer>): AsyncGenerator<Written> {
  const texts = decode(chunks);
  const beginning = await readBeginning(texts);
  const parser = parse({
    delimiter: delimiterOf(beginning),
    // A file may mix all three. Without this, the end of the first line would decide for all.
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
  });
  // A failure anywhere ends the parser with the same error, which the loop below throws.
  pipeline(Readable.from(prepend(beginning, texts)), parser).catch(() => {});
  let columns: (FieldColumn | null)[] | undefined;
  for await (const cells of parser as AsyncIterable<string[]>) {
    if (columns === undefined) columns = readHeader(cells);
    else yield readRecord(columns, cells);
  }
  if (columns === undefined) throw failed('the file is empty; it needs a header row with a column "data"');
}
