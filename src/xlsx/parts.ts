/** The parts of an XLSX file, which is a ZIP file. */
import type { Readable } from 'node:stream';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import { ENTRIES_MAX, NOT_XLSX, PART, XlsxFault } from './bounds.ts';

/** An open file. */
export interface Parts {
  /** Yields a part, decompressed; `null`: there is none. @throws {XlsxFault} while it yields. */
  read(path: string, maxBytes?: number): AsyncGenerator<Buffer> | null;
  close(): void;
}

/** Waits, to yield the core to other threads. */
export type Rest = () => Promise<void>;

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
export const openParts = async (source: string | Buffer, rest?: Rest): Promise<Parts> => {
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
