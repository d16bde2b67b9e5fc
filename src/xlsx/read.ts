/** Reads the first worksheet of an XLSX file, row by row. */
import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import type { TableNotes } from '../csv/notes.ts';
import type { RecordBounds, TableRecord } from '../csv/records.ts';
import { ENTRIES_MAX, NOT_XLSX, PART, SMALL_PART_MAX_BYTES, STRINGS_MAX_BYTES, XlsxFault } from './bounds.ts';
import { createFormats, readStyles } from './formats.ts';
import { createSheetReader } from './sheet.ts';
import { readTexts } from './strings.ts';
import { readXml, readXmlInSteps } from './xml.ts';

/** An open file. */
interface Parts {
  /** Yields a part, decompressed; `null`: there is none. @throws {XlsxFault} while it yields. */
  read(path: string, maxBytes?: number): AsyncGenerator<Buffer> | null;
  close(): void;
}

/** Waits, to yield the core to other threads. */
type Rest = () => Promise<void>;

/** Names in the directory are case-insensitive. */
const keyOf = (path: string): string => path.toLowerCase().replace(/^\//, '');

const tooMuch = (): XlsxFault => new XlsxFault('unpacks to more than is allowed; save it as CSV');

/** Fits so few cells that each may hold its own copy of the longest shared string. */
const STEP_BYTES = 4096;

async function* unpacked(
  zip: ZipFile,
  entry: Entry,
  maxBytes: number,
  rest: Rest | undefined,
): AsyncGenerator<Buffer> {
  if (entry.uncompressedSize > maxBytes) throw tooMuch();
  let bytes = 0;
  try {
    const stream: Readable = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes || bytes > PART.freeBytes + entry.compressedSize * PART.ratio) throw tooMuch();
      for (let at = 0; at < chunk.length; at += STEP_BYTES) {
        yield chunk.subarray(at, at + STEP_BYTES);
        await rest?.();
      }
    }
  } catch (error) {
    throw error instanceof XlsxFault ? error : new XlsxFault(NOT_XLSX, { cause: error });
  }
}

const listEntries = async (zip: ZipFile): Promise<ReadonlyMap<string, Entry>> => {
  if (zip.entryCount > ENTRIES_MAX) throw new XlsxFault(NOT_XLSX);
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const key = keyOf(entry.fileName);
    if (!entries.has(key)) entries.set(key, entry);
  }
  return entries;
};

const openZip = (source: string | Buffer): Promise<ZipFile> =>
  typeof source === 'string'
    ? openPromise(source, { lazyEntries: true, autoClose: false })
    : fromBufferPromise(source, { lazyEntries: true });

/**
 * Opens a file by its path or its bytes.
 *
 * @param rest Called after each step of reading.
 * @throws {XlsxFault} when it is not a ZIP file; file system errors.
 */
