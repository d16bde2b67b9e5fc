/**
 * Estimates a capacity from steps of load on both sides of it. Pure.
 *
 * The share of requests that are slower than the objective allows grows with the rate. It is fitted by a logistic curve
 * over the logarithm of the rate (quasi-likelihood: Wedderburn 1974); the capacity is where it crosses the allowed
 * share. Shares of several steps average to the share in the long run, which percentiles do not.
 *
 * Neighbouring steps are alike where the machine has good and bad minutes, so the steps do not count one by one: each
 * group of consecutive steps gives a capacity of its own, and Student's t over the groups gives the interval (Ibragimov
 * and Müller: "t-Statistic Based Correlation and Heterogeneity Robust Inference", 2010).
 */
import { largest, mean, sum } from '../stats.ts';

/** Requests at one rate, and how many of them were too slow. */
export type Point = Readonly<Record<'ratePerS' | 'over' | 'of', number>>;

/** The rate at which the objective is just met in the long run, with a 99 % interval. */
export type Estimate = Readonly<Record<'perS' | 'low' | 'high', number>>;

/** The curve: the logarithm of the rate at which it crosses the allowed share, and its slope there. */
export type Curve = Readonly<Record<'root' | 'slope', number>>;

/** The slope of the curve before there are data: a tenth more load makes seven times as many slow answers. */
const SLOPE = 20;
const SLOPE_MAX = 300;
/** Weight of that guess, as a share of the data: it only counts when the steps do not determine the slope. */
const GUESS = 1e-6;
const ITERATIONS = 60;
/** Quantiles of Student's t for 99 % of both sides, by degrees of freedom from 1 on. */
const T_99 = [63.66, 9.92, 5.84, 4.6, 4.03, 3.71, 3.5, 3.36, 3.25];
/** The curve is only nearly logistic: no interval is narrower than this to either side. */
const HALF_WIDTH_MIN = 0.025;

const logistic = (z: number): number => 1 / (1 + Math.exp(-Math.max(-30, Math.min(30, z))));
const logit = (share: number): number => Math.log(share / (1 - share));

/** Fits the curve by Newton's method; `null` when the share does not grow with the rate. */
export const fitCurve = (points: readonly Point[], allowed: number): Curve | null => {
  const total = sum(points.map(({ of }) => of));
  const center = sum(points.map(({ ratePerS, of }) => of * Math.log(ratePerS))) / total;
  let [level, slope] = [logit(allowed), SLOPE];
  for (let n = 0; n < ITERATIONS; n += 1) {
    const guess = GUESS * total;
    let [ll, ls, ss, gl, gs] = [0, 0, guess, 0, guess * (SLOPE - slope)];
    for (const { ratePerS, over, of } of points) {
      const z = Math.log(ratePerS) - center;
      const share = logistic(level + slope * z);
      const weight = of * Math.max(1e-9, share * (1 - share));
      [ll, ls, ss] = [ll + weight, ls + weight * z, ss + weight * z * z];
      [gl, gs] = [gl + over - of * share, gs + (over - of * share) * z];
    }
    const determinant = ll * ss - ls * ls;
    if (!(determinant > 0)) break;
    const [byLevel, bySlope] = [(ss * gl - ls * gs) / determinant, (ll * gs - ls * gl) / determinant];
    const damping = Math.max(1, Math.abs(byLevel) / 2, Math.abs(bySlope) / SLOPE);
    level += byLevel / damping;
    slope = Math.min(SLOPE_MAX, slope + bySlope / damping);
  }
  return slope > 0 ? { root: center + (logit(allowed) - level) / slope, slope } : null;
};

/** Returns where a curve of that slope crosses the allowed share, from a few steps. */
const rootOf = (points: readonly Point[], allowed: number, { root, slope }: Curve): number =>
  largest(root - 1, root + 1, (at) => {
    const excess = points.map(
      ({ ratePerS, over, of }) =>
        // A quarter of a slow answer more, so that a group without one has a root.
        over + 0.25 - (of + 0.5) * logistic(logit(allowed) + slope * (Math.log(ratePerS) - at)),
    );
    return sum(excess) <= 0;
  });

/**
 * Returns the capacity and its interval.
 * @param groups At least two groups of steps, each with steps on both sides of the capacity.
 */
export const estimate = (curve: Curve, groups: readonly (readonly Point[])[], allowed: number): Estimate => {
  const roots = groups.map((group) => rootOf(group, allowed, curve));
  const middle = mean(roots);
  const variance = sum(roots.map((root) => (root - middle) ** 2)) / (roots.length - 1);
  const t = T_99[Math.min(T_99.length, roots.length - 1) - 1]!;
  const half = Math.max(HALF_WIDTH_MIN, t * Math.sqrt(variance / roots.length));
  return {
    perS: Math.exp(curve.root),
    low: Math.exp(Math.min(curve.root, middle) - half),
    high: Math.exp(Math.max(curve.root, middle) + half),
  };
};
