import { type PrefixCode, prefixCodeOf } from './huffman.ts';
import {
  DISTANCE_BASE,
  DISTANCE_EXTRA,
  END_OF_BLOCK,
  FIRST_LENGTH_SYMBOL,
  LENGTH_BASE,
  LENGTH_EXTRA,
  SYMBOL_OF_LENGTH,
  symbolOfDistance,
} from './symbols.ts';
import type { Tokens } from './tokens.ts';

/** Bytes that are written bit by bit, the lowest bit first. */
export interface Bits {
  readonly bytes: Uint8Array;
  at: number;
  /** Up to 15 bits between two calls of `put`. */
  held: number;
  heldBits: number;
}

/** Most bits of a symbol's code: RFC 1951, 3.2.7. */
const CODE_BITS = 15;
const LENGTH_CODE_BITS = 7;
/** The order in which the code of the code lengths is written, from the same clause. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Appends at most 16 bits. */
function put(bits: Bits, value: number, count: number): void {
  bits.held |= value << bits.heldBits;
  bits.heldBits += count;
  if (bits.heldBits < 16) return;
  bits.bytes[bits.at] = bits.held;
  bits.bytes[bits.at + 1] = bits.held >>> 8;
  bits.at += 2;
  bits.held >>>= 16;
  bits.heldBits -= 16;
}

/** Writes tokens as the only block of a deflate stream, with codes of its own. Pixels have `pixelBytes` bytes. */
export function writeBlock(bits: Bits, tokens: Tokens, pixelBytes: 3 | 4): void {
  const literals = prefixCodeOf(tokens.literals, CODE_BITS);
  const distances = prefixCodeOf(tokens.distances, CODE_BITS);
  put(bits, 1, 1); // the last block
  put(bits, 2, 2); // with codes of its own
  writeCodes(bits, literals, distances);
  writeTokens(bits, tokens, pixelBytes, literals, distances);
  put(bits, literals.codes[END_OF_BLOCK]!, literals.lengths[END_OF_BLOCK]!);
  put(bits, 0, (16 - bits.heldBits) % 8);
  for (; bits.heldBits > 0; bits.heldBits -= 8, bits.held >>>= 8) {
    bits.bytes[bits.at] = bits.held;
    bits.at += 1;
  }
}

function writeCodes(bits: Bits, literals: PrefixCode, distances: PrefixCode): void {
  const all = [...literals.lengths, ...distances.lengths];
  const runs = runsOf(all);
  const counts = new Uint32Array(19);
  for (const [symbol] of runs) counts[symbol]! += 1;
  const code = prefixCodeOf(counts, LENGTH_CODE_BITS);
  put(bits, literals.lengths.length - 257, 5);
  put(bits, distances.lengths.length - 1, 5);
  put(bits, LENGTH_ORDER.length - 4, 4);
  for (const symbol of LENGTH_ORDER) put(bits, code.lengths[symbol]!, 3);
  for (const [symbol, extra, extraBits] of runs) {
    put(bits, code.codes[symbol]!, code.lengths[symbol]!);
    put(bits, extra, extraBits);
  }
}

/** Returns code lengths with runs shortened: 18 and 17 mean many zeros, 16 repeats the length before. */
function runsOf(
  lengths: readonly number[],
): readonly (readonly [symbol: number, extra: number, bits: number])[] {
  const runs: [number, number, number][] = [];
  for (let i = 0; i < lengths.length; ) {
    const length = lengths[i]!;
    let same = 1;
    while (i + same < lengths.length && lengths[i + same] === length) same += 1;
    if (length === 0 && same >= 11) {
      same = Math.min(same, 138);
      runs.push([18, same - 11, 7]);
    } else if (length === 0 && same >= 3) {
      runs.push([17, same - 3, 3]);
    } else if (length > 0 && same >= 4) {
      same = Math.min(same, 7);
      runs.push([length, 0, 0], [16, same - 4, 2]);
    } else {
      same = 1;
      runs.push([length, 0, 0]);
    }
    i += same;
  }
  return runs;
}

function writeTokens(
  bits: Bits,
  { words, count }: Tokens,
  pixelBytes: 3 | 4,
  { codes, lengths }: PrefixCode,
  distances: PrefixCode,
): void {
  for (let i = 0; i < count; i += 1) {
    const word = words[i]!;
    if (word > 0) {
      const length = word >>> 16;
      const symbol = SYMBOL_OF_LENGTH[length]!;
      const at = symbol - FIRST_LENGTH_SYMBOL;
      putWithExtra(bits, codes[symbol]!, lengths[symbol]!, length - LENGTH_BASE[at]!, LENGTH_EXTRA[at]!);
      const distance = (word & 0xffff) + 1;
      const far = symbolOfDistance(distance);
      const rest = distance - DISTANCE_BASE[far]!;
      putWithExtra(bits, distances.codes[far]!, distances.lengths[far]!, rest, DISTANCE_EXTRA[far]!);
    } else if (word === 0) {
      put(bits, codes[0]!, lengths[0]!);
    } else {
      for (const end = i - word; i < end; ) {
        i += 1;
        const color = words[i]!;
        for (let shift = 0; shift < 8 * pixelBytes; shift += 8) {
          const byte = (color >>> shift) & 255;
          put(bits, codes[byte]!, lengths[byte]!);
        }
      }
    }
  }
}

/** Appends a code and its extra bits: mostly at once, since both together rarely have more than 16 bits. */
function putWithExtra(bits: Bits, code: number, codeBits: number, extra: number, extraBits: number): void {
  if (codeBits + extraBits <= 16) {
    put(bits, code | (extra << codeBits), codeBits + extraBits);
    return;
  }
  put(bits, code, codeBits);
  put(bits, extra, extraBits);
}
