/** The conditions under which a picture is read. Pure functions from picture to picture. */
import type { Luma } from './luma.ts';

/**
 * `sharp`: the picture as it is. `blurred`: out of focus. `small`: seen from afar. The sizes of the last two are in
 * modules, so that they mean the same for a small and a large picture.
 */
export const CONDITIONS = ['sharp', 'blurred', 'small'] as const;
/** One of `CONDITIONS`. */
export type Condition = (typeof CONDITIONS)[number];

/** Pixels a module of a picture that is seen from afar: most phones read no less. */
export const SMALL_MODULE_PX = 3;
/** Pixels a module of a picture that is out of focus: a phone at reading distance. */
export const BLURRED_MODULE_PX = 4;
/** Standard deviation of the Gaussian, in modules. */
export const BLUR_SIGMA_MODULES = 0.3;

/** For the receipt: what each condition is. */
export const CONDITION_TEXTS: Readonly<Record<Condition, string>> = {
  sharp: 'the picture as it is, on white',
  blurred: `reduced to ${BLURRED_MODULE_PX} pixels a module where it has more, then blurred by a Gaussian with a standard deviation of ${BLUR_SIGMA_MODULES} modules`,
  small: `reduced to ${SMALL_MODULE_PX} pixels a module where it has more`,
};

/** How much of each row (or column) goes to its place in the reduced picture; the rest goes to the next place. */
const sharesOf = (
  fromPx: number,
  toPx: number,
): { readonly places: Uint32Array; readonly shares: Float64Array } => {
  const places = new Uint32Array(fromPx);
  const shares = new Float64Array(fromPx);
  const step = fromPx / toPx;
  for (let i = 0; i < fromPx; i += 1) {
    const place = Math.min(toPx - 1, Math.floor(i / step));
    places[i] = place;
    shares[i] = place === toPx - 1 ? 1 : Math.min(1, (place + 1) * step - i);
  }
  return { places, shares };
};

/** Returns the picture at `scale` of its size, which must be at most 1. Each pixel is the mean of the area it covers. */
export const reduce = ({ data, widthPx: fromX, heightPx: fromY }: Luma, scale: number): Luma => {
  const widthPx = Math.max(1, Math.round(fromX * scale));
  const heightPx = Math.max(1, Math.round(fromY * scale));
  const columns = sharesOf(fromX, widthPx);
  const rows = sharesOf(fromY, heightPx);
  const area = (fromX / widthPx) * (fromY / heightPx);
  const reduced = new Uint8Array(widthPx * heightPx);
  // One place more takes the rest of the last column, which is none.
  const row = new Float64Array(widthPx + 1);
  const sums = new Float64Array(widthPx);
  let before: Uint8Array | null = null;
  /** Rows like `row` that the sums do not have yet. */
  let pending = 0;

  const addPending = (): void => {
    for (let x = 0; x < widthPx; x += 1) sums[x] = sums[x]! + pending * row[x]!;
    pending = 0;
  };

  for (let y = 0; y < fromY; y += 1) {
    const own = data.subarray(y * fromX, (y + 1) * fromX);
    // Most rows of a code are like the one above, so they are reduced once and added together.
    if (before === null || Buffer.compare(own, before) !== 0) {
      addPending();
      reduceRow(own, columns, row);
    }
    before = own;
    const share = rows.shares[y]!;
    pending += share;
    if (share === 1 && y < fromY - 1 && rows.places[y + 1] === rows.places[y]) continue;
    addPending();
    const at = rows.places[y]! * widthPx;
    for (let x = 0; x < widthPx; x += 1) {
      reduced[at + x] = sums[x]! / area + 0.5;
      sums[x] = 0;
    }
    pending = 1 - share;
  }
  return { widthPx, heightPx, data: reduced };
};

