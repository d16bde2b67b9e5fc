import { getOrMake } from '../kept.ts';
import type { ErrorCorrectionLevel } from '../protocol.ts';
import { type BitRows, emptyRows, packRows } from './bit-rows.ts';
import { moduleCountOf } from './capacity.ts';

/** What all symbols of one version share. Read-only. */
export interface Template {
  readonly version: number;
  readonly size: number;
  /** The dark modules of the finder, timing and alignment patterns. */
  readonly patterns: BitRows;
  /** The place of each codeword's bits in turn: 32 x the word of `BitRows` + the bit in that word. */
  readonly places: Uint16Array;
  /** For each mask, the data modules that it inverts. */
  readonly masks: readonly BitRows[];
}

const kept = new Map<number, Template>();

/** Returns the template of a version. Made once and kept: 1.5 MB for all forty versions. */
export const templateOf = (version: number): Template =>
  getOrMake(kept, version, () => {
    const size = moduleCountOf(version);
    const { dark, reserved } = functionPatterns(version, size);
    const masks = maskPlanes(packRows(reserved, size));
    return { version, size, patterns: packRows(dark, size), places: zigzag(reserved, size), masks };
  });

/**
 * Returns the dark modules of the function patterns, and the modules that carry no data: those of the patterns, with
 * separators, and of the format and version information. ISO/IEC 18004:2015, 6.3 and Figure 1.
 */
export const functionPatterns = (version: number, size: number) => {
  const dark = new Uint8Array(size * size);
  const reserved = new Uint8Array(size * size);
  /** Sets a square of rings around a centre: `isDark` tells the colour by the distance from the centre. */
  const square = (row: number, column: number, radius: number, isDark: (distance: number) => boolean) => {
    for (let i = -radius; i <= radius; i += 1) {
      for (let j = -radius; j <= radius; j += 1) {
        if (row + i < 0 || row + i >= size || column + j < 0 || column + j >= size) continue;
        const cell = (row + i) * size + column + j;
        reserved[cell] = 1;
        dark[cell] = isDark(Math.max(Math.abs(i), Math.abs(j))) ? 1 : 0;
      }
    }
  };
  const reserve = (row: number, column: number) => {
    reserved[row * size + column] = 1;
    reserved[column * size + row] = 1;
  };

  for (let k = 0; k < size; k += 1) {
    reserve(6, k);
    dark[6 * size + k] = dark[k * size + 6] = k % 2 === 0 ? 1 : 0;
    if (k <= 8 || k >= size - 8) reserve(8, k);
  }
  for (let k = 0; version >= 7 && k < 18; k += 1) reserve(Math.floor(k / 3), size - 11 + (k % 3));
  for (const [row, column] of alignmentCentres(version, size)) square(row, column, 2, (d) => d !== 1);
  const drawFinder = (row: number, column: number) => square(row, column, 4, (d) => d !== 2 && d !== 4);
  drawFinder(3, 3);
  drawFinder(3, size - 4);
  drawFinder(size - 4, 3);
  return { dark, reserved };
};

/**
 * Returns row and column of the centre of each alignment pattern, which is every pair of coordinates but those in the
 * finder patterns: ISO/IEC 18004:2015, 6.3.6 and Table E.1.
 */
export const alignmentCentres = (version: number, size: number): [number, number][] => {
  if (version === 1) return [];
  const last = size - 7;
  const steps = Math.floor(version / 7) + 1;
  const step = version === 32 ? 26 : 2 * Math.ceil((last - 6) / (2 * steps));
  const coordinates = [6, ...Array.from({ length: steps }, (_, i) => last - step * (steps - 1 - i))];
  const pairs = coordinates.flatMap((row) => coordinates.map((column): [number, number] => [row, column]));
  return pairs.filter(
    ([row, column]) => !(Math.min(row, column) === 6 && [12, last + 6].includes(row + column)),
  );
};

/** Two columns at a time, up and down in turn, from the right: ISO/IEC 18004:2015, 7.7.3. */
const zigzag = (reserved: Uint8Array, size: number): Uint16Array => {
  const { words } = emptyRows(size);
  const places: number[] = [];
  let upwards = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let k = 0; k < size; k += 1) {
      const row = upwards ? size - 1 - k : k;
      for (const column of [right, right - 1]) {
        if (!reserved[row * size + column]) places.push(row * words * 32 + column);
      }
    }
    upwards = !upwards;
  }
  return Uint16Array.from(places.slice(0, places.length - (places.length % 8)));
};

