/**
 * The Universal Scalability Law (Gunther: "A Simple Capacity Model of Massively Parallel Transaction Systems", 1993):
 * throughput of n workers X(n) = γ n / (1 + α (n - 1) + β n (n - 1)).
 */
import { createRandom, quantile, sum } from '../stats.ts';

/** A measured throughput. A number of workers may occur several times. */
export interface Level {
  /** Number of workers; here, of gateway processes. */
  readonly n: number;
  /** Work done per second. */
  readonly rate: number;
}

/** The law fitted to measured levels. */
export interface Usl {
  /** Throughput of one worker. */
  readonly gamma: number;
  /** Contention: the share of the work that only one worker can do at a time; at most 1. */
  readonly alpha: number;
  /** Coherency: the cost of keeping workers consistent with each other. */
  readonly beta: number;
  /** Number of workers beyond which throughput falls; Infinity when β is 0. */
  readonly peakN: number;
  /** 90 % intervals: nine of ten fits to resampled measurements lie within them. */
  readonly intervals: Readonly<Record<'alpha' | 'beta', Interval>>;
  /**
   * Whether the measurements determine the law: nine of ten fits to resampled measurements predict the throughput of
   * twice as many workers to within 25 %.
   */
  readonly isDetermined: boolean;
}

/** From the lower to the upper end. */
export type Interval = readonly [low: number, high: number];

type Law = Pick<Usl, 'gamma' | 'alpha' | 'beta'>;

const RESAMPLED = 400;
const SEED = 1993;
/** Nine of ten fits lie between these quantiles. */
const ENDS = [0.05, 0.95] as const;
const PREDICTION_SPREAD_MAX = 0.25;

/** Returns the throughput of `n` workers by the law. */
export const predict = ({ gamma, alpha, beta }: Law, n: number): number =>
  (gamma * n) / (1 + alpha * (n - 1) + beta * n * (n - 1));

/** Solves the normal equations of least squares, by elimination. The columns of the rows are independent. */
const leastSquares = (rows: readonly (readonly number[])[], values: readonly number[]): number[] => {
  const columns = rows[0]!.map((_, i) => i);
  const system = columns.map((i) => [
    ...columns.map((j) => sum(rows.map((row) => row[i]! * row[j]!))),
    sum(rows.map((row, k) => row[i]! * values[k]!)),
  ]);
  for (const i of columns)
    for (const k of columns) {
      const factor = k === i ? 0 : system[k]![i]! / system[i]![i]!;
      system[k] = system[k]!.map((value, j) => value - factor * system[i]![j]!);
    }
  return system.map((row, i) => row.at(-1)! / row[i]!);
};

/** The terms of n / X(n). Their factors are (1 - α)/γ, α/γ and β/γ, none of them below 0. */
const TERMS = [() => 1, (n: number) => n, (n: number) => n * (n - 1)] as const;
/** The terms that may have a factor: all of them, or some on a bound of the law. */
const FORMS = [[0, 1, 2], [0, 1], [0, 2], [1, 2], [0], [1]] as const;

/** Returns the least-squares fit of n / X(n), or the best one on a bound where it would have a factor below 0. */
const fitLaw = (levels: readonly Level[]): Law => {
  const values = levels.map(({ n, rate }) => n / rate);
  const fits = FORMS.map((form) => {
    const rows = levels.map(({ n }) => form.map((term) => TERMS[term](n)));
    const found = leastSquares(rows, values);
    const factors = [0, 0, 0];
    for (const [i, term] of form.entries()) factors[term] = found[i]!;
    const [own, shared, coherency] = factors as [number, number, number];
    const fitted = (row: readonly number[]) => sum(row.map((value, i) => value * found[i]!));
    return {
      law: { gamma: 1 / (own + shared), alpha: shared / (own + shared), beta: coherency / (own + shared) },
      isAllowed: factors.every((factor) => factor >= 0),
      error: sum(rows.map((row, k) => (values[k]! - fitted(row)) ** 2)),
    };
  });
  return fits
    .filter(({ isAllowed }) => isAllowed)
    .reduce((best, fit) => (fit.error < best.error ? fit : best)).law;
};

/**
 * Returns laws fitted to the law plus its residuals in another order (bootstrap of residuals: Efron, "Bootstrap
 * Methods", 1979). The residuals are scaled up for the three degrees of freedom of the fit.
 */
const resample = (levels: readonly Level[], law: Law): Law[] => {
  const random = createRandom(SEED);
  const widened = Math.sqrt(levels.length / Math.max(1, levels.length - 3));
  const residuals = levels.map(({ n, rate }) => widened * (rate / predict(law, n) - 1));
  return Array.from({ length: RESAMPLED }, () =>
    fitLaw(
      levels.map(({ n }) => {
        const residual = residuals[Math.floor(random() * residuals.length)]!;
        return { n, rate: predict(law, n) * Math.max(0.01, 1 + residual) };
      }),
    ),
  );
};

const intervalOf = (values: readonly number[]): Interval => [
  quantile(values, ENDS[0]),
  quantile(values, ENDS[1]),
];

/**
 * Fits the law to measured throughputs.
 * @param levels At least three different `n`, one of them 1.
 * @throws When there are fewer.
 */
export const fitUsl = (levels: readonly Level[]): Usl => {
  if (new Set(levels.map(({ n }) => n)).size < 3)
    throw new Error('the scalability law needs at least three different numbers of gateway processes');
  const law = fitLaw(levels);
  const { alpha, beta } = law;
  const laws = resample(levels, law);
  const twice = 2 * Math.max(...levels.map(({ n }) => n));
  const [low, high] = intervalOf(laws.map((other) => predict(other, twice)));
  return {
    ...law,
    peakN: beta === 0 ? Number.POSITIVE_INFINITY : Math.sqrt(Math.max(0, 1 - alpha) / beta),
    intervals: {
      alpha: intervalOf(laws.map((other) => other.alpha)),
      beta: intervalOf(laws.map((other) => other.beta)),
    },
    isDetermined: high - low <= PREDICTION_SPREAD_MAX * predict(law, twice),
  };
};
