import {
  type Bits,
  DISTANCE_BASE,
  DISTANCE_EXTRA,
  END_OF_BLOCK,
  FIRST_LENGTH_SYMBOL,
  type GrowingBits,
  LENGTH_BASE,
  LENGTH_EXTRA,
  LENGTH_MAX,
  LENGTH_MIN,
  makeRoom,
  put,
  SYMBOL_OF_LENGTH,
  symbolOfDistance,
} from './bits.ts';
import { type PrefixCode, prefixCodeOf } from './huffman.ts';
import type { Tokens } from './tokens.ts';

/** Most bits of a symbol's code: RFC 1951, 3.2.7. */
export const CODE_BITS = 15;
/** A window of 32 kB, and the least effort, the first byte lowest: RFC 1950, 2.2. */
const ZLIB_HEADER = 0x0178;
const LENGTH_CODE_BITS = 7;
/** The order in which the code of the code lengths is written, from the same clause. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Returns the head of a zlib stream and of its only block. */
export const headOf = (literals: PrefixCode, distances: PrefixCode): Bits => {
  const head = { words: new Int32Array(128), at: 0, held: 0, heldBits: 0 };
  beginStream(head, literals, distances);
  return { ...head, words: head.words.slice(0, head.at) };
};

const ZLIB_HEADER_BITS = 16;
const HALF_WORD = 0xffff;
/** Where the head of a stream says that its block is the last one. */
const LAST_BIT = 1 << ZLIB_HEADER_BITS;

/** Begins a block with a head from `headOf`. @param isLast Whether no other block follows. */
export const beginBlock = (bits: GrowingBits, head: Readonly<Bits>, isLast: boolean): void => {
  makeRoom(bits, head.at + 1);
  const [first] = head.words;
  const begins = isLast ? first! : first! & ~LAST_BIT;
  if (bits.at === 0 && bits.heldBits === 0) {
    bits.words.set(head.words);
    bits.words[0] = begins;
    bits.at = head.at;
    bits.held = head.held;
    bits.heldBits = head.heldBits;
    return;
  }
  put(bits, begins >>> ZLIB_HEADER_BITS, 32 - ZLIB_HEADER_BITS);
  for (const word of head.words.subarray(1)) {
    put(bits, word & HALF_WORD, 16);
    put(bits, word >>> 16, 16);
  }
  put(bits, head.held, head.heldBits);
};

/** Writes tokens as the only block of a zlib stream, with codes of its own. Pixels have `pixelBytes` bytes. */
export const writeBlock = (bits: Bits, tokens: Tokens, pixelBytes: 3 | 4): void => {
  const literals = prefixCodeOf(tokens.literals, CODE_BITS);
  const distances = prefixCodeOf(tokens.distances, CODE_BITS);
  beginStream(bits, literals, distances);
  writeTokens(bits, tokens, pixelBytes, literals, distances);
  put(bits, literals.codes[END_OF_BLOCK]!, literals.lengths[END_OF_BLOCK]!);
};

/** Writes the head of a zlib stream, and that of its only block, which has codes of its own. */
const beginStream = (bits: Bits, literals: PrefixCode, distances: PrefixCode): void => {
  put(bits, ZLIB_HEADER, 16);
  put(bits, 1, 1); // the last block
  put(bits, 2, 2); // with codes of its own
  const all = [...literals.lengths, ...distances.lengths];
  const runs = runsOf(all);
  const counts = new Uint32Array(19);
  for (const [symbol] of runs) counts[symbol]! += 1;
  const code = prefixCodeOf(counts, LENGTH_CODE_BITS);
  put(bits, literals.lengths.length - 257, 5);
  put(bits, distances.lengths.length - 1, 5);
  put(bits, LENGTH_ORDER.length - 4, 4);
  for (const symbol of LENGTH_ORDER) put(bits, code.lengths[symbol]!, 3);
  for (const [symbol, extra, extraBits] of runs) {
    put(bits, code.codes[symbol]!, code.lengths[symbol]!);
    put(bits, extra, extraBits);
  }
};

/** Returns code lengths with runs shortened: 18 and 17 mean many zeros, 16 repeats the length before. */
const runsOf = (lengths: readonly number[]) => {
  const runs: [symbol: number, extra: number, bits: number][] = [];
  for (let i = 0; i < lengths.length; ) {
    const length = lengths[i]!;
    let same = 1;
    while (i + same < lengths.length && lengths[i + same] === length) same += 1;
    if (length === 0 && same >= 11) {
      same = Math.min(same, 138);
      runs.push([18, same - 11, 7]);
    } else if (length === 0 && same >= 3) {
      runs.push([17, same - 3, 3]);
    } else if (length > 0 && same >= 4) {
      same = Math.min(same, 7);
      runs.push([length, 0, 0], [16, same - 4, 2]);
    } else {
      same = 1;
      runs.push([length, 0, 0]);
    }
    i += same;
  }
  return runs;
};

const writeTokens = (
  bits: Bits,
  { words, count }: Tokens,
  pixelBytes: 3 | 4,
  literals: PrefixCode,
  distances: PrefixCode,
): void => {
  const { codes, lengths } = literals;
  const repetitions = lengthCodesOf(literals);
  const own = { ...bits };
  for (let i = 0; i < count; i += 1) {
    const word = words[i]!;
    if (word > 0) {
      const length = repetitions[word >>> 16]!;
      put(own, length & 0xfffff, length >>> 20);
      const distance = (word & 0xffff) + 1;
      const far = symbolOfDistance(distance);
      const farBits = distances.lengths[far]!;
      const rest = distance - DISTANCE_BASE[far]!;
      put(own, distances.codes[far]! | (rest << farBits), farBits + DISTANCE_EXTRA[far]!);
    } else if (word === 0) {
      put(own, codes[0]!, lengths[0]!);
    } else {
      for (const end = i - word; i < end; ) {
        i += 1;
        const color = words[i]!;
        const [red, green, blue] = [color & 255, (color >>> 8) & 255, (color >>> 16) & 255];
        put(own, codes[red]! | (codes[green]! << lengths[red]!), lengths[red]! + lengths[green]!);
        put(own, codes[blue]!, lengths[blue]!);
        if (pixelBytes === 4) put(own, codes[color >>> 24]!, lengths[color >>> 24]!);
      }
    }
  }
  Object.assign(bits, own);
};

/** Returns for each repetition length its code and extra bits in the low 20 bits, and their count above them. */
export const lengthCodesOf = ({ codes, lengths }: PrefixCode): Int32Array => {
  const words = new Int32Array(LENGTH_MAX + 1);
  for (let length = LENGTH_MIN; length <= LENGTH_MAX; length += 1) {
    const symbol = SYMBOL_OF_LENGTH[length]!;
    const at = symbol - FIRST_LENGTH_SYMBOL;
    const codeBits = lengths[symbol]!;
    const value = codes[symbol]! | ((length - LENGTH_BASE[at]!) << codeBits);
    words[length] = value | ((codeBits + LENGTH_EXTRA[at]!) << 20);
  }
  return words;
};
