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
): { readonly places: Uint32Array; readonly shares: Float32Array } => {
  const places = new Uint32Array(fromPx);
  const shares = new Float32Array(fromPx);
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
  let sums = new Float32Array(fromX);
  let nextSums = new Float32Array(fromX);

  const writeRow = (y: number): void => {
    const out = new Float32Array(widthPx + 1);
    for (let x = 0; x < fromX; x += 1) {
      const place = columns.places[x]!;
      const sum = sums[x]!;
      const own = sum * columns.shares[x]!;
      out[place] = out[place]! + own;
      out[place + 1] = out[place + 1]! + sum - own;
    }
    for (let x = 0; x < widthPx; x += 1) reduced[y * widthPx + x] = out[x]! / area + 0.5;
    [sums, nextSums] = [nextSums, sums];
    nextSums.fill(0);
  };

  for (let y = 0; y < fromY; y += 1) {
    const share = rows.shares[y]!;
    const at = y * fromX;
    if (share === 1) for (let x = 0; x < fromX; x += 1) sums[x] = sums[x]! + data[at + x]!;
    else {
      for (let x = 0; x < fromX; x += 1) {
        const value = data[at + x]!;
        sums[x] = sums[x]! + value * share;
        nextSums[x] = nextSums[x]! + value * (1 - share);
      }
    }
    if (y === fromY - 1 || rows.places[y + 1] !== rows.places[y]) writeRow(rows.places[y]!);
  }
  return { widthPx, heightPx, data: reduced };
};

/** The weights from the middle outwards. */
const weightsOf = (sigmaPx: number): Float32Array => {
  const weights = new Float32Array(Math.ceil(3 * sigmaPx) + 1);
  for (let i = 0; i < weights.length; i += 1) weights[i] = Math.exp(-(i ** 2) / (2 * sigmaPx ** 2));
  const total = weights.reduce((sum, weight) => sum + 2 * weight, -weights[0]!);
  return weights.map((weight) => weight / total);
};

/** Blurs each row. The result has columns as rows. Beyond its edges a row goes on as it ends. */
const blurRows = (from: Uint8Array, px: number, rows: number, weights: Float32Array): Uint8Array => {
  const to = new Uint8Array(px * rows);
  const radius = weights.length - 1;
  const row = new Float32Array(px + 2 * radius);
  for (let y = 0; y < rows; y += 1) {
    row.fill(from[y * px]!, 0, radius);
    row.set(from.subarray(y * px, (y + 1) * px), radius);
    row.fill(from[(y + 1) * px - 1]!, radius + px);
    for (let x = 0; x < px; x += 1) {
      const middle = x + radius;
      let sum = weights[0]! * row[middle]!;
      for (let i = 1; i <= radius; i += 1) sum += weights[i]! * (row[middle - i]! + row[middle + i]!);
      to[x * rows + y] = sum + 0.5;
    }
  }
  return to;
};

/** Returns the picture blurred by a Gaussian with this standard deviation. */
export const blur = ({ widthPx, heightPx, data }: Luma, sigmaPx: number): Luma => {
  const weights = weightsOf(sigmaPx);
  const columns = blurRows(data, widthPx, heightPx, weights);
  return { widthPx, heightPx, data: blurRows(columns, heightPx, widthPx, weights) };
};

/** Returns the picture under a condition. @param modulePx Side of a module in the picture. */
export const underCondition = (luma: Luma, condition: Condition, modulePx: number): Luma => {
  if (condition === 'sharp') return luma;
  const seenPx = condition === 'small' ? SMALL_MODULE_PX : BLURRED_MODULE_PX;
  const scale = Math.min(1, seenPx / modulePx);
  const seen = scale < 1 ? reduce(luma, scale) : luma;
  return condition === 'small' ? seen : blur(seen, BLUR_SIGMA_MODULES * modulePx * scale);
};
