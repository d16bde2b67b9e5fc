/** Files of rows that are sent as they are, in one request: also standard input, and files that gzip has packed. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RawBody } from '../../../clients/typescript/src/request.ts';
import { ROW_MEDIA_TYPES } from '../../lists.ts';
import { type Terminal, toPrintable, usageError } from '../terminal.ts';

/** The formats of such files. */
export const LINE_FORMATS = ['csv', 'ndjson'] as const;
/** How rows are written: as a table, or as JSON a line. */
export type LineFormat = (typeof LINE_FORMATS)[number];

/** What stands for standard input in place of the name of a file. */
const STANDARD_INPUT = '-';

const FORMATS: Readonly<Record<string, LineFormat>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** The first bytes of a file of gzip (RFC 1952, 2.3.1). */
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Returns the given format, or the one of the file's extension. @throws {CliFault} when there is neither. */
export const lineFormatOf = (name: string, given: LineFormat | undefined): LineFormat => {
  const format = given ?? FORMATS[extname(name.replace(/\.gz$/i, '')).toLowerCase()];
  if (format !== undefined) return format;
  throw usageError(`${toPrintable(name)}: the format is unknown; give --input-format csv or ndjson`);
};

/** A file that can be sent, as often as needed. */
export interface RowFile {
  readonly bytes: number;
  /** The headers that say how it is packed. */
  readonly headers: Readonly<Record<string, string>>;
  /** @param onRead Receives the bytes of a try that are read so far. */
  body(onRead: (bytes: number) => void): RawBody;
}

async function* readChunks(path: string, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    read += chunk.length;
    onRead(read);
    yield chunk;
  }
}

const streamOf = (path: string, onRead: (bytes: number) => void): ReadableStream<Uint8Array> => {
  const chunks = Readable.from(readChunks(path, onRead), { objectMode: false });
  return Readable.toWeb(chunks) as ReadableStream<Uint8Array>;
};

const openPath = async (path: string): Promise<RowFile> => {
  const file = await open(path);
  try {
    const { size: bytes } = await file.stat();
    const { buffer } = await file.read({ buffer: Buffer.alloc(GZIP.length), position: 0 });
    const headers: Record<string, string> = buffer.equals(GZIP) ? { 'content-encoding': 'gzip' } : {};
    return { bytes, headers, body: (onRead) => () => streamOf(path, onRead) };
  } finally {
    await file.close();
  }
};

/**
 * Opens a file, or standard input for `-`. What can be read only once is kept on the disk meanwhile, so that it can be
 * sent again.
 *
 * @param use The file is there until it settles.
 */
export const withRowFile = async <T>(
  name: string,
  { cwd, input }: Pick<Terminal, 'cwd' | 'input'>,
  use: (file: RowFile) => Promise<T>,
): Promise<T> => {
  const named = name === STANDARD_INPUT ? null : resolve(cwd, name);
  if (named !== null && (await stat(named)).isFile()) return use(await openPath(named));
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  try {
    const path = join(folder, 'rows');
    await pipeline(named === null ? input : createReadStream(named), createWriteStream(path));
    return await use(await openPath(path));
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** Returns the media type of rows. @param encoding Of CSV; absent: it shows itself. */
export const mediaTypeOf = (format: LineFormat, encoding: string | undefined): string => {
  if (encoding === undefined) return ROW_MEDIA_TYPES[format];
  if (format === 'csv') return `${ROW_MEDIA_TYPES.csv}; charset=${encoding}`;
  throw usageError('--encoding is for CSV; NDJSON is always UTF-8');
};
