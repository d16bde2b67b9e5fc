/** Detects the delimiter of a CSV file, and splits it into records of cells. */
import { promisify } from 'node:util';
import { CsvError, parse } from 'csv-parse';
import { pluralise } from '../texts.ts';
import { decode, EncodingFault } from './encoding.ts';
import { isEmptyRow, nextFileRow, noteEmptyRows, type TableNotes, tooManyEmptyRows } from './notes.ts';

const SEPARATORS = [',', ';', '\t'] as const;

/** The line in which a file tells spreadsheets its delimiter. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?[ \t]*(?:\r\n|\r|\n)/i;

/** The delimiter, and the text without a line that declares it. */
interface Separated {
  readonly separator: string;
  readonly text: string;
}

/**
 * Finds the delimiter: the one declared by a first line `sep=;`, else the comma, semicolon or tab that is most frequent
 * in the header row outside of quotes.
 *
 * @param beginning The header row, and whatever follows it.
 */
export const findSeparator = (beginning: string): Separated => {
  const [line = '', separator] = SEPARATOR_LINE.exec(beginning) ?? [];
  if (separator !== undefined) return { separator, text: beginning.slice(line.length) };
  const [header = ''] = beginning.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const counts = SEPARATORS.map((separator) => ({
    separator,
    count: header.split(separator).length - 1,
    at: header.indexOf(separator),
  }));
  const [most] = counts.sort((a, b) => b.count - a.count || a.at - b.at);
  return { separator: most!.count === 0 ? ',' : most!.separator, text: beginning };
};

/** Maximum columns of a table. Rows of codes have some seventy fields. */
export const COLUMNS_MAX = 1000;
/** Maximum cells of a table from an untrusted sender: a million rows of fifty. */
export const CELLS_MAX = 50_000_000;

/** A line of a table: the texts of its cells, or what is wrong with one of them. */
export interface TableRecord {
  /** Empty cells may be holes. */
  readonly texts: readonly (string | undefined)[];
  /** Its row in the file, as spreadsheets count: from 1, with the header row and the empty rows. */
  readonly fileRow: number;
  /** The first cell without a usable text; `null`: none. */
  readonly fault: { readonly index: number; readonly message: string } | null;
}

/** Limits on what is read. */
export interface RecordBounds {
  readonly maxRowBytes: number;
  /** Empty rows are left out. A file with more of them is refused. */
  readonly maxEmptyRows: number;
  /** Total over all rows. */
  readonly maxCells: number;
}

/** What `csv-parse` counts. */
interface Info {
  readonly empty_lines: number;
}

/** Returns a function that counts the cells of a row, and throws a `RangeError` when there are too many. */
export const countCells = ({ maxCells }: Pick<RecordBounds, 'maxCells'>) => {
  let cells = 0;
  return (added: number): void => {
    cells += added;
    if (cells > maxCells) throw new RangeError(`the rows have more than ${maxCells} cells`);
  };
};

export interface RowPlace {
  /** Counts the rows with text below the header row, from 1; the header row itself is 0. */
  readonly row: number;
  /** Its row in the file, as in `TableRecord`. */
  readonly fileRow: number;
}

/** Says what is wrong with a row, so that those below it cannot be read either. */
export class RowFault extends Error {
  readonly place: RowPlace;

  constructor(message: string, place: RowPlace) {
    super(message);
    this.place = place;
  }
}

/** How a CSV file is read. */
interface CsvReading {
  /** The name of its encoding; `null`: not named. */
  readonly encoding: string | null;
  /**
   * `rows`: each row must have as many cells as the header row. `beginning`: it may have any number, the bytes may end
   * anywhere, and all rows before a fault are yielded.
   */
  readonly wanted: 'rows' | 'beginning';
  /** Filled in while the file is read. */
  readonly notes: TableNotes;
}

/** Reads at least up to the first line end, or to the line above one that is not in the encoding of the file. */
const readBeginning = async (texts: AsyncIterator<string>) => {
  const parts: string[] = [];
  try {
    for (let next = await texts.next(); !next.done; next = await texts.next()) {
      parts.push(next.value);
      // The first line may only declare the delimiter.
      if (/[\r\n][^\r\n]+[\r\n]/.test(next.value) || (parts.length > 1 && /[\r\n]/.test(next.value))) break;
    }
  } catch (error) {
    if (!(error instanceof EncodingFault)) throw error;
    return { text: parts.join(''), unclear: error };
  }
  return { text: parts.join(''), unclear: null };
};

