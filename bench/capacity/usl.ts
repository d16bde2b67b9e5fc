/**
 * The Universal Scalability Law (Gunther: "A Simple Capacity Model of Massively Parallel Transaction Systems", 1993):
 * throughput of n workers X(n) = γ n / (1 + α (n - 1) + β n (n - 1)).
 */

/** A measured throughput. */
export interface Level {
  /** Number of workers; here, of render threads. */
  readonly n: number;
  /** Work done a second. */
  readonly rate: number;
}

/** The law fitted to measured levels. */
export interface Usl {
  /** Throughput of one worker. */
  readonly gamma: number;
  /** Contention: the share of the work that only one worker can do at a time. */
  readonly alpha: number;
  /** Coherency: what workers cost each other. */
  readonly beta: number;
  /** Coefficient of determination; 1 means a perfect fit. */
  readonly r2: number;
  /** Measured minus fitted, as a share of the fitted rate, for each level. */
  readonly residuals: readonly number[];
  /** Number of workers beyond which throughput falls; Infinity when β is 0. */
  readonly peakN: number;
  /** The greatest throughput that any number of workers reaches; Infinity when α and β are 0. */
  readonly ceiling: number;
}

/** Returns the throughput of `n` workers by the law. */
export const predict = ({ gamma, alpha, beta }: Pick<Usl, 'gamma' | 'alpha' | 'beta'>, n: number): number =>
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

/**
 * n / X(n) is linear in 1/γ, α/γ and β/γ. A term whose fitted value is below 0 is left out, and the others are
 * fitted again.
 */
const fitLinear = (levels: readonly Level[]): [gamma: number, alpha: number, beta: number] => {
  const terms = [() => 1, (n: number) => n - 1, (n: number) => n * (n - 1)];
  const values = levels.map(({ n, rate }) => n / rate);
  const fit = (chosen: readonly number[]): number[] => {
    const found = leastSquares(
      levels.map(({ n }) => chosen.map((term) => terms[term]!(n))),
      values,
    );
    return terms.map((_, term) => (chosen.includes(term) ? found[chosen.indexOf(term)]! : 0));
  };
  const allowed = [[0, 1, 2], [0, 1], [0, 2], [0]]
    .map(fit)
    .filter((fitted) => fitted.every((value) => value >= 0));
  const error = (fitted: readonly number[]) =>
    levels.reduce((total, { n }, k) => {
      const difference = values[k]! - fitted.reduce((all, value, term) => all + value * terms[term]!(n), 0);
      return total + difference ** 2;
    }, 0);
  const [a = 0, b = 0, c = 0] = allowed.reduce((best, fitted) =>
    error(fitted) < error(best) ? fitted : best,
  );
  return [1 / a, b / a, c / a];
};

/**
 * Fits the law to measured throughputs.
 * @param levels At least three different `n`, one of them 1.
 * @throws When there are fewer.
 */
export const fitUsl = (levels: readonly Level[]): Usl => {
  if (new Set(levels.map(({ n }) => n)).size < 3)
    throw new Error('the scalability law needs at least three different numbers of threads');
  const [gamma, alpha, beta] = fitLinear(levels);
  const law = { gamma, alpha, beta };
  const mean = levels.reduce((total, { rate }) => total + rate, 0) / levels.length;
  const unexplained = levels.reduce((total, { n, rate }) => total + (rate - predict(law, n)) ** 2, 0);
  const all = levels.reduce((total, { rate }) => total + (rate - mean) ** 2, 0);
  const peakN = beta === 0 ? Number.POSITIVE_INFINITY : Math.sqrt(Math.max(0, 1 - alpha) / beta);
  const limit = alpha === 0 ? Number.POSITIVE_INFINITY : gamma / alpha;
  return {
    ...law,
    r2: all === 0 ? 1 : 1 - unexplained / all,
    residuals: levels.map(({ n, rate }) => rate / predict(law, n) - 1),
    peakN,
    ceiling: beta === 0 ? limit : predict(law, Math.max(1, peakN)),
  };
};
