import type { ErrorCorrectionLevel, SymbolMode } from '../protocol.ts';

/** The largest version; the smallest is 1. ISO/IEC 18004:2015, 5.3.1. */
export const MAX_VERSION = 40;

const LEVELS: readonly ErrorCorrectionLevel[] = ['L', 'M', 'Q', 'H'];

/** Returns the place of a level in tables: 0 for L, 3 for H. */
export function levelIndexOf(level: ErrorCorrectionLevel): number {
  return LEVELS.indexOf(level);
}

/** Data codewords by version, at L, M, Q and H: ISO/IEC 18004:2015, Table 7. */
// biome-ignore format: two versions a line, as a table
const DATA_CODEWORDS: readonly (readonly number[])[] = [
  [19, 16, 13, 9], [34, 28, 22, 16],
  [55, 44, 34, 26], [80, 64, 48, 36],
  [108, 86, 62, 46], [136, 108, 76, 60],
  [156, 124, 88, 66], [194, 154, 110, 86],
  [232, 182, 132, 100], [274, 216, 154, 122],
  [324, 254, 180, 140], [370, 290, 206, 158],
  [428, 334, 244, 180], [461, 365, 261, 197],
  [523, 415, 295, 223], [589, 453, 325, 253],
  [647, 507, 367, 283], [721, 563, 397, 313],
  [795, 627, 445, 341], [861, 669, 485, 385],
  [932, 714, 512, 406], [1006, 782, 568, 442],
  [1094, 860, 614, 464], [1174, 914, 664, 514],
  [1276, 1000, 718, 538], [1370, 1062, 754, 596],
  [1468, 1128, 808, 628], [1531, 1193, 871, 661],
  [1631, 1267, 911, 701], [1735, 1373, 985, 745],
  [1843, 1455, 1033, 793], [1955, 1541, 1115, 845],
  [2071, 1631, 1171, 901], [2191, 1725, 1231, 961],
  [2306, 1812, 1286, 986], [2434, 1914, 1354, 1054],
  [2566, 1992, 1426, 1096], [2702, 2102, 1502, 1142],
  [2812, 2216, 1582, 1222], [2956, 2334, 1666, 1276],
];

/** Bits of the character count for versions 1 to 9, 10 to 26 and 27 to 40: ISO/IEC 18004:2015, Table 3. */
const COUNT_BITS: Readonly<Record<SymbolMode, readonly [number, number, number]>> = {
  Numeric: [10, 12, 14],
  Alphanumeric: [9, 11, 13],
  Byte: [8, 16, 16],
  Kanji: [8, 10, 12],
};

/** Bits of the mode indicator: ISO/IEC 18004:2015, Table 2. */
export const MODE_BITS = 4;

/** Returns the modules along one side of a symbol of that version. */
export function moduleCountOf(version: number): number {
  return 17 + 4 * version;
}

/** Returns how many data codewords, of 8 bits, a symbol holds. */
export function dataCodewordsOf(version: number, level: ErrorCorrectionLevel): number {
  return DATA_CODEWORDS[version - 1]![levelIndexOf(level)]!;
}

/** Returns 0, 1 or 2: in the versions of one group, the headers of segments have one length. */
export function groupOf(version: number): 0 | 1 | 2 {
  return version < 10 ? 0 : version < 27 ? 1 : 2;
}

/** Returns the bits of a segment's mode indicator and character count. */
export function headerBitsOf(version: number, mode: SymbolMode): number {
  return MODE_BITS + countBitsOf(version, mode);
}

/** Returns the bits of a segment's character count. */
export function countBitsOf(version: number, mode: SymbolMode): number {
  return COUNT_BITS[mode][groupOf(version)];
}

/**
 * Returns the bits that `count` characters (in Byte mode, bytes) take, without a header: ISO/IEC 18004:2015, 7.4.3 to
 * 7.4.6.
 */
export function dataBitsOf(count: number, mode: SymbolMode): number {
  switch (mode) {
    case 'Numeric':
      return Math.ceil((count * 10) / 3);
    case 'Alphanumeric':
      return Math.ceil((count * 11) / 2);
    case 'Byte':
      return count * 8;
    case 'Kanji':
      return count * 13;
  }
}

/**
 * Returns how many characters (in Byte mode, bytes) one segment holds, when `takenBits` are taken up by other things.
 * Bits for each character: ISO/IEC 18004:2015, 7.4.3 to 7.4.6.
 */
export function capacityOf(
  version: number,
  level: ErrorCorrectionLevel,
  mode: SymbolMode,
  takenBits = 0,
): number {
  const bits = dataCodewordsOf(version, level) * 8 - takenBits - headerBitsOf(version, mode);
  switch (mode) {
    case 'Numeric': {
      const rest = bits % 10;
      return Math.floor(bits / 10) * 3 + (rest >= 7 ? 2 : rest >= 4 ? 1 : 0);
    }
    case 'Alphanumeric':
      return Math.floor(bits / 11) * 2 + (bits % 11 >= 6 ? 1 : 0);
    case 'Byte':
      return Math.floor(bits / 8);
    case 'Kanji':
      return Math.floor(bits / 13);
  }
}