/**
 * Yields the header row and the rows of a CSV file (RFC 4180), without the empty ones. The delimiter may also be a
 * semicolon or a tab.
 *
 * @throws {EncodingFault}, {KindFault}; {RowFault}, also for a line that is too long, and too many empty rows or cells.
 */
export async function* readCsvRecords(
  chunks: AsyncIterable<Buffer>,
  { maxRowBytes, maxEmptyRows, maxCells }: RecordBounds,
  { encoding, wanted, notes }: CsvReading,
): AsyncGenerator<TableRecord> {
  const texts = decode(chunks, {
    said: encoding,
    maxLineBytes: maxRowBytes,
    isCut: wanted === 'beginning',
    note: (found) => (notes.encoding = found),
  });
  const count = countCells({ maxCells });
  /** Records not yielded yet, and the number of all. */
  const inHand: TableRecord[] = [];
  let records = 0;
  let width = 0;
  let unclear: EncodingFault | null = null as EncodingFault | null;
  const placeOfNext = (): RowPlace => ({ row: records, fileRow: nextFileRow(notes, records) });
  const leaveOut = (rows: number): void => {
    noteEmptyRows(notes, records, rows);
    if (notes.emptyRows > maxEmptyRows) throw tooManyEmptyRows(maxEmptyRows);
  };
  let emptyLines = 0;
  /** Leaves out the lines that the parser has skipped since. */
  const leaveOutLines = ({ empty_lines }: Info): void => {
    leaveOut(empty_lines - emptyLines);
    emptyLines = empty_lines;
  };
  const take = (cells: string[], context: Info): string[] | null => {
    leaveOutLines(context);
    if (cells.length > COLUMNS_MAX) throw new RangeError(`a row has more than ${COLUMNS_MAX} cells`);
    count(cells.length);
    if (isEmptyRow(cells)) {
      leaveOut(1);
      return null;
    }
    if (records === 0) width = cells.length;
    else if (cells.length !== width && wanted === 'rows')
      throw new RowFault(
        `has ${pluralise(cells.length, 'cell')}, and the header row has ${width}`,
        placeOfNext(),
      );
    inHand.push({ texts: cells, fileRow: nextFileRow(notes, records), fault: null });
    records += 1;
    return cells;
  };
  try {
    const read = await readBeginning(texts);
    const { separator, text: beginning } = findSeparator(read.text);
    notes.delimiter = separator;
    const parser = parse({
      delimiter: separator,
      // A file may mix all three. Without this, the first line's ending would apply to all.
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: maxRowBytes,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: take,
    });
    // The package's types omit `info`.
    const { info } = parser as unknown as { readonly info: Info };
    /** Gives the parser a text only when it has read the one before, so that a fault of encoding finds its row. */
    const feed = async (): Promise<void> => {
      const write = promisify<string, void>((text, done) => void parser.write(text, done));
      try {
        await write(beginning);
        endsInBreak = /[\r\n]$/.test(beginning);
        if (read.unclear !== null) throw read.unclear;
        for await (const text of texts) {
          await write(text);
          leaveOutLines(info);
          if (text !== '') endsInBreak = /[\r\n]$/.test(text);
        }
        parser.end();
      } catch (error) {
        if (error instanceof EncodingFault) unclear = error;
        // The parser keeps the last row until its end. Without effect when it has failed itself.
        parser.end();
        if (unclear === null) parser.destroy(error as Error);
      }
    };
    let endsInBreak = false;
    void feed();
    for await (const _ of parser) yield inHand.shift()!;
    // The parser counts what is behind the last line break as a line.
    leaveOutLines({ empty_lines: info.empty_lines - Number(endsInBreak) });
    if (unclear !== null) throw unclear;
  } catch (caught) {
    const error = unclear ?? caught;
    // On an error, the parser drops what it has buffered.
    if (wanted === 'beginning') yield* inHand;
    if (error instanceof EncodingFault) error.fileRow = placeOfNext().fileRow;
    const isOfRow = error instanceof CsvError || error instanceof RangeError;
    throw isOfRow ? new RowFault(error.message, placeOfNext()) : error;
  }
}
