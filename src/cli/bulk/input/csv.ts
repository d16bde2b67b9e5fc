import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { FILE_NAMES, type FieldColumn } from '../../../csv/columns.ts';
import { failed } from '../../fault.ts';
import { printable } from '../../terminal.ts';
import { MAX_ROW_BYTES, type Others, type Written } from '../written.ts';
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

/** A column, and what it is: a field of the item, the name of the file, or for captions alone. */
interface Column {
  readonly name: string;
  readonly use: FieldColumn | 'file' | 'caption';
}

const useOf = (name: string, others: Others): Column['use'] => {
  if (FILE_NAMES.has(name.toLowerCase())) return 'file';
  const column = COLUMNS.get(name);
  if (column !== undefined) return column;
  if (others === 'kept') return 'caption';
  const known = [...COLUMNS.keys(), 'file'].join(', ');
  throw failed(`the header row has a column "${printable(name)}"; known columns are: ${known}`);
};

const readHeader = (names: readonly string[], others: Others): readonly Column[] => {
  const columns = names.map((text): Column => {
    const name = text.trim();
    return { name, use: useOf(name, others) };
  });
  const twice = columns.find(
    ({ name }, index) => columns.findIndex((column) => column.name === name) !== index,
  );
  if (twice !== undefined) throw failed(`the header row has the column "${printable(twice.name)}" twice`);
  if (columns.filter(({ use }) => use === 'file').length > 1)
    throw failed('the header row names files twice');
  if (!columns.some(({ name }) => name === 'data')) throw failed('the header row has no column "data"');
  return columns;
};

/** An empty cell leaves its field out, except for `data`, which every item needs. */
const readRecord = (columns: readonly Column[], texts: readonly string[]): Written => {
  const item: Record<string, unknown> = {};
  const cells: Record<string, string> = {};
  let file: string | null = null;
  let fault: string | null = null;
  for (const [index, { name, use }] of columns.entries()) {
    const text = texts[index]!;
    cells[name] = text;
    if (use === 'caption') continue;
    if (use === 'file') file = text;
    else if (text !== '' || use.path[0] === 'data') {
      const cell = use.read(text);
      if (cell.ok) place(item, use.path, cell.value);
      else fault ??= `${use.path.join('.')}: ${cell.fault}`;
    }
  }
  return { item, file, cells, fault };
};

/**
 * Reads CSV (RFC 4180) in UTF-8 with a header row. Semicolons or tabs may stand in place of commas.
 *
 * @throws {CliFault} for an unknown column that is to be refused; what `csv-parse` throws for broken quotes or a row with
 *   too few or too many cells; a `TypeError` for bytes that are not UTF-8.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  others: Others = 'refused',
): AsyncGenerator<Written> {
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
  let columns: readonly Column[] | undefined;
  for await (const cells of parser as AsyncIterable<string[]>) {
    if (columns === undefined) columns = readHeader(cells, others);
    else yield readRecord(columns, cells);
  }
  if (columns === undefined) throw failed('the file is empty; it needs a header row with a column "data"');
}
