/** What an archive remembers about the codes it has sent, until its manifest and directory are written. */
import { createHash } from 'node:crypto';

/** A file that was sent. */
export interface KeptFile {
  readonly crc: number;
  /** At least 1. */
  readonly sizeBytes: number;
  readonly sha256: Buffer;
}

/** A code whose files were sent. */
export interface KeptCode {
  readonly createdAt: Date;
  /** That of its files, without extension; at most 255 bytes. */
  readonly name: string;
  /** Grade and warnings of its files; `null`: those of the saved code apply. */
  readonly graded: { readonly grade: number; readonly warnings: string } | null;
  /** One for each format, or why it could not be drawn. */
  readonly files: readonly (KeptFile | string)[];
}

/** The offsets of the fields in a code's record. With one file, a record takes 62 bytes. */
const AT = { key: 0, seconds: 6, name: 10, nameLength: 16, grade: 17, warnings: 18, files: 22 } as const;
const FILE = { crc: 0, sizeBytes: 4, sha256: 8, length: 40 } as const;
const UNGRADED = 0xff;
const BLOCK_CODES = 1024;
/** Names are stored one after the other, and none crosses the end of a block. */
const BLOCK_BYTES = 65_536;

/** A key collision between codes of the same second is practically impossible. */
const keyOf = (id: string): number => createHash('sha256').update(id).digest().readUIntBE(0, 6);

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000);

/**
 * Stores codes in 22 bytes each, plus their names, and 40 per file. Each distinct text of warnings and reasons is stored
 * once.
 *
 * @param formats Number of files per code.
 */
export const createKept = (formats: number) => {
  const length = AT.files + FILE.length * formats;
  const blocks: Buffer[] = [];
  const names: Buffer[] = [];
  let nameEnd = 0;
  const texts: string[] = [];
  const numberOf = new Map<string, number>();
  let count = 0;
  let head = 0;

  const recordOf = (place: number): Buffer => {
    const start = (place % BLOCK_CODES) * length;
    return blocks[Math.floor(place / BLOCK_CODES)]!.subarray(start, start + length);
  };

  /** Stores a name, and returns its place in all blocks together. */
  const keepName = (name: Buffer): number => {
    const rest = nameEnd % BLOCK_BYTES;
    if (rest === 0 || rest + name.length > BLOCK_BYTES) {
      nameEnd = names.length * BLOCK_BYTES;
      names.push(Buffer.alloc(BLOCK_BYTES));
    }
    name.copy(names.at(-1)!, nameEnd % BLOCK_BYTES);
    const place = nameEnd;
    nameEnd += name.length;
    return place;
  };

  const readName = (record: Buffer): string => {
    const place = record.readUIntLE(AT.name, 6);
    const start = place % BLOCK_BYTES;
    const end = start + record.readUInt8(AT.nameLength);
    return names[Math.floor(place / BLOCK_BYTES)]!.toString('utf8', start, end);
  };

  const textNumber = (text: string): number => {
    const known = numberOf.get(text);
    if (known !== undefined) return known;
    numberOf.set(text, texts.length);
    return texts.push(text) - 1;
  };

  // A missing file has no bytes, and the number of its reason in place of a checksum.
  const writeFile = (file: KeptFile | string, record: Buffer): void => {
    if (typeof file === 'string') {
      record.writeUInt32LE(textNumber(file), FILE.crc);
      return;
    }
    record.writeUInt32LE(file.crc, FILE.crc);
    record.writeUInt32LE(file.sizeBytes, FILE.sizeBytes);
    file.sha256.copy(record, FILE.sha256);
  };

  const readFile = (record: Buffer): KeptFile | string => {
    const crc = record.readUInt32LE(FILE.crc);
    const sizeBytes = record.readUInt32LE(FILE.sizeBytes);
    return sizeBytes === 0
      ? texts[crc]!
      : { crc, sizeBytes, sha256: record.subarray(FILE.sha256, FILE.length) };
  };

  const fileRecords = (record: Buffer): Buffer[] =>
    Array.from({ length: formats }, (_, place) =>
      record.subarray(AT.files + place * FILE.length, AT.files + (place + 1) * FILE.length),
    );

  return {
    get count(): number {
      return count;
    },

    /** Adds the next code. The order must be the same in every pass over the folder. */
    add(id: string, { createdAt, name, graded, files }: KeptCode): void {
      if (count % BLOCK_CODES === 0) blocks.push(Buffer.alloc(length * BLOCK_CODES));
      const record = recordOf(count);
      record.writeUIntBE(keyOf(id), AT.key, 6);
      record.writeUInt32LE(secondsOf(createdAt), AT.seconds);
      const bytes = Buffer.from(name);
      record.writeUIntLE(keepName(bytes), AT.name, 6);
      record.writeUInt8(bytes.length, AT.nameLength);
      record.writeUInt8(graded?.grade ?? UNGRADED, AT.grade);
      record.writeUInt32LE(graded === null ? 0 : textNumber(graded.warnings), AT.warnings);
      for (const [place, ofFile] of fileRecords(record).entries()) writeFile(files[place]!, ofFile);
      count += 1;
    },

    /** Returns the code at a position, counted from 0. */
    at(place: number): KeptCode {
      const record = recordOf(place);
      const grade = record.readUInt8(AT.grade);
      const warnings = texts[record.readUInt32LE(AT.warnings)] ?? '';
      return {
        createdAt: new Date(record.readUInt32LE(AT.seconds) * 1000),
        name: readName(record),
        graded: grade === UNGRADED ? null : { grade, warnings },
        files: fileRecords(record).map(readFile),
      };
    },

    /**
     * Returns the position of a code, searching after the last one found; `null`: it did not exist when the files were
     * sent.
     */
    findNext(id: string, createdAt: Date): number | null {
      const key = keyOf(id);
      const seconds = secondsOf(createdAt);
      for (let place = head; place < count; place += 1) {
        const record = recordOf(place);
        if (record.readUInt32LE(AT.seconds) > seconds) return null;
        if (record.readUIntBE(AT.key, 6) !== key) continue;
        head = place + 1;
        return place;
      }
      return null;
    },
  };
};

/** What `createKept` makes. */
export type Kept = ReturnType<typeof createKept>;
