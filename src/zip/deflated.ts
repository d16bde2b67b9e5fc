/** ZIP entries whose length is not known before they are sent. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { writeDescriptor, writeLocalHeader, type ZipFile } from './records.ts';

/** A file that was sent compressed with deflate. */
export interface DeflatedFile extends ZipFile {
  readonly deflatedBytes: number;
  /** Including its header and data descriptor. */
  readonly totalBytes: number;
}

/** Yields a file with its header, deflated, with backpressure. Returns what its directory record needs. */
export async function* deflateFile(
  name: string,
  texts: AsyncIterable<string>,
  time: Date,
): AsyncGenerator<Buffer, DeflatedFile> {
  let crc = 0;
  let sizeBytes = 0;
  let deflatedBytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const text of texts) {
      const bytes = Buffer.from(text);
      crc = crc32(bytes, crc);
      sizeBytes += bytes.length;
      yield bytes;
    }
  }
  const header = writeLocalHeader({ name, crc, sizeBytes, deflatedBytes }, time);
  yield header;
  const deflate = createDeflateRaw();
  // A failure anywhere ends `deflate` with the same error, which its reader throws.
  pipeline(Readable.from(counted()), deflate).catch(() => {});
  for await (const chunk of deflate as AsyncIterable<Buffer>) {
    deflatedBytes += chunk.length;
    yield chunk;
  }
  const file = { name, crc, sizeBytes, deflatedBytes };
  const end = writeDescriptor(file);
  yield end;
  return { ...file, totalBytes: header.length + deflatedBytes + end.length };
}
