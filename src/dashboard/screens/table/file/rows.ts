/** Where the rows of a file of text are: counts them, cuts it behind a whole one, and leaves some out. */
import type { FileKind } from './kind.ts';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
/** A row of these alone is empty, and so is one of white space. */
const DELIMITERS: readonly number[] = [QUOTE, 0x2c, 0x3b];
/** A quote after these, a delimiter or another quote opens a cell. */
const BEFORE_CELLS: readonly number[] = [
  ...[LINE_FEED, RETURN, QUOTE],
  ...[...',;\t'].map((one) => one.charCodeAt(0)),
];

/** How characters are written: their bytes, the one that tells which it is in ASCII, and where the first begins. */
const formOf = ([first, second, third]: Uint8Array, encoding = '') => {
  if (first === 0xff && second === 0xfe) return { size: 2, low: 0, start: 2 };
  if (first === 0xfe && second === 0xff) return { size: 2, low: 1, start: 2 };
  if (encoding === 'utf-16le') return { size: 2, low: 0, start: 0 };
  if (encoding === 'utf-16be') return { size: 2, low: 1, start: 0 };
  return { size: 1, low: 0, start: first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0 };
};

/** Places in bytes. */
interface RowBytes {
  readonly start: number;
  /** Where its text ends. */
  readonly end: number;
  /** Where the first character of its line end does. */
  readonly next: number;
  readonly isEmpty: boolean;
}

/** Creates a function that takes a file in chunks, and reports each row whose end it has. */
const createScan = (
  { format, encoding }: Pick<FileKind, 'format' | 'encoding'>,
  onRow: (row: RowBytes) => void,
) => {
  const hasQuotes = format === 'csv';
  let form: ReturnType<typeof formOf> | null = null;
  let place = 0;
  let start = 0;
  /** The first byte of a character of two; -1: none. */
  let half = -1;
  let before = LINE_FEED;
  let [isQuoted, isEmpty, isAfterReturn] = [false, true, false];

  const takeUnit = (unit: number, size: number): void => {
    const isSecond = isAfterReturn && unit === LINE_FEED;
    isAfterReturn = false;
    if (isSecond) {
      start = place;
      return;
    }
    if (!isQuoted && (unit === LINE_FEED || unit === RETURN)) {
      onRow({ start, end: place - size, next: place, isEmpty });
      [start, isEmpty, isAfterReturn] = [place, true, unit === RETURN];
    } else if (hasQuotes && unit === QUOTE) isQuoted = !isQuoted && BEFORE_CELLS.includes(before);
    else if (isEmpty && unit > SPACE && !(hasQuotes && DELIMITERS.includes(unit))) isEmpty = false;
    before = unit;
  };

  return {
    take(chunk: Uint8Array): void {
      form ??= formOf(chunk, encoding);
      const { size, low, start: first } = form;
      for (const byte of chunk) {
        place += 1;
        if (place <= first) start = place;
        else if (size === 1) takeUnit(byte, 1);
        else if (half < 0) half = byte;
        else {
          takeUnit(low === 0 ? half + 256 * byte : 256 * half + byte, 2);
          half = -1;
        }
      }
    },
    /** Reports a last row without a line end. */
    end(): void {
      if (place > start) onRow({ start, end: place, next: place, isEmpty });
    },
  };
};

const unpacked = (file: Blob, gzip: boolean): ReadableStream<Uint8Array> =>
  gzip ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();

/** Reports the rows of a file without holding it in memory. @throws {TypeError} For one that cannot be read. */
const scan = async (file: Blob, kind: FileKind, onRow: (row: RowBytes) => void, signal?: AbortSignal) => {
  const { take, end } = createScan(kind, onRow);
  const reader = unpacked(file, kind.gzip).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return end();
    take(value);
    if (signal?.aborted) return reader.cancel();
  }
};

