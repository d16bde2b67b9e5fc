/** Reads the manifests that `tessera bulk` and the archive of a folder write. */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { type CodeFile, readFileCells } from '../../csv/file-columns.ts';
import { asText } from '../../csv/formula.ts';
import { failed } from '../fault.ts';

/** One row of a manifest. */
export interface ManifestRow {
  /** As the manifest counts: the row of the input, or the place in the folder. */
  readonly number: string;
  /** None when the code was not made, or cannot be drawn. */
  readonly files: readonly CodeFile[];
  /** The texts that the code may say: the cell, and without the apostrophe that may stand before a formula. */
  readonly right: readonly string[];
  /** Why the code was not made; '' otherwise. */
  readonly error: string;
}

/** A content has 4296 characters at most. */
const MAX_ROW_BYTES = 262_144;
const NEEDED = ['content', 'short_url'];

const rightTexts = (cell: string): readonly string[] => {
  const bare = cell.slice(1);
  return cell.startsWith("'") && asText(bare) === cell ? [bare, cell] : [cell];
};

const toRow = (cells: Readonly<Record<string, string>>): ManifestRow => {
  const { row, index, content = '', short_url: shortUrl = '', error = '' } = cells;
  return {
    number: row ?? index ?? '',
    files: readFileCells(cells),
    right: rightTexts(shortUrl === '' ? content : shortUrl),
    error,
  };
};

/**
 * Yields the rows of a manifest.
 *
 * @throws {CliFault} when the file is missing, or is not a manifest.
 */
export async function* readManifest(path: string): AsyncGenerator<ManifestRow, void> {
  const parser = parse({
    bom: true,
    max_record_size: MAX_ROW_BYTES,
    columns: (names: string[]) => {
      const missing = NEEDED.filter((name) => !names.includes(name));
      if (!names.some((name) => /^file(_|$)/.test(name))) missing.push('file');
      if (missing.length > 0)
        throw failed(`${path} is not a manifest: it has no column ${missing.join(', ')}`);
      return names;
    },
  });
  // A failure anywhere ends the parser with the same error, which the loop below throws.
  pipeline(createReadStream(path), parser).catch(() => {});
  try {
    for await (const cells of parser as AsyncIterable<Record<string, string>>) yield toRow(cells);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw failed(`${path} is missing: give a folder of tessera bulk, or an unpacked archive`);
    if (error instanceof CsvError) throw failed(`${path} cannot be read: ${(error as Error).message}`);
    throw error;
  }
}
