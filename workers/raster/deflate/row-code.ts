/**
 * PNG rows of square modules, which begin and end between pixels: packed, as tokens of deflate, and the prefix codes
 * for them, made once for a size and a place of the modules.
 */

import { LRUCache } from 'lru-cache';
import { getOrMake } from '../../kept.ts';
import {
  type Bits,
  type Codes,
  DISTANCE_BASE,
  DISTANCE_EXTRA,
  DISTANCE_SYMBOLS,
  END_OF_BLOCK,
  LENGTH_MAX,
  LENGTH_MIN,
  LITERAL_SYMBOLS,
  nextLength,
  SYMBOL_OF_LENGTH,
  symbolOfDistance,
} from './bits.ts';
import { CODE_BITS, headOf, lengthCodesOf } from './block.ts';
import { type PrefixCode, prefixCodeOf } from './huffman.ts';

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
export const packRow = (rows: ModuleRows, indices: Uint8Array, row: number, packed: Uint8Array): void => {
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
};

/** Returns a byte whose pixels all have an index. */
const patternOf = (index: number, bitDepth: 1 | 2): number => index * (bitDepth === 1 ? 0xff : 0x55);

/** Sets the bits `from` to `to` - 1, which are 0, to those of `pattern`. Bit 0 is the highest bit of the first byte. */
const fillBits = (bytes: Uint8Array, from: number, to: number, pattern: number): void => {
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
};

/** Tokens up to here are a byte as it is; `RUN + n` is the byte before, n times more. */
export const RUN = 256;
/** Measured: shorter runs take more bits than their bytes. */
export const RUN_MIN = 5;

/** Writes a packed row as tokens and returns their number, at most one for each byte. */
export const tokensOf = (packed: Uint8Array, tokens: Int32Array): number => {
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
};

/** The codes of rows. */
export interface RowCode {
  /** The head of the stream and of its block. */
  readonly head: Readonly<Bits>;
  /** For each token of a row; the empty run ends the block. */
  readonly tokens: Codes;
  /** For each length of a repetition of the row above. */
  readonly repetitions: Codes;
}

/** 5 kB each. */
const MAX_CODES = 128;
const kept = new LRUCache<string, RowCode>({ max: MAX_CODES });

/** Returns the code for such rows. The same rows have the same code, whatever was drawn before. */
export const rowCodeOf = (rows: ModuleRows): RowCode => {
  const { widthPx, heightPx, xPx, yPx, modulePx, size, bitDepth, colors } = rows;
  const key = `${widthPx} ${heightPx} ${xPx} ${yPx} ${modulePx} ${size} ${bitDepth} ${colors}`;
  return getOrMake(kept, key, () => makeCode(rows));
};

/** What a sample counts; a symbol that may occur and is not in the sample counts once. */
export const SAMPLE_WEIGHT = 32;

const makeCode = (rows: ModuleRows): RowCode => {
  const stride = strideOf(rows);
  const counts = countsOf(rows, stride);
  const literals = prefixCodeOf(counts, CODE_BITS);
  const distances = prefixCodeOf(distanceCounts(stride), CODE_BITS);
  return {
    head: headOf(literals, distances),
    tokens: tokenCodesOf(literals, distances),
    repetitions: repetitionCodes(literals, distances, stride),
  };
};

/** Both distances are equally likely, so each has one bit: that of the byte before, and that of the row above. */
const distanceCounts = (stride: number): Uint32Array => {
  const counts = new Uint32Array(DISTANCE_SYMBOLS);
  counts[symbolOfDistance(1)] = 1;
  counts[symbolOfDistance(stride)] = 1;
  return counts;
};

/** Returns how the tokens of rows are written. */
export const tokenCodesOf = (literals: PrefixCode, distances: PrefixCode): Codes => {
  const bits = new Int32Array(RUN + LENGTH_MAX + 1);
  const counts = new Uint8Array(RUN + LENGTH_MAX + 1);
  bits.set(literals.codes.subarray(0, END_OF_BLOCK + 1));
  counts.set(literals.lengths.subarray(0, END_OF_BLOCK + 1));
  const runs = repetitionCodes(literals, distances, 1);
  bits.set(runs.bits.subarray(LENGTH_MIN), RUN + LENGTH_MIN);
  counts.set(runs.counts.subarray(LENGTH_MIN), RUN + LENGTH_MIN);
  return { bits, counts };
};

