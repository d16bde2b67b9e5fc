/** The change of a figure and its confidence interval, assuming that rounds scatter log-normally. Pure. */
import { mean, median } from '../stats.ts';
import type { Figure, Kind } from './figures.ts';

/** Quantile of the normal distribution for 99 % intervals. */
const Z = 2.576;
const ALPHA = 0.01;
/** How far single measurements of one build differ, as a share: assumed where there is only one round. */
const ASSUMED: Readonly<Record<Kind, number>> = {
  rate: 0.1,
  ratio: 0.1,
  latency: 0.25,
  cost: 0.08,
  'cost ratio': 0.1,
  other: 0.1,
};
/** Rounds that agree more closely than this do so by chance. */
const SPREAD_MIN = 0.01;
/** Fewer residuals than this do not determine a spread. */
const RESIDUALS_MIN = 4;

/** A change from one side to another. */
export interface Ratio {
  /** After divided by before. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  /** Whether the spread was assumed, because there was only one round. */
  readonly isAssumed: boolean;
}

/** Logarithms of rounds relative to their median, scaled up for its degree of freedom. Empty for a single round. */
const residualsOf = (values: readonly number[]): number[] => {
  if (values.length < 2 || values.some((value) => value <= 0)) return [];
  const middle = Math.log(median(values));
  const widened = Math.sqrt(values.length / (values.length - 1));
  return values.map((value) => widened * (Math.log(value) - middle));
};

const spreadOf = (residuals: readonly number[]): number =>
  residuals.length === 0 ? 0 : Math.sqrt(mean(residuals.map((residual) => residual ** 2)));

/** The standard deviation of the logarithms of a figure's rounds. */
export type Scatter = (figure: Figure) => { readonly spread: number; readonly isAssumed: boolean };

/**
 * Estimates the spread of rounds for each kind of figure from all figures of a side: three rounds of one scenario are
 * too few, those of all scenarios are enough. A figure that scatters more than the others of its kind keeps its own
 * spread.
 */
export const scatterOf = (figures: readonly Figure[]): Scatter => {
  const pools = new Map<Kind, number[]>();
  for (const { kind, values } of figures)
    pools.set(kind, [...(pools.get(kind) ?? []), ...residualsOf(values)]);
  return ({ kind, values }) => {
    const pool = pools.get(kind) ?? [];
    const isAssumed = pool.length < RESIDUALS_MIN;
    const usual = isAssumed ? ASSUMED[kind] : spreadOf(pool);
    return { spread: Math.max(usual, spreadOf(residualsOf(values)), SPREAD_MIN), isAssumed };
  };
};

/** The quantile that a normal value exceeds with probability `p`: Abramowitz and Stegun, 26.2.23, to 0.0005. */
const quantileAbove = (p: number): number => {
  const t = Math.sqrt(-2 * Math.log(p));
  const below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / below;
};

/**
 * Widens a 99 % interval so far that all `count` intervals of a comparison hold 99 times of 100 (Bonferroni): of a
 * hundred figures, one always is beyond its own.
 */
export const together = (
  { low, high }: Pick<Ratio, 'low' | 'high'>,
  count: number,
): Pick<Ratio, 'low' | 'high'> => {
  const factor = (high / low) ** ((quantileAbove(ALPHA / count / 2) / Z - 1) / 2);
  return { low: low / factor, high: high * factor };
};

/** The variance of the median of `count` normal values of variance 1, accurate to 3 %. */
const varianceOfMedian = (count: number): number => Math.PI / (2 * count + Math.PI - 2);

/** Returns the change of a figure; `null` when a side has no rounds above 0 and therefore no ratio. */
export const ratioOf = (
  before: { readonly figure: Figure; readonly scatter: Scatter },
  after: { readonly figure: Figure; readonly scatter: Scatter },
): Ratio | null => {
  const sides = [before, after].map(({ figure, scatter }) => ({
    middle: median(figure.values),
    rounds: figure.values.length,
    ...scatter(figure),
  }));
  if (sides.some(({ middle }) => !(middle > 0))) return null;
  const ratio = sides[1]!.middle / sides[0]!.middle;
  const variance = sides.reduce((sum, { spread, rounds }) => sum + spread ** 2 * varianceOfMedian(rounds), 0);
  const factor = Math.exp(Z * Math.sqrt(variance));
  const isAssumed = sides.some((side) => side.isAssumed);
  return { ratio, low: ratio / factor, high: ratio * factor, isAssumed };
};
