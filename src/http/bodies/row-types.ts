/** The media types of files of rows. */

import { MIMEType } from 'node:util';
import { namesOf } from '../../../workers/lists.ts';
import { readEncoding } from '../../csv/charset.ts';
import { AppError } from '../../errors.ts';
import { ROW_MEDIA_TYPES, type RowFormat } from '../../lists.ts';

/** The media type of XLSX. */
export const XLSX_TYPE = ROW_MEDIA_TYPES.xlsx;

/** The row format of each media type. */
export const ROW_TYPES: ReadonlyMap<string, RowFormat> = new Map(
  namesOf(ROW_MEDIA_TYPES).map((format) => [ROW_MEDIA_TYPES[format], format]),
);

/** The formats of file names, for parts whose media type says nothing of the file. */
const ENDINGS: readonly (readonly [RegExp, RowFormat])[] = [
  [/\.(csv|tsv|tab|txt)$/i, 'csv'],
  [/\.(ndjson|jsonl)$/i, 'ndjson'],
  [/\.xls[xm]$/i, 'xlsx'],
];

/**
 * What browsers and HTTP clients send with files of rows that they do not know, and Windows with CSV where Excel is
 * installed. A part without a type is `text/plain` (RFC 7578, 4.4).
 */
const UNTOLD: ReadonlySet<string> = new Set([
  'application/octet-stream',
  'application/vnd.ms-excel',
  'application/x-msexcel',
  'application/msexcel',
  'text/plain',
  'text/tab-separated-values',
  'application/csv',
  'text/x-csv',
  'application/x-csv',
  ...[
    'application/json',
    'application/x-jsonlines',
    'application/jsonl',
    'application/vnd.ms-excel.sheet.macroenabled.12',
  ],
]);

/** Says which media types rows may have. */
export const wrongRowType = (): AppError =>
  new AppError(
    'unsupported_media_type',
    `Send the rows as application/x-ndjson, text/csv or ${XLSX_TYPE}; in a form, also as a file whose name ends with .csv, .tsv, .txt, .xlsx, .ndjson or .jsonl.`,
  );

const parse = (header: string): MIMEType | null => {
  try {
    return new MIMEType(header);
  } catch {
    return null;
  }
};

/** Returns the media type of a `Content-Type` without its parameters; '' for one that is malformed. */
export const mediaType = (header: string): string => parse(header)?.essence.toLowerCase() ?? '';

/**
 * Returns the encoding that a `Content-Type` says, by its name; `null`: it says none.
 *
 * @throws {AppError} 415 for one that cannot be decoded.
 */
export const encodingIn = (header: string): string | null => {
  // Most calls are JSON without it.
  const label = /charset/i.test(header) ? (parse(header)?.params.get('charset') ?? null) : null;
  if (label === null) return null;
  const encoding = readEncoding(label);
  if (!encoding.ok) throw new AppError('unsupported_media_type', `charset: ${encoding.fault}.`);
  return encoding.value;
};

/** @throws {AppError} 415 when a `Content-Type` says that JSON is not in UTF-8 (RFC 8259, 8.1). */
export const requireUtf8 = (header: string): void => {
  const encoding = encodingIn(header);
  if (encoding !== null && encoding !== 'utf-8')
    throw new AppError('unsupported_media_type', `charset: JSON is always UTF-8, and never ${encoding}.`);
};

/** A file of rows. `encoding` is `null` when the call names none, or the format has none. */
export interface RowType {
  readonly format: RowFormat;
  readonly encoding: string | null;
}

/**
 * Reads the `Content-Type` of rows.
 *
 * @param fileName That of a part of a form, which counts when its type says nothing of the file.
 * @throws {AppError} 415 when rows cannot have this type or encoding.
 */
export const rowTypeOf = (header: string, fileName = ''): RowType => {
  const type = mediaType(header);
  const named = UNTOLD.has(type) ? ENDINGS.find(([ending]) => ending.test(fileName.trim()))?.[1] : undefined;
  const format = ROW_TYPES.get(type) ?? named;
  if (format === undefined) throw wrongRowType();
  if (format === 'ndjson') requireUtf8(header);
  return { format, encoding: format === 'csv' ? encodingIn(header) : null };
};
