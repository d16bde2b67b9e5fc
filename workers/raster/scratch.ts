let bytes = new Uint8Array(0);
let words = new Int32Array(0);

/**
 * Returns bytes in which a picture's scanlines are put together, with what an earlier picture wrote. There is one buffer
 * in a thread, as large as its largest picture so far (4 MB at 2000 px, 16 MB in true colour). The next call returns the
 * same bytes again, so callers must not keep them. Fresh memory for every picture would cost a tenth of the time to draw
 * it.
 */
export function scratchBytes(lengthBytes: number): Uint8Array {
  if (bytes.length < lengthBytes) bytes = new Uint8Array(lengthBytes);
  return bytes.subarray(0, lengthBytes);
}

/** Returns words in which a picture's pixels are put together: memory of its own, under the same rules. */
export function scratchWords(length: number): Int32Array {
  if (words.length < length) words = new Int32Array(length);
  return words.subarray(0, length);
}
