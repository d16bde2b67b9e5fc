/** Prefix codes for pictures made of glyphs, and the rows of the glyphs written with them. */

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
  symbolOfDistance,
} from './bits.ts';
import { headOf, lengthCodesOf } from './block.ts';
import { AGAIN, filterOf, type Glyph, type GlyphRow, glyphRows } from './glyph-rows.ts';
import { type PrefixCode, prefixCodeOf } from './huffman.ts';
import { lengthsOf, RUN, RUN_MIN, SAMPLE_WEIGHT, symbolOf, tokenCodesOf } from './row-code.ts';

/** Glyphs side by side, in lines as high as a module. */
export interface GlyphLines {
  readonly count: number;
  /** The glyphs of line `i` begin at `firsts[i]` and end before `firsts[i + 1]`. */
  readonly firsts: Int32Array;
  /** Glyphs from left to right, and the first pixel of each. */
  readonly glyphs: Uint8Array;
  readonly xsPx: Int32Array;
}

/** How often symbols occur. */
interface SymbolCounts {
  readonly literals: Uint32Array;
  readonly distances: Uint32Array;
}

/** Counts the symbols of some lines. Every other symbol that a picture of these glyphs may need counts once. */
const sampleCounts = (
  lines: GlyphLines,
  rows: readonly GlyphRow[],
  modulePx: number,
  stride: number,
): SymbolCounts => {
  const counts = rareCounts(rows);
  for (let line = 0; line < lines.count; line += 1) {
    for (let row = 0; row < modulePx; row += 1) {
      count(counts, filterOf(row), 1);
      let end = 0;
      for (let i = lines.firsts[line]!; i < lines.firsts[line + 1]!; i += 1) {
        const { from, to, tokens, distance } = rows[lines.glyphs[i]! * modulePx + row]!;
        if (from === to) continue;
        countZeros(counts, lines.xsPx[i]! + from - end);
        for (const token of tokens) count(counts, token, 1, distance);
        end = lines.xsPx[i]! + to;
      }
      countZeros(counts, stride - 1 - end);
    }
  }
  return counts;
};

/** Counts once what may occur. */
const rareCounts = (rows: readonly GlyphRow[]): SymbolCounts => {
  const literals = new Uint32Array(LITERAL_SYMBOLS).fill(1, END_OF_BLOCK);
  const distances = new Uint32Array(DISTANCE_SYMBOLS);
  for (const byte of [0, filterOf(0), filterOf(1)]) literals[byte] = 1;
  distances[symbolOfDistance(1)] = 1;
  for (const { tokens, distance } of rows) {
    for (const token of tokens) {
      literals[symbolOf(plainOf(token))] = 1;
      if (token >= AGAIN) distances[symbolOfDistance(distance)] = 1;
    }
  }
  return { literals, distances };
};

const count = ({ literals, distances }: SymbolCounts, token: number, times: number, distance = 1): void => {
  literals[symbolOf(plainOf(token))]! += times * SAMPLE_WEIGHT;
  if (token > RUN) distances[symbolOfDistance(token < AGAIN ? 1 : distance)]! += times * SAMPLE_WEIGHT;
};

/** Returns the run of the same length for a repetition. */
const plainOf = (token: number): number => (token < AGAIN ? token : token - AGAIN + RUN);

const countZeros = (counts: SymbolCounts, zeros: number): void => {
  if (zeros === 0) return;
  const rest = zeros - 1 < RUN_MIN ? 0 : zeros - 1;
  count(counts, 0, zeros - rest);
  for (const length of lengthsOf(rest)) count(counts, RUN + length, 1);
};

/** Most zeros of a token. */
export const ZEROS_MAX = LENGTH_MAX + 1;
/** Tokens up to here are those of rows of modules. `ZEROS + n` means n zeros; n may be 0. */
export const ZEROS = RUN + LENGTH_MAX + 1;
/** From here on tokens are rows of glyphs. */
const GLYPHS = ZEROS + ZEROS_MAX + 1;

/** The words of a glyph's row in `GlyphCode.rows`: those of `GlyphRow`. */
export const FIELD = {
  from: 0,
  to: 1,
  /** The first of its tokens, and how many they are. */
  token: 2,
  tokens: 3,
  sum: 4,
  weighted: 5,
} as const;
/** Words of a glyph's row. */
export const ROW_WORDS = 6;

