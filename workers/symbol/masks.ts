import { type BitRows, packRows } from './bit-rows.ts';
import { moduleCountOf } from './capacity.ts';

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

/** The eight masks of one version. */
export interface MaskSet {
  /** For each mask, what to XOR into the symbol with mask 0 to get the symbol with that mask. */
  readonly fromMask0: readonly BitRows[];
  /** All modules except those of the format and version information and the dark module. */
  readonly scored: BitRows;
}

const kept: (MaskSet | undefined)[] = [];

/**
 * Returns the masks of a version. They are made once and kept: 0.6 MB for all forty versions. `reserved` is row-major
 * and not 0 where a module carries no data.
 */
export function masksOf(version: number, reserved: Uint8Array): MaskSet {
  kept[version] ??= { fromMask0: differences(version, reserved), scored: scoredModules(version) };
  return kept[version];
}

function differences(version: number, reserved: Uint8Array): BitRows[] {
  const size = moduleCountOf(version);
  return CONDITIONS.map((condition) => {
    const cells = reserved.map((fixed, cell) => {
      const i = Math.floor(cell / size);
      const j = cell % size;
      return !fixed && condition(i, j) !== CONDITIONS[0]!(i, j) ? 1 : 0;
    });
    return packRows(cells, size);
  });
}

/** Leaves out the places of format and version information: ISO/IEC 18004:2015, 7.9.1 and 7.10. */
function scoredModules(version: number): BitRows {
  const size = moduleCountOf(version);
  const cells = new Uint8Array(size * size).fill(1);
  const leaveOut = (row: number, column: number) => {
    cells[row * size + column] = 0;
    cells[column * size + row] = 0;
  };
  for (let k = 0; k < size; k += 1) {
    if (k !== 6 && (k <= 8 || k >= size - 8)) leaveOut(8, k);
  }
  for (let k = 0; version >= 7 && k < 18; k += 1) leaveOut(Math.floor(k / 3), size - 11 + (k % 3));
  return packRows(cells, size);
}
