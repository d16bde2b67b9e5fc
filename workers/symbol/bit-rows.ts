/** Rows of bits, `words` 32-bit words each. Column c is bit c % 32 of word c / 32; bits past the last one are 0. */
export interface BitRows {
  readonly size: number;
  readonly words: number;
  readonly bits: Int32Array;
}

/** Returns a grid of `size` rows and columns in which no bit is set. */
export const emptyRows = (size: number): BitRows => {
  const words = Math.ceil(size / 32);
  return { size, words, bits: new Int32Array(size * words) };
};

/** Returns the bits of the cells, set for every cell that is not 0. `cells` is row-major. */
export const packRows = (cells: Uint8Array, size: number): BitRows => {
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
};

/** Returns row-major cells, 1 where the bit is set: the inverse of `packRows`. */
export const unpackRows = ({ size, words, bits }: BitRows): Uint8Array => {
  const cells = new Uint8Array(size * size);
  let cell = 0;
  for (let row = 0; row < size; row += 1) {
    const end = cell + size;
    for (let word = row * words; cell < end; word += 1) {
      const wordEnd = Math.min(cell + 32, end);
      for (let left = bits[word]!; cell < wordEnd; left >>>= 1, cell += 1) cells[cell] = left & 1;
    }
  }
  return cells;
};

/** Sets each word of `target` to the XOR of the words of two grids of its size. */
export const xorInto = (target: BitRows, a: BitRows, b: BitRows): void => {
  const { bits } = target;
  const [aBits, bBits] = [a.bits, b.bits];
  for (let i = 0; i < bits.length; i += 1) bits[i] = aBits[i]! ^ bBits[i]!;
};

/** Counts the bits set in a 32-bit word (Warren, Hacker's Delight, 5-1). */
export const popCount = (word: number): number => {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};
