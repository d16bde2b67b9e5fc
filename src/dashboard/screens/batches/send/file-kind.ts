/** What a chosen file is, by the end of its name. */

/** The format of the rows, and whether they are packed. */
export interface FileKind {
  readonly format: 'csv' | 'ndjson';
  readonly gzip: boolean;
}

/** Names of files that a batch takes, for the browser's dialog. */
export const ACCEPTED = '.csv,.tsv,.txt,.ndjson,.jsonl,.gz';

const ENDING = /\.(?:(csv|tsv|txt)|(ndjson|jsonl))(\.gz)?$/i;

/** Returns what the file is; `null` when its name does not say it. */
export const kindOf = (name: string): FileKind | null => {
  const [whole, csv, , gzip] = ENDING.exec(name) ?? [];
  if (whole === undefined) return null;
  return { format: csv === undefined ? 'ndjson' : 'csv', gzip: gzip !== undefined };
};

/** The media type of the rows. */
export const mediaTypeOf = ({ format }: FileKind): string =>
  format === 'csv' ? 'text/csv' : 'application/x-ndjson';
