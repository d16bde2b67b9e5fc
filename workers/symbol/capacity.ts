import type { ErrorCorrectionLevel, SymbolMode } from '../protocol.ts';

/** The largest version; the smallest is 1. ISO/IEC 18004:2015, 5.3.1. */
export const MAX_VERSION = 40;

const LEVELS: readonly ErrorCorrectionLevel[] = ['L', 'M', 'Q', 'H'];

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
const MODE_BITS = 4;

/** Returns the modules along one side of a symbol of that version. */
export function moduleCountOf(version: number): number {
  return 17 + 4 * version;
}

/**
 * Returns how many characters (in Byte mode, bytes) one segment holds. Bits for each character: ISO/IEC 18004:2015,
 * 7.4.3 to 7.4.6.
 */
export function capacityOf(version: number, level: ErrorCorrectionLevel, mode: SymbolMode): number {
  const countBits = COUNT_BITS[mode][version < 10 ? 0 : version < 27 ? 1 : 2];
  const bits = DATA_CODEWORDS[version - 1]![LEVELS.indexOf(level)]! * 8 - MODE_BITS - countBits;
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

/** Returns the smallest version that holds `count` characters (bytes in Byte mode), or `null` when none does. */
export function smallestVersion(count: number, level: ErrorCorrectionLevel, mode: SymbolMode): number | null {
  for (let version = 1; version <= MAX_VERSION; version += 1) {
    if (capacityOf(version, level, mode) >= count) return version;
  }
  return null;
}
