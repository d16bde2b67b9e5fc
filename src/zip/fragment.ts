/**
 * Fragments of ZIP files. A fragment is one stored object in three sections: files with their headers, manifest lines,
 * and directory records whose offsets are relative to the fragment's start. Consecutive fragments are assembled into a
 * ZIP while they are sent, without a second copy and without reading them first.
 */
import { crc32 } from 'node:zlib';
import { localBytes, writeCentralRecord, writeLocalHeader } from './records.ts';

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

/** A fragment in memory: its bytes in pieces, and its shape. */
export interface Fragment extends FragmentShape {
  readonly bytes: Buffer;
}

/**
 * Makes a fragment, deterministically.
 *
 * @param time When the files were made; below 4 GiB in all.
 */
export const createFragment = (files: readonly NewFile[], manifest: string, time: Date): Fragment => {
  const entries: Uint8Array[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const file = { name, crc: crc32(bytes), sizeBytes: bytes.byteLength };
    entries.push(writeLocalHeader(file, time), bytes);
    directory.push(writeCentralRecord(file, time, offset));
    offset += localBytes(file) + bytes.byteLength;
  }
  const lines = Buffer.from(manifest);
  const bytes = Buffer.concat([...entries, lines, ...directory]);
  return {
    bytes,
    files: files.length,
    entryBytes: offset,
    manifestBytes: lines.length,
    directoryBytes: bytes.length - offset - lines.length,
  };
};
