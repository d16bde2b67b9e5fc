/** Filter types: PNG (third edition), 9.2. */
export const FILTER = { none: 0, up: 2, paeth: 4 } as const;

/**
 * Filters all rows in place: subtracts from every byte the byte above it. `stride` is the length of a row with its
 * filter byte.
 */
export function filterUp(scanlines: Uint8Array, stride: number): void {
  // From the last row upwards, so that the row that is subtracted is not filtered yet.
  for (let start = scanlines.length - stride; start >= 0; start -= stride) {
    scanlines[start] = FILTER.up;
    if (start === 0) return;
    for (let i = start + 1; i < start + stride; i += 1) scanlines[i]! -= scanlines[i - stride]!;
  }
}
