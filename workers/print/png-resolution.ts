import { crc32 } from 'node:zlib';

/** Where a chunk of the first kind may stand: behind signature (8) and header (4 + 4 + 13 + 4). */
const AFTER_HEADER = 33;
const CHUNK_BYTES = 21;
const MM_PER_M = 1000;

/** Adds the pixels per metre, pHYs (PNG, 11.3.4.3), to a PNG that has none. The array owns its buffer. */
export function withResolution(png: Uint8Array, mmPerPx: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(png.length + CHUNK_BYTES);
  file.set(png.subarray(0, AFTER_HEADER));
  file.set(png.subarray(AFTER_HEADER), AFTER_HEADER + CHUNK_BYTES);
  const chunk = Buffer.from(file.buffer, AFTER_HEADER, CHUNK_BYTES);
  const perMetre = Math.round(MM_PER_M / mmPerPx);
  chunk.writeUInt32BE(9, 0);
  chunk.write('pHYs', 4, 'latin1');
  chunk.writeUInt32BE(perMetre, 8);
  chunk.writeUInt32BE(perMetre, 12);
  chunk[16] = 1; // the unit is the metre
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 17)), 17);
  return file;
}