/** The rows of a file: `null` while they are counted, or `unknown`: only the service can count them. */
export type RowCount = number | null | 'unknown';

/** Counts the rows of a file that have text, the header row of CSV aside. @throws {TypeError} As `scan`. */
export const countRows = async (file: Blob, kind: FileKind, signal?: AbortSignal): Promise<number> => {
  let rows = kind.format === 'csv' ? -1 : 0;
  await scan(file, kind, ({ isEmpty }) => (rows += isEmpty ? 0 : 1), signal);
  return Math.max(0, rows);
};

/** Returns where the last whole row of these bytes of CSV ends; 0: they have none. */
export const endOfRows = (bytes: Uint8Array, encoding?: string): number => {
  let end = 0;
  const kind = encoding === undefined ? { format: 'csv' as const } : { format: 'csv' as const, encoding };
  createScan(kind, ({ next }) => (end = next)).take(bytes);
  return end;
};

/** Returns the first bytes of a packed file, at least these, and whether they are all. */
const unpack = async (
  file: Blob,
  bytes: number,
): Promise<{ readonly read: Blob; readonly isWhole: boolean }> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = unpacked(file, true).getReader() as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { read: new Blob(parts), isWhole: true };
    parts.push(value);
    length += value.length;
    if (length > bytes) break;
  }
  await reader.cancel();
  return { read: new Blob(parts).slice(0, bytes), isWhole: false };
};

/**
 * Returns the first rows of CSV, of about so many bytes, and whether they are all. A row cut in two might count as a
 * repeat of another.
 */
export const beginningOf = async (
  file: Blob,
  { gzip, encoding }: Pick<FileKind, 'gzip' | 'encoding'>,
  bytes: number,
): Promise<{ readonly read: Blob; readonly isWhole: boolean }> => {
  const { read, isWhole } = gzip
    ? await unpack(file, bytes)
    : { read: file.slice(0, bytes), isWhole: file.size <= bytes };
  if (isWhole) return { read, isWhole };
  const end = endOfRows(new Uint8Array(await read.arrayBuffer()), encoding);
  return { read: end === 0 ? read : read.slice(0, end), isWhole };
};

/** A byte order mark, and a line that tells spreadsheets the delimiter, as Latin-1. */
const DECLARED = /^(?:ï»¿|ÿþ|þÿ)?(?:"?sep=[^"\r\n]"?[ \t]*(?:\r\n|\r|\n))?/i;
const DECLARED_MAX_BYTES = 64;

const declarationOf = async (file: Blob): Promise<string> => {
  const text = new TextDecoder('latin1').decode(await file.slice(0, DECLARED_MAX_BYTES).arrayBuffer());
  return DECLARED.exec(text.replaceAll('\0', ''))?.[0] ?? '';
};

/** Returns CSV that says what delimits its cells. It must not be UTF-16. */
export const withDelimiter = async (file: Blob, delimiter: string): Promise<Blob> => {
  const { length } = await declarationOf(file);
  return new Blob([`sep=${delimiter}\n`, file.slice(length)]);
};

/**
 * Returns a file whose rows of these numbers are empty, so that all others keep theirs. The new file refers to the bytes
 * of the old one, and copies none; a packed one is unpacked. @throws {TypeError} As `scan`.
 */
export const withoutRows = async (file: Blob, kind: FileKind, rows: ReadonlySet<number>): Promise<Blob> => {
  if (rows.size === 0) return file;
  const plain = kind.gzip ? await new Response(unpacked(file, true)).blob() : file;
  const parts: Blob[] = [];
  // The line that declares the delimiter is no row.
  let number = (await declarationOf(plain)).includes('=') ? -1 : 0;
  let from = 0;
  await scan(plain, { ...kind, gzip: false }, ({ start, end }) => {
    number += 1;
    if (!rows.has(number)) return;
    parts.push(plain.slice(from, start));
    from = end;
  });
  return new Blob([...parts, plain.slice(from)]);
};
