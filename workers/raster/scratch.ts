let scratch = new Uint8Array(0);

/**
 * Returns zeroed bytes in which a picture's scanlines are put together. There is one buffer in a thread, as large as
 * its largest picture so far (4 MB at 2000 px). The next call returns the same bytes again, so callers must not keep
 * them. Fresh memory for every picture would cost a tenth of the time to draw it.
 */
export function zeroedScratch(lengthBytes: number): Uint8Array {
  if (scratch.length < lengthBytes) scratch = new Uint8Array(lengthBytes);
  return scratch.subarray(0, lengthBytes).fill(0);
}
