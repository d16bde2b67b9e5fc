/** Pictures made to do harm, of a few kilobytes whatever their size. */
import { crc32, createDeflate } from 'node:zlib';

export const dataUri = (type: string, bytes: Uint8Array | string): string =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;

export const svg = (attributes: string, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;

export const svgUri = (attributes: string, content: string): string =>
  dataUri('svg+xml', svg(attributes, content));

const MEGABYTE = Buffer.alloc(1 << 20);

/** Returns `length` zero bytes, deflated (zlib). */
export const deflatedZeros = async (length: number): Promise<Buffer> => {
  const deflate = createDeflate({ level: 9 });
  const parts: Buffer[] = [];
  deflate.on('data', (part: Buffer) => parts.push(part));
  for (let left = length; left > 0; left -= MEGABYTE.length) {
    const more = deflate.write(MEGABYTE.subarray(0, Math.min(left, MEGABYTE.length)));
    if (!more) await new Promise((resolve) => deflate.once('drain', resolve));
  }
  await new Promise<void>((resolve) => {
    deflate.on('end', resolve);
    deflate.end();
  });
  return Buffer.concat(parts);
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

/** Returns a PNG of zeros, which takes a few kilobytes whatever its size. */
export const blackPng = async (widthPx: number, heightPx: number, shape: PngShape = {}): Promise<Buffer> => {
  const { bitDepth = 8, colorType = 2, interlaced = false, extra = Buffer.alloc(0) } = shape;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header.set([bitDepth, colorType, 0, 0, interlaced ? 1 : 0], 8);
  const rowBytes = Math.ceil((widthPx * SAMPLES[colorType] * bitDepth) / 8) + 1;
  // Adam7 has a filter byte for each row of its seven passes: at most twice as many as there are rows.
  const pixels = await deflatedZeros(rowBytes * heightPx + (interlaced ? 2 * heightPx : 0));
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    magic,
    pngChunk('IHDR', header),
    extra,
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
};
