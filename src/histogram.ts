/** Counts of observations by upper bound. */
export interface HistogramSnapshot {
  /** Inclusive upper bounds, ascending. */
  readonly bounds: readonly number[];
  /** Observations in each bucket, not cumulative. The last bucket has no bound, so there is one more than `bounds`. */
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/**
 * Makes a histogram without observations.
 *
 * @param bounds Inclusive upper bounds, ascending.
 */
export const createHistogram = (bounds: readonly number[]) => {
  const counts = new Array<number>(bounds.length + 1).fill(0);
  let sum = 0;
  let count = 0;
  return {
    observe(value: number): void {
      const bucket = bounds.findIndex((bound) => value <= bound);
      counts[bucket === -1 ? bounds.length : bucket]! += 1;
      sum += value;
      count += 1;
    },
    snapshot: (): HistogramSnapshot => ({ bounds, counts: [...counts], sum, count }),
  };
};
