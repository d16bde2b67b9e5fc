import { type BitRows, packRows } from './bit-rows.ts';

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

/**
 * Returns for each mask the modules that it inverts, to be XORed into the symbol. `reserved` is row-major and not 0
 * where a module carries no data.
 */
export function maskPlanes(reserved: Uint8Array, size: number): readonly BitRows[] {
  return CONDITIONS.map((condition) => {
    const cells = reserved.map((fixed, cell) =>
      !fixed && condition(Math.floor(cell / size), cell % size) ? 1 : 0,
    );
    return packRows(cells, size);
  });
}
