import type { ErrorCorrectionLevel, SymbolMode } from '../protocol.ts';

/** The largest version; the smallest is 1. ISO/IEC 18004:2015, 5.3.1. */
export const MAX_VERSION = 40;

/** From the highest capacity to the lowest, which is their order in tables. */
export const LEVELS: readonly ErrorCorrectionLevel[] = ['L', 'M', 'Q', 'H'];

/** Data codewords by version, at L, M, Q and H: ISO/IEC 18004:2015, Table 7. */
// biome-ignore format: four versions a line, as a table
const DATA_CODEWORDS: readonly (readonly number[])[] = [
  [19, 16, 13, 9], [34, 28, 22, 16], [55, 44, 34, 26], [80, 64, 48, 36],
  [108, 86, 62, 46], [136, 108, 76, 60], [156, 124, 88, 66], [194, 154, 110, 86],
  [232, 182, 132, 100], [274, 216, 154, 122], [324, 254, 180, 140], [370, 290, 206, 158],
  [428, 334, 244, 180], [461, 365, 261, 197], [523, 415, 295, 223], [589, 453, 325, 253],
  [647, 507, 367, 283], [721, 563, 397, 313], [795, 627, 445, 341], [861, 669, 485, 385],
  [932, 714, 512, 406], [1006, 782, 568, 442], [1094, 860, 614, 464], [1174, 914, 664, 514],
  [1276, 1000, 718, 538], [1370, 1062, 754, 596], [1468, 1128, 808, 628], [1531, 1193, 871, 661],
  [1631, 1267, 911, 701], [1735, 1373, 985, 745], [1843, 1455, 1033, 793], [1955, 1541, 1115, 845],
  [2071, 1631, 1171, 901], [2191, 1725, 1231, 961], [2306, 1812, 1286, 986], [2434, 1914, 1354, 1054],
  [2566, 1992, 1426, 1096], [2702, 2102, 1502, 1142], [2812, 2216, 1582, 1222], [2956, 2334, 1666, 1276],
];

/** Blocks by version, at L, M, Q and H: ISO/IEC 18004:2015, Table 9. */
// biome-ignore format: five versions a line, as a table
const BLOCKS: readonly (readonly number[])[] = [
  [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 2, 2], [1, 2, 2, 4], [1, 2, 4, 4],
  [2, 4, 4, 4], [2, 4, 6, 5], [2, 4, 6, 6], [2, 5, 8, 8], [4, 5, 8, 8],
  [4, 5, 8, 11], [4, 8, 10, 11], [4, 9, 12, 16], [4, 9, 16, 16], [6, 10, 12, 18],
  [6, 10, 17, 16], [6, 11, 16, 19], [6, 13, 18, 21], [7, 14, 21, 25], [8, 16, 20, 25],
  [8, 17, 23, 25], [9, 17, 23, 34], [9, 18, 25, 30], [10, 20, 27, 32], [12, 21, 29, 35],
  [12, 23, 34, 37], [12, 25, 34, 40], [13, 26, 35, 42], [14, 28, 38, 45], [15, 29, 40, 48],
  [16, 31, 43, 51], [17, 33, 45, 54], [18, 35, 48, 57], [19, 37, 51, 60], [19, 38, 53, 63],
  [20, 40, 56, 66], [21, 43, 59, 70], [22, 45, 62, 74], [24, 47, 65, 77], [25, 49, 68, 81],
];

/** Bits of the character count for versions 1 to 9, 10 to 26 and 27 to 40: ISO/IEC 18004:2015, Table 3. */
const COUNT_BITS: Readonly<Record<SymbolMode, readonly [number, number, number]>> = {
  Numeric: [10, 12, 14],
  Alphanumeric: [9, 11, 13],
  Byte: [8, 16, 16],
  Kanji: [8, 10, 12],
};

/** Each mode puts so many characters (in Byte mode, bytes) into so many bits: ISO/IEC 18004:2015, 7.4.3 to 7.4.6. */
const DENSITY: Readonly<Record<SymbolMode, readonly [bits: number, characters: number]>> = {
  Numeric: [10, 3],
  Alphanumeric: [11, 2],
  Byte: [8, 1],
  Kanji: [13, 1],
};

/** Bits of the mode indicator: ISO/IEC 18004:2015, Table 2. */
export const MODE_BITS = 4;

/** Returns the modules along one side of a symbol of that version. */
export const moduleCountOf = (version: number): number => 17 + 4 * version;

/** Returns how many data codewords, of 8 bits, a symbol holds. */
export const dataCodewordsOf = (version: number, level: ErrorCorrectionLevel): number =>
  DATA_CODEWORDS[version - 1]![LEVELS.indexOf(level)]!;

/** How the data codewords of a symbol are divided. Longer blocks have one data codeword more, and come last. */
export interface BlockPlan {
  readonly blocks: number;
  readonly dataCodewords: number;
  /** Data codewords of a shorter block. */
  readonly shortLength: number;
  readonly shortBlocks: number;
  /** Error correction codewords of each block. */
  readonly parityLength: number;
}

/** Returns the blocks of a symbol. @param codewords All codewords of a symbol of that version. */
export const blockPlanOf = (version: number, level: ErrorCorrectionLevel, codewords: number): BlockPlan => {
  const blocks = BLOCKS[version - 1]![LEVELS.indexOf(level)]!;
  const dataCodewords = dataCodewordsOf(version, level);
  const shortLength = Math.floor(dataCodewords / blocks);
  const parityLength = (codewords - dataCodewords) / blocks;
  return { blocks, dataCodewords, shortLength, shortBlocks: blocks - (dataCodewords % blocks), parityLength };
};

/** Returns 0, 1 or 2: in the versions of one group, the headers of segments have one length. */
export const groupOf = (version: number): 0 | 1 | 2 => (version < 10 ? 0 : version < 27 ? 1 : 2);

/** Returns the bits of a segment's character count. */
export const countBitsOf = (version: number, mode: SymbolMode): number => COUNT_BITS[mode][groupOf(version)];

/** Returns the bits of a segment's mode indicator and character count. */
export const headerBitsOf = (version: number, mode: SymbolMode): number =>
  MODE_BITS + countBitsOf(version, mode);

/** Returns the bits that `count` characters (in Byte mode, bytes) take, without a header. */
export const dataBitsOf = (count: number, mode: SymbolMode): number => {
  const [bits, characters] = DENSITY[mode];
  return Math.ceil((count * bits) / characters);
};

/** Returns how many characters (in Byte mode, bytes) fit into one segment next to `takenBits` of other data. */
export const capacityOf = (
  version: number,
  level: ErrorCorrectionLevel,
  mode: SymbolMode,
  takenBits = 0,
): number => {
  const [bits, characters] = DENSITY[mode];
  const room = dataCodewordsOf(version, level) * 8 - takenBits - headerBitsOf(version, mode);
  return Math.floor((room * characters) / bits);
};
