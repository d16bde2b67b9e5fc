/** WOFF 1.0 (W3C, 2012), which packs the tables of a font one by one. */
import { inflateSync } from 'node:zlib';

const SIGNATURE = 'wOFF';
const HEAD_BYTES = 44;
const ENTRY_BYTES = 20;
const SFNT_HEAD_BYTES = 12;
const SFNT_ENTRY_BYTES = 16;
/** The largest font of one that is unpacked: those of Chinese have fewer. */
const UNPACKED_MAX_BYTES = 32 * 1024 * 1024;

const pad = (bytes: number): number => Math.ceil(bytes / 4) * 4;

/** A table as its entry in the directory says. */
interface Entry {
  readonly tag: number;
  readonly offset: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly checksum: number;
}

/** Unpacks WOFF. Other files stay as they are. @throws {Error} When the file is cut off, or larger than it says. */
export const toSfnt = (file: Uint8Array): Uint8Array => {
  const woff = Buffer.from(file.buffer, file.byteOffset, file.length);
  if (woff.toString('latin1', 0, 4) !== SIGNATURE) return file;
  const count = woff.readUInt16BE(12);
  const entries = Array.from({ length: count }, (_, index): Entry => {
    const at = HEAD_BYTES + index * ENTRY_BYTES;
    const [tag, offset, packedBytes, bytes, checksum] = [0, 4, 8, 12, 16].map((field) =>
      woff.readUInt32BE(at + field),
    ) as [number, number, number, number, number];
    return { tag, offset, packedBytes, bytes, checksum };
  });
  let end = SFNT_HEAD_BYTES + count * SFNT_ENTRY_BYTES;
  const total = entries.reduce((sum, { bytes }) => sum + pad(bytes), end);
  if (total > UNPACKED_MAX_BYTES) throw new Error(`the font has ${total} bytes unpacked`);
  const sfnt = Buffer.alloc(total);
  woff.copy(sfnt, 0, 4, 8);
  sfnt.writeUInt16BE(count, 4);
  for (const [index, entry] of entries.entries()) {
    const packed = woff.subarray(entry.offset, entry.offset + entry.packedBytes);
    const table =
      entry.packedBytes < entry.bytes ? inflateSync(packed, { maxOutputLength: entry.bytes }) : packed;
    if (table.length !== entry.bytes) throw new Error('the font is cut off');
    const at = SFNT_HEAD_BYTES + index * SFNT_ENTRY_BYTES;
    for (const [field, value] of [entry.tag, entry.checksum, end, entry.bytes].entries())
      sfnt.writeUInt32BE(value, at + 4 * field);
    table.copy(sfnt, end);
    end += pad(entry.bytes);
  }
  return sfnt;
};
