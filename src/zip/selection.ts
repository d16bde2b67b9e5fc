/** ZIPs of some of the files of stored fragments, byte for byte as their parts have them. */
import { crc32 } from 'node:zlib';
import {
  inMemory,
  inStore,
  type Part,
  readWhole,
  type Segment,
  type Store,
  type StoredFragment,
  toPart,
} from './fragments.ts';
import {
  eachRecord,
  isWide,
  localBytes,
  placeRecord,
  type StoredRecord,
  writeCentralRecord,
  writeEndRecords,
  writeLocalHeader,
} from './records.ts';

/** Which files and lines of a manifest are wanted, and how the manifest begins. */
export interface Wanted {
  readonly manifest: {
    readonly name: string;
    readonly header: Buffer;
    readonly encoding: 'utf8' | 'utf16le';
  };
  isFile(name: string): boolean;
  /** @param line With its line end. */
  isLine(line: string): boolean;
}

/** Yields the lines of CSV with their ends. A line end within quotes is none. */
function* csvLinesIn(text: string): Generator<string, void> {
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (text[at] !== '\n' || isQuoted) continue;
    yield text.slice(start, at + 1);
    start = at + 1;
  }
}

/** A file of a fragment: where its header and bytes are. */
interface Entry extends StoredRecord {
  readonly end: number;
}

/** Returns the files of a fragment by its directory records. */
export const entriesOf = (directory: Buffer, entryBytes: number): readonly Entry[] => {
  const records = [...eachRecord(directory)];
  return records.map((record, i) => ({ ...record, end: records[i + 1]?.offset ?? entryBytes }));
};

/**
 * Returns the ZIP of the wanted files of some fragments in order, with their lines of the manifest as its last file.
 *
 * @param time When the manifest is made.
 */
export const selectFiles = async (
  store: Store,
  fragments: readonly StoredFragment[],
  { manifest, isFile, isLine }: Wanted,
  time: Date,
): Promise<Part> => {
  const segments: Segment[] = [];
  const placed: { readonly record: Buffer; readonly offset: number }[] = [];
  const lines: string[] = [];
  let offset = 0;
  for (const { key, entryBytes, manifestBytes, directoryBytes } of fragments) {
    const end = entryBytes + manifestBytes + directoryBytes;
    const tail = await readWhole(store.read(key, { start: entryBytes, end }));
    for (const line of csvLinesIn(tail.toString(manifest.encoding, 0, manifestBytes)))
      if (isLine(line)) lines.push(line);
    const entries = entriesOf(tail.subarray(manifestBytes), entryBytes);
    for (const entry of entries.filter(({ name }) => isFile(name))) {
      const bytes = entry.end - entry.offset;
      segments.push(inStore(store, key, entry.offset, bytes));
      placed.push({ record: entry.record, offset });
      offset += bytes;
    }
  }
  const text = Buffer.concat([manifest.header, Buffer.from(lines.join(''), manifest.encoding)]);
  const file = { name: manifest.name, crc: crc32(text), sizeBytes: text.length };
  const wide = isWide(offset, 0);
  const directory = Buffer.concat([
    ...placed.map((each) => placeRecord(each.record, each.offset, wide)),
    placeRecord(writeCentralRecord(file, time, 0), offset, wide),
  ]);
  const directoryStart = offset + localBytes(file) + text.length;
  const end = { files: placed.length + 1, directoryStart, directoryBytes: directory.length };
  const rest = [writeLocalHeader(file, time), text, directory, writeEndRecords(end)];
  return toPart([...segments, ...rest.map(inMemory)]);
};
