/** Filter types of PNG (third edition), 9.2. */
export const FILTER = { none: 0, up: 2, paeth: 4 } as const;

/** Every byte minus the one above it, for all rows. `stride` is a row's length with its filter byte. */
export function filterUp(scanlines: Uint8Array, stride: number): void {
  // Upwards, so that what is subtracted isn't filtered yet.
  for (let start = scanlines.length - stride; start >= 0; start -= stride) {
    scanlines[start] = FILTER.up;
    if (start === 0) return;
    for (let i = start + 1; i < start + stride; i += 1) scanlines[i]! -= scanlines[i - stride]!;
  }
}
