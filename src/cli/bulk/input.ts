import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import filenamify from 'filenamify';
import { EncodingFault, KindFault, tellEncodingFault } from '../../csv/encoding.ts';
import { createNotes, type TableNotes } from '../../csv/notes.ts';
import { CELLS_MAX, RowFault, readCsvRecords, type TableRecord } from '../../csv/records.ts';
import { ok, type Result, refused } from '../../result.ts';
import { pluralise } from '../../texts.ts';
import { XlsxFault } from '../../xlsx/bounds.ts';
import { readXlsxRecords } from '../../xlsx/read.ts';
import { CliFault, commandError, toPrintable } from '../terminal.ts';
import { MAX_ROW_BYTES, type Others, readNdjson, readTable, type Written } from './rows.ts';
import type { Source } from './source.ts';

/** 16 MB of memory, however many names there are. */
const FILTER_BITS = 2 ** 27;
const HASHES = 4;
/** At most 210 bytes in UTF-8. With the row's number and the extension that is below the 255 of a file system. */
const MAX_CHARACTERS = 70;
const ROW_DIGITS = 6;
/** Precedes a row's number. It is replaced in given names, so that no given name looks like a numbered one. */
const MARK = '~';

/**
 * Makes a Bloom filter. It has no false negatives; its false positive rate is 1 in 10^14 after ten thousand names, and
 * 1 in 10^6 after a million.
 */
const createFilter = () => {
  const bits = new Uint8Array(FILTER_BITS / 8);
  /** Whether the text was added before. Adds it. */
  return (text: string): boolean => {
    const digest = createHash('sha256').update(text).digest();
    let known = true;
    for (let hash = 0; hash < HASHES; hash += 1) {
      const bit = digest.readUInt32LE(hash * 4) % FILTER_BITS;
      const mask = 1 << (bit & 7);
      if ((bits[bit >>> 3]! & mask) === 0) known = false;
      bits[bit >>> 3]! |= mask;
    }
    return known;
  };
};

const stemOf = (wanted: string): string => {
  const stem = wanted
    .replace(/\.(?:png|webp|svg|pdf|eps)$/i, '')
    .normalize('NFC')
    .trim();
  if (stem === '') return '';
  return filenamify(stem, { replacement: '_', maxLength: MAX_CHARACTERS }).replaceAll(MARK, '_').trim();
};

/**
 * Makes a function that names the files of rows, without extensions. A row gets the wanted name, without characters
 * that file systems refuse, or else its number. When the name was given before, in any case, the row's number is
 * appended. The same rows in the same order get the same names, and no two rows get the same one.
 */
export const createNames = (): ((row: number, wanted: string | null) => string) => {
  const isTaken = createFilter();
  return (row, wanted) => {
    const stem = stemOf(wanted ?? '') || String(row).padStart(ROW_DIGITS, '0');
    const known = isTaken(stem.normalize('NFKC').toLowerCase());
    return `${stem}${known ? `${MARK}${row}` : ''}`;
  };
};

/** A row of the input on its way to a picture. */
export interface Row {
  /** Number of the row: 1 for the first one below the header; empty ones do not count. */
  readonly row: number;
  /** Its row in the file, as spreadsheets count: from 1, with the header row and empty rows. */
  readonly fileRow: number;
  /** Name of the row's files, without extension. */
  readonly name: string;
  /** The caller's own id of the row's code. */
  readonly externalId: string | null;
  /** The `data` when it is text, else ''. For the manifest. */
  readonly content: string;
  /** The item as JSON, or why it is not sent. */
  readonly item: Result<string, string>;
  /** The texts of the row by the names of their columns. */
  readonly cells: Readonly<Record<string, string>>;
}

const ADVICE = 'name its encoding with --encoding, such as --encoding windows-1251, or save it as UTF-8';

/** Turns faults of the input into a `CliFault` that names the file. Returns any other error as it is. */
const explained = (path: string, error: unknown): unknown => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof CliFault) return commandError(`${path}: ${message}`);
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return commandError(`${path} is not UTF-8; save it as UTF-8`);
  if (error instanceof EncodingFault)
    return commandError(toPrintable(`${path}: ${tellEncodingFault(error, ADVICE)}`));
  if (error instanceof KindFault || error instanceof XlsxFault) return commandError(`${path} ${message}`);
  if (error instanceof RowFault)
    return commandError(`${path}: row ${error.place.fileRow} of the file: ${message}`);
  if (error instanceof RangeError) return commandError(`${path}: ${message}`);
  if (code === 'ENOENT') return commandError(`${path}: there is no such file`);
  if (/^E[A-Z]+$/.test(code ?? '')) return commandError(`${path} cannot be read: ${message}`);
  return error;
};

