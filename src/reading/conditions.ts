/** The conditions under which a picture is read. Pure functions from picture to picture. */
import type { Luma } from './png.ts';

const WEIGHT_BITS = 16;
const HALF = 1 << (WEIGHT_BITS - 1);
/**
 * Pixels on each side that count: three standard deviations of the widest blur, 1.2 px. All those beyond add less than
 * half a level.
 */
const RADIUS = 3;

/** The weights from the middle outwards, in parts of 2 ** `WEIGHT_BITS`. */
const weightsOf = (sigmaPx: number): readonly [number, number, number, number] => {
  const exact = Array.from({ length: RADIUS + 1 }, (_, i) => Math.exp(-(i ** 2) / (2 * sigmaPx ** 2)));
  const total = exact.reduce((sum, weight) => sum + 2 * weight, -exact[0]!);
  const [, one, two, three] = exact.map((weight) => Math.round((weight / total) * 2 ** WEIGHT_BITS));
  return [2 ** WEIGHT_BITS - 2 * (one! + two! + three!), one!, two!, three!];
};

type Weights = ReturnType<typeof weightsOf>;

/** Writes a row, blurred by those above and below it, to the middle of `line`. */
const blurDown = ({ data, widthPx, heightPx }: Luma, y: number, weights: Weights, line: Uint8Array): void => {
  const [w0, w1, w2, w3] = weights;
  const startOf = (row: number): number => Math.min(Math.max(row, 0), heightPx - 1) * widthPx;
  const [a3, a2, a1] = [startOf(y - 3), startOf(y - 2), startOf(y - 1)];
  const [b1, b2, b3] = [startOf(y + 1), startOf(y + 2), startOf(y + 3)];
  const middle = y * widthPx;
  for (let x = 0; x < widthPx; x += 1) {
    const sum =
      Math.imul(w0, data[middle + x]!) +
      Math.imul(w1, data[a1 + x]! + data[b1 + x]!) +
      Math.imul(w2, data[a2 + x]! + data[b2 + x]!) +
      Math.imul(w3, data[a3 + x]! + data[b3 + x]!);
    line[x + RADIUS] = (sum + HALF) >> WEIGHT_BITS;
  }
};

const blurAcross = (line: Uint8Array, weights: Weights, to: Uint8Array): void => {
  const [w0, w1, w2, w3] = weights;
  for (let x = 0; x < to.length; x += 1) {
    const sum =
      Math.imul(w0, line[x + 3]!) +
      Math.imul(w1, line[x + 2]! + line[x + 4]!) +
      Math.imul(w2, line[x + 1]! + line[x + 5]!) +
      Math.imul(w3, line[x]! + line[x + 6]!);
    to[x] = (sum + HALF) >> WEIGHT_BITS;
  }
};

/** Returns the picture blurred by a Gaussian with this standard deviation. Its edge pixels repeat beyond the edges. */
export const blur = (picture: Luma, sigmaPx: number): Luma => {
  const { data, widthPx, heightPx } = picture;
  const weights = weightsOf(sigmaPx);
  const blurred = new Uint8Array(data.length);
  const line = new Uint8Array(widthPx + 2 * RADIUS);
  for (let y = 0; y < heightPx; y += 1) {
    blurDown(picture, y, weights, line);
    line.fill(line[RADIUS]!, 0, RADIUS);
    line.fill(line[widthPx + RADIUS - 1]!, widthPx + RADIUS);
    blurAcross(line, weights, blurred.subarray(y * widthPx, (y + 1) * widthPx));
  }
  return { widthPx, heightPx, data: blurred };
};

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
const sumPlaces = (from: Uint8Array, { pixels, shares }: Ends, sums: Uint32Array, to: Float64Array): void => {
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
};

/** Halves go up, whatever the order of their sums: pixels that are half dark are all the same then. */
const ROUNDING = 0.5 + 1e-6;

const addTimes = (to: Float64Array, row: Float64Array, times: number): void => {
  for (let x = 0; x < to.length; x += 1) to[x] = to[x]! + times * row[x]!;
};

/**
 * Returns the picture at `scale` of its size, which must be at most 1. Each pixel is the mean of the area it covers.
 */
export const reduce = ({ data, widthPx: fromX, heightPx: fromY }: Luma, scale: number): Luma => {
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
};

/**
 * `sharp`: the picture as it is. `blurred`: out of focus. `small`: seen from afar. The sizes of the last two are in
 * modules, so that they mean the same for a small and a large picture.
 */
export const CONDITIONS = ['sharp', 'blurred', 'small'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Pixels a module of a picture that is seen from afar: most phones read no less. */
export const SMALL_MODULE_PX = 3;
/** Pixels a module of a picture that is out of focus: a phone at reading distance. */
export const BLURRED_MODULE_PX = 4;
/** Standard deviation of the Gaussian, in modules. */
const BLUR_SIGMA_MODULES = 0.3;

/** For the receipt: what each condition is. */
export const CONDITION_TEXTS: Readonly<Record<Condition, string>> = {
  sharp: 'the picture as it is, on white',
  blurred: `reduced to ${BLURRED_MODULE_PX} pixels a module where it has more, then blurred by a Gaussian with a standard deviation of ${BLUR_SIGMA_MODULES} modules`,
  small: `reduced to ${SMALL_MODULE_PX} pixels a module where it has more`,
};

/** Returns the picture under a condition. @param modulePx Side of a module in the picture. */
export const underCondition = (luma: Luma, condition: Condition, modulePx: number): Luma => {
  if (condition === 'sharp') return luma;
  const seenPx = condition === 'small' ? SMALL_MODULE_PX : BLURRED_MODULE_PX;
  const scale = Math.min(1, seenPx / modulePx);
  const seen = scale < 1 ? reduce(luma, scale) : luma;
  return condition === 'small' ? seen : blur(seen, BLUR_SIGMA_MODULES * modulePx * scale);
};
