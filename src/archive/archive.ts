/**
 * Folders as ZIP files, generated while they are sent. A few pictures at a time are drawn, sent, and discarded. Memory
 * grows by the name of each code and some 70 bytes, and 40 bytes per file: see kept.ts and names.ts.
 */

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { FileFormat } from '../../workers/lists.ts';
import type { Grade } from '../../workers/protocol.ts';
import { filePath } from '../csv/file-columns.ts';
import { withLost } from '../generate/quality/graded.ts';
import type { DrawnFrom } from '../generate/redraw.ts';
import type { Log } from '../log.ts';
import { isOk } from '../result.ts';
import { deflateFile } from '../zip/deflated.ts';
import {
  localBytes,
  writeCentralRecord,
  writeEndRecords,
  writeLocalHeader,
  type ZipFile,
} from '../zip/records.ts';
import { type ArchiveFiles, type DrawingParts, type DrawnPicture, drawFiles } from './files.ts';
import { createKept, type Kept, type KeptCode, type KeptFile } from './kept.ts';
import {
  type ManifestRow,
  MISSING_NAME,
  type MissingFile,
  manifestHeader,
  manifestLines,
  missingHeader,
  missingLines,
} from './manifest.ts';
import { createNamer } from './names.ts';

/** A saved code with what the archive says about it. */
export interface ArchivedCode extends DrawnFrom {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: Date;
  readonly grade: Grade | null;
  readonly warnings: string;
}

/** What making an archive needs. */
export interface ArchiveParts extends DrawingParts {
  /** The address of a short link. */
  shortUrl(slug: string, place: string | null): string;
  readonly log: Pick<Log, 'warn'>;
}

/** The contents of an archive. */
export interface ArchiveSource {
  readonly accountId: string;
  readonly files: ArchiveFiles;
  /** The folder's codes in their order. Called twice, once for the pictures and once for the manifest. */
  codes(): AsyncIterable<ArchivedCode>;
}

/** Files drawn together: enough to keep several threads busy, and at most about 30 MB. */
const PICTURE_GROUP = 16;
const MANIFEST_GROUP = 100;
/** Codes whose directory records are sent together. */
const DIRECTORY_GROUP = 200;