/** Returns how repetitions of each length are written, all at one distance. */
const repetitionCodes = (literals: PrefixCode, distances: PrefixCode, distance: number): Codes => {
  const symbol = symbolOfDistance(distance);
  const symbolBits = distances.lengths[symbol]!;
  const far = distances.codes[symbol]! | ((distance - DISTANCE_BASE[symbol]!) << symbolBits);
  const farBits = symbolBits + DISTANCE_EXTRA[symbol]!;
  const words = lengthCodesOf(literals);
  return {
    bits: words.map((word) => (word & 0xfffff) | (far << (word >>> 20))),
    counts: Uint8Array.from(words, (word) => (word >>> 20) + farBits),
  };
};

/** Counts literals and lengths in a random symbol of this size, and every other one that a symbol may need once. */
const countsOf = (rows: ModuleRows, stride: number): Uint32Array => {
  const { heightPx, yPx, modulePx, size } = rows;
  const counts = new Uint32Array(LITERAL_SYMBOLS);
  const sample = randomIndices(rows);
  const packed = new Uint8Array(stride);
  const tokens = new Int32Array(stride);
  for (let row = 0; row <= size; row += 1) {
    if (row < size) packRow(rows, sample, row, packed);
    else packed.fill(0);
    const count = tokensOf(packed, tokens);
    for (let i = 0; i < count; i += 1) counts[symbolOf(tokens[i]!)]! += SAMPLE_WEIGHT;
  }
  const countRepetitions = (bandPx: number, times: number) => {
    for (const length of lengthsOf((bandPx - 1) * stride)) counts[SYMBOL_OF_LENGTH[length]!]! += times;
  };
  countRepetitions(modulePx, size * SAMPLE_WEIGHT);
  countRepetitions(yPx, SAMPLE_WEIGHT);
  countRepetitions(heightPx - yPx - size * modulePx, SAMPLE_WEIGHT);
  for (let length = LENGTH_MIN; length <= Math.min(stride, LENGTH_MAX); length += 1)
    counts[SYMBOL_OF_LENGTH[length]!]! += 1;
  for (const byte of bytesOf(rows, stride)) counts[byte]! += 1;
  counts[END_OF_BLOCK] = 1;
  return counts;
};

/** Returns the symbol that a token of a row is written with. */
export const symbolOf = (token: number): number => (token > RUN ? SYMBOL_OF_LENGTH[token - RUN]! : token);

/**
 * Returns the lengths of the repetitions that make this many bytes, each at least `LENGTH_MIN`; none for fewer than 1.
 */
export const lengthsOf = (bytes: number): readonly number[] => {
  const lengths: number[] = [];
  for (let rest = bytes; rest > 0; rest -= lengths.at(-1)!) lengths.push(nextLength(rest));
  return lengths;
};

/** Returns the same random numbers every time, from 0 up to 1. */
export const randomSource = (): (() => number) => {
  let state = 1;
  // A linear congruential generator with the constants of Numerical Recipes; its high bits are the random ones.
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
};

/** Returns a symbol of random modules: half background, most others index 1. */
const randomIndices = ({ size, colors }: ModuleRows): Uint8Array => {
  const next = randomSource();
  const isRare = 1 / 16;
  return Uint8Array.from({ length: size * size }, () => {
    if (next() < 0.5) return 0;
    return next() < isRare ? 1 + Math.floor(next() * (colors - 1)) : 1;
  });
};

/** Returns all bytes that a row of modules may have. */
const bytesOf = ({ xPx, modulePx, size, bitDepth, colors }: ModuleRows, stride: number): Set<number> => {
  const all = new Set([0]);
  const moduleBits = modulePx * bitDepth;
  for (let at = 1; at < stride && all.size < 256; at += 1) {
    const fromBit = (at - 1) * 8 - xPx * bitDepth;
    const first = Math.max(0, Math.floor(fromBit / moduleBits));
    const last = Math.min(size - 1, Math.floor((fromBit + 7) / moduleBits));
    let bytes = [0];
    for (let module = first; module <= last; module += 1) {
      const before = Math.max(module * moduleBits - fromBit, 0);
      const after = Math.max(fromBit + 8 - (module + 1) * moduleBits, 0);
      const piece = (0xff >>> before) & (0xff << after);
      bytes = bytes.flatMap((byte) =>
        Array.from({ length: colors }, (_, index) => byte | (patternOf(index, bitDepth) & piece)),
      );
    }
    for (const byte of bytes) all.add(byte);
  }
  return all;
};
