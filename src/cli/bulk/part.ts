/** Reads a downloaded part, a ZIP file with a manifest, and saves its files under the names of the run. */
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Entry, openPromise } from 'yauzl';
import { type BatchPart, hasEnded } from '../../../clients/typescript/src/batches/follow.ts';
import { type CodeFile, filePath, readFileCells } from '../../csv/file-columns.ts';
import { hashOf } from '../files.ts';
import { parseCsv, stripApostrophe } from '../manifest.ts';
import { commandError, formatCount } from '../terminal.ts';
import { type BatchBody, formatError, getErrors } from './batch.ts';
import type { RowResult, Work } from './run-folder.ts';

/** A row of a part's manifest. */
interface PartRow {
  /** Its row in the file. */
  readonly fileRow: number | null;
  readonly externalId: string;
  readonly content: string;
  readonly slug: string;
  readonly shortUrl: string;
  readonly symbology: string;
  /** `null`: barcodes have none. */
  readonly grade: number | null;
  readonly warnings: string;
  /** Under their names in the part. */
  readonly files: readonly CodeFile[];
}

/** A part that is open. */
type PartFile = Awaited<ReturnType<typeof openPartFile>>;

const MANIFEST = 'manifest.csv';
const OTHER_FORM =
  'its manifest is written for other programs (manifest_for); get the ZIP itself with GET /api/v1/batches/{id}/parts/{n}';

const usualColumns = (names: string[]): string[] => {
  if (names[0] === 'row') return names;
  throw commandError(OTHER_FORM);
};

const readRows = async (stream: Readable): Promise<ReadonlyMap<number, PartRow>> => {
  const rows = new Map<number, PartRow>();
  for await (const cells of parseCsv(stream, { columns: usualColumns })) {
    const {
      external_id: externalId = '',
      content = '',
      slug = '',
      short_url: shortUrl = '',
      symbology = 'qr',
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
        symbology,
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
    if (!entries.has(MANIFEST) && entries.has('manifest.txt')) throw damaged(OTHER_FORM);
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

/** A row as its input has it. */
export interface WantedRow {
  readonly row: number;
  /** Its row in the file; `null`: as the gateway says. */
  readonly fileRow: number | null;
  /** Name of its files without extension; `null`: as the gateway names them. */
  readonly name: string | null;
  /** `null`: as the manifest of the part has it. */
  readonly content: string | null;
  readonly externalId: string | null;
}

/** Returns why a row was not made, and its row in the file if the gateway says it; `null` when it was never begun. */
type ErrorOf = (row: number) => { readonly error: string; readonly fileRow: number | null } | null;

/** Files that are written at once. */
const TOGETHER = 16;
const UNKNOWN_ERROR = 'it was not made; the gateway keeps the errors of some 10,000 rows';

/** Reads why rows of a part were not made. @param rows How many it has. */
export const readErrors = async (
  { call }: Work,
  batch: BatchBody,
  part: BatchPart | null,
  rows: number,
): Promise<ErrorOf> => {
  const isWhole = part?.codes === rows || (batch.failed === 0 && batch.errors === 0);
  const errors = isWhole ? [] : await getErrors(call, batch.id);
  const found = new Map(
    errors.map((line) => [line.row, { error: formatError(line), fileRow: line.file_row ?? null }]),
  );
  // All rows of a part are made or failed, unless the batch ended before.
  const isCut = hasEnded(batch) && batch.state !== 'done';
  const unknown = isCut ? null : { error: UNKNOWN_ERROR, fileRow: null };
  return (row) => found.get(row) ?? unknown;
};

const stem = (file: string): string => file.replace(/^.*\//, '').replace(/\.[a-z]+$/, '');

const saveRow = async (
  { store, run }: Work,
  part: PartFile | null,
  { row, fileRow, name, content, externalId }: WantedRow,
  errorOf: ErrorOf,
): Promise<RowResult | null> => {
  const made = part?.rows.get(row);
  const found = made === undefined ? errorOf(row) : null;
  if (made === undefined && found === null) return null;
  // Its row may have GS1 columns, or data in another form than the symbol holds.
  const isBarcode = made !== undefined && made.symbology !== 'qr';
  const place = fileRow ?? (made ?? found)?.fileRow ?? null;
  const known = {
    row,
    content: (isBarcode ? null : content) ?? made?.content ?? '',
    ...(place === null ? {} : { fileRow: place }),
  };
  const id = made?.externalId || externalId;
  const owned = id ? { ...known, externalId: id } : known;
  if (part === null || made === undefined) return { ...owned, error: found!.error };
  const files = [];
  for (const file of made.files) {
    const path = filePath(name ?? stem(file.file), file.format, run.formats);
    files.push({ format: file.format, file: path, sha256: await store.save(path, await part.read(file)) });
  }
  const { slug, shortUrl, symbology, grade, warnings } = made;
  return {
    ...owned,
    files,
    symbology,
    warnings,
    ...(grade === null ? {} : { grade }),
    ...(slug === '' ? {} : { slug, shortUrl }),
  };
};

/**
 * Saves the files of a part, and returns what became of its rows. Those that were never begun are left out.
 *
 * @param part `null`: no row was made.
 * @param rows All rows of the part.
 */
export const saveRows = async (
  work: Work,
  part: PartFile | null,
  rows: readonly WantedRow[],
  errorOf: ErrorOf,
): Promise<readonly RowResult[]> => {
  const { store, run, status, interrupted } = work;
  const results: RowResult[] = [];
  for (let from = 0; from < rows.length; from += TOGETHER) {
    interrupted.throwIfAborted();
    const slice = rows.slice(from, from + TOGETHER);
    const saved = await Promise.all(slice.map((row) => saveRow(work, part, row, errorOf)));
    results.push(...saved.filter((result) => result !== null));
    status.show(`Saved: ${formatCount(slice.at(-1)!.row)} of ${formatCount(run.rows)} rows`);
  }
  await store.flush();
  return results;
};
