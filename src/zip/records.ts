/** The records of ZIP files (APPNOTE.TXT 6.3.10 of PKWARE). */

/** Short enough for the file names of every file system, and for an archive that keeps the names of a million files. */
export const WORDS_MAX_CHARACTERS = 40;

/** Reduces a text to its ASCII letters and digits, with `-` for whatever is between them, for a file name. */
export const fileWords = (text: string): string =>
  text
    .slice(0, 500)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/^https?:\/\//i, '')
    .replace(/[^0-9A-Za-z]+/g, '-')
    .slice(0, WORDS_MAX_CHARACTERS)
    .replace(/^-|-$/g, '');

/**
 * Returns a file name without extension: a number, and words that identify the file to people. The number makes names
 * unique, and keeps them from being a path or a device name.
 */
export const nameByNumber = (number: number, digits: number, words: string): string =>
  `${String(number).padStart(digits, '0')}${words === '' ? '' : `-${words}`}`;

export interface ZipFile {
  readonly name: string;
  readonly crc: number;
  readonly sizeBytes: number;
  /** Its compressed length, if it is deflated with a data descriptor. If absent, it is stored uncompressed. */
  readonly deflatedBytes?: number;
}

/** Deflated, followed by a data descriptor with its checksum and lengths. */
const DEFLATED = { flags: 1 << 3, method: 8 };
const VERSION = { plain: 20, zip64: 45 };
/** Made on Unix, so that the mode below applies. */
const MADE_BY = 3 << 8;
/** A regular file, rw-r--r--. */
const ATTRIBUTES = 0o100644 * 2 ** 16;
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;

const NAME_IN_UTF8 = 1 << 11;
/** Length of a local header without its name. */
const LOCAL_BYTES = 30;

/** Returns a name as it is stored, and the flag that says how it is to be read. */
const writeName = (name: string) => {
  const bytes = Buffer.from(name);
  return { bytes, flags: bytes.length === name.length ? 0 : NAME_IN_UTF8 };
};

/** Length of a file's local header. */
export const localBytes = ({ name }: Pick<ZipFile, 'name'>): number => LOCAL_BYTES + Buffer.byteLength(name);
/** Length of a directory record without its name. */
const CENTRAL_BYTES = 46;
/** Length of the extra field with a 64-bit offset. */
const WIDE_BYTES = 12;

/** Returns date and time in MS-DOS format, in UTC. */
const toDos = (time: Date): number => {
  const date = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  return date * 2 ** 16 + clock;
};

/** Returns the local header of a file. That of a deflated file has no checksum and no lengths. */
export const writeLocalHeader = ({ name, crc, sizeBytes, deflatedBytes }: ZipFile, time: Date): Buffer => {
  const { bytes, flags } = writeName(name);
  const record = Buffer.alloc(LOCAL_BYTES + bytes.length);
  record.writeUInt32LE(0x04034b50, 0);
  record.writeUInt16LE(VERSION.plain, 4);
  record.writeUInt16LE(flags, 6);
  record.writeUInt32LE(toDos(time), 10);
  record.writeUInt16LE(bytes.length, 26);
  bytes.copy(record, LOCAL_BYTES);
  if (deflatedBytes !== undefined) {
    record.writeUInt16LE(flags | DEFLATED.flags, 6);
    record.writeUInt16LE(DEFLATED.method, 8);
    return record;
  }
  record.writeUInt32LE(crc, 14);
  record.writeUInt32LE(sizeBytes, 18);
  record.writeUInt32LE(sizeBytes, 22);
  return record;
};

/** Returns the data descriptor that follows a deflated file. */
export const writeDescriptor = ({ crc, sizeBytes, deflatedBytes = 0 }: ZipFile): Buffer => {
  const isLarge = sizeBytes >= MAX_32 || deflatedBytes >= MAX_32;
  const record = Buffer.alloc(isLarge ? 24 : 16);
  record.writeUInt32LE(0x08074b50, 0);
  record.writeUInt32LE(crc, 4);
  if (isLarge) {
    record.writeBigUInt64LE(BigInt(deflatedBytes), 8);
    record.writeBigUInt64LE(BigInt(sizeBytes), 16);
    return record;
  }
  record.writeUInt32LE(deflatedBytes, 8);
  record.writeUInt32LE(sizeBytes, 12);
  return record;
};

/** Returns the extra field with the 64-bit numbers that do not fit in a record, if any. */
const wideField = (numbers: readonly number[]): Buffer => {
  const wide = numbers.filter((number) => number >= MAX_32);
  if (wide.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + 8 * wide.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * wide.length, 2);
  for (const [place, number] of wide.entries()) extra.writeBigUInt64LE(BigInt(number), 4 + 8 * place);
  return extra;
};

