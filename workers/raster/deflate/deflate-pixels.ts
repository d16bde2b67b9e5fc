import { endStream, MODULUS } from './bits.ts';
import { writeBlock } from './block.ts';
import { type PixelRows, tokenise } from './tokens.ts';

let scratch = new Int32Array(0);

/**
 * Compresses unfiltered PNG rows as zlib does, from their pixels. For pictures of symbols it takes a quarter less time
 * than zlib at its level 3, which looks at bytes, for about as many bytes; at 1000 px half the time, for a tenth fewer
 * bytes. The bytes stay valid until the next call.
 */
export const deflatePixels = (rows: PixelRows): Uint8Array => {
  const tokens = tokenise(rows);
  // A code has at most 15 bits, so no byte takes more than two.
  const most = Math.ceil((rows.pixels.length * (rows.pixelBytes + 1)) / 2) + 256;
  if (scratch.length < most) scratch = new Int32Array(most);
  const bits = { words: scratch, at: 0, held: 0, heldBits: 0 };
  writeBlock(bits, tokens, rows.pixelBytes);
  const { low, high } = sumsOf(rows);
  return endStream(bits, low, high);
};

/** Pixels whose weighted sums of a channel fit 16 bits: 255 * 22 * 23 / 2 is below 65,536. */
const BLOCK_PX = 22;

/** Returns the sums of the checksum of rows, filter bytes included. */
const sumsOf = (rows: PixelRows) => {
  const { pixels, widthPx } = rows;
  const sums = { low: 1, high: 0 };
  for (let start = 0; start < pixels.length; start += widthPx) {
    sums.high += sums.low; // the filter byte, 0
    for (let from = start; from < start + widthPx; from += BLOCK_PX) {
      addBlock(sums, rows, from, Math.min(from + BLOCK_PX, start + widthPx));
    }
    sums.low %= MODULUS;
    sums.high %= MODULUS;
  }
  return sums;
};

/**
 * Adds pixels to the sums. Channels are added up two at a time, each in 16 bits of a word: red and blue, green and
 * alpha. A weighted sum adds up its sum after each pixel.
 */
const addBlock = (
  sums: { low: number; high: number },
  { pixels, pixelBytes }: PixelRows,
  from: number,
  to: number,
): void => {
  const greenAlphaMask = pixelBytes === 3 ? 0xff : 0xff00ff;
  let redBlue = 0;
  let greenAlpha = 0;
  let redBlueWeighted = 0;
  let greenAlphaWeighted = 0;
  for (let i = from; i < to; i += 1) {
    const color = pixels[i]!;
    redBlue = (redBlue + (color & 0xff00ff)) | 0;
    greenAlpha = (greenAlpha + ((color >>> 8) & greenAlphaMask)) | 0;
    redBlueWeighted = (redBlueWeighted + redBlue) | 0;
    greenAlphaWeighted = (greenAlphaWeighted + greenAlpha) | 0;
  }
  const weighted = addHalves(redBlueWeighted) + addHalves(greenAlphaWeighted);
  // Each byte counts once for itself and for each byte after it. The weights count all bytes of its pixel.
  const ahead = (greenAlpha & 0xffff) + 2 * (redBlue >>> 16) + 3 * (greenAlpha >>> 16);
  sums.high += pixelBytes * (sums.low * (to - from) + weighted) - ahead;
  sums.low += addHalves(redBlue) + addHalves(greenAlpha);
};

const addHalves = (word: number): number => (word & 0xffff) + (word >>> 16);