const openParts = async (source: string | Buffer, rest?: Rest): Promise<Parts> => {
  const notZip = (error: unknown): unknown =>
    (error as NodeJS.ErrnoException).syscall === undefined && !(error instanceof XlsxFault)
      ? new XlsxFault(NOT_XLSX, { cause: error })
      : error;
  const zip = await openZip(source).catch((error: unknown) => {
    throw notZip(error);
  });
  try {
    const entries = await listEntries(zip);
    return {
      read(path, maxBytes = PART.maxBytes) {
        const entry = entries.get(keyOf(path));
        return entry === undefined ? null : unpacked(zip, entry, maxBytes, rest);
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw notZip(error);
  }
};

/** Where the first worksheet is, and what reading its cells needs. */
interface Workbook {
  readonly sheet: string;
  readonly strings: string | null;
  readonly styles: string | null;
  /** Whether days are counted from 1904. */
  readonly is1904: boolean;
}

interface Relation {
  readonly id: string;
  /** The last segment of its type URI. */
  readonly type: string;
  readonly path: string;
}

const ignore = (): void => {};

const relationsOf = async (parts: Parts, path: string): Promise<readonly Relation[]> => {
  const folder = posix.dirname(path);
  const file = path === '' ? '_rels/.rels' : posix.join(folder, '_rels', `${posix.basename(path)}.rels`);
  const relations: Relation[] = [];
  const chunks = parts.read(file, SMALL_PART_MAX_BYTES);
  if (chunks === null) throw new XlsxFault(NOT_XLSX);
  await readXml(chunks, {
    open(name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
      if (name !== 'Relationship' || mode === 'External') return;
      relations.push({
        id,
        type: type.slice(type.lastIndexOf('/') + 1),
        path: posix.resolve('/', folder, target),
      });
    },
    close: ignore,
    text: ignore,
  });
  return relations;
};

interface Sheet {
  readonly relation: string;
  readonly isHidden: boolean;
}

const readSheets = async (parts: Parts, path: string) => {
  const sheets: Sheet[] = [];
  let is1904 = false;
  const chunks = parts.read(path, SMALL_PART_MAX_BYTES);
  if (chunks === null) throw new XlsxFault(NOT_XLSX);
  await readXml(chunks, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const [, relation = ''] = Object.entries(attributes).find(([key]) => /:id$/.test(key)) ?? [];
      sheets.push({ relation, isHidden: (attributes.state ?? 'visible') !== 'visible' });
    },
    close: ignore,
    text: ignore,
  });
  return { sheets, is1904 };
};

/** Finds the first worksheet that is not hidden. @throws {XlsxFault} when there is none. */
const readWorkbook = async (parts: Parts): Promise<Workbook> => {
  const path = (await relationsOf(parts, '')).find(({ type }) => type === 'officeDocument')?.path;
  if (path === undefined) throw new XlsxFault(NOT_XLSX);
  const { sheets, is1904 } = await readSheets(parts, path);
  const relations = await relationsOf(parts, path);
  const pathOf = (is: (relation: Relation) => boolean) => relations.find(is)?.path ?? null;
  const worksheets = sheets.flatMap(({ relation, isHidden }) => {
    const found = pathOf(({ id, type }) => id === relation && type === 'worksheet');
    return found === null ? [] : [{ found, isHidden }];
  });
  const sheet = (worksheets.find(({ isHidden }) => !isHidden) ?? worksheets[0])?.found;
  if (sheet === undefined) throw new XlsxFault('has no worksheet');
  return {
    sheet,
    strings: pathOf(({ type }) => type === 'sharedStrings'),
    styles: pathOf(({ type }) => type === 'styles'),
    is1904,
  };
};

const NO_TEXTS = { at: () => undefined };

const contextOf = async (parts: Parts) => {
  const { sheet, strings, styles, is1904 } = await readWorkbook(parts);
  const chunks = parts.read(sheet);
  if (chunks === null) throw new XlsxFault('has no worksheet');
  const stringChunks = strings === null ? null : parts.read(strings, STRINGS_MAX_BYTES);
  const styleChunks = styles === null ? null : parts.read(styles, SMALL_PART_MAX_BYTES);
  return {
    chunks,
    context: {
      texts: stringChunks === null ? NO_TEXTS : await readTexts(stringChunks),
      formatOf: createFormats(styleChunks === null ? [] : await readStyles(styleChunks), is1904),
    },
  };
};

/**
 * Yields the header row and the rows of the first worksheet, without the empty ones. Keeps its thread busy until it
 * ends.
 *
 * @param source The path of the file, or its bytes.
 * @param notes Filled in while the file is read.
 * @param rest Called after each step of reading.
 * @throws {XlsxFault} for a file that is unreadable or exceeds the limits; {RangeError} for too many empty rows or
 *   cells; file system errors.
 */
export async function* readXlsxRecords(
  source: string | Buffer,
  bounds: RecordBounds,
  notes: TableNotes,
  rest?: Rest,
): AsyncGenerator<TableRecord> {
  const parts = await openParts(source, rest);
  try {
    const { chunks, context } = await contextOf(parts);
    const reader = createSheetReader(context, bounds, notes);
    for await (const _ of readXmlInSteps(chunks, reader)) yield* reader.take();
  } finally {
    parts.close();
  }
}
