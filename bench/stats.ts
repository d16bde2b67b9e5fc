/** Sums, medians and spreads of a few repeated measurements, and what else is computed in many places. */

/**
 * Returns a quantile, interpolated linearly between the closest ranks (Hyndman and Fan 1996, type 7). NaN without
 * values.
 */
export const quantile = (values: readonly number[], share: number): number => {
  const ordered = [...values].sort((a, b) => a - b);
  if (ordered.length === 0) return Number.NaN;
  const rank = share * (ordered.length - 1);
  const low = ordered[Math.floor(rank)]!;
  const high = ordered[Math.ceil(rank)]!;
  return low + (high - low) * (rank - Math.floor(rank));
};

/** Returns the middle value, or the mean of the two middle ones. NaN without values. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Adds up the values; 0 without values. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns the arithmetic mean. NaN without values. */
export const mean = (values: readonly number[]): number => sum(values) / values.length;

const HALVINGS = 50;
/** Returns the largest number between the two that fits, by bisection: what is smaller fits, too. */
export const largest = (least: number, most: number, fits: (value: number) => boolean): number => {
  let [low, high] = [least, most];
  for (let n = 0; n < HALVINGS; n += 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
};

/** Returns a record with a value for each name. */
export const recordOf = <K extends string, V>(names: readonly K[], of: (name: K) => V): Record<K, V> =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<K, V>;

/** The median of repeated measurements, and how far they lie apart: `spread` is (max - min) / median. */
export type Summary = Readonly<Record<'median' | 'min' | 'max' | 'spread', number>>;

/** Summarizes at least one value. */
export const summarize = (values: readonly number[]): Summary => {
  const middle = median(values);
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return { median: middle, min, max, spread: middle === 0 ? 0 : (max - min) / middle };
};

/**
 * Divides round by round, so that a disturbance of a whole round cancels out. Skips rounds whose base is missing or 0.
 */
export const pairedRatios = (values: readonly number[], base: readonly number[]): number[] =>
  values.flatMap((value, round) => {
    const other = base[round];
    return other === undefined || other === 0 ? [] : [value / other];
  });

/**
 * Creates a generator of numbers between 0 and 1, the same for the same seed: Lehmer's with the constants of Park and
 * Miller (1988).
 */
export const createRandom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};
