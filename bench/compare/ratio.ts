/** By how much a figure changed, and how sure that is, where rounds scatter log-normally. Pure. */
import { mean, median } from '../stats.ts';
import type { Figure, Kind } from './figures.ts';

/** The quantile of the normal distribution that 99 of 100 keep within: a report has a hundred figures, and each may be wrong. */
const Z = 2.576;
/** How far single measurements of one build differ, as a share: what is assumed where no round was repeated. */
const ASSUMED: Readonly<Record<Kind, number>> = {
  rate: 0.1,
  ratio: 0.1,
  latency: 0.25,
  cost: 0.08,
  'cost ratio': 0.1,
  other: 0.1,
};
/** Rounds that agree better than this agree by chance. */
const SPREAD_MIN = 0.01;
/** Fewer residuals say too little about a spread. */
const RESIDUALS_MIN = 4;

/** A change from one side to another. */
export interface Ratio {
  /** After divided by before. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  /** Whether the spread was assumed, since no round was repeated. */
  readonly isAssumed: boolean;
}

/** Logarithms of rounds against their median, widened by what the median takes away. Empty for a single round. */
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
 * Learns from all figures of a side how its rounds scatter, by the kind of figure: three rounds of one scenario say
 * little, and those of all scenarios say enough. A figure that scatters more than the others of its kind keeps its own
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

/** The variance of the median of so many normal values of variance 1, within 3 %. */
const varianceOfMedian = (count: number): number => Math.PI / (2 * count + Math.PI - 2);

/** Returns the change of a figure; `null` where a side has no rounds above 0, so that there is no ratio. */
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
