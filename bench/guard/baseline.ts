/** Compares what the guard measured with the baseline. Pure. */
import { median, quantile } from '../stats.ts';
import { BARE, CALIBRATION, hasBareYardstick, MEASURES, type Measure } from './measures.ts';
import type { Samples } from './sample.ts';

/** Processor time of a measure, as multiples of the yardsticks in the same run. */
export interface Reading {
  readonly toCalibration: number;
  /** `null` for a measure that only computes. */
  readonly toBare: number | null;
}

/** Readings by measure. */
export type Readings = Readonly<Record<string, Reading>>;

/** A reading of the baseline. */
export interface Entry extends Reading {
  /** Share by which a reading may deviate in either direction. */
  readonly tolerance: number;
}

/** The contents of `bench/baseline.json`. */
export interface Baseline {
  readonly comment: string;
  readonly machine: string;
  /** Number of runs; the entries are their medians. */
  readonly runs: number;
  readonly entries: Readonly<Record<string, Entry>>;
}

const RULES = {
  /**
   * The quantile of the samples that is used. Other work on the machine (a busy hyper-thread, full caches, a lower
   * clock) only ever adds to processor time, by a third and more. Of many short samples of one part, the lowest is
   * therefore the most reproducible. A server does some work in the background, which a sample may miss; for requests
   * the lowest sample would be too low.
   */
  lowEnd: { microbenchmark: 0, request: 0.25 },
  /**
   * Lower and upper limit of a tolerance. Drawing is reproducible to a few percent. A ledger by itself is reproducible
   * to 15 %, since its writes to Postgres continue between the samples. 30 % more work in the ledger adds 15 to 23 % to
   * a hit, and the tolerance of requests must be small enough to detect that.
   */
  tolerance: { microbenchmark: [0.1, 0.2], request: [0.12, 0.25] },
} as const;

const ofEach = <T>(of: (measure: Measure) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(
    MEASURES.filter(({ name }) => name !== CALIBRATION).map((measure) => [measure.name, of(measure)]),
  );

/** Reduces the samples of one run to one reading for each measure. */
export const readingsOf = (samples: Samples): Readings =>
  ofEach((measure) => {
    const cost = (of: string) => quantile(samples[of]!, RULES.lowEnd[measure.kind]);
    const to = (base: string) => cost(measure.name) / cost(base);
    return { toCalibration: to(CALIBRATION), toBare: hasBareYardstick(measure) ? to(BARE) : null };
  });

/** A reading beside its entry in the baseline. */
export interface Change {
  readonly name: string;
  readonly was: Entry;
  readonly is: Reading;
  /** Share by which the cost rose (above 0) or fell, relative to the yardstick that shows the smaller change. */
  readonly change: number;
  readonly verdict: 'held' | 'slower' | 'faster';
}

/** The change that both yardsticks agree on, so that a disturbed yardstick causes no false alarm. */
const agreed = (was: Reading, is: Reading): number => {
  const first = is.toCalibration / was.toCalibration - 1;
  if (was.toBare === null || is.toBare === null) return first;
  const second = is.toBare / was.toBare - 1;
  if (first > 0 !== second > 0) return 0;
  return Math.abs(first) < Math.abs(second) ? first : second;
};

/**
 * Compares a run with the baseline. The bare route is a yardstick and is not judged. @throws When a measure of the
 * baseline is missing.
 */
export const changesOf = (baseline: Baseline, readings: Readings): Change[] =>
  Object.entries(baseline.entries)
    .filter(([name]) => name !== BARE)
    .map(([name, was]) => {
      const is = readings[name];
      if (is === undefined)
        throw new Error(`the baseline has "${name}", which was not measured: run with --update`);
      const change = agreed(was, is);
      const beyond = Math.abs(change) > was.tolerance;
      return { name, was, is, change, verdict: beyond ? (change > 0 ? 'slower' : 'faster') : 'held' };
    });

/** Takes for each measure the comparison that shows the smaller rise. */
export const milder = (first: readonly Change[], second: readonly Change[]): Change[] =>
  first.map((change, i) => (second[i]!.change < change.change ? second[i]! : change));

/** The median of the runs, and as tolerance twice their widest deviation, rounded up to a percent and clamped. */
const entryOf = (runs: readonly Reading[], kind: Measure['kind']): Entry => {
  const bare = runs.flatMap(({ toBare }) => toBare ?? []);
  const center = {
    toCalibration: median(runs.map(({ toCalibration }) => toCalibration)),
    toBare: bare.length === 0 ? null : median(bare),
  };
  const widest = Math.max(...runs.map((run) => Math.abs(agreed(center, run))));
  const [min, max] = RULES.tolerance[kind];
  const rounded = (value: number): number => Number(value.toPrecision(4));
  return {
    toCalibration: rounded(center.toCalibration),
    toBare: center.toBare === null ? null : rounded(center.toBare),
    tolerance: Math.min(max, Math.max(min, Math.ceil(200 * widest) / 100)),
  };
};

/** Returns the baseline of a tree that was measured once or several times. */
export const baselineOf = (runs: readonly Readings[], machine: string): Baseline => ({
  comment:
    'Processor time as multiples of a calibration workload and of a bare Fastify route; by npm run bench:guard',
  machine,
  runs: runs.length,
  entries: ofEach(({ name, kind }) =>
    entryOf(
      runs.map((run) => run[name]!),
      kind,
    ),
  ),
});
