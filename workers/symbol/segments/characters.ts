/** The characters of Numeric and Alphanumeric mode, by UTF-16 code unit. */

/** In the order of their values: ISO/IEC 18004:2015, Table 5. */
const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

const NONE = 0xff;
const VALUES = new Uint8Array(128).fill(NONE);
for (const [value, character] of [...ALPHANUMERIC].entries()) VALUES[character.charCodeAt(0)] = value;

/** Whether Numeric mode can encode it. */
export const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

/** Whether Alphanumeric mode can encode it. */
export const isAlphanumeric = (unit: number): boolean => unit < 128 && VALUES[unit] !== NONE;

/** Returns the value of a character of Alphanumeric mode, 0 to 44. */
export const alphanumericValue = (unit: number): number => VALUES[unit]!;
