/**
 * What a chosen file is, how many rows it has, and its first rows. A row cut in two might count as a repeat of another.
 */
import type { Reading } from '../../../../csv/charset.ts';
import { ROW_MEDIA_TYPES, type RowFormat } from '../../../../lists.ts';

/** The format of the rows, and whether they are packed. */
export interface FileKind {
  readonly format: RowFormat;
  readonly gzip: boolean;
  /** The encoding that a person chose; absent: none. */
  readonly encoding?: string;
}

/** Names of files that a batch takes, for the browser's dialog. */
export const ACCEPTED = '.csv,.tsv,.txt,.xlsx,.xlsm,.ndjson,.jsonl,.gz';

const SPREADSHEET = /\.xls[xm]$/i;
const ENDING = /\.(?:(csv|tsv|txt)|(ndjson|jsonl))(\.gz)?$/i;

/** Returns what the file is; `null` when its name does not say it. */
export const kindOf = (name: string): FileKind | null => {
  if (SPREADSHEET.test(name)) return { format: 'xlsx', gzip: false };
  const [whole, csv, , gzip] = ENDING.exec(name) ?? [];
  if (whole === undefined) return null;
  return { format: csv === undefined ? 'ndjson' : 'csv', gzip: gzip !== undefined };
};

/** The media type of the rows, with the encoding that a person chose. */
export const mediaTypeOf = ({ format, encoding }: FileKind): string =>
  ROW_MEDIA_TYPES[format] + (format === 'csv' && encoding !== undefined ? `; charset=${encoding}` : '');

/** Returns the value of a header that says something of the rows. Headers take ASCII only. */
export const toHeader = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export const formatInWords = ({ format, encoding }: FileKind): string =>
  format === 'xlsx'
    ? 'Spreadsheet'
    : `${format.toUpperCase()}${encoding === undefined ? '' : ` in ${encoding}`}`;

/** The rows of a file: `null` while they are counted, or `unknown`: only the service can count them. */
export type RowCount = number | null | 'unknown';

const QUOTE = 0x22;
const LINE_ENDS: readonly number[] = [0x0a, 0x0d];
const SPACE = 0x20;
/** A row of these alone is empty. */
const DELIMITERS: readonly number[] = [QUOTE, 0x2c, 0x3b];

/**
 * Counts the non-empty lines of a file. With quotes, as in CSV, a line break in a cell does not end the line, and one
 * of delimiters alone is empty. Returns how many lines there are in the chunks so far.
 */
const createLineCount = (hasQuotes: boolean): ((chunk: Uint8Array) => number) => {
  let lines = 0;
  let isQuoted = false;
  let isEmpty = true;
  return (chunk) => {
    for (const byte of chunk) {
      if (byte > SPACE) {
        if (isEmpty && !(hasQuotes && DELIMITERS.includes(byte))) {
          lines += 1;
          isEmpty = false;
        }
        if (byte === QUOTE && hasQuotes) isQuoted = !isQuoted;
      } else if (!isQuoted && LINE_ENDS.includes(byte)) isEmpty = true;
    }
    return lines;
  };
};

/**
 * Counts the rows of a file without holding it in memory, the header row of CSV aside.
 *
 * @param max Reading stops at the first row beyond these; the result is then more than `max`.
 * @throws {TypeError} For a file that cannot be read or unpacked.
 */
export const countRows = async (
  file: Blob,
  { format, gzip }: FileKind,
  { max = Number.POSITIVE_INFINITY, signal }: { readonly max?: number; readonly signal?: AbortSignal } = {},
): Promise<number> => {
  const bytes = gzip ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  const reader = bytes.getReader();
  const count = createLineCount(format === 'csv');
  const headers = format === 'csv' ? 1 : 0;
  let rows = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (value !== undefined) rows = Math.max(0, count(value) - headers);
    if (done) return rows;
    if (rows > max || signal?.aborted) break;
  }
  await reader.cancel();
  return rows;
};

/** A quote after these, a delimiter or another quote opens a cell. */
const BEFORE_CELLS: readonly number[] = [...LINE_ENDS, QUOTE, ...[...',;\t'].map((one) => one.charCodeAt(0))];

