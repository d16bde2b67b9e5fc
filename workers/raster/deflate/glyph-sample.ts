import { AGAIN, filterOf, type GlyphRow } from './glyph-rows.ts';
import { RUN, RUN_MIN } from './module-rows.ts';
import { lengthsOf, SAMPLE_WEIGHT, symbolOf } from './row-code.ts';
import { DISTANCE_SYMBOLS, END_OF_BLOCK, LITERAL_SYMBOLS, symbolOfDistance } from './symbols.ts';

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
export interface SymbolCounts {
  readonly literals: Uint32Array;
  readonly distances: Uint32Array;
}

/** Counts the symbols of some lines. Every other symbol that a picture of these glyphs may need counts once. */
export function sampleCounts(
  lines: GlyphLines,
  rows: readonly GlyphRow[],
  modulePx: number,
  stride: number,
): SymbolCounts {
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
}

/** Counts once what may occur. */
function rareCounts(rows: readonly GlyphRow[]): SymbolCounts {
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
}

function count({ literals, distances }: SymbolCounts, token: number, times: number, distance = 1): void {
  literals[symbolOf(plainOf(token))]! += times * SAMPLE_WEIGHT;
  if (token > RUN) distances[symbolOfDistance(token < AGAIN ? 1 : distance)]! += times * SAMPLE_WEIGHT;
}

/** Returns the run of the same length for a repetition. */
const plainOf = (token: number): number => (token < AGAIN ? token : token - AGAIN + RUN);

function countZeros(counts: SymbolCounts, zeros: number): void {
  if (zeros === 0) return;
  const rest = zeros - 1 < RUN_MIN ? 0 : zeros - 1;
  count(counts, 0, zeros - rest);
  for (const length of lengthsOf(rest)) count(counts, RUN + length, 1);
}
