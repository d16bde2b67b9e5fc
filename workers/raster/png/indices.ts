/** Returns the smallest bit depth of PNG that holds an index into that many colours. */
export function indexBits(colors: number): 1 | 2 | 4 | 8 {
  if (colors <= 2) return 1;
  if (colors <= 4) return 2;
  return colors <= 16 ? 4 : 8;
}

/**
 * Writes one row of indices from byte `start` on, the leftmost pixel in the highest bits: PNG (third edition), 7.2.
 */
export function packIndices(indices: Uint8Array, bitDepth: number, into: Uint8Array, start: number): void {
  if (bitDepth === 8) {
    into.set(indices, start);
    return;
  }
  for (let x = 0, at = start; x < indices.length; at += 1) {
    let byte = 0;
    for (let shift = 8 - bitDepth; shift >= 0 && x < indices.length; shift -= bitDepth, x += 1) {
      byte |= indices[x]! << shift;
    }
    into[at] = byte;
  }
}
