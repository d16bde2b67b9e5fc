/**
 * Reads PNG files as luma, in JavaScript and in the calling thread. `sharp` takes seven times as long for a small
 * picture, and works in threads whose priority is not ours.
 */
import { crc32, inflateSync } from 'node:zlib';
import { ok, type Result, refused } from '../result.ts';

/** A picture as readers see it: on white paper, and without colours. */
export interface Luma {
  readonly widthPx: number;
  readonly heightPx: number;
  /** One byte a pixel in rows from the top: 0 is black, 255 is white. */
  readonly data: Uint8Array;
}

/** Returns the luma of a colour (ITU-R BT.601) on white paper, 0 to 255. @param alpha 0 is transparent. */
export const lumaOf = (red: number, green: number, blue: number, alpha = 255): number => {
  const luma = (77 * red + 150 * green + 29 * blue + 128) >> 8;
  return alpha === 255 ? luma : Math.round(255 + ((luma - 255) * alpha) / 255);
};

/** What the header of a PNG says (PNG, third edition, 11.2.1). */
interface Header {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitDepth: number;
  readonly colorType: number;
}

/** The chunks of a PNG that its pixels come from. */
interface PngParts {
  readonly header: Header;
  readonly palette: Uint8Array | null;
  /** The alphas of the palette's first colours. */
  readonly alphas: Uint8Array;
  readonly compressed: Uint8Array;
}

const SIGNATURE = '\x89PNG\r\n\x1a\n';
/** Samples a pixel, by colour type. */
const CHANNELS: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);
/** The colour type of a picture with a palette. */
const INDEXED = 3;
/** Ten times the largest picture of ours. */
const MAX_PIXELS = 40_000_000;

const readHeader = (data: Buffer): Result<Header, string> => {
  const header = {
    widthPx: data.readUInt32BE(0),
    heightPx: data.readUInt32BE(4),
    bitDepth: data[8]!,
    colorType: data[9]!,
  };
  if (!CHANNELS.has(header.colorType) || ![1, 2, 4, 8, 16].includes(header.bitDepth)) {
    return refused('its header is not that of a PNG');
  }
  // Rows without pixels still have their filter bytes: up to 4 GB of them.
  if (header.widthPx === 0 || header.heightPx === 0) return refused('it has no pixels');
  if (header.widthPx * header.heightPx > MAX_PIXELS) return refused('it is larger than 40 million pixels');
  return data[12] === 0 ? ok(header) : refused('it is interlaced, which is not supported');
};

/** Yields the chunks with their types. Stops at the first that is damaged or cut off. */
function* chunksOf(png: Buffer): Generator<{ readonly type: string; readonly data: Buffer }> {
  let at = SIGNATURE.length;
  while (at + 12 <= png.length) {
    const end = at + 8 + png.readUInt32BE(at);
    if (end + 4 > png.length || crc32(png.subarray(at + 4, end)) !== png.readUInt32BE(end)) return;
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) };
    at = end + 4;
  }
}

/** Returns the chunks of a PNG, or why it is not one that can be read. */
const readParts = (png: Buffer): Result<PngParts, string> => {
  if (png.toString('latin1', 0, SIGNATURE.length) !== SIGNATURE) return refused('it is not a PNG');
  let header: Header | null = null;
  let palette: Uint8Array | null = null;
  let alphas: Uint8Array = new Uint8Array(0);
  const compressed: Buffer[] = [];
  let isWhole = false;
  for (const { type, data } of chunksOf(png)) {
    if (type === 'IHDR' && data.length === 13) {
      const read = readHeader(data);
      if (!read.ok) return read;
      header = read.value;
    }
    if (type === 'PLTE') palette = data;
    if (type === 'tRNS') {
      if (header?.colorType !== INDEXED)
        return refused('it marks one colour as transparent, which is not supported');
      alphas = data;
    }
    if (type === 'IDAT') compressed.push(data);
    isWhole = type === 'IEND';
  }
  if (!isWhole || header === null) return refused('it is damaged or cut off');
  if (header.colorType === INDEXED && palette === null) return refused('its palette is missing');
  return ok({ header, palette, alphas, compressed: Buffer.concat(compressed) });
};

/** The filter that adds the row above: PNG, 9.2. */
const UP = 2;

