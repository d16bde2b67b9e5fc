import { getOrMake } from '../kept.ts';
import type { ErrorCorrectionLevel } from '../protocol.ts';
import type { BitRows } from './bit-rows.ts';
import { blockPlanOf } from './capacity.ts';
import type { Template } from './template.ts';

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

/** Makes the error correction codewords of one degree: ISO/IEC 18004:2015, 7.5.2 and Annex A. */
interface ParityTable {
  /** 32-bit words that hold `degree` bytes. */
  readonly words: number;
  /** Row f of 256 is f times the generator polynomial without its highest term, byte 0 in the highest of word 0. */
  readonly rows: Int32Array;
}

/** By the error correction codewords of a block; the 13 tables of all versions take 70 kB together. */
const kept = new Map<number, ParityTable>();

const makeTable = (degree: number): ParityTable => {
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
  return { words, rows };
};

/** Returns (x - 1)(x - 2)…(x - 2^(degree - 1)) without its highest term, the highest of the others first: Annex A. */
const generatorOf = (degree: number): Uint8Array => {
  const coefficients = new Uint8Array(degree);
  coefficients[degree - 1] = 1;
  for (let power = 0; power < degree; power += 1) {
    for (let i = 0; i < degree; i += 1) {
      coefficients[i] = multiply(coefficients[i]!, EXP[power]!) ^ (coefficients[i + 1] ?? 0);
    }
  }
  return coefficients;
};

/**
 * Divides a block of data codewords, `data[start]` to `data[end - 1]`, by the generator polynomial. Byte i of the
 * remainder is codeword i: byte 0 is the highest byte of word 0 of `remainder`, of which `table.words` are written.
 */
const divideInto = (
  remainder: Int32Array,
  { words, rows }: ParityTable,
  data: Uint8Array,
  start: number,
  end: number,
): void => {
  const last = words - 1;
  remainder.fill(0, 0, words);
  for (let i = start; i < end; i += 1) {
    const row = (data[i]! ^ (remainder[0]! >>> 24)) * words;
    for (let k = 0; k < last; k += 1) {
      remainder[k] = ((remainder[k]! << 8) | (remainder[k + 1]! >>> 24)) ^ rows[row + k]!;
    }
    remainder[last] = (remainder[last]! << 8) ^ rows[row + last]!;
  }
};

/** The error correction codewords of one block, at most 30. Reused, since placing is never interrupted. */
const parity = new Int32Array(8);

/**
 * Divides the data codewords into blocks, adds the error correction codewords of each, and places all of them,
 * interleaved, in `rows`: ISO/IEC 18004:2015, 7.5, 7.6 and 7.7.3. The data modules of `rows` must be light.
 */
export const placeCodewords = (
  rows: BitRows,
  { version, places }: Template,
  level: ErrorCorrectionLevel,
  data: Uint8Array,
): void => {
  const { bits } = rows;
  const plan = blockPlanOf(version, level, places.length / 8);
  const { blocks, dataCodewords, shortLength, shortBlocks, parityLength } = plan;
  const table = getOrMake(kept, parityLength, () => makeTable(parityLength));
  let start = 0;
  for (let block = 0; block < blocks; block += 1) {
    const end = start + shortLength + (block < shortBlocks ? 0 : 1);
    const shortEnd = start + shortLength;
    for (let i = start; i < shortEnd; i += 1) {
      placeCodeword(bits, places, (i - start) * blocks + block, data[i]!);
    }
    if (end > shortEnd) placeCodeword(bits, places, dataCodewords - blocks + block, data[shortEnd]!);

    divideInto(parity, table, data, start, end);
    for (let i = 0; i < parityLength; i += 1) {
      const codeword = parity[i >>> 2]! >>> (24 - 8 * (i & 3));
      placeCodeword(bits, places, dataCodewords + i * blocks + block, codeword);
    }
    start = end;
  }
};

/** Places the lowest eight bits of `codeword`, the highest first. */
const placeCodeword = (bits: Int32Array, places: Uint16Array, position: number, codeword: number): void => {
  for (let k = 0, first = position * 8; k < 8; k += 1) {
    const place = places[first + k]!;
    // A shift takes the lowest five bits of `place`: the bit in the word.
    bits[place >>> 5]! |= ((codeword >>> (7 - k)) & 1) << place;
  }
};
