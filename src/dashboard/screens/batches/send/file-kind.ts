/** What a chosen file is, by the end of its name. */
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

/** What people call the format. */
export const formatInWords = ({ format, encoding }: FileKind): string =>
  format === 'xlsx'
    ? 'Spreadsheet'
    : `${format.toUpperCase()}${encoding === undefined ? '' : ` in ${encoding}`}`;
