/** Hostile pictures, which take a few kilobytes whatever their dimensions. */
import { constants, crc32, deflateRawSync } from 'node:zlib';

export const dataUri = (type: string, bytes: Uint8Array | string): string =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;

export const svg = (attributes: string, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;

export const svgUri = (attributes: string, content: string): string =>
  dataUri('svg+xml', svg(attributes, content));

const MEGABYTE = 1 << 20;
/** A megabyte of zeros in self-contained blocks, so that they can be repeated. */
const ZEROS = deflateRawSync(Buffer.alloc(MEGABYTE), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
const ADLER_BASE = 65_521;

/** Returns `length` zero bytes, deflated (zlib). */
export const deflatedZeros = (length: number): Buffer => {
  const checksum = Buffer.alloc(4);
  // Adler-32 (RFC 1950): the sums of zeros are 1 and their count.
  checksum.writeUInt16BE(length % ADLER_BASE, 0);
  checksum.writeUInt16BE(1, 2);
  return Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...Array<Buffer>(Math.floor(length / MEGABYTE)).fill(ZEROS),
    deflateRawSync(Buffer.alloc(length % MEGABYTE)),
    checksum,
  ]);
};

export const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
};

interface PngShape {
  readonly bitDepth?: 1 | 8 | 16;
  readonly colorType?: 0 | 2 | 6;
  readonly interlaced?: boolean;
  /** Chunks between header and pixels. */
  readonly extra?: Uint8Array;
}

const SAMPLES = { 0: 1, 2: 3, 6: 4 };

/** Returns a PNG of zeros, which takes a few kilobytes whatever its dimensions. */
export const blackPng = (widthPx: number, heightPx: number, shape: PngShape = {}): Buffer => {
  const { bitDepth = 8, colorType = 2, interlaced = false, extra = Buffer.alloc(0) } = shape;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header.set([bitDepth, colorType, 0, 0, interlaced ? 1 : 0], 8);
  const rowBytes = Math.ceil((widthPx * SAMPLES[colorType] * bitDepth) / 8) + 1;
  // Adam7 has a filter byte for each row of its seven passes: at most twice as many as there are rows.
  const pixels = deflatedZeros(rowBytes * heightPx + (interlaced ? 2 * heightPx : 0));
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    magic,
    pngChunk('IHDR', header),
    extra,
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
};
