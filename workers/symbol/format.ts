import type { ErrorCorrectionLevel } from '../protocol.ts';

/** Level indicators: ISO/IEC 18004:2015, Table 12. */
const LEVEL_BITS: Readonly<Record<ErrorCorrectionLevel, number>> = { L: 1, M: 0, Q: 3, H: 2 };

/** Generator polynomial of the (15, 5) BCH code, and the mask: ISO/IEC 18004:2015, 7.9.1 and Annex C. */
const FORMAT_GENERATOR = 0x537;
const FORMAT_MASK = 0x5412;

/** Generator polynomial of the (18, 6) BCH code: ISO/IEC 18004:2015, 7.10 and Annex D. */
const VERSION_GENERATOR = 0x1f25;

/** Returns the 15 bits that tell a reader the level and the mask, error correction included. */
export function formatBits(level: ErrorCorrectionLevel, mask: number): number {
  const data = (LEVEL_BITS[level] << 3) | mask;
  return ((data << 10) | remainderOf(data, FORMAT_GENERATOR, 10)) ^ FORMAT_MASK;
}

/** Returns the 18 bits that tell a reader the version, error correction included. Only versions from 7 on have them. */
export const versionBits = (version: number): number =>
  (version << 12) | remainderOf(version, VERSION_GENERATOR, 12);

/** Divides the polynomial `data` x^degree by the generator polynomial, both over the field of two elements. */
function remainderOf(data: number, generator: number, degree: number): number {
  let remainder = data;
  for (let i = 0; i < degree; i += 1)
    remainder = (remainder << 1) ^ ((remainder >>> (degree - 1)) * generator);
  return remainder;
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

/** Writes the dark module and, from version 7 on, both copies of the version information: Figure 27. */
export function writeVersion(modules: Uint8Array, size: number, version: number): void {
  modules[(size - 8) * size + 8] = 1;
  if (version < 7) return;
  const bits = versionBits(version);
  for (let i = 0; i < 18; i += 1) {
    const near = Math.floor(i / 3);
    const far = size - 11 + (i % 3);
    modules[near * size + far] = modules[far * size + near] = (bits >>> i) & 1;
  }
}
