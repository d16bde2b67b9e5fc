import { crc32 } from 'node:zlib';

/** Colour types: PNG (third edition), 11.2.1. */
export const COLOR_TYPE = { rgb: 2, indexed: 3, rgba: 6 } as const;
/** Filter types, from 9.2. */
export const FILTER = { none: 0, up: 2, paeth: 4 } as const;

/** What a PNG file is made of, apart from its rows. */
interface PngFormat {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitDepth: 1 | 2 | 4 | 8;
  readonly colorType: (typeof COLOR_TYPE)[keyof typeof COLOR_TYPE];
  /** Straight RGBA, four bytes a colour, at most 256 colours. Only indexed pictures have one. */
  readonly palette?: Uint8Array;
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/**
 * Writes a PNG file with one IDAT chunk around compressed rows, each of which begins with the byte that names its filter.
 * The array owns its whole buffer.
 */
export const pngOf = (format: PngFormat, compressed: Uint8Array): Uint8Array<ArrayBuffer> => {
  const chunks: [string, Uint8Array][] = [['IHDR', header(format)]];
  if (format.palette) chunks.push(...paletteChunks(format.palette));
  chunks.push(['IDAT', compressed], ['IEND', new Uint8Array(0)]);

  const total = chunks.reduce((sum, [, data]) => sum + 12 + data.length, SIGNATURE.length);
  const file = new Uint8Array(total);
  const view = new DataView(file.buffer);
  file.set(SIGNATURE);
  let at = SIGNATURE.length;
  for (const [type, data] of chunks) {
    view.setUint32(at, data.length);
    file.set(Buffer.from(type, 'latin1'), at + 4);
    file.set(data, at + 8);
    view.setUint32(at + 8 + data.length, crc32(file.subarray(at + 4, at + 8 + data.length)));
    at += 12 + data.length;
  }
  return file;
};

const header = ({ widthPx, heightPx, bitDepth, colorType }: PngFormat): Uint8Array => {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, widthPx);
  view.setUint32(4, heightPx);
  data[8] = bitDepth;
  data[9] = colorType;
  return data;
};

/** Makes the chunks PLTE, and tRNS up to the last colour that is not opaque. */
const paletteChunks = (palette: Uint8Array): [string, Uint8Array][] => {
  const count = palette.length / 4;
  const colors = new Uint8Array(count * 3);
  const alphas = new Uint8Array(count);
  let translucent = 0;
  for (let i = 0; i < count; i += 1) {
    for (let channel = 0; channel < 3; channel += 1) colors[i * 3 + channel] = palette[i * 4 + channel]!;
    alphas[i] = palette[i * 4 + 3]!;
    if (alphas[i] !== 255) translucent = i + 1;
  }
  const chunks: [string, Uint8Array][] = [['PLTE', colors]];
  if (translucent > 0) chunks.push(['tRNS', alphas.subarray(0, translucent)]);
  return chunks;
};

/** Where a chunk of the first kind may stand: behind signature (8) and header (4 + 4 + 13 + 4). */
const AFTER_HEADER = 33;
const CHUNK_BYTES = 21;
const MM_PER_M = 1000;

/** Adds the pixels per metre, pHYs (PNG, 11.3.4.3), to a PNG that has none. The array owns its buffer. */
export const withResolution = (png: Uint8Array, mmPerPx: number): Uint8Array<ArrayBuffer> => {
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
};