/** How pictures of one set of glyphs are written. */
export interface GlyphCode {
  /** The head of the stream and of its block. */
  readonly head: Readonly<Bits>;
  /** For each token. */
  readonly codes: Codes;
  /** `ROW_WORDS` words for each row of each glyph. */
  readonly rows: Int32Array;
}

/** Most bits of a literal or a length, so that a zero and a run of zeros have at most 31 with their distance. */
export const LITERAL_BITS = 10;
/** The same of a distance. */
export const DISTANCE_BITS = 6;
/** Bits of a token of a glyph; the last one of a row may have fewer. */
const CHUNK_BITS = 31;

/** Makes the code of some glyphs for pictures like a sample. `stride` is that of a line with its filter byte. */
export const glyphCodeOf = (
  glyphs: readonly Glyph[],
  sample: GlyphLines,
  modulePx: number,
  stride: number,
): GlyphCode => {
  const rows = glyphRows(glyphs, modulePx);
  const counts = sampleCounts(sample, rows, modulePx, stride);
  const literals = prefixCodeOf(counts.literals, LITERAL_BITS);
  const distances = prefixCodeOf(counts.distances, DISTANCE_BITS);
  return { head: headOf(literals, distances), ...encodeRows(rows, literals, distances) };
};

/** Returns how all tokens but those of glyphs are written. Codes have at most these bits. */
export const sharedCodes = (literals: PrefixCode, distances: PrefixCode): Codes => {
  const runs = tokenCodesOf(literals, distances);
  const bits = new Int32Array(GLYPHS);
  const counts = new Uint8Array(GLYPHS);
  bits.set(runs.bits);
  counts.set(runs.counts);
  const [zero, zeroBits] = [bits[0]!, counts[0]!];
  for (let zeros = 1; zeros <= ZEROS_MAX; zeros += 1) {
    const [run, more] = [RUN + zeros - 1, ZEROS + zeros - 1];
    const rest = zeros > LENGTH_MIN && counts[run]! < counts[more]! ? run : more;
    bits[ZEROS + zeros] = zero | (bits[rest]! << zeroBits);
    counts[ZEROS + zeros] = zeroBits + counts[rest]!;
  }
  return { bits, counts };
};

/** Writes the bytes of each row as few new tokens of as many bits as fit. */
const encodeRows = (glyphRows: readonly GlyphRow[], literals: PrefixCode, distances: PrefixCode) => {
  const shared = sharedCodes(literals, distances);
  const lengthCodes = lengthCodesOf(literals);
  const rows = new Int32Array(glyphRows.length * ROW_WORDS);
  const chunks: number[] = [];
  const chunkCounts: number[] = [];
  let held = 0;
  let heldBits = 0;
  const endChunk = (count: number) => {
    chunks.push(held);
    chunkCounts.push(count);
  };
  const add = (value: number, count: number) => {
    const room = CHUNK_BITS - heldBits;
    held |= (value << heldBits) & 0x7fffffff;
    heldBits += count;
    if (heldBits < CHUNK_BITS) return;
    endChunk(CHUNK_BITS);
    held = value >>> room;
    heldBits -= CHUNK_BITS;
  };
  const addRepetition = (length: number, distance: number) => {
    add(lengthCodes[length]! & 0xfffff, lengthCodes[length]! >>> 20);
    const symbol = symbolOfDistance(distance);
    add(distances.codes[symbol]!, distances.lengths[symbol]!);
    add(distance - DISTANCE_BASE[symbol]!, DISTANCE_EXTRA[symbol]!);
  };
  for (const [i, { from, to, tokens, distance, sum, weighted }] of glyphRows.entries()) {
    const first = chunks.length;
    for (const token of tokens) {
      if (token < AGAIN) add(shared.bits[token]!, shared.counts[token]!);
      else addRepetition(token - AGAIN, distance);
    }
    if (heldBits > 0) endChunk(heldBits);
    held = 0;
    heldBits = 0;
    rows.set([from, to, GLYPHS + first, chunks.length - first, sum, weighted], i * ROW_WORDS);
  }
  const codes: Codes = {
    bits: Int32Array.from([...shared.bits, ...chunks]),
    counts: Uint8Array.from([...shared.counts, ...chunkCounts]),
  };
  return { rows, codes };
};
