/** The records of ZIP files (APPNOTE.TXT 6.3.10 of PKWARE). Files are stored as they are, without compression. */

/** A file in a ZIP. */
export interface ZipFile {
  /** ASCII. */
  readonly name: string;
  readonly crc: number;
  readonly sizeBytes: number;
}

const VERSION = { plain: 20, zip64: 45 };
/** Files made on Unix, so that the mode below holds. */
const MADE_BY = 3 << 8;
/** A regular file, rw-r--r--. */
const ATTRIBUTES = 0o100644 * 2 ** 16;
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;

/** Length of the header before a file's bytes. */
export const localBytes = ({ name }: Pick<ZipFile, 'name'>): number => 30 + name.length;
/** Length of a file's record in the directory. */
const CENTRAL_BYTES = 46;
/** Length of the extra field with an offset of 64 bits. */
const WIDE_BYTES = 12;

/** Returns date and time as MS-DOS has them, in UTC. */
const toDos = (time: Date): number => {
  const date = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  return date * 2 ** 16 + clock;
};

/** Returns the header that stands before a file's bytes. */
export const localHeader = ({ name, crc, sizeBytes }: ZipFile, time: Date): Buffer => {
  const record = Buffer.alloc(30 + name.length);
  record.writeUInt32LE(0x04034b50, 0);
  record.writeUInt16LE(VERSION.plain, 4);
  record.writeUInt32LE(toDos(time), 10);
  record.writeUInt32LE(crc, 14);
  record.writeUInt32LE(sizeBytes, 18);
  record.writeUInt32LE(sizeBytes, 22);
  record.writeUInt16LE(name.length, 26);
  record.write(name, 30, 'latin1');
  return record;
};

/** Returns a file's record in the directory. @param offset Where its header begins, below 4 GiB. */
export const centralRecord = ({ name, crc, sizeBytes }: ZipFile, time: Date, offset: number): Buffer => {
  const record = Buffer.alloc(CENTRAL_BYTES + name.length);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(MADE_BY | VERSION.plain, 4);
  record.writeUInt16LE(VERSION.plain, 6);
  record.writeUInt32LE(toDos(time), 12);
  record.writeUInt32LE(crc, 16);
  record.writeUInt32LE(sizeBytes, 20);
  record.writeUInt32LE(sizeBytes, 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt32LE(ATTRIBUTES, 38);
  record.writeUInt32LE(offset, 42);
  record.write(name, CENTRAL_BYTES, 'latin1');
  return record;
};

/** Whether the records of a directory need offsets of 64 bits, when their files begin so far into the ZIP. */
export const isWide = (base: number, entryBytes: number): boolean => base + entryBytes >= MAX_32;

/** Length of records that `moved` returns. */
export const movedBytes = (
  records: { readonly bytes: number; readonly files: number },
  wide: boolean,
): number => records.bytes + (wide ? records.files * WIDE_BYTES : 0);

const widened = (record: Buffer, offset: number): Buffer => {
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

/** Returns records of a directory whose files begin `base` bytes later than the records say. */
export const moved = (records: Buffer, base: number, wide: boolean): Buffer => {
  const result: Buffer[] = [];
  for (let at = 0; at < records.length; ) {
    const end = at + CENTRAL_BYTES + records.readUInt16LE(at + 28);
    const record = Buffer.from(records.subarray(at, end));
    const offset = record.readUInt32LE(42) + base;
    if (wide) result.push(widened(record, offset));
    else {
      record.writeUInt32LE(offset, 42);
      result.push(record);
    }
    at = end;
  }
  return Buffer.concat(result);
};

/** What stands at the end of a ZIP: where its directory is. */
export interface ZipEnd {
  readonly files: number;
  readonly directoryStart: number;
  readonly directoryBytes: number;
}

/** Returns the end of a ZIP. It is in the form of 64 bits only where the other one has no room. */
export const endRecords = ({ files, directoryStart, directoryBytes }: ZipEnd): Buffer => {
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
