/** Reads the manifests that `tessera bulk`, batches and the archive of a folder write. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Options, parse } from 'csv-parse';
import { SYMBOLOGIES } from '../../workers/lists.ts';
import { looksLikeElements, messageOf } from '../../workers/symbol/gs1.ts';
import { type CodeFile, hasFileColumn, readFileCells } from '../csv/file-columns.ts';
import { asText } from '../csv/formula.ts';
import { commandError } from './terminal.ts';

export interface ManifestRow {
  /** As the manifest counts: the row of the input, or the place in the folder. */
  readonly number: string;
  /** The row of the input, as spreadsheets count; `null`: the manifest does not say. */
  readonly fileRow: string | null;
  /** Empty when the code was not made, or cannot be drawn. */
  readonly files: readonly CodeFile[];
  /**
   * The texts that the code may encode: the cell, without the apostrophe that may precede a formula, and a GS1 element
   * string as readers return it.
   */
  readonly right: readonly string[];
  /** Whether its files are barcodes, which the readers of codes do not read. */
  readonly isBarcode: boolean;
  /** Why the code was not made, or which files are missing and why; '' otherwise. */
  readonly error: string;
}

/** A content has 4296 characters at most. */
const MAX_ROW_BYTES = 262_144;
const NEEDED = ['content', 'short_url'];

/** Removes the apostrophe that keeps a cell from being a formula. */
export const stripApostrophe = (cell: string): string =>
  cell.startsWith("'") && asText(cell.slice(1)) === cell ? cell.slice(1) : cell;

/** Yields the rows below the header of a stream of CSV. @throws What the stream and the parser throw. */
export const parseCsv = (
  stream: Readable,
  options: Pick<Options, 'bom' | 'columns' | 'max_record_size'>,
): AsyncIterable<Record<string, string>> => {
  const parser = parse({ columns: true, ...options });
  // A failure anywhere ends the parser with the same error, which the loop over its rows throws.
  pipeline(stream, parser).catch(() => {});
  return parser;
};

const toRow = (cells: Readonly<Record<string, string>>): ManifestRow => {
  const { row, file_row: fileRow, index, content = '', short_url: shortUrl = '', error = '' } = cells;
  const { symbology = '' } = cells;
  const cell = shortUrl === '' ? content : shortUrl;
  return {
    number: row ?? index ?? '',
    fileRow: fileRow || null,
    files: readFileCells(cells),
    right: [...new Set([stripApostrophe(cell), cell, ...(looksLikeElements(cell) ? [messageOf(cell)] : [])])],
    isBarcode: Object.hasOwn(SYMBOLOGIES, symbology),
    error,
  };
};

/**
 * Yields the rows of a manifest.
 *
 * @throws {CliFault} when the file is missing, or is not a manifest.
 */
export async function* readManifest(path: string): AsyncGenerator<ManifestRow, void> {
  const columns = (names: string[]) => {
    const missing = NEEDED.filter((name) => !names.includes(name));
    if (!hasFileColumn(names)) missing.push('file');
    if (missing.length === 0) return names;
    throw commandError(`${path} is not a manifest: it has no column ${missing.join(', ')}`);
  };
  const options = { bom: true, max_record_size: MAX_ROW_BYTES, columns };
  try {
    for await (const cells of parseCsv(createReadStream(path), options)) yield toRow(cells);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw commandError(`${path} is missing: give a folder that tessera bulk wrote, or an unpacked archive`);
    if (error instanceof CsvError) throw commandError(`${path} cannot be read: ${message}`);
    throw error;
  }
}
