/** Reads the ZIP of a part as a stream. Its files are stored uncompressed, preceded by their lengths. */

/** A file of a part. */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const FILE = 0x04034b50;
const HEADER_BYTES = 30;

const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(parts.reduce((bytes, part) => bytes + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

/** Reads pieces of requested lengths from a stream. Buffers at most one piece and a chunk. */
const createReader = (chunks: AsyncIterable<Uint8Array>) => {
  const source = chunks[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array(0);
  return {
    async take(length: number): Promise<Uint8Array> {
      const parts = [held];
      for (let bytes = held.length; bytes < length; ) {
        const next = await source.next();
        if (next.done) throw new Error('the ZIP of a part ends early');
        parts.push(next.value);
        bytes += next.value.length;
      }
      const all = parts.length === 1 ? held : joined(parts);
      held = all.subarray(length);
      return all.subarray(0, length);
    },
    /** Ends the download. */
    close: () => source.return?.(),
  };
};

/** Yields the files of a ZIP in order. */
export async function* unzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ZipEntry, void, undefined> {
  const { take, close } = createReader(chunks);
  try {
    for (;;) {
      // The directory after the files is longer than a header.
      const header = await take(HEADER_BYTES);
      const fields = new DataView(header.buffer, header.byteOffset, HEADER_BYTES);
      if (fields.getUint32(0, true) !== FILE) return;
      const method = fields.getUint16(8, true);
      if (method !== 0) throw new Error('the ZIP of a part has a packed file, which this client cannot read');
      const nameBytes = await take(fields.getUint16(26, true));
      await take(fields.getUint16(28, true));
      const name = new TextDecoder().decode(nameBytes);
      yield { name, bytes: (await take(fields.getUint32(18, true))).slice() };
    }
  } finally {
    await close();
  }
}
