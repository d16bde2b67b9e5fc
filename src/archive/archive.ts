/**
 * Folders as ZIP files, made while they are sent. A few pictures at a time are drawn, written, and forgotten when
 * the receiver has read them. Only the ZIP's directory and one hash for each picture grow with the folder.
 */

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import ZipStream from 'zip-stream';
import { type CodeFile, filePath } from '../csv/file-columns.ts';
import { AppError } from '../errors.ts';
import type { DrawnFrom } from '../generate/redraw.ts';
import { createOpenPlaces } from '../limits/open-places.ts';
import type { Log } from '../log.ts';
import { type ArchiveFiles, type DrawingParts, type DrawnFile, drawFiles } from './files.ts';
import { fileName, type ManifestRow, manifestHeader, manifestLines } from './manifest.ts';

/** A saved code with what its archive says about it. */
export interface ArchivedCode extends DrawnFrom {
  readonly id: string;
  readonly createdAt: Date;
  readonly grade: number;
  readonly warnings: string;
}

/** What making an archive needs. */
export interface ArchiveParts extends DrawingParts {
  /** The address of a short link. */
  shortUrl(slug: string): string;
  readonly log: Pick<Log, 'warn'>;
}

/** The contents of an archive. */
export interface ArchiveSource {
  readonly accountId: string;
  readonly files: ArchiveFiles;
  /** The folder's codes in their order. Called twice, once for the pictures and once for the manifest. */
  codes(): AsyncIterable<ArchivedCode>;
}

/** Files that are drawn together: enough to keep some threads busy, and at most about 30 MB. */
const BATCH = 16;
const MANIFEST_BATCH = 100;
const MAX_OPEN = 8;
const MAX_OPEN_PER_ACCOUNT = 2;

async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[], void> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** What the archive has of a code, for its row in the manifest. */
type Written = Pick<ManifestRow, 'index' | 'files'> & Partial<Pick<ManifestRow, 'grade' | 'warnings'>>;

async function* manifest(
  { shortUrl }: ArchiveParts,
  source: ArchiveSource,
  written: ReadonlyMap<string, Written>,
): AsyncGenerator<string, void> {
  const { formats } = source.files;
  yield manifestHeader(formats);
  for await (const codes of inBatches(source.codes(), MANIFEST_BATCH)) {
    const rows = codes.flatMap(({ id, content, slug, grade, warnings }): ManifestRow[] => {
      const entry = written.get(id);
      // The code was made after the pictures were drawn.
      if (entry === undefined) return [];
      return [{ content, slug, shortUrl: slug === null ? null : shortUrl(slug), grade, warnings, ...entry }];
    });
    if (rows.length > 0) yield manifestLines(formats, rows);
  }
}

const throwIfAny = (error: Error | null): void => {
  if (error) throw error;
};

/** Yields what was written to the ZIP and is not read yet. */
function* taken(zip: ZipStream): Generator<Buffer, void> {
  for (let chunk = zip.read(); chunk !== null; chunk = zip.read()) yield chunk;
}

/** On paper the size decides the grade, so it is that of the file. */
const gradeOf = ({ print }: ArchiveFiles, [first]: readonly DrawnFile[]): Partial<Written> => {
  if (print.size === null || first === undefined) return {};
  const { grade, warnings } = first.picture;
  return { grade, warnings };
};

async function* zipped(parts: ArchiveParts, source: ArchiveSource): AsyncGenerator<Buffer, void> {
  const { accountId, files } = source;
  const zip = new ZipStream();
  const written = new Map<string, Written>();

  /** Writes an entry completely: one from a buffer that is stored is written before `entry` returns. */
  const write = (file: string, { format, picture }: DrawnFile, date: Date): CodeFile => {
    const bytes = Buffer.from(picture.bytes);
    // PNG, WebP and PDF are compressed already; SVG and EPS are a few kilobytes.
    zip.entry(bytes, { name: file, date, store: true }, throwIfAny);
    return { format, file, sha256: createHash('sha256').update(bytes).digest('hex') };
  };

  try {
    for await (const codes of inBatches(source.codes(), Math.ceil(BATCH / files.formats.length))) {
      const drawn = await drawFiles(parts, accountId, codes, files);
      for (const [place, code] of codes.entries()) {
        const index = written.size + 1;
        const ofCode = drawn[place]!;
        if (ofCode.length < files.formats.length) {
          parts.log.warn({ code: code.id }, 'a saved code cannot be drawn for its archive');
        }
        const entries: CodeFile[] = [];
        for (const file of ofCode) {
          const path = filePath(fileName(index, code), file.format, files.formats);
          entries.push(write(path, file, code.createdAt));
          yield* taken(zip);
        }
        written.set(code.id, { index, files: entries, ...gradeOf(files, ofCode) });
      }
    }
    zip.entry(Readable.from(manifest(parts, source, written)), { name: 'manifest.csv' }, (error) => {
      if (error) zip.destroy(error);
      else zip.finalize();
    });
    yield* zip;
  } finally {
    zip.destroy();
  }
}

/** Makes archives and limits how many are open at a time, in all and for each account. */
export const createArchives = (parts: ArchiveParts) => {
  const places = createOpenPlaces(MAX_OPEN, MAX_OPEN_PER_ACCOUNT);

  const enter = (accountId: string): (() => void) => {
    const leave = places.enter(accountId);
    if (leave !== null) return leave;
    throw new AppError(
      'overloaded',
      'Too many archives are being downloaded; try again when one is finished.',
      { retryAfterS: 10 },
    );
  };

  /**
   * Returns a ZIP with the files of each code that can be drawn, and `manifest.csv`. It is made as fast as it is read.
   * When the reader destroys it, nothing more is drawn. An error of the stream means that the rest could not be made.
   *
   * @throws {AppError} 503 when too many are open, in all or for this account.
   */
  return (source: ArchiveSource): Readable => {
    const leave = enter(source.accountId);
    const stream = Readable.from(zipped(parts, source), { objectMode: false });
    stream.once('close', leave);
    return stream;
  };
};

/** Starts an archive of a folder. */
export type OpenArchive = ReturnType<typeof createArchives>;
