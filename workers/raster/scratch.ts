let scratch = new Uint8Array(0);

/**
 * Zeroed bytes to put scanlines together in. One buffer a thread, as large as its largest picture yet (4 MB at
 * 2000 px): the next call gives the same bytes out again, so they must not be kept. Fresh memory for every
 * picture costs a tenth of the time to draw it.
 */
export function zeroedScratch(lengthBytes: number): Uint8Array {
  if (scratch.length < lengthBytes) scratch = new Uint8Array(lengthBytes);
  return scratch.subarray(0, lengthBytes).fill(0);
}
