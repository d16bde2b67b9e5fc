import { getOrMake } from '../kept.ts';
import type { ErrorCorrectionLevel } from '../protocol.ts';
import { blockPlanOf, LEVELS } from '../symbol/capacity.ts';
import { functionPatterns, templateOf } from '../symbol/template.ts';

/** Which codeword each module of a symbol carries, and which block each codeword belongs to. Read-only. */
export interface BlockMap {
  /** Row-major; `NO_CODEWORD` for modules of function patterns and remainder bits. */
  readonly codewordOf: Uint16Array;
  /** Block of each codeword, in the order in which the codewords are placed. */
  readonly blockOf: Uint8Array;
  readonly blocks: number;
  /** Wrong codewords that can be repaired in a block: half of its error correction codewords less `p`. */
  readonly repairable: number;
}

/** The codeword of a module that carries none. */
export const NO_CODEWORD = 0xffff;

/** `p`, the misdecode protection codewords, by version (0 from 4 on) and level: ISO/IEC 18004:2015, Table 9. */
const MISDECODE_PROTECTION: readonly (readonly number[])[] = [
  [3, 2, 1, 1],
  [2, 0, 0, 0],
  [1, 0, 0, 0],
];

const kept = new Map<string, BlockMap>();

/** Returns the map of a version and level. Made once and kept: 2.5 MB for all 160. */
export const blockMapOf = (version: number, level: ErrorCorrectionLevel): BlockMap =>
  getOrMake(kept, `${version}${level}`, () => makeBlockMap(version, level));

const makeBlockMap = (version: number, level: ErrorCorrectionLevel): BlockMap => {
  const codewordOf = codewordsOfModules(version);
  const codewords = templateOf(version).places.length / 8;
  const plan = blockPlanOf(version, level, codewords);
  const { blocks, dataCodewords, shortLength, shortBlocks, parityLength } = plan;
  const everyBlock = shortLength * blocks;
  // Interleaved, ISO/IEC 18004:2015, 7.6: a codeword of each block in turn, then those that only longer blocks have.
  const blockOf = Uint8Array.from({ length: codewords }, (_, i) => {
    if (i < everyBlock) return i % blocks;
    return i < dataCodewords ? shortBlocks + i - everyBlock : (i - dataCodewords) % blocks;
  });
  const protection = MISDECODE_PROTECTION[version - 1]?.[LEVELS.indexOf(level)] ?? 0;
  return { codewordOf, blockOf, blocks, repairable: Math.floor((parityLength - protection) / 2) };
};

const keptCodewords = new Map<number, Uint16Array>();

/** Returns the codeword of each module, row-major, or `NO_CODEWORD`. Levels of a version share it. */
export const codewordsOfModules = (version: number): Uint16Array =>
  getOrMake(keptCodewords, version, () => {
    const { size, places, patterns } = templateOf(version);
    const codewordOf = new Uint16Array(size * size).fill(NO_CODEWORD);
    const rowBits = patterns.words * 32;
    for (const [i, place] of places.entries())
      codewordOf[Math.floor(place / rowBits) * size + (place % rowBits)] = i >>> 3;
    return codewordOf;
  });

/** The fixed patterns that readers look for besides the finder patterns. */
export const PATTERN = { none: 0, timing: 1, alignment: 2 } as const;

/** The timing and alignment patterns of a version. Read-only. */
export interface FixedPatterns {
  /** One of `PATTERN` for each module, row-major. */
  readonly kinds: Uint8Array;
  /** 1 for the dark modules of function patterns. */
  readonly dark: Uint8Array;
  readonly alignmentModules: number;
}

const keptPatterns = new Map<number, FixedPatterns>();

/** Returns the fixed patterns of a version. Made once and kept: 1.3 MB for all forty. */
export const fixedPatternsOf = (version: number): FixedPatterns =>
  getOrMake(keptPatterns, version, () => makeFixedPatterns(version));

const makeFixedPatterns = (version: number): FixedPatterns => {
  const { size } = templateOf(version);
  const codewordOf = codewordsOfModules(version);
  const { dark, reserved } = functionPatterns(version, size);
  const kinds = reserved.map((isReserved, i) => {
    const [row, column] = [Math.floor(i / size), i % size];
    const isCorner = (row < 9 || row >= size - 8) && column < 9 ? true : row < 9 && column >= size - 8;
    if (!isReserved || isCorner || codewordOf[i] !== NO_CODEWORD) return PATTERN.none;
    if (row === 6 || column === 6) return PATTERN.timing;
    const isVersion = version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11));
    return isVersion ? PATTERN.none : PATTERN.alignment;
  });
  const alignmentModules = kinds.filter((kind) => kind === PATTERN.alignment).length;
  return { kinds, dark, alignmentModules };
};