/** The data mask conditions, i = row, j = column: ISO/IEC 18004:2015, Table 10. */
const CONDITIONS: readonly ((i: number, j: number) => boolean)[] = [
  (i, j) => (i + j) % 2 === 0,
  (i) => i % 2 === 0,
  (_, j) => j % 3 === 0,
  (i, j) => (i + j) % 3 === 0,
  (i, j) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2 === 0,
  (i, j) => ((i * j) % 2) + ((i * j) % 3) === 0,
  (i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2 === 0,
  (i, j) => (((i * j) % 3) + ((i + j) % 2)) % 2 === 0,
];

/** Every condition repeats after this many rows, and after this many columns. */
const PERIOD = 12;

/** Returns for each mask the modules that it inverts. `reserved` is set where a module carries no data. */
const maskPlanes = (reserved: BitRows): readonly BitRows[] => {
  const { size, words } = reserved;
  return CONDITIONS.map((condition) => {
    const plane = emptyRows(size);
    const { bits } = plane;
    for (let i = 0; i < PERIOD; i += 1) {
      for (let j = 0; j < size; j += 1) if (condition(i, j)) bits[i * words + (j >>> 5)]! |= 1 << (j & 31);
    }
    for (let k = PERIOD * words; k < bits.length; k += 1) bits[k] = bits[k - PERIOD * words]!;
    for (let k = 0; k < bits.length; k += 1) bits[k]! &= ~reserved.bits[k]!;
    return plane;
  });
};

/** Level indicators: ISO/IEC 18004:2015, Table 12. */
const LEVEL_BITS: Readonly<Record<ErrorCorrectionLevel, number>> = { L: 1, M: 0, Q: 3, H: 2 };

/** Generator polynomial of the (15, 5) BCH code, and the mask: ISO/IEC 18004:2015, 7.9.1 and Annex C. */
const FORMAT_GENERATOR = 0x537;
const FORMAT_MASK = 0x5412;

/** Generator polynomial of the (18, 6) BCH code: ISO/IEC 18004:2015, 7.10 and Annex D. */
const VERSION_GENERATOR = 0x1f25;

/** Returns the 15 bits that tell a reader the level and the mask, error correction included. */
const formatBits = (level: ErrorCorrectionLevel, mask: number): number => {
  const data = (LEVEL_BITS[level] << 3) | mask;
  return ((data << 10) | remainderOf(data, FORMAT_GENERATOR, 10)) ^ FORMAT_MASK;
};

/** Returns the 18 bits that tell a reader the version, error correction included. Only versions from 7 on have them. */
const versionBits = (version: number): number =>
  (version << 12) | remainderOf(version, VERSION_GENERATOR, 12);

/** Divides the polynomial `data` x^degree by the generator polynomial, both over the field of two elements. */
const remainderOf = (data: number, generator: number, degree: number): number => {
  let remainder = data;
  for (let i = 0; i < degree; i += 1)
    remainder = (remainder << 1) ^ ((remainder >>> (degree - 1)) * generator);
  return remainder;
};

/** Writes both copies of the format information into row-major modules: ISO/IEC 18004:2015, Figure 25. */
export const writeFormat = (
  modules: Uint8Array,
  size: number,
  level: ErrorCorrectionLevel,
  mask: number,
): void => {
  const bits = formatBits(level, mask);
  for (let i = 0; i < 15; i += 1) {
    const bit = (bits >>> i) & 1;
    const row = i < 6 ? i : i < 8 ? i + 1 : size - 15 + i;
    const column = i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i;
    modules[row * size + 8] = bit;
    modules[8 * size + column] = bit;
  }
};

/** Writes the dark module and, from version 7 on, both copies of the version information: Figure 27. */
export const writeVersion = (modules: Uint8Array, size: number, version: number): void => {
  modules[(size - 8) * size + 8] = 1;
  if (version < 7) return;
  const bits = versionBits(version);
  for (let i = 0; i < 18; i += 1) {
    const near = Math.floor(i / 3);
    const far = size - 11 + (i % 3);
    modules[near * size + far] = modules[far * size + near] = (bits >>> i) & 1;
  }
};
