/** What a command's options say about its file. Every command loads this module, so it imports nothing that reads files. */
import { extname } from 'node:path';
import type { Mapping } from '../../csv/match.ts';
import { usageError } from '../terminal.ts';

export const INPUT_FORMATS = ['csv', 'ndjson', 'xlsx'] as const;
/** One of `INPUT_FORMATS`. */
export type Format = (typeof INPUT_FORMATS)[number];

/** A command's options about the columns of its file. */
export interface ColumnsSaid {
  readonly mapping: Mapping;
  /** What happens to columns that are not fields. */
  readonly others: 'refused' | 'skipped';
}

/** The defaults, for a command without options about columns. */
export const NOTHING_SAID: ColumnsSaid = { mapping: {}, others: 'refused' };

/** Names in the templates of a batch, which are columns of its rows too; `null`: rows have data of their own. */
export type Composed = readonly string[] | null;

/** The file of a run, and how to read it. */
export interface Source {
  readonly path: string;
  readonly format: Format;
  /** The command's options about the columns of a table. */
  readonly columns: ColumnsSaid;
  readonly composed: Composed;
  /** Names in the caption of a batch, which are columns of its rows too. */
  readonly captioned: readonly string[];
  /** The name of the encoding that the command says; `null`: none. */
  readonly encoding: string | null;
}

const FORMATS: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.xlsx': 'xlsx',
  '.xlsm': 'xlsx',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** Decides the format: the given one, or the one of the file's extension. @throws {CliFault} when there is neither. */
export const sourceOf = (
  path: string,
  format: Format | undefined,
  columns: ColumnsSaid = NOTHING_SAID,
  {
    composed = null,
    captioned = [],
    encoding = null,
  }: Partial<Pick<Source, 'composed' | 'captioned' | 'encoding'>> = {},
): Source => {
  const known = format ?? FORMATS[extname(path).toLowerCase()];
  if (known === undefined)
    throw usageError(`${path}: the format is unknown; give --input-format csv, ndjson or xlsx`);
  if (known === 'ndjson' && Object.keys(columns.mapping).length > 0)
    throw usageError('--column is for CSV and XLSX; rows of NDJSON name their fields');
  if (known !== 'csv' && encoding !== null)
    throw usageError('--encoding is for CSV; XLSX and NDJSON have theirs by definition');
  return { path, format: known, columns, composed, captioned, encoding };
};

/** Adds an option `--column field=name`. Without a name, the field has no column. @throws {CliFault}. */
export const addColumn = (option: string, mapping: Mapping = {}): Mapping => {
  const [, field = '', name = ''] = /^([^=]+)=(.*)$/s.exec(option) ?? [];
  if (field.trim() === '')
    throw usageError(`--column ${option}: write it as field=column, such as data="Web address"`);
  return { ...mapping, [field.trim()]: name.trim() === '' ? null : name.trim() };
};
