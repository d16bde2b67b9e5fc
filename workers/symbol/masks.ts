import { type BitRows, emptyRows } from './bit-rows.ts';

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

/**
 * Returns for each mask the modules that it inverts, to be XORed into the symbol. `reserved` is set where a module
 * carries no data.
 */
export function maskPlanes(reserved: BitRows): readonly BitRows[] {
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
}
