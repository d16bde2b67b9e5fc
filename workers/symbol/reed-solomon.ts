/** Error correction codewords: ISO/IEC 18004:2015, 7.5.2 and Annex A. */

/** x^8 + x^4 + x^3 + x^2 + 1, the polynomial of the field of 256 elements: ISO/IEC 18004:2015, 7.5.2. */
const FIELD_POLYNOMIAL = 0x11d;

/** Powers of 2 in the field, twice in a row, so that a sum of two logarithms is an index. */
const EXP = new Uint8Array(510);
const LOG = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power += 1) {
  EXP[power] = EXP[power + 255] = value;
  LOG[value] = power;
  value = (value << 1) ^ (value & 0x80 ? FIELD_POLYNOMIAL : 0);
}

const multiply = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : EXP[LOG[a]! + LOG[b]!]!);

/** Makes the error correction codewords of one degree. */
export interface ParityTable {
  /** Error correction codewords of a block, at most 30. */
  readonly degree: number;
  /** 32-bit words that hold `degree` bytes. */
  readonly words: number;
  /**
   * 256 rows: row f is f times the generator polynomial without its highest term: byte 0 is the highest byte of word 0.
   */
  readonly rows: Int32Array;
}

const kept: (ParityTable | undefined)[] = [];

/**
 * Returns the table for blocks with `degree` error correction codewords. Made once and kept: the 13 degrees of all
 * versions take 70 kB together.
 */
export function parityTableOf(degree: number): ParityTable {
  kept[degree] ??= makeTable(degree);
  return kept[degree];
}

function makeTable(degree: number): ParityTable {
  const words = Math.ceil(degree / 4);
  const rows = new Int32Array(256 * words);
  const generator = generatorOf(degree);
  for (let bit = 1; bit < 256; bit *= 2) {
    for (let i = 0; i < degree; i += 1) {
      rows[bit * words + (i >>> 2)]! |= multiply(bit, generator[i]!) << (24 - 8 * (i & 3));
    }
    // Multiplication distributes over XOR, which is the addition of the field.
    for (let rest = 1; rest < bit; rest += 1) {
      for (let k = 0; k < words; k += 1) {
        rows[(bit + rest) * words + k] = rows[bit * words + k]! ^ rows[rest * words + k]!;
      }
    }
  }
  return { degree, words, rows };
}

/** Returns (x - 1)(x - 2)…(x - 2^(degree - 1)) without its highest term, the highest of the others first: Annex A. */
function generatorOf(degree: number): Uint8Array {
  const coefficients = new Uint8Array(degree);
  coefficients[degree - 1] = 1;
  for (let power = 0; power < degree; power += 1) {
    for (let i = 0; i < degree; i += 1) {
      coefficients[i] = multiply(coefficients[i]!, EXP[power]!) ^ (coefficients[i + 1] ?? 0);
    }
  }
  return coefficients;
}

/**
 * Divides a block of data codewords, `data[start]` to `data[end - 1]`, by the generator polynomial. Byte i of the
 * remainder is codeword i: byte 0 is the highest byte of word 0 of `remainder`, of which `table.words` are written.
 */
export function divideInto(
  remainder: Int32Array,
  { words, rows }: ParityTable,
  data: Uint8Array,
  start: number,
  end: number,
): void {
  const last = words - 1;
  remainder.fill(0, 0, words);
  for (let i = start; i < end; i += 1) {
    const row = (data[i]! ^ (remainder[0]! >>> 24)) * words;
    for (let k = 0; k < last; k += 1) {
      remainder[k] = ((remainder[k]! << 8) | (remainder[k + 1]! >>> 24)) ^ rows[row + k]!;
    }
    remainder[last] = (remainder[last]! << 8) ^ rows[row + last]!;
  }
}