async function* inGroups<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[], void> {
  let group: T[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** A file of a code, as stored in the ZIP. */
interface Entry extends ZipFile {
  readonly format: FileFormat;
  readonly sha256: Buffer;
}

/** Returns the files of a code. */
const entriesOf = ({ name, files }: KeptCode, formats: readonly FileFormat[]): Entry[] =>
  files.flatMap((file, i) => {
    const format = formats[i]!;
    return typeof file === 'string' ? [] : [{ ...file, format, name: filePath(name, format, formats) }];
  });

/** Returns the files that a code lacks. */
const missingOf = ({ name, files }: KeptCode, formats: readonly FileFormat[]): MissingFile[] =>
  files.flatMap((reason, i) => {
    const format = formats[i]!;
    return typeof reason === 'string' ? [{ format, file: filePath(name, format, formats), reason }] : [];
  });

async function* manifest(
  { shortUrl }: ArchiveParts,
  source: ArchiveSource,
  kept: Kept,
): AsyncGenerator<string, void> {
  const { formats } = source.files;
  yield manifestHeader(formats);
  for await (const codes of inGroups(source.codes(), MANIFEST_GROUP)) {
    const rows = codes.flatMap(
      ({ id, createdAt, name, content, slug, place: at, grade, warnings }): ManifestRow[] => {
        const place = kept.findNext(id, createdAt);
        // The code was created after the pictures were drawn.
        if (place === null) return [];
        const code = kept.at(place);
        const files = entriesOf(code, formats).map((entry) => ({
          format: entry.format,
          file: entry.name,
          sha256: entry.sha256.toString('hex'),
        }));
        const missing = missingOf(code, formats);
        const url = slug === null ? null : shortUrl(slug, at);
        const graded = code.graded ?? { grade, warnings };
        return [{ index: place + 1, name, content, slug, shortUrl: url, files, missing, ...graded }];
      },
    );
    if (rows.length > 0) yield manifestLines(formats, rows);
  }
}

/** Yields the list of the files that are missing. */
async function* missingFiles(kept: Kept, formats: readonly FileFormat[]): AsyncGenerator<string, void> {
  yield missingHeader();
  for (let place = 0; place < kept.count; place += 1) {
    const missing = missingOf(kept.at(place), formats);
    if (missing.length > 0) yield missingLines(place + 1, missing);
  }
}

/** The grade depends on the size, so that of a file with a size of its own is the grade of the file. */
const gradeOf = ({ widthPx, print }: ArchiveFiles, ofCode: readonly DrawnPicture[]): KeptCode['graded'] => {
  const first = ofCode.find(isOk);
  if ((print.size === null && widthPx === undefined) || first === undefined) return null;
  const { grade, warnings } = first.value;
  const lost = new Set(ofCode.filter(isOk).flatMap(({ value }) => value.lost ?? []));
  return { grade, warnings: withLost(warnings, [...lost]) };
};

const toKept = (bytes: Uint8Array): KeptFile => ({
  crc: crc32(bytes),
  sizeBytes: bytes.byteLength,
  sha256: createHash('sha256').update(bytes).digest(),
});

/** What was sent of the files of all codes. */
interface SentFiles {
  readonly count: number;
  readonly missing: number;
  readonly bytes: number;
}

/** Yields the files of all codes, stored without compression, with headers. */
async function* codeFiles(
  parts: ArchiveParts,
  source: ArchiveSource,
  kept: Kept,
): AsyncGenerator<Buffer, SentFiles> {
  const { accountId, files } = source;
  const { formats } = files;
  const total = { count: 0, missing: 0, bytes: 0 };
  const nameOf = createNamer();
  for await (const codes of inGroups(source.codes(), Math.ceil(PICTURE_GROUP / formats.length))) {
    const drawn = await drawFiles(parts, accountId, codes, files);
    for (const [i, code] of codes.entries()) {
      const { id, createdAt } = code;
      const ofCode = drawn[i]!;
      const sent = ofCode.map((file) => (file.ok ? toKept(file.value.bytes) : file.fault));
      const reasons = ofCode.flatMap((file) => (file.ok ? [] : [file.fault]));
      if (reasons.length > 0) {
        total.missing += reasons.length;
        parts.log.warn({ code: id, reasons }, 'saved code cannot be drawn for its archive');
      }
      const written = { createdAt, name: nameOf(code), graded: gradeOf(files, ofCode), files: sent };
      kept.add(id, written);
      for (const entry of entriesOf(written, formats)) {
        const file = ofCode[formats.indexOf(entry.format)]!;
        if (!file.ok) continue;
        const { bytes } = file.value;
        yield writeLocalHeader(entry, createdAt);
        yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        total.count += 1;
        total.bytes += localBytes(entry) + entry.sizeBytes;
      }
    }
  }
  return total;
}

/** Yields the directory records of all files, and returns their total bytes. */
function* directory(kept: Kept, formats: readonly FileFormat[]): Generator<Buffer, number> {
  let offset = 0;
  let bytes = 0;
  for (let place = 0; place < kept.count; place += DIRECTORY_GROUP) {
    const records: Buffer[] = [];
    for (let next = place; next < Math.min(kept.count, place + DIRECTORY_GROUP); next += 1) {
      const code = kept.at(next);
      for (const entry of entriesOf(code, formats)) {
        records.push(writeCentralRecord(entry, code.createdAt, offset));
        offset += localBytes(entry) + entry.sizeBytes;
      }
    }
    const together = Buffer.concat(records);
    bytes += together.length;
    yield together;
  }
  return bytes;
}

async function* zipped(parts: ArchiveParts, source: ArchiveSource): AsyncGenerator<Buffer, void> {
  const { formats } = source.files;
  const kept = createKept(formats.length);
  const madeAt = new Date();
  const files = yield* codeFiles(parts, source, kept);
  const tables = [
    ...(files.missing === 0 ? [] : [[MISSING_NAME, missingFiles(kept, formats)] as const]),
    ['manifest.csv', manifest(parts, source, kept)] as const,
  ];
  const records: Buffer[] = [];
  let directoryStart = files.bytes;
  for (const [name, lines] of tables) {
    const written = yield* deflateFile(name, lines, madeAt);
    records.push(writeCentralRecord(written, madeAt, directoryStart));
    directoryStart += written.totalBytes;
  }
  const ofTables = Buffer.concat(records);
  const directoryBytes = (yield* directory(kept, formats)) + ofTables.length;
  yield ofTables;
  yield writeEndRecords({ files: files.count + tables.length, directoryStart, directoryBytes });
}

/** Makes archives. */
export const createArchives =
  (parts: ArchiveParts) =>
  /**
   * Returns a ZIP with the files of each code that can be drawn, a list of those that cannot, if there are any, and
   * `manifest.csv`, generated with backpressure. When the reader destroys it, nothing more is drawn. A stream error
   * means that the rest could not be made.
   */
  (source: ArchiveSource): Readable =>
    Readable.from(zipped(parts, source), { objectMode: false });

/** Starts an archive of a folder. */
export type OpenArchive = ReturnType<typeof createArchives>;
