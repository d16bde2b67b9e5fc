/** Medians and spreads of a few repeated measurements. */

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** Linear interpolation between the closest ranks (Hyndman and Fan 1996, type 7). NaN of nothing. */
export const quantile = (values: readonly number[], share: number): number => {
  const ordered = sorted(values);
  if (ordered.length === 0) return Number.NaN;
  const rank = share * (ordered.length - 1);
  const low = ordered[Math.floor(rank)]!;
  const high = ordered[Math.ceil(rank)]!;
  return low + (high - low) * (rank - Math.floor(rank));
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const mean = (values: readonly number[]): number => sum(values) / values.length;

/** What was measured several times: the median, and how far the rounds lie apart. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** (max - min) / median. */
  readonly spread: number;
}

export const summarize = (values: readonly number[]): Summary => {
  const middle = median(values);
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return { median: middle, min, max, spread: middle === 0 ? 0 : (max - min) / middle };
};

/** Round by round, so that what slowed a whole round down cancels out. */
export const pairedRatios = (values: readonly number[], base: readonly number[]): number[] =>
  values.flatMap((value, round) => {
    const other = base[round];
    return other === undefined || other === 0 ? [] : [value / other];
  });