const reduceRow = (
  from: Uint8Array,
  { places, shares }: ReturnType<typeof sharesOf>,
  to: Float64Array,
): void => {
  to.fill(0);
  for (let x = 0; x < from.length; x += 1) {
    const place = places[x]!;
    const value = from[x]!;
    const own = value * shares[x]!;
    to[place] = to[place]! + own;
    to[place + 1] = to[place + 1]! + value - own;
  }
};

const WEIGHT_BITS = 16;
const HALF = 1 << (WEIGHT_BITS - 1);
/** Pixels on each side that count: three standard deviations of the widest blur, 1.2 px, and less than half a level beyond. */
const RADIUS = 3;

/** The weights from the middle outwards, in parts of 2 ** `WEIGHT_BITS`. */
const weightsOf = (sigmaPx: number): readonly [number, number, number, number] => {
  const exact = Array.from({ length: RADIUS + 1 }, (_, i) => Math.exp(-(i ** 2) / (2 * sigmaPx ** 2)));
  const total = exact.reduce((sum, weight) => sum + 2 * weight, -exact[0]!);
  const [, one, two, three] = exact.map((weight) => Math.round((weight / total) * 2 ** WEIGHT_BITS));
  return [2 ** WEIGHT_BITS - 2 * (one! + two! + three!), one!, two!, three!];
};

/** Writes the weighted mean of lines of pixels, of which `lines[3]` is the middle, to `to`. */
const mix = (lines: readonly Uint8Array[], weights: ReturnType<typeof weightsOf>, to: Uint8Array): void => {
  const [w0, w1, w2, w3] = weights;
  const [a3, a2, a1, middle, b1, b2, b3] = lines;
  for (let x = 0; x < to.length; x += 1) {
    const sum =
      Math.imul(w0, middle![x]!) +
      Math.imul(w1, a1![x]! + b1![x]!) +
      Math.imul(w2, a2![x]! + b2![x]!) +
      Math.imul(w3, a3![x]! + b3![x]!);
    to[x] = (sum + HALF) >> WEIGHT_BITS;
  }
};

const LINES = Array.from({ length: 2 * RADIUS + 1 }, (_, i) => i);

/** Returns the picture blurred by a Gaussian with this standard deviation. Beyond its edges it goes on as it ends. */
export const blur = ({ data, widthPx, heightPx }: Luma, sigmaPx: number): Luma => {
  const weights = weightsOf(sigmaPx);
  const across = new Uint8Array(data.length);
  const down = new Uint8Array(data.length);
  const padded = new Uint8Array(widthPx + 2 * RADIUS);
  const shifted = LINES.map((x) => padded.subarray(x, x + widthPx));
  const rowOf = (from: Uint8Array, y: number): Uint8Array => {
    const at = Math.min(Math.max(y, 0), heightPx - 1) * widthPx;
    return from.subarray(at, at + widthPx);
  };
  for (let y = 0; y < heightPx; y += 1) {
    const row = rowOf(data, y);
    padded.fill(row[0]!, 0, RADIUS);
    padded.set(row, RADIUS);
    padded.fill(row[widthPx - 1]!, RADIUS + widthPx);
    mix(shifted, weights, rowOf(across, y));
  }
  for (let y = 0; y < heightPx; y += 1) {
    mix(
      LINES.map((i) => rowOf(across, y + i - RADIUS)),
      weights,
      rowOf(down, y),
    );
  }
  return { widthPx, heightPx, data: down };
};

/** Returns the picture under a condition. @param modulePx Side of a module in the picture. */
export const underCondition = (luma: Luma, condition: Condition, modulePx: number): Luma => {
  if (condition === 'sharp') return luma;
  const seenPx = condition === 'small' ? SMALL_MODULE_PX : BLURRED_MODULE_PX;
  const scale = Math.min(1, seenPx / modulePx);
  const seen = scale < 1 ? reduce(luma, scale) : luma;
  return condition === 'small' ? seen : blur(seen, BLUR_SIGMA_MODULES * modulePx * scale);
};