/** How the characters that end a row are written: their bytes, the one that tells which it is, and where they begin. */
const formOf = ([first, second, third]: Uint8Array, encoding = '') => {
  if (first === 0xff && second === 0xfe) return { size: 2, low: 0, start: 2 };
  if (first === 0xfe && second === 0xff) return { size: 2, low: 1, start: 2 };
  if (encoding === 'utf-16le') return { size: 2, low: 0, start: 0 };
  if (encoding === 'utf-16be') return { size: 2, low: 1, start: 0 };
  return { size: 1, low: 0, start: first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0 };
};

/** Returns where the last whole row of these bytes ends; 0: they have none. */
export const endOfRows = (bytes: Uint8Array, encoding?: string): number => {
  const { size, low, start } = formOf(bytes, encoding);
  const at = (place: number): number => {
    const isAscii = size === 1 || bytes[place + 1 - low] === 0;
    return isAscii ? (bytes[place + low] ?? 0) : 0;
  };
  let end = 0;
  let isQuoted = false;
  let before = LINE_ENDS[0]!;
  for (let place = start; place + size <= bytes.length; place += size) {
    const unit = at(place);
    if (unit === QUOTE) isQuoted = !isQuoted && BEFORE_CELLS.includes(before);
    else if (!isQuoted && LINE_ENDS.includes(unit)) end = place + size;
    before = unit;
  }
  return end;
};

/** Unpacks the beginning of a file: as many bytes, or a few more. */
const unpack = async (file: Blob, bytes: number): Promise<{ read: Blob; isWhole: boolean }> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  while (length <= bytes) {
    const { done, value } = await reader.read();
    if (done) return { read: new Blob(parts), isWhole: true };
    parts.push(value);
    length += value.length;
  }
  await reader.cancel();
  return { read: new Blob(parts), isWhole: false };
};

/** Returns the first rows of a file of CSV, about as many bytes. One row that is longer is cut. */
export const beginningOf = async (
  file: Blob,
  { gzip, encoding }: Pick<FileKind, 'gzip' | 'encoding'>,
  bytes: number,
): Promise<Blob> => {
  const { read, isWhole } = gzip
    ? await unpack(file, bytes)
    : { read: file.slice(0, bytes), isWhole: file.size <= bytes };
  if (isWhole) return read;
  const end = endOfRows(new Uint8Array(await read.arrayBuffer()), encoding);
  return end === 0 ? read : read.slice(0, end);
};

/** All of WHATWG's Encoding Standard that the service decodes. */
export const ENCODINGS: readonly string[] = (
  'utf-8 utf-16le utf-16be ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 ' +
  'iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 koi8-r koi8-u macintosh ' +
  'windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 ' +
  'windows-1256 windows-1257 windows-1258 x-mac-cyrillic gbk gb18030 big5 euc-jp iso-2022-jp shift_jis ' +
  'euc-kr'
).split(' ');

/** The languages of each encoding of Windows besides the Western one. */
const LANGUAGES: Readonly<Record<string, string>> = {
  shift_jis: 'ja',
  'euc-kr': 'ko',
  gb18030: 'zh',
  big5: 'zh-tw zh-hk zh-hant',
  'windows-1251': 'ru uk bg sr mk be kk',
  'windows-1250': 'pl cs sk hu sl hr ro bs sq',
  'windows-1253': 'el',
  'windows-1254': 'tr az',
  'windows-1255': 'he',
  'windows-1256': 'ar fa ur',
  'windows-1257': 'et lv lt',
  'windows-1258': 'vi',
  'windows-874': 'th',
};
const WESTERN = 'windows-1252';

/** Returns the encoding that Windows has in a language, such as `de-CH`. */
const encodingOf = (language: string): string => {
  const tag = language.toLowerCase();
  const [name = ''] = tag.split('-');
  const [found] = [tag, tag.split('-', 2).join('-'), name].flatMap((each) =>
    Object.keys(LANGUAGES).filter((encoding) => LANGUAGES[encoding]?.split(' ').includes(each)),
  );
  return found ?? WESTERN;
};

/**
 * Returns the encoding to begin with: that of the first language in which the row can be read, else the likeliest.
 *
 * @param languages Those of the browser, the preferred one first.
 */
export const preselect = (readings: readonly Reading[], languages: readonly string[]): string => {
  const usual = languages
    .map(encodingOf)
    .find((encoding) => readings.some((one) => one.encoding === encoding));
  return usual ?? readings[0]?.encoding ?? WESTERN;
};
