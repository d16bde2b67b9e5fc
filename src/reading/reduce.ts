import type { Luma } from './luma.ts';

/** Where each place of a reduced row ends in the row, which is where the next one begins. */
interface Ends {
  readonly pixels: Uint32Array;
  /** How much of that pixel comes before the end. */
  readonly shares: Float64Array;
}

const endsOf = (fromPx: number, toPx: number): Ends => {
  const ends = Float64Array.from({ length: toPx }, (_, i) => ((i + 1) * fromPx) / toPx);
  const pixels = Uint32Array.from(ends, (end) => Math.min(fromPx - 1, Math.floor(end)));
  return { pixels, shares: ends.map((end, i) => end - pixels[i]!) };
};

/** Writes the sum of the pixels that each place covers. @param sums Takes the sum of all pixels before each one. */
function sumPlaces(from: Uint8Array, { pixels, shares }: Ends, sums: Uint32Array, to: Float64Array): void {
  let sum = 0;
  for (let x = 0; x < from.length; x += 1) {
    sums[x] = sum;
    sum += from[x]!;
  }
  let start = 0;
  for (let i = 0; i < to.length; i += 1) {
    const pixel = pixels[i]!;
    const end = sums[pixel]! + shares[i]! * from[pixel]!;
    to[i] = end - start;
    start = end;
  }
}

/** Halves go up, whatever the order of their sums: pixels that are half dark are all the same then. */
const ROUNDING = 0.5 + 1e-6;

function addTimes(to: Float64Array, row: Float64Array, times: number): void {
  for (let x = 0; x < to.length; x += 1) to[x] = to[x]! + times * row[x]!;
}

/**
 * Returns the picture at `scale` of its size, which must be at most 1. Each pixel is the mean of the area it covers.
 */
export function reduce({ data, widthPx: fromX, heightPx: fromY }: Luma, scale: number): Luma {
  const widthPx = Math.max(1, Math.round(fromX * scale));
  const heightPx = Math.max(1, Math.round(fromY * scale));
  const across = endsOf(fromX, widthPx);
  const down = endsOf(fromY, heightPx);
  const area = (fromX * fromY) / (widthPx * heightPx);
  const reduced = new Uint8Array(widthPx * heightPx);
  const sums = new Uint32Array(fromX);
  const row = new Float64Array(widthPx);
  const column = new Float64Array(widthPx);
  let own = data.subarray(0, fromX);
  sumPlaces(own, across, sums, row);
  /** The current row, how much of it is taken, and how many rows like it are not yet added to the column. */
  let [y, taken, pending] = [0, 0, 0];
  for (let i = 0; i < heightPx; i += 1) {
    const end = down.pixels[i]!;
    while (y < end) {
      pending += 1 - taken;
      taken = 0;
      y += 1;
      const next = data.subarray(y * fromX, (y + 1) * fromX);
      // Most rows of a code are like the one above, so they are reduced once and added together.
      if (Buffer.compare(next, own) !== 0) {
        addTimes(column, row, pending);
        pending = 0;
        sumPlaces(next, across, sums, row);
      }
      own = next;
    }
    addTimes(column, row, pending + down.shares[i]! - taken);
    taken = down.shares[i]!;
    pending = 0;
    for (let x = 0; x < widthPx; x += 1) reduced[i * widthPx + x] = column[x]! / area + ROUNDING;
    column.fill(0);
  }
  return { widthPx, heightPx, data: reduced };
}
