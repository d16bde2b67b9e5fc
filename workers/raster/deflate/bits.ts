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

/** Fills the last byte with zeros and returns how many bytes there are. */
export function endBytes(bits: Bits): number {
  bits.words[bits.at] = bits.held;
  return 4 * bits.at + Math.ceil(bits.heldBits / 8);
}
