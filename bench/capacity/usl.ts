/**
 * The Universal Scalability Law (Gunther: "A Simple Capacity Model of Massively Parallel Transaction Systems", 1993):
 * throughput of n workers X(n) = γ n / (1 + α (n - 1) + β n (n - 1)).
 */
import { createRandom } from '../random.ts';
import { quantile } from '../stats.ts';

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

/** Solves the normal equations of least squares by Gaussian elimination; at most three unknowns. */
const leastSquares = (rows: readonly (readonly number[])[], values: readonly number[]): number[] => {
  const size = rows[0]!.length;
  const system = Array.from({ length: size }, (_, i) => [
    ...Array.from({ length: size }, (_, j) => rows.reduce((total, row) => total + row[i]! * row[j]!, 0)),
    rows.reduce((total, row, k) => total + row[i]! * values[k]!, 0),
  ]);
  for (let i = 0; i < size; i += 1) {
    const pivot = system
      .slice(i)
      .reduce((best, row) => (Math.abs(row[i]!) > Math.abs(best[i]!) ? row : best));
    system.splice(system.indexOf(pivot), 1);
    system.splice(i, 0, pivot);
    for (let k = 0; k < size; k += 1) {
      if (k === i) continue;
      const factor = system[k]![i]! / pivot[i]!;
      for (let j = i; j <= size; j += 1) system[k]![j]! -= factor * pivot[j]!;
    }
  }
  return system.map((row, i) => row[size]! / row[i]!);
};

/** The terms of n / X(n); their factors are 1/γ, α/γ and β/γ. */
const TERMS = [() => 1, (n: number) => n - 1, (n: number) => n * (n - 1)] as const;
/** The first two terms together: the factor of both is 1/γ where α is 1. */
const FULL_CONTENTION = (n: number) => n;
const FORMS = [
  [TERMS[0], TERMS[1], TERMS[2]],
  [TERMS[0], TERMS[1]],
  [TERMS[0], TERMS[2]],
  [TERMS[0]],
  [FULL_CONTENTION, TERMS[2]],
  [FULL_CONTENTION],
] as const;

/**
 * Returns the least-squares fit of n / X(n), which is linear in 1/γ, α/γ and β/γ. Where a factor would be below 0, or
 * α above 1, returns the best fit on that bound.
 */
const fitLaw = (levels: readonly Level[]): Law => {
  const values = levels.map(({ n, rate }) => n / rate);
  const fits = FORMS.map((form) => {
    const rows = levels.map(({ n }) => form.map((term) => term(n)));
    const found = leastSquares(rows, values);
    const factorOf = (term: (n: number) => number): number => found[form.indexOf(term as never)] ?? 0;
    const full = factorOf(FULL_CONTENTION);
    const [a, b, c] = [factorOf(TERMS[0]) + full, factorOf(TERMS[1]) + full, factorOf(TERMS[2])];
    const error = rows.reduce(
      (total, row, k) =>
        total + (values[k]! - row.reduce((all, value, i) => all + value * found[i]!, 0)) ** 2,
      0,
    );
    return {
      law: { gamma: 1 / a, alpha: b / a, beta: c / a },
      isAllowed: a > 0 && b >= 0 && c >= 0 && b <= a,
      error,
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
