/**
 * Archives of texts. The same files give the same bytes with the same zlib, at any time and on any system: every file has
 * the same time and mode, and no owner.
 */
import { gzipSync } from 'node:zlib';
import { type DeflatedFile, deflateFile } from '../../src/zip/deflated.ts';
import { writeCentralRecord, writeEndRecords } from '../../src/zip/records.ts';

/** A file of an archive. Its name is ASCII, at most 100 characters with its folders. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** The earliest time that a ZIP can name. */
const TIME = new Date('1980-01-01T00:00:00Z');

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** Returns a ZIP, deflated. */
export const zip = async (files: readonly TextFile[]): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, text } of files) {
    const entry = deflateFile(name, once(text), TIME);
    let next: IteratorResult<Buffer, DeflatedFile> = await entry.next();
    for (; !next.done; next = await entry.next()) chunks.push(next.value);
    directory.push(writeCentralRecord(next.value, TIME, offset));
    offset += next.value.totalBytes;
  }
  const records = Buffer.concat(directory);
  const end = { files: files.length, directoryStart: offset, directoryBytes: records.length };
  return Buffer.concat([...chunks, records, writeEndRecords(end)]);
};

const BLOCK_BYTES = 512;
const NAME_MAX_CHARACTERS = 100;
/** Where the header has its checksum, which is computed as if there were spaces. */
const CHECKSUM = { start: 148, end: 156 };
/** Where a gzip file names the system that made it (RFC 1952, 2.3), and the value for an unknown one. */
const GZIP_SYSTEM = { offset: 9, unknown: 255 };

/** Writes a number as octal digits and a NUL. */
const octal = (value: number, bytes: number): string => `${value.toString(8).padStart(bytes - 1, '0')}\0`;

/** Returns the header of a regular file (POSIX.1-1988, ustar). @throws {Error} Its name is too long. */
const tarHeader = (name: string, sizeBytes: number): Buffer => {
  if (name.length > NAME_MAX_CHARACTERS) throw new Error(`the name ${name} is too long for an archive`);
  const block = Buffer.alloc(BLOCK_BYTES);
  block.write(name, 0, 'latin1');
  const mode = octal(0o644, 8);
  const owner = octal(0, 8);
  const times = octal(TIME.getTime() / 1000, 12);
  block.write(`${mode}${owner}${owner}${octal(sizeBytes, 12)}${times}`, NAME_MAX_CHARACTERS, 'latin1');
  block.fill(' ', CHECKSUM.start, CHECKSUM.end);
  block.write('0', CHECKSUM.end, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 7)} `, CHECKSUM.start, 'latin1');
  return block;
};

/** Returns a tar file compressed with gzip. */
export const tarGz = (files: readonly TextFile[]): Buffer => {
  const blocks = files.flatMap(({ name, text }) => {
    const bytes = Buffer.from(text);
    const padding = Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES);
    return [tarHeader(name, bytes.length), bytes, padding];
  });
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK_BYTES)]), { level: 9 });
  packed[GZIP_SYSTEM.offset] = GZIP_SYSTEM.unknown;
  return packed;
};
