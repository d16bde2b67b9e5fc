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

/** How something is written: by its number, the bits, the first one lowest, and how many they are, at most 31. */
export interface Codes {
  readonly bits: Int32Array;
  readonly counts: Uint8Array;
}

/** Appends at most 31 bits; those of `value` above them must be 0. */
export function put(bits: Bits, value: number, count: number): void {
  bits.held |= value << bits.heldBits;
  bits.heldBits += count;
  if (bits.heldBits < 32) return;
  bits.words[bits.at] = bits.held;
  bits.at += 1;
  bits.heldBits -= 32;
  bits.held = value >>> (count - bits.heldBits);
}

/** Appends the first `count` of `tokens`. */
export function writeTokens(into: Bits, { bits, counts }: Codes, tokens: Int32Array, count: number): void {
  const own = { words: into.words, at: into.at, held: into.held, heldBits: into.heldBits };
  for (let i = 0; i < count; i += 1) {
    const token = tokens[i]!;
    put(own, bits[token]!, counts[token]!);
  }
  into.at = own.at;
  into.held = own.held;
  into.heldBits = own.heldBits;
}

/** The checksum of RFC 1950, 8.2, is two sums modulo this: of all bytes, and of the first sum after each byte. */
export const MODULUS = 65_521;

/** Fills the last byte with zeros, writes the checksum, and returns all bytes, which share the memory of `bits`. */
export function endStream({ words, at, held, heldBits }: Bits, low: number, high: number): Uint8Array {
  words[at] = held;
  const end = 4 * at + Math.ceil(heldBits / 8);
  new DataView(words.buffer).setUint32(end, (((high % MODULUS) << 16) | (low % MODULUS)) >>> 0);
  return new Uint8Array(words.buffer, 0, end + 4);
}
