/**
 * By how much a figure changed, and how sure that is: a bootstrap of the residuals of rounds (Efron, "Bootstrap
 * Methods", 1979). Pure; the same rounds give the same interval.
 */
import { createRandom } from '../random.ts';
import { mean, median, quantile } from '../stats.ts';
import type { Figure, Kind } from './figures.ts';

const DRAWS = 2000;
const SEED = 1979;
/** 99 of 100 drawn ratios lie between these: a report has a hundred figures, and each may be wrong. */
const ENDS = [0.005, 0.995] as const;
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
const RESIDUALS_MIN = 6;

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
  Math.sqrt(mean(residuals.map((residual) => residual ** 2)));

/** What residuals of this spread look like when they are normal: halfway through each of twenty equal shares. */
const normal = (spread: number): number[] =>
  [0.06, 0.19, 0.32, 0.45, 0.6, 0.76, 0.93, 1.15, 1.44, 1.96].flatMap((z) => [-z * spread, z * spread]);

/** How rounds of one side scatter. */
export type Scatter = (figure: Figure) => {
  readonly residuals: readonly number[];
  readonly isAssumed: boolean;
};

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
    const all = isAssumed ? normal(ASSUMED[kind]) : pool;
    const usual = spreadOf(all);
    const own = spreadOf(residualsOf(values)) || 0;
    const wanted = Math.max(usual, own, SPREAD_MIN);
    const residuals = usual < SPREAD_MIN ? normal(wanted) : all.map((one) => (one * wanted) / usual);
    return { residuals, isAssumed };
  };
};

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
  const [from, to] = sides as [(typeof sides)[number], (typeof sides)[number]];
  const random = createRandom(SEED);
  const draw = ({ residuals, rounds }: typeof from): number =>
    median(Array.from({ length: rounds }, () => residuals[Math.floor(random() * residuals.length)]!));
  const ratio = to.middle / from.middle;
  const drawn = Array.from({ length: DRAWS }, () => ratio * Math.exp(draw(to) - draw(from)));
  return {
    ratio,
    low: Math.min(ratio, quantile(drawn, ENDS[0])),
    high: Math.max(ratio, quantile(drawn, ENDS[1])),
    isAssumed: sides.some(({ isAssumed }) => isAssumed),
  };
};