/** Returns a file's directory record. @param offset The position of its header. */
export const writeCentralRecord = (file: ZipFile, time: Date, offset: number): Buffer => {
  const { name, crc, sizeBytes, deflatedBytes = sizeBytes } = file;
  const extra = wideField([sizeBytes, deflatedBytes, offset]);
  const version = extra.length === 0 ? VERSION.plain : VERSION.zip64;
  const { bytes, flags } = writeName(name);
  const record = Buffer.alloc(CENTRAL_BYTES + bytes.length);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(MADE_BY | version, 4);
  record.writeUInt16LE(version, 6);
  record.writeUInt16LE(flags, 8);
  if (file.deflatedBytes !== undefined) {
    record.writeUInt16LE(flags | DEFLATED.flags, 8);
    record.writeUInt16LE(DEFLATED.method, 10);
  }
  record.writeUInt32LE(toDos(time), 12);
  record.writeUInt32LE(crc, 16);
  record.writeUInt32LE(Math.min(deflatedBytes, MAX_32), 20);
  record.writeUInt32LE(Math.min(sizeBytes, MAX_32), 24);
  record.writeUInt16LE(bytes.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(ATTRIBUTES, 38);
  record.writeUInt32LE(Math.min(offset, MAX_32), 42);
  bytes.copy(record, CENTRAL_BYTES);
  return extra.length === 0 ? record : Buffer.concat([record, extra]);
};

/** Whether directory records need 64-bit offsets, given where their files begin in the ZIP. */
export const isWide = (base: number, entryBytes: number): boolean => base + entryBytes >= MAX_32;

/** Length of records that `moveRecords` returns. */
export const countMovedBytes = (
  records: { readonly bytes: number; readonly files: number },
  wide: boolean,
): number => records.bytes + (wide ? records.files * WIDE_BYTES : 0);

const widenRecord = (record: Buffer, offset: number): Buffer => {
  const extra = Buffer.alloc(WIDE_BYTES);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(BigInt(offset), 4);
  const head = Buffer.from(record);
  head.writeUInt16LE(MADE_BY | VERSION.zip64, 4);
  head.writeUInt16LE(VERSION.zip64, 6);
  head.writeUInt16LE(WIDE_BYTES, 30);
  head.writeUInt32LE(MAX_32, 42);
  return Buffer.concat([head, extra]);
};

/** A directory record of a stored file. */
export interface StoredRecord {
  readonly name: string;
  /** The position of its header. */
  readonly offset: number;
  readonly record: Buffer;
}

/** Yields the records of stored files. */
export function* eachRecord(records: Buffer): Generator<StoredRecord, void> {
  for (let at = 0; at < records.length; ) {
    const end = at + CENTRAL_BYTES + records.readUInt16LE(at + 28);
    const record = records.subarray(at, end);
    yield { name: record.toString('utf8', CENTRAL_BYTES), offset: record.readUInt32LE(42), record };
    at = end;
  }
}

/** Returns a record of a stored file at another position. */
export const placeRecord = (record: Buffer, offset: number, wide: boolean): Buffer => {
  if (wide) return widenRecord(record, offset);
  const placed = Buffer.from(record);
  placed.writeUInt32LE(offset, 42);
  return placed;
};

/** Relocates records of stored files by `base` bytes. */
export const moveRecords = (records: Buffer, base: number, wide: boolean): Buffer =>
  Buffer.concat(
    [...eachRecord(records)].map(({ record, offset }) => placeRecord(record, offset + base, wide)),
  );

/** The end of a ZIP, which locates its directory. */
interface ZipEnd {
  readonly files: number;
  readonly directoryStart: number;
  readonly directoryBytes: number;
}

/** Returns the end records of a ZIP, in ZIP64 form only if needed. */
export const writeEndRecords = ({ files, directoryStart, directoryBytes }: ZipEnd): Buffer => {
  const isLarge = files >= MAX_16 || directoryStart >= MAX_32 || directoryBytes >= MAX_32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(files, MAX_16), 8);
  end.writeUInt16LE(Math.min(files, MAX_16), 10);
  end.writeUInt32LE(Math.min(directoryBytes, MAX_32), 12);
  end.writeUInt32LE(Math.min(directoryStart, MAX_32), 16);
  if (!isLarge) return end;
  const large = Buffer.alloc(56);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(MADE_BY | VERSION.zip64, 12);
  large.writeUInt16LE(VERSION.zip64, 14);
  large.writeBigUInt64LE(BigInt(files), 24);
  large.writeBigUInt64LE(BigInt(files), 32);
  large.writeBigUInt64LE(BigInt(directoryBytes), 40);
  large.writeBigUInt64LE(BigInt(directoryStart), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(directoryStart + directoryBytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([large, locator, end]);
};
