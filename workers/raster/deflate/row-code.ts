/** Prefix codes for rows of modules, made once for a size and a place of the modules. */
import { LRUCache } from 'lru-cache';
import { getOrMake } from '../../kept.ts';
import type { Bits, Codes } from './bits.ts';
import { CODE_BITS, headOf, lengthCodesOf } from './block.ts';
import { type PrefixCode, prefixCodeOf } from './huffman.ts';
import { type ModuleRows, packRow, patternOf, RUN, strideOf, tokensOf } from './module-rows.ts';
import {
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
} from './symbols.ts';

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
export function rowCodeOf(rows: ModuleRows): RowCode {
  const { widthPx, heightPx, xPx, yPx, modulePx, size, bitDepth, colors } = rows;
  const key = `${widthPx} ${heightPx} ${xPx} ${yPx} ${modulePx} ${size} ${bitDepth} ${colors}`;
  return getOrMake(kept, key, () => makeCode(rows));
}

/** What a sample counts; a symbol that may occur and is not in the sample counts once. */
export const SAMPLE_WEIGHT = 32;

function makeCode(rows: ModuleRows): RowCode {
  const stride = strideOf(rows);
  const counts = countsOf(rows, stride);
  const literals = prefixCodeOf(counts, CODE_BITS);
  const distances = prefixCodeOf(distanceCounts(stride), CODE_BITS);
  return {
    head: headOf(literals, distances),
    tokens: tokenCodesOf(literals, distances),
    repetitions: repetitionCodes(literals, distances, stride),
  };
}

/** Both distances are equally likely, so each has one bit: that of the byte before, and that of the row above. */
function distanceCounts(stride: number): Uint32Array {
  const counts = new Uint32Array(DISTANCE_SYMBOLS);
  counts[symbolOfDistance(1)] = 1;
  counts[symbolOfDistance(stride)] = 1;
  return counts;
}

/** Returns how the tokens of rows are written. */
export function tokenCodesOf(literals: PrefixCode, distances: PrefixCode): Codes {
  const bits = new Int32Array(RUN + LENGTH_MAX + 1);
  const counts = new Uint8Array(RUN + LENGTH_MAX + 1);
  bits.set(literals.codes.subarray(0, END_OF_BLOCK + 1));
  counts.set(literals.lengths.subarray(0, END_OF_BLOCK + 1));
  const runs = repetitionCodes(literals, distances, 1);
  bits.set(runs.bits.subarray(LENGTH_MIN), RUN + LENGTH_MIN);
  counts.set(runs.counts.subarray(LENGTH_MIN), RUN + LENGTH_MIN);
  return { bits, counts };
}

/** Returns how repetitions of each length are written, all at one distance. */
export function repetitionCodes(literals: PrefixCode, distances: PrefixCode, distance: number): Codes {
  const symbol = symbolOfDistance(distance);
  const symbolBits = distances.lengths[symbol]!;
  const far = distances.codes[symbol]! | ((distance - DISTANCE_BASE[symbol]!) << symbolBits);
  const farBits = symbolBits + DISTANCE_EXTRA[symbol]!;
  const words = lengthCodesOf(literals);
  return {
    bits: words.map((word) => (word & 0xfffff) | (far << (word >>> 20))),
    counts: Uint8Array.from(words, (word) => (word >>> 20) + farBits),
  };
}

/** Counts literals and lengths in a random symbol of this size, and every other one that a symbol may need once. */
function countsOf(rows: ModuleRows, stride: number): Uint32Array {
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
}

/** Returns the symbol that a token of a row is written with. */
export const symbolOf = (token: number): number => (token > RUN ? SYMBOL_OF_LENGTH[token - RUN]! : token);

/**
 * Returns the lengths of the repetitions that make this many bytes, each at least `LENGTH_MIN`; none for fewer than 1.
 */
export function lengthsOf(bytes: number): readonly number[] {
  const lengths: number[] = [];
  for (let rest = bytes; rest > 0; rest -= lengths.at(-1)!) lengths.push(nextLength(rest));
  return lengths;
}

/** Returns the same random numbers every time, from 0 up to 1. */
export function randomSource(): () => number {
  let state = 1;
  // A linear congruential generator with the constants of Numerical Recipes; its high bits are the random ones.
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns a symbol of random modules: half background, most others index 1. */
function randomIndices({ size, colors }: ModuleRows): Uint8Array {
  const next = randomSource();
  const isRare = 1 / 16;
  return Uint8Array.from({ length: size * size }, () => {
    if (next() < 0.5) return 0;
    return next() < isRare ? 1 + Math.floor(next() * (colors - 1)) : 1;
  });
}

/** Returns all bytes that a row of modules may have. */
function bytesOf({ xPx, modulePx, size, bitDepth, colors }: ModuleRows, stride: number): Set<number> {
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
}
