/** Splits CSV into records of cells. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Info, parse } from 'csv-parse';
import { decode } from './encoding.ts';
import { findSeparator } from './separator.ts';

/** Maximum columns of a table. Rows of codes have some seventy fields. */
export const COLUMNS_MAX = 1000;
/** Maximum cells of a table from an untrusted sender: a million rows of fifty. */
export const CELLS_MAX = 50_000_000;

/** A line of a table: the texts of its cells, or what is wrong with one of them. */
export interface TableRecord {
  /** Empty cells may be holes. */
  readonly texts: readonly (string | undefined)[];
  /** The first cell without a usable text; `null`: none. */
  readonly fault: { readonly index: number; readonly message: string } | null;
}

/** Limits on what is read. */
export interface RecordBounds {
  readonly maxRowBytes: number;
  /** Empty lines are skipped. A file with more of them is refused. */
  readonly maxEmptyLines: number;
  /** Total over all rows. */
  readonly maxCells: number;
}

/** Returns a function that counts the cells of a row, and throws a `RangeError` when there are too many. */
export const countCells = ({ maxCells }: Pick<RecordBounds, 'maxCells'>) => {
  let cells = 0;
  return (added: number): void => {
    cells += added;
    if (cells > maxCells) throw new RangeError(`the rows have more than ${maxCells} cells`);
  };
};

/** Whether an error of `readCsvRecords` is about quotes, the length of a row, or the number of its cells. */
export const isCsvFault = (error: unknown): error is CsvError & { readonly records?: number } =>
  error instanceof CsvError;

/** Reads at least up to the first line end. */
const readBeginning = async (texts: AsyncIterator<string>, maxLength: number): Promise<string> => {
  const parts: string[] = [];
  for (let length = 0; length < maxLength; ) {
    const next = await texts.next();
    if (next.done) break;
    parts.push(next.value);
    length += next.value.length;
    // The first line may only declare the delimiter.
    if (/[\r\n][^\r\n]+[\r\n]/.test(next.value) || (parts.length > 1 && /[\r\n]/.test(next.value))) break;
  }
  return parts.join('');
};

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

/**
 * Yields the header row and the rows of a CSV file (RFC 4180). The delimiter may also be a semicolon or a tab.
 *
 * @param widths Whether a row must have as many cells as the header row. With `any`, all rows before a fault are
 *   yielded.
 * @throws {EncodingFault}; {RangeError} for too many empty lines, columns or cells; what `csv-parse` throws for broken
 *   quotes, a row that is too long, or one with too few or too many cells.
 */
export async function* readCsvRecords(
  chunks: AsyncIterable<Buffer>,
  { maxRowBytes, maxEmptyLines, maxCells }: RecordBounds,
  widths: 'equal' | 'any' = 'equal',
): AsyncGenerator<TableRecord> {
  const texts = decode(chunks);
  const { separator, text: beginning } = findSeparator(await readBeginning(texts, maxRowBytes));
  const count = countCells({ maxCells });
  /** Records not yielded yet. */
  const inHand: string[][] = [];
  const parser = parse({
    delimiter: separator,
    // A file may mix all three. Without this, the first line's ending would apply to all.
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    max_record_size: maxRowBytes,
    relax_column_count: widths === 'any',
    on_record: (cells: string[]) => {
      if (cells.length > COLUMNS_MAX) throw new RangeError(`a row has more than ${COLUMNS_MAX} cells`);
      count(cells.length);
      if (widths === 'any') inHand.push(cells);
      return cells;
    },
  });
  async function* watched(): AsyncGenerator<string> {
    for await (const text of prepend(beginning, texts)) {
      yield text;
      // The package's types omit `info`.
      const { empty_lines } = (parser as unknown as { readonly info: Info }).info;
      if (empty_lines > maxEmptyLines) throw new RangeError(`more than ${maxEmptyLines} lines are empty`);
    }
  }
  // A failure anywhere ends the parser with the same error, which the loop below throws.
  // Buffering only one text at a time lets a paused source hold back the parser.
  pipeline(Readable.from(watched(), { highWaterMark: 1 }), parser).catch(() => {});
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      inHand.shift();
      yield { texts: cells, fault: null };
    }
  } catch (error) {
    // On an error, the parser drops what it has buffered.
    for (const cells of inHand) yield { texts: cells, fault: null };
    throw error;
  }
}
