/** Reads a downloaded part: a ZIP file with a manifest. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type CodeFile, readFileCells } from '../../csv/file-columns.ts';
import { asText } from '../../csv/formula.ts';
import { failed } from '../fault.ts';

/** A row of a part's manifest. */
export interface PartRow {
  readonly id: string;
  readonly content: string;
  readonly slug: string;
  readonly shortUrl: string;
  readonly grade: number | null;
  readonly warnings: string;
  /** Under their names in the part. */
  readonly files: readonly CodeFile[];
}

/** A part that is open. */
export interface PartFile {
  /** The rows that were made, by their numbers. */
  readonly rows: ReadonlyMap<number, PartRow>;
  /** Returns the bytes of a file of the manifest. @throws {CliFault} when they have another SHA-256. */
  read(file: CodeFile): Promise<Buffer>;
  close(): void;
}

const MANIFEST = 'manifest.csv';

/** Removes the apostrophe that keeps a cell from being a formula. */
const bare = (cell = ''): string =>
  cell.startsWith("'") && asText(cell.slice(1)) === cell ? cell.slice(1) : cell;

const readRows = async (stream: Readable): Promise<ReadonlyMap<number, PartRow>> => {
  const rows = new Map<number, PartRow>();
  const parser = parse({ columns: true });
  // A failure anywhere ends the parser with the same error, which the loop below throws.
  pipeline(stream, parser).catch(() => {});
  for await (const cells of parser as AsyncIterable<Record<string, string>>) {
    const row = Number(cells.row);
    const files = readFileCells(cells);
    // A row has a line for each of its files, or one with all of them.
    const known = rows.get(row);
    rows.set(
      row,
      known === undefined
        ? {
            id: bare(cells.id),
            content: bare(cells.content),
            slug: cells.slug ?? '',
            shortUrl: cells.short_url ?? '',
            grade: cells.grade === '' || cells.grade === undefined ? null : Number(cells.grade),
            warnings: cells.warnings ?? '',
            files,
          }
        : { ...known, files: [...known.files, ...files] },
    );
  }
  return rows;
};

const readEntries = async (zip: ZipFile): Promise<ReadonlyMap<string, Entry>> => {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return entries;
};

/** Opens a part. @throws {CliFault} when it is no ZIP file with a manifest. */
export const openPartFile = async (path: string): Promise<PartFile> => {
  const damaged = (what: string): Error => failed(`${path}: ${what}`);
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error: Error) => {
    throw damaged(error.message);
  });
  try {
    const entries = await readEntries(zip);
    const open = (name: string): Promise<Readable> => {
      const entry = entries.get(name);
      if (entry === undefined) throw damaged(`${name} is missing`);
      return zip.openReadStreamPromise(entry);
    };
    const rows = await readRows(await open(MANIFEST));
    return {
      rows,
      async read({ file, sha256 }) {
        const bytes = await buffer(await open(file));
        if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
        throw damaged(`${file} has another SHA-256 than the manifest says`);
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
};