/** Yields the bytes of a file and adds them to a hash. */
async function* hashed(path: string, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    yield chunk;
  }
}

/** A run may have any number of codes, so CSV may have any number of cells. */
const BOUNDS = {
  maxRowBytes: MAX_ROW_BYTES,
  maxEmptyRows: Number.POSITIVE_INFINITY,
  maxCells: Number.POSITIVE_INFINITY,
};

/** An XLSX file does not store its rows sequentially, so it is hashed separately. */
async function* readXlsx(path: string, hash: Hash, notes: TableNotes): AsyncGenerator<TableRecord> {
  for await (const _ of hashed(path, hash));
  yield* readXlsxRecords(path, { ...BOUNDS, maxCells: CELLS_MAX }, notes);
}

const readSource = (
  source: Source,
  hash: Hash,
  others: Others,
  notes: TableNotes,
): AsyncGenerator<Written> => {
  const { path, format, encoding } = source;
  if (format === 'ndjson') return readNdjson(hashed(path, hash), others, notes);
  const records =
    format === 'xlsx'
      ? readXlsx(path, hash, notes)
      : readCsvRecords(hashed(path, hash), BOUNDS, { encoding, wanted: 'rows', notes });
  return readTable(records, others, source);
};

/**
 * Yields the rows in order. Reads no further than they are consumed.
 *
 * @param onEnd Called at the end with the SHA-256 of the file, hexadecimal.
 * @param notes Filled in.
 * @throws {CliFault} when the file cannot be read or is not valid CSV, XLSX or NDJSON.
 */
export async function* readRows(
  source: Source,
  onEnd: (sha256: string) => void,
  others: Others,
  notes = createNotes(),
): AsyncGenerator<Row> {
  const hash = createHash('sha256');
  const nameOf = createNames();
  let row = 0;
  try {
    for await (const written of readSource(source, hash, others, notes)) {
      const { item, file, fault, ...rest } = written;
      row += 1;
      const content = typeof item.data === 'string' ? item.data : '';
      const sent = fault === null ? ok(JSON.stringify(item)) : refused(fault);
      yield { ...rest, row, name: nameOf(row, file), content, item: sent };
    }
  } catch (error) {
    throw explained(source.path, error);
  }
  onEnd(hash.digest('hex'));
}

/** Further column names are left out. */
const COLUMNS_MAX = 1000;

/**
 * Reads the whole file once, so that a file with a fault in its last line is refused before its first line costs
 * anything. Returns its SHA-256, how many rows it has, whether any row has an id of the caller, what was noted about it,
 * and the names of its columns.
 *
 * @param look Called with each row.
 * @throws {CliFault} as `readRows`, and when the file has no rows.
 */
export const inspect = async (source: Source, others: Others, look: (row: Row) => void = () => {}) => {
  const columns = new Set<string>();
  const notes = createNotes();
  let rows = 0;
  let sha256 = '';
  let hasIds = false;
  for await (const row of readRows(source, (digest) => (sha256 = digest), others, notes)) {
    const { externalId, cells } = row;
    look(row);
    rows += 1;
    hasIds ||= Boolean(externalId);
    for (const name of Object.keys(cells)) if (columns.size < COLUMNS_MAX) columns.add(name);
  }
  if (rows === 0) throw commandError(`${source.path} has no rows`);
  return { sha256, rows, hasIds, notes, columns: [...columns] };
};

/** Says what was noted about a file that a person may not expect; '' when there is nothing. */
export const tellNotes = ({ encoding, emptyRows, firstEmptyRows }: TableNotes): string => {
  const [first] = firstEmptyRows;
  return [
    ...(encoding === null || encoding === 'utf-8' ? [] : [`The file was read as ${encoding}.\n`]),
    ...(first === undefined
      ? []
      : [
          `${pluralise(emptyRows, 'empty row was', 'empty rows were')} left out; the first is row ${first} of the file.\n`,
        ]),
  ].join('');
};
