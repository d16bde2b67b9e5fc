import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { isCsvFault } from '../../../csv/read.ts';
import { ok, type Result, refused } from '../../../result.ts';
import { CliFault, failed, misused } from '../../fault.ts';
import { createNames } from '../names.ts';
import type { Others } from '../written.ts';
import { readCsv } from './csv.ts';
import { readNdjson } from './ndjson.ts';

/** The formats of an input. */
export type Format = 'csv' | 'ndjson';

/** The file of a run, and how to read it. */
export interface Source {
  readonly path: string;
  readonly format: Format;
}

/** What identifies an input, and how many rows it has. */
export interface Inspected {
  readonly sha256: string;
  readonly rows: number;
  /** Whether any row has an id of the caller; only known when other columns are kept. */
  readonly hasIds: boolean;
}

/** A row of the input on its way to a picture. */
export interface Row {
  /** Number of the row: 1 for the first one below the header. */
  readonly row: number;
  /** Name of the row's files, without extension. */
  readonly name: string;
  /** The `data` when it is text, else ''. For the manifest. */
  readonly content: string;
  /** The item as JSON, or why it is not sent. */
  readonly item: Result<string, string>;
  /** The texts of the row by the names of their columns. */
  readonly cells: Readonly<Record<string, string>>;
}

const FORMATS: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** Decides the format: the given one, or the one of the file's extension. @throws {CliFault} when there is neither. */
export const sourceOf = (path: string, format: Format | undefined): Source => {
  const known = format ?? FORMATS[extname(path).toLowerCase()];
  if (known === undefined)
    throw misused(`${path}: the format is unknown; give --input-format csv or --input-format ndjson`);
  return { path, format: known };
};

/** Turns faults of the input into a `CliFault` that names the file. Returns any other error as it is. */
const explained = (path: string, error: unknown): unknown => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof CliFault) return failed(`${path}: ${message}`);
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return failed(`${path} is not UTF-8; save it as UTF-8`);
  if (isCsvFault(error) || error instanceof RangeError) return failed(`${path}: ${message}`);
  if (code === 'ENOENT') return failed(`${path}: there is no such file`);
  if (/^E[A-Z]+$/.test(code ?? '')) return failed(`${path} cannot be read: ${message}`);
  return error;
};

/**
 * Yields the rows in order. Reads no further than they are taken.
 *
 * @param onEnd Called at the end with the SHA-256 of the file, hexadecimal.
 * @throws {CliFault} when the file cannot be read or is not valid CSV or NDJSON.
 */
export async function* readRows(
  { path, format }: Source,
  onEnd: (sha256: string) => void,
  others: Others = 'refused',
): AsyncGenerator<Row> {
  const hash = createHash('sha256');
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const nameOf = createNames();
  let row = 0;
  try {
    const read = format === 'csv' ? readCsv : readNdjson;
    for await (const { item, file, cells, fault } of read(chunks(), others)) {
      row += 1;
      const content = typeof item.data === 'string' ? item.data : '';
      const sent = fault === null ? ok(JSON.stringify(item)) : refused(fault);
      yield { row, name: nameOf(row, file), content, item: sent, cells };
    }
  } catch (error) {
    throw explained(path, error);
  }
  onEnd(hash.digest('hex'));
}

/**
 * Reads the whole file once, so that a file with a fault in its last line is refused before its first line costs
 * anything.
 *
 * @throws {CliFault} as `readRows`, and when the file has no rows.
 */
export const inspect = async (source: Source, others: Others = 'refused'): Promise<Inspected> => {
  let rows = 0;
  let sha256 = '';
  let hasIds = false;
  for await (const { cells } of readRows(source, (digest) => (sha256 = digest), others)) {
    rows += 1;
    hasIds ||= Boolean(cells.id);
  }
  if (rows === 0) throw failed(`${source.path} has no rows`);
  return { sha256, rows, hasIds };
};
