/** A prefix code: for each symbol its length in bits, 0 when it does not occur, and its bits, the first one lowest. */
export interface PrefixCode {
  readonly lengths: Uint8Array;
  readonly codes: Uint16Array;
}

/** More than there are symbols. */
const SYMBOL_SPAN = 512;

/** Returns the best prefix code for symbols with these frequencies whose codes have at most `maxBits` bits. */
export const prefixCodeOf = (counts: Uint32Array, maxBits: number): PrefixCode => {
  const lengths = lengthsOf(counts, maxBits);
  return { lengths, codes: codesOf(lengths, maxBits) };
};

const lengthsOf = (counts: Uint32Array, maxBits: number): Uint8Array => {
  const lengths = new Uint8Array(counts.length);
  const symbols = symbolsByCount(counts);
  if (symbols.length < 2) {
    // A code with fewer than two symbols is incomplete, which some readers reject.
    const [only = 0] = symbols;
    lengths[only] = 1;
    lengths[only === 0 ? 1 : 0] = 1;
    return lengths;
  }
  const perLength = limitLengths(depthsOf(symbols, counts), maxBits);
  let next = symbols.length;
  for (let length = 1; length <= maxBits; length += 1) {
    for (let i = 0; i < perLength[length]!; i += 1) {
      next -= 1;
      lengths[symbols[next]!] = length;
    }
  }
  return lengths;
};

/** Returns the symbols that occur, the rarest first. */
const symbolsByCount = (counts: Uint32Array): Uint16Array => {
  // Count and symbol in one number, since numbers are sorted natively.
  const words = new Float64Array(counts.length);
  let used = 0;
  for (let symbol = 0; symbol < counts.length; symbol += 1) {
    if (counts[symbol] === 0) continue;
    words[used] = counts[symbol]! * SYMBOL_SPAN + symbol;
    used += 1;
  }
  const sorted = words.subarray(0, used).sort();
  const symbols = new Uint16Array(used);
  for (let i = 0; i < used; i += 1) symbols[i] = sorted[i]! % SYMBOL_SPAN;
  return symbols;
};

/** Returns how many symbols have each length in Huffman's code, made with two queues: leaves, and inner nodes. */
const depthsOf = (symbols: Uint16Array, counts: Uint32Array): Uint32Array => {
  const leaves = symbols.length;
  const weights = new Float64Array(2 * leaves - 1);
  const parents = new Uint16Array(2 * leaves - 1);
  for (let i = 0; i < leaves; i += 1) weights[i] = counts[symbols[i]!]!;
  let leaf = 0;
  let inner = leaves;
  for (let node = leaves; node < weights.length; node += 1) {
    for (let child = 0; child < 2; child += 1) {
      const takesLeaf = leaf < leaves && (inner === node || weights[leaf]! <= weights[inner]!);
      const taken = takesLeaf ? leaf++ : inner++;
      weights[node]! += weights[taken]!;
      parents[taken] = node;
    }
  }
  const depths = new Uint16Array(weights.length);
  const perLength = new Uint32Array(Math.max(64, leaves));
  for (let node = weights.length - 2; node >= 0; node -= 1) {
    depths[node] = depths[parents[node]!]! + 1;
    if (node < leaves) perLength[depths[node]!]! += 1;
  }
  return perLength;
};

/** Shortens codes that are too long, and lengthens others until the code is valid again (as miniz does). */
const limitLengths = (perLength: Uint32Array, maxBits: number): Uint32Array => {
  for (let length = maxBits + 1; length < perLength.length; length += 1)
    perLength[maxBits]! += perLength[length]!;
  let total = 0;
  for (let length = 1; length <= maxBits; length += 1) total += perLength[length]! * 2 ** (maxBits - length);
  for (; total > 2 ** maxBits; total -= 1) {
    perLength[maxBits]! -= 1;
    let length = maxBits - 1;
    while (perLength[length] === 0) length -= 1;
    perLength[length]! -= 1;
    perLength[length + 1]! += 2;
  }
  return perLength;
};

/** Numbers the codes: RFC 1951, 3.2.2. They are written from their highest bit on, so they are reversed here. */
const codesOf = (lengths: Uint8Array, maxBits: number): Uint16Array => {
  const codes = new Uint16Array(lengths.length);
  const next = new Uint32Array(maxBits + 2);
  for (const length of lengths) if (length > 0) next[length + 1]! += 1;
  for (let length = 1; length <= maxBits; length += 1)
    next[length + 1] = (next[length]! + next[length + 1]!) << 1;
  for (let symbol = 0; symbol < lengths.length; symbol += 1) {
    const length = lengths[symbol]!;
    if (length === 0) continue;
    codes[symbol] = reversed(next[length]!, length);
    next[length]! += 1;
  }
  return codes;
};

const reversed = (code: number, bits: number): number => {
  let rest = code;
  let result = 0;
  for (let i = 0; i < bits; i += 1, rest >>>= 1) result = (result << 1) | (rest & 1);
  return result;
};
