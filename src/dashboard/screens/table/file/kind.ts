/** What a chosen file is, by its name and by what a person chose: its format, its encoding and what delimits its cells. */
import type { Reading } from '../../../../csv/charset.ts';
import { ROW_MEDIA_TYPES, type RowFormat } from '../../../../lists.ts';
import { say } from '../../../words/say.ts';

/** The format of the rows, and whether they are packed. */
export interface FileKind {
  readonly format: RowFormat;
  readonly gzip: boolean;
  /** The encoding that a person chose; absent: none. */
  readonly encoding?: string;
  /** What delimits the cells of CSV, if a person chose it. */
  readonly delimiter?: string;
}

/** Names of files that can be sent, for the browser's dialog. */
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
    ? say('Spreadsheet')
    : `${format.toUpperCase()}${encoding === undefined ? '' : ` ${say('in {encoding}', { encoding })}`}`;

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
