/** The chunks of PNG files. */
import { crc32 } from 'node:zlib';
import { ok, type Result, refused } from '../../result.ts';

/** What the header of a PNG says (PNG, third edition, 11.2.1). */
export interface Header {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitDepth: number;
  readonly colorType: number;
}

/** The chunks of a PNG that its pixels come from. */
export interface PngParts {
  readonly header: Header;
  readonly palette: Uint8Array | null;
  /** The alphas of the palette's first colours. */
  readonly alphas: Uint8Array;
  readonly compressed: Uint8Array;
}

const SIGNATURE = '\x89PNG\r\n\x1a\n';
/** Samples a pixel, by colour type. */
export const CHANNELS: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);
/** The colour type of a picture with a palette. */
export const INDEXED = 3;
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
export const readParts = (png: Buffer): Result<PngParts, string> => {
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