const paeth = (left: number, up: number, upLeft: number): number => {
  const estimate = left + up - upLeft;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toUpLeft = Math.abs(estimate - upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
};

/** Undoes the filter of a row in place (PNG, 9.2). @param bpp Bytes a pixel, at least 1. */
const unfilter = (filter: number, row: Uint8Array, above: Uint8Array, bpp: number): void => {
  if (filter === 0) return;
  if (filter === UP) {
    for (let i = 0; i < row.length; i += 1) row[i] = row[i]! + above[i]!;
    return;
  }
  for (let i = 0; i < row.length; i += 1) {
    const left = i < bpp ? 0 : row[i - bpp]!;
    const up = above[i]!;
    if (filter === 1) row[i] = row[i]! + left;
    else if (filter === 3) row[i] = row[i]! + ((left + up) >> 1);
    else row[i] = row[i]! + paeth(left, up, i < bpp ? 0 : above[i - bpp]!);
  }
};

/** Returns the luma of each value that a sample of a picture with one channel may have. */
const tableOf = ({ header, palette, alphas }: PngParts): Uint8Array => {
  const values = 2 ** Math.min(8, header.bitDepth);
  return Uint8Array.from({ length: values }, (_, value) => {
    if (palette === null || header.colorType !== INDEXED) return (value * 255) / (values - 1);
    const at = 3 * value;
    return lumaOf(palette[at] ?? 0, palette[at + 1] ?? 0, palette[at + 2] ?? 0, alphas[value] ?? 255);
  });
};

/**
 * Returns the function that turns an unfiltered row into luma.
 *
 * @param out Takes as many bytes as the row has pixels.
 */
const createLumaReader = (parts: PngParts): ((row: Uint8Array, out: Uint8Array) => void) => {
  const { bitDepth, colorType } = parts.header;
  const sampleBytes = bitDepth === 16 ? 2 : 1;
  const table = tableOf(parts);
  if (colorType === 0 || colorType === INDEXED) {
    if (bitDepth >= 8) {
      return (row, out) => {
        for (let x = 0; x < out.length; x += 1) out[x] = table[row[x * sampleBytes]!]!;
      };
    }
    const mask = 2 ** bitDepth - 1;
    return (row, out) => {
      for (let x = 0; x < out.length; x += 1) {
        const bit = x * bitDepth;
        out[x] = table[(row[bit >> 3]! >> (8 - bitDepth - (bit & 7))) & mask]!;
      }
    };
  }
  const channels = CHANNELS.get(colorType)!;
  const [green, blue] = channels > 2 ? [sampleBytes, 2 * sampleBytes] : [0, 0];
  const alpha = channels % 2 === 0 ? (channels - 1) * sampleBytes : null;
  return (row, out) => {
    for (let x = 0; x < out.length; x += 1) {
      const at = x * channels * sampleBytes;
      out[x] = lumaOf(row[at]!, row[at + green]!, row[at + blue]!, alpha === null ? 255 : row[at + alpha]!);
    }
  };
};

/** Returns the picture, or why it is not one that can be read. Takes bounded time and memory for any bytes. */
export const readPng = (bytes: Uint8Array): Result<Luma, string> => {
  const parts = readParts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!parts.ok) return parts;
  const { widthPx, heightPx, bitDepth, colorType } = parts.value.header;
  const bitsAPixel = bitDepth * CHANNELS.get(colorType)!;
  const rowBytes = Math.ceil((widthPx * bitsAPixel) / 8);
  const total = (rowBytes + 1) * heightPx;
  let rows: Buffer;
  try {
    rows = inflateSync(parts.value.compressed, { maxOutputLength: Math.max(1, total) });
  } catch {
    return refused('its pixels are damaged');
  }
  if (total === 0 || rows.length !== total) return refused('its pixels are damaged');
  const readRow = createLumaReader(parts.value);
  const data = new Uint8Array(widthPx * heightPx);
  let above: Uint8Array = new Uint8Array(rowBytes);
  /** A row that repeats the one above it: most rows of a code. */
  const repeat = new Uint8Array(rowBytes + 1);
  repeat[0] = UP;
  for (let y = 0; y < heightPx; y += 1) {
    const at = y * (rowBytes + 1);
    const row = rows.subarray(at + 1, at + 1 + rowBytes);
    if (y > 0 && rows.compare(repeat, 0, repeat.length, at, at + repeat.length) === 0) {
      row.set(above);
      data.copyWithin(y * widthPx, (y - 1) * widthPx, y * widthPx);
      above = row;
      continue;
    }
    unfilter(rows[at]!, row, above, Math.max(1, bitsAPixel >> 3));
    readRow(row, data.subarray(y * widthPx, (y + 1) * widthPx));
    above = row;
  }
  return ok({ widthPx, heightPx, data });
};
