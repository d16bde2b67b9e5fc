/** PNG rows of square modules, which begin and end between pixels: packed, and as tokens of deflate. */
import { LENGTH_MAX } from './symbols.ts';

/** Unfiltered PNG rows of a symbol. Index 0 is the background, and all around the modules. */
export interface ModuleRows {
  readonly widthPx: number;
  readonly heightPx: number;
  /** The top left corner of the modules. */
  readonly xPx: number;
  readonly yPx: number;
  readonly modulePx: number;
  /** Modules of a side. */
  readonly size: number;
  readonly bitDepth: 1 | 2;
  /** Indices that occur, from 0 on. */
  readonly colors: number;
}

/** Returns the bytes of a row: that of its filter, which is 0, and its pixels. */
export const strideOf = ({ widthPx, bitDepth }: ModuleRows): number =>
  1 + Math.ceil((widthPx * bitDepth) / 8);

/** Writes a row of modules, given by their palette indices, row-major, as one row of pixels. */
export function packRow(rows: ModuleRows, indices: Uint8Array, row: number, packed: Uint8Array): void {
  const { xPx, modulePx, size, bitDepth } = rows;
  const moduleBits = modulePx * bitDepth;
  const firstBit = 8 + xPx * bitDepth;
  const start = row * size;
  packed.fill(0);
  for (let from = 0; from < size; ) {
    const index = indices[start + from]!;
    let to = from + 1;
    while (to < size && indices[start + to] === index) to += 1;
    if (index > 0)
      fillBits(packed, firstBit + from * moduleBits, firstBit + to * moduleBits, patternOf(index, bitDepth));
    from = to;
  }
}

/** Returns a byte whose pixels all have an index. */
export const patternOf = (index: number, bitDepth: 1 | 2): number => index * (bitDepth === 1 ? 0xff : 0x55);

/** Sets the bits `from` to `to` - 1, which are 0, to those of `pattern`. Bit 0 is the highest bit of the first byte. */
function fillBits(bytes: Uint8Array, from: number, to: number, pattern: number): void {
  const first = from >>> 3;
  const last = (to - 1) >>> 3;
  const head = 0xff >>> (from & 7);
  const tail = 0xff << (7 - ((to - 1) & 7));
  if (first === last) {
    bytes[first]! |= pattern & head & tail;
    return;
  }
  bytes[first]! |= pattern & head;
  for (let at = first + 1; at < last; at += 1) bytes[at] = pattern;
  bytes[last]! |= pattern & tail;
}

/** Tokens up to here are a byte as it is; `RUN + n` is the byte before, n times more. */
export const RUN = 256;
/** Measured: shorter runs take more bits than their bytes. */
export const RUN_MIN = 5;

/** Writes a packed row as tokens and returns their number, at most one for each byte. */
export function tokensOf(packed: Uint8Array, tokens: Int32Array): number {
  let count = 0;
  for (let at = 0; at < packed.length; ) {
    const byte = packed[at]!;
    tokens[count++] = byte;
    at += 1;
    let end = at;
    while (end < packed.length && packed[end] === byte) end += 1;
    for (; end - at >= RUN_MIN; ) {
      const length = Math.min(end - at, LENGTH_MAX);
      tokens[count++] = RUN + length;
      at += length;
    }
    for (; at < end; at += 1) tokens[count++] = byte;
  }
  return count;
}
