/**
 * The alphabets of deflate, RFC 1951, 3.2.5, and the bits that are written with them. Lengths and distances each have a
 * symbol and extra bits.
 */

/** Literals, the end of the block, and lengths. */
export const LITERAL_SYMBOLS = 286;
/** Symbols for distances. */
export const DISTANCE_SYMBOLS = 30;
/** The symbol after the last token. */
export const END_OF_BLOCK = 256;
/** The symbol of the shortest length. */
export const FIRST_LENGTH_SYMBOL = 257;
/** The shortest repetition in bytes. */
export const LENGTH_MIN = 3;
/** The longest repetition in bytes. */
export const LENGTH_MAX = 258;
/** How far back a repetition may reach, in bytes. */
export const DISTANCE_MAX = 32_768;

/** Extra bits of each length symbol, from `FIRST_LENGTH_SYMBOL` on. */
export const LENGTH_EXTRA: Uint8Array = Uint8Array.from([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]);
/** Extra bits of each distance symbol. */
export const DISTANCE_EXTRA: Uint8Array = Uint8Array.from({ length: DISTANCE_SYMBOLS }, (_, i) =>
  Math.max(0, (i >> 1) - 1),
);

const basesOf = (first: number, extra: Uint8Array): Uint16Array => {
  let next = first;
  return Uint16Array.from([...extra], (bits) => {
    const base = next;
    next += 1 << bits;
    return base;
  });
};

/** Smallest length of each length symbol. The last symbol is 258 alone, which the one before could write too. */
export const LENGTH_BASE = basesOf(LENGTH_MIN, LENGTH_EXTRA).fill(LENGTH_MAX, 28);
/** Smallest distance of each symbol. */
export const DISTANCE_BASE = basesOf(1, DISTANCE_EXTRA);

/** The symbol of each length, counted from zero. */
export const SYMBOL_OF_LENGTH = new Uint16Array(LENGTH_MAX + 1);
for (const [i, base] of LENGTH_BASE.entries()) SYMBOL_OF_LENGTH.fill(FIRST_LENGTH_SYMBOL + i, base);

/** Returns the longest next part of a repetition of `bytes` bytes that leaves no rest too short to be repeated. */
export const nextLength = (bytes: number): number =>
  bytes > LENGTH_MAX && bytes < LENGTH_MAX + LENGTH_MIN ? bytes - LENGTH_MIN : Math.min(bytes, LENGTH_MAX);

/** Distances up to 256, each, and then those above, in steps of 128. */
const NEAR = new Uint8Array(257);
const FAR = new Uint8Array(DISTANCE_MAX / 128);
for (const [i, base] of DISTANCE_BASE.entries()) {
  if (base <= 256) NEAR.fill(i, base);
  FAR.fill(i, (base - 1) >> 7);
}

export const symbolOfDistance = (distance: number): number =>
  distance <= 256 ? NEAR[distance]! : FAR[(distance - 1) >> 7]!;

/** Bits that are written one after the other, the first one lowest: RFC 1951, 3.1.1. */
export interface Bits {
  /** Words are stored with their lowest byte first, as every platform of Node does. */
  readonly words: Int32Array;
  /** Words that are full. */
  at: number;
  /** The bits after them, up to 31. */
  held: number;
  heldBits: number;
}

/** Bits whose memory grows. */
export interface GrowingBits extends Bits {
  words: Int32Array;
}

let kept = new Int32Array(1024);

/** Begins a stream. Its bits stay valid until the next one begins. */
export const openStream = (): GrowingBits => ({ words: kept, at: 0, held: 0, heldBits: 0 });

/** Makes room for `more` words after those that are full. */
export const makeRoom = (bits: GrowingBits, more: number): void => {
  const least = bits.at + more + 8;
  if (bits.words.length >= least) return;
  kept = new Int32Array(2 * least);
  kept.set(bits.words.subarray(0, bits.at));
  bits.words = kept;
};

/** How something is written: by its number, the bits, the first one lowest, and how many they are, at most 31. */
export interface Codes {
  readonly bits: Int32Array;
  readonly counts: Uint8Array;
}

/** Appends at most 31 bits; those of `value` above them must be 0. */
export const put = (bits: Bits, value: number, count: number): void => {
  bits.held |= value << bits.heldBits;
  bits.heldBits += count;
  if (bits.heldBits < 32) return;
  bits.words[bits.at] = bits.held;
  bits.at += 1;
  bits.heldBits -= 32;
  bits.held = value >>> (count - bits.heldBits);
};

/** Appends the first `count` of `tokens`. */
export const writeTokens = (into: Bits, { bits, counts }: Codes, tokens: Int32Array, count: number): void => {
  const own = { words: into.words, at: into.at, held: into.held, heldBits: into.heldBits };
  for (let i = 0; i < count; i += 1) {
    const token = tokens[i]!;
    put(own, bits[token]!, counts[token]!);
  }
  into.at = own.at;
  into.held = own.held;
  into.heldBits = own.heldBits;
};

/** The checksum of RFC 1950, 8.2, is two sums modulo this: of all bytes, and of the first sum after each byte. */
export const MODULUS = 65_521;

/** Fills the last byte with zeros, writes the checksum, and returns all bytes, which share the memory of `bits`. */
export const endStream = ({ words, at, held, heldBits }: Bits, low: number, high: number): Uint8Array => {
  words[at] = held;
  const end = 4 * at + Math.ceil(heldBits / 8);
  new DataView(words.buffer).setUint32(end, (((high % MODULUS) << 16) | (low % MODULUS)) >>> 0);
  return new Uint8Array(words.buffer, 0, end + 4);
};
