/** Reads a downloaded part: a ZIP file with a manifest. */
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Entry, openPromise } from 'yauzl';
import { type CodeFile, readFileCells } from '../../csv/file-columns.ts';
import { commandError } from '../fault.ts';
import { hashOf } from '../hash.ts';
import { parseCsv, stripApostrophe } from '../manifest.ts';

/** A row of a part's manifest. */
export interface PartRow {
  /** Its row in the file. */
  readonly fileRow: number | null;
  readonly externalId: string;
  readonly content: string;
  readonly slug: string;
  readonly shortUrl: string;
  readonly grade: number | null;
  readonly warnings: string;
  /** Under their names in the part. */
  readonly files: readonly CodeFile[];
}

/** A part that is open. */
export type PartFile = Awaited<ReturnType<typeof openPartFile>>;

const MANIFEST = 'manifest.csv';

const readRows = async (stream: Readable): Promise<ReadonlyMap<number, PartRow>> => {
  const rows = new Map<number, PartRow>();
  for await (const cells of parseCsv(stream, {})) {
    const {
      external_id: externalId = '',
      content = '',
      slug = '',
      short_url: shortUrl = '',
      grade = '',
      warnings = '',
    } = cells;
    const row = Number(cells.row);
    const files = readFileCells(cells);
    // A row has a line for each of its files, or one with all of them.
    const known = rows.get(row) ?? {
      ...{
        fileRow: cells.file_row ? Number(cells.file_row) : null,
        externalId: stripApostrophe(externalId),
        content: stripApostrophe(content),
        slug,
        shortUrl,
        warnings,
        files: [],
      },
      grade: grade === '' ? null : Number(grade),
    };
    rows.set(row, { ...known, files: [...known.files, ...files] });
  }
  return rows;
};

/** Opens a part. @throws {CliFault} when it is not a ZIP file with a manifest. */
export const openPartFile = async (path: string) => {
  const damaged = (what: string): Error => commandError(`${path}: ${what}`);
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error: Error) => {
    throw damaged(error.message);
  });
  try {
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    const open = (name: string): Promise<Readable> => {
      const entry = entries.get(name);
      if (entry === undefined) throw damaged(`${name} is missing`);
      return zip.openReadStreamPromise(entry);
    };
    return {
      /** The rows that were made, by their numbers. */
      rows: await readRows(await open(MANIFEST)),
      /** Returns the bytes of a file of the manifest. @throws {CliFault} when their SHA-256 differs. */
      async read({ file, sha256 }: CodeFile): Promise<Buffer> {
        const bytes = await buffer(await open(file));
        if (hashOf(bytes) === sha256) return bytes;
        throw damaged(`${file} has another SHA-256 than the manifest says`);
      },
      close: (): void => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
};
