/**
 * Fragments of ZIP files. A fragment is one stored object in three sections: files with their headers, manifest lines,
 * and directory records whose offsets are relative to the fragment's start. Consecutive fragments are assembled into a
 * ZIP while they are sent, without a second copy and without reading them first.
 */
import { crc32 } from 'node:zlib';
import type { ByteRange, ObjectStore } from '../storage/store.ts';
import {
  countMovedBytes,
  isWide,
  localBytes,
  moveRecords,
  writeCentralRecord,
  writeEndRecords,
  writeLocalHeader,
} from './records.ts';

/** A file to be stored. */
export interface NewFile {
  /** Its name in ASCII. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The lengths of a fragment's sections, and the number of its files. */
export interface FragmentShape {
  readonly files: number;
  readonly entryBytes: number;
  readonly manifestBytes: number;
  readonly directoryBytes: number;
}

/** A fragment in memory: its bytes, and its shape. */
export interface Fragment extends FragmentShape {
  readonly bytes: Buffer;
}

/**
 * Makes a fragment, deterministically.
 *
 * @param manifest Its lines, in the encoding of the manifest.
 * @param time When the files were made; below 4 GiB in all.
 */
export const createFragment = (files: readonly NewFile[], manifest: Buffer, time: Date): Fragment => {
  const entries: Uint8Array[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const file = { name, crc: crc32(bytes), sizeBytes: bytes.byteLength };
    entries.push(writeLocalHeader(file, time), bytes);
    directory.push(writeCentralRecord(file, time, offset));
    offset += localBytes(file) + bytes.byteLength;
  }
  const bytes = Buffer.concat([...entries, manifest, ...directory]);
  return {
    bytes,
    files: files.length,
    entryBytes: offset,
    manifestBytes: manifest.length,
    directoryBytes: bytes.length - offset - manifest.length,
  };
};

/** A fragment in the store. */
export interface StoredFragment extends FragmentShape {
  readonly key: string;
}

/** The manifest of a ZIP: a header of its own, followed by the lines in the fragments. */
export interface Manifest {
  readonly name: string;
  readonly header: Buffer;
  /** CRC-32 of the header and all lines. */
  readonly crc: number;
}

/** A contiguous section of a ZIP. */
export interface Segment {
  readonly bytes: number;
  read(range: ByteRange): AsyncIterable<Buffer>;
}

/** A ZIP that can be sent in full or in part. */
export interface Part {
  readonly bytes: number;
  /** Yields a byte range of it, with backpressure. */
  read(range: ByteRange): AsyncIterable<Buffer>;
}

/** Where fragments are. */
export type Store = Pick<ObjectStore, 'read'>;

/** Returns a section of bytes that are at hand. */
export const inMemory = (bytes: Buffer): Segment => ({
  bytes: bytes.length,
  async *read({ start, end }) {
    yield bytes.subarray(start, end);
  },
});

/** Returns a section that is read from an object when it is sent. */
export const inStore = (store: Store, key: string, from: number, bytes: number): Segment => ({
  bytes,
  read: ({ start, end }) => store.read(key, { start: from + start, end: from + end }),
});

/** Returns all of what is yielded. */
export const readWhole = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
};

/** The directory records of a fragment whose files begin at `base`. Only one fragment's are in memory at a time. */
const directoryOf = (store: Store, fragment: StoredFragment, base: number): Segment => {
  const { key, files, entryBytes, manifestBytes, directoryBytes } = fragment;
  const start = entryBytes + manifestBytes;
  const wide = isWide(base, entryBytes);
  return {
    bytes: countMovedBytes({ bytes: directoryBytes, files }, wide),
    async *read(range) {
      const records = await readWhole(store.read(key, { start, end: start + directoryBytes }));
      yield moveRecords(records, base, wide).subarray(range.start, range.end);
    },
  };
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const manifestBytesOf = (
  fragments: readonly StoredFragment[],
  { header }: Pick<Manifest, 'header'>,
): number => header.length + sum(fragments.map(({ manifestBytes }) => manifestBytes));

const manifestLines = (store: Store, fragments: readonly StoredFragment[]): Segment[] =>
  fragments.map(({ key, entryBytes, manifestBytes }) => inStore(store, key, entryBytes, manifestBytes));

/** Returns the CRC-32 of a manifest, which must be known before its lines because it precedes them. */
export const manifestCrc = async (
  store: Store,
  fragments: readonly StoredFragment[],
  header: Buffer,
): Promise<number> => {
  let crc = crc32(header);
  for (const { read, bytes } of manifestLines(store, fragments))
    for await (const chunk of read({ start: 0, end: bytes })) crc = crc32(chunk, crc);
  return crc;
};

async function* readSegments(segments: readonly Segment[], { start, end }: ByteRange) {
  let from = 0;
  for (const segment of segments) {
    const range = { start: Math.max(0, start - from), end: Math.min(segment.bytes, end - from) };
    if (range.start < range.end) yield* segment.read(range);
    from += segment.bytes;
  }
}

/** Returns a ZIP of sections that follow each other. */
export const toPart = (segments: readonly Segment[]): Part => ({
  bytes: sum(segments.map(({ bytes }) => bytes)),
  read: (range) => readSegments(segments, range),
});

/**
 * Returns the ZIP of some fragments in order, with their manifest as its last file, deterministically.
 *
 * @param time When the manifest was made.
 */
export const assemblePart = (
  store: Store,
  fragments: readonly StoredFragment[],
  manifest: Manifest,
  time: Date,
): Part => {
  const segments: Segment[] = [];
  const directory: Segment[] = [];
  let at = 0;
  for (const fragment of fragments) {
    segments.push(inStore(store, fragment.key, 0, fragment.entryBytes));
    directory.push(directoryOf(store, fragment, at));
    at += fragment.entryBytes;
  }
  const file = {
    name: manifest.name,
    crc: manifest.crc,
    sizeBytes: manifestBytesOf(fragments, manifest),
  };
  const wide = isWide(at, 0);
  const record = moveRecords(writeCentralRecord(file, time, 0), at, wide);
  segments.push(
    inMemory(writeLocalHeader(file, time)),
    inMemory(manifest.header),
    ...manifestLines(store, fragments),
  );
  const directoryStart = at + localBytes(file) + file.sizeBytes;
  const all = [...segments, ...directory, inMemory(record)];
  const directoryBytes = sum(directory.map(({ bytes }) => bytes)) + record.length;
  const files = sum(fragments.map((fragment) => fragment.files)) + 1;
  all.push(inMemory(writeEndRecords({ files, directoryStart, directoryBytes })));
  return toPart(all);
};
