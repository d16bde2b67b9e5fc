import type { ErrorCorrectionLevel } from '../protocol.ts';

/** Level indicators: ISO/IEC 18004:2015, Table 12. */
const LEVEL_BITS: Readonly<Record<ErrorCorrectionLevel, number>> = { L: 1, M: 0, Q: 3, H: 2 };

/**
 * Generator polynomial of the (15, 5) BCH code and the mask over its words: ISO/IEC 18004:2015, 7.9.1 and Annex C.
 */
const GENERATOR = 0x537;
const FORMAT_MASK = 0x5412;

/** Returns the 15 bits that tell a reader the level and the mask, error correction included. */
export function formatBits(level: ErrorCorrectionLevel, mask: number): number {
  const data = (LEVEL_BITS[level] << 3) | mask;
  let remainder = data;
  for (let i = 0; i < 10; i += 1) remainder = (remainder << 1) ^ ((remainder >>> 9) * GENERATOR);
  return ((data << 10) | remainder) ^ FORMAT_MASK;
}

/** Writes both copies of the format information into row-major modules: ISO/IEC 18004:2015, Figure 25. */
export function writeFormat(
  modules: Uint8Array,
  size: number,
  level: ErrorCorrectionLevel,
  mask: number,
): void {
  const bits = formatBits(level, mask);
  for (let i = 0; i < 15; i += 1) {
    const bit = (bits >>> i) & 1;
    const row = i < 6 ? i : i < 8 ? i + 1 : size - 15 + i;
    const column = i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i;
    modules[row * size + 8] = bit;
    modules[8 * size + column] = bit;
  }
}
