/**
 * A square grid as rows of bits: `words` 32-bit words a row, column c in bit c % 32 of word c / 32. Bits
 * past the last column are 0.
 */
export interface BitRows {
  readonly size: number;
  readonly words: number;
  readonly bits: Int32Array;
}

export function emptyRows(size: number): BitRows {
  const words = Math.ceil(size / 32);
  return { size, words, bits: new Int32Array(size * words) };
}

/** Rows of the cells, row-major, that are not 0. */
export function packRows(cells: Uint8Array, size: number): BitRows {
  const rows = emptyRows(size);
  const { words, bits } = rows;
  let cell = 0;
  for (let row = 0; row < size; row += 1) {
    const start = row * words;
    for (let column = 0; column < size; column += 1, cell += 1) {
      if (cells[cell]) bits[start + (column >>> 5)]! |= 1 << (column & 31);
    }
  }
  return rows;
}

/** The cells, row-major, 1 where the bit is set: the inverse of `packRows`. */
export function unpackRows({ size, words, bits }: BitRows): Uint8Array {
  const cells = new Uint8Array(size * size);
  let cell = 0;
  for (let row = 0; row < size; row += 1) {
    const start = row * words;
    for (let column = 0; column < size; column += 1, cell += 1) {
      cells[cell] = (bits[start + (column >>> 5)]! >>> (column & 31)) & 1;
    }
  }
  return cells;
}

/** How many bits of a 32-bit word are set (Warren, Hacker's Delight, 5-1). */
export function popCount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
