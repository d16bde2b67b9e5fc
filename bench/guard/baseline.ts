/** What the guard measured, beside what it is measured against. Pure. */
import { median, quantile } from '../stats.ts';
import { BARE, CALIBRATION, hasBareYardstick, MEASURES } from './measures.ts';
import type { Samples } from './sample.ts';

/** Processor time of a measure as multiples of the yardsticks' in the same run. */
export interface Reading {
  readonly toCalibration: number;
  /** Only of requests and ledgers. */
  readonly toBare: number | null;
}

export type Readings = Readonly<Record<string, Reading>>;

export interface Entry extends Reading {
  /** Share by which a reading may be above or below. */
  readonly tolerance: number;
}

export interface Baseline {
  readonly comment: string;
  readonly machine: string;
  /** Runs that it is the median of. */
  readonly runs: number;
  readonly entries: Readonly<Record<string, Entry>>;
}

/**
 * Which quantile of the samples counts. Whatever else runs on the machine (a busy twin of the core, full caches, a
 * lower clock) only ever adds to processor time, by a third and more, so of many short samples of a part by itself the
 * lowest is what repeats. What a server does for requests in the background may miss a sample, so there the lowest
 * would flatter.
 */
const LOW_END = { microbenchmark: 0, request: 0.25 } as const;

export const readingsOf = (samples: Samples): Readings =>
  Object.fromEntries(
    MEASURES.filter(({ name }) => name !== CALIBRATION).map((measure) => {
      const cost = (of: string) => quantile(samples[of]!, LOW_END[measure.kind]);
      const to = (base: string) => cost(measure.name) / cost(base);
      const toBare = hasBareYardstick(measure) ? to(BARE) : null;
      return [measure.name, { toCalibration: to(CALIBRATION), toBare }];
    }),
  );

export interface Change {
  readonly name: string;
  readonly was: Entry;
  readonly is: Reading;
  /** Share by which it became dearer (above 0) or cheaper, by the yardstick that shows less of it. */
  readonly change: number;
  readonly verdict: 'held' | 'slower' | 'faster';
}

/** The change that both yardsticks show: a yardstick that was disturbed itself accuses nobody. */
const agreed = (was: Reading, is: Reading): number => {
  const first = is.toCalibration / was.toCalibration - 1;
  if (was.toBare === null || is.toBare === null) return first;
  const second = is.toBare / was.toBare - 1;
  if (first > 0 !== second > 0) return 0;
  return Math.abs(first) < Math.abs(second) ? first : second;
};

/** The bare route is a yardstick itself and not judged. */
export const changesOf = (baseline: Baseline, readings: Readings): Change[] =>
  Object.entries(baseline.entries)
    .filter(([name]) => name !== BARE)
    .map(([name, was]) => {
      const is = readings[name];
      if (is === undefined)
        throw new Error(`${name} is in the baseline and was not measured: run with --update`);
      const change = agreed(was, is);
      const beyond = Math.abs(change) > was.tolerance;
      return { name, was, is, change, verdict: beyond ? (change > 0 ? 'slower' : 'faster') : 'held' };
    });

/** Of two comparisons, measure by measure the one that shows less of a slow-down. */
export const milder = (first: readonly Change[], second: readonly Change[]): Change[] =>
  first.map((change, i) => (second[i]!.change < change.change ? second[i]! : change));

/**
 * Lower and upper limit of a tolerance. What is drawn repeats within a few percent; a ledger by itself within 15, as its
 * way to Postgres goes on between the samples. 30 % more work in the ledger is 15 to 23 % of a hit, and must show there.
 */
const LIMITS = { microbenchmark: [0.1, 0.2], request: [0.12, 0.25] } as const;

/** Twice the widest deviation that runs of one tree showed, rounded up to a percent, within the limits. */
export const toleranceOf = (kind: keyof typeof LIMITS, center: Reading, runs: readonly Reading[]): number => {
  const widest = Math.max(...runs.map((run) => Math.abs(agreed(center, run))));
  const [min, max] = LIMITS[kind];
  return Math.min(max, Math.max(min, Math.ceil(200 * widest) / 100));
};

const centerOf = (runs: readonly Reading[]): Reading => {
  const bare = runs.flatMap(({ toBare }) => (toBare === null ? [] : [toBare]));
  return {
    toCalibration: median(runs.map(({ toCalibration }) => toCalibration)),
    toBare: bare.length === 0 ? null : median(bare),
  };
};

const rounded = (value: number): number => Number(value.toPrecision(4));

/** The baseline of a tree that was measured once or several times. */
export const baselineOf = (runs: readonly Readings[], machine: string): Baseline => ({
  comment:
    'Processor time as multiples of a calibration workload and of a bare Fastify route; by npm run bench:guard',
  machine,
  runs: runs.length,
  entries: Object.fromEntries(
    MEASURES.filter(({ name }) => name !== CALIBRATION).map(({ name, kind }) => {
      const readings = runs.map((run) => run[name]!);
      const { toCalibration, toBare } = centerOf(readings);
      const entry = {
        toCalibration: rounded(toCalibration),
        toBare: toBare === null ? null : rounded(toBare),
      };
      return [name, { ...entry, tolerance: toleranceOf(kind, { toCalibration, toBare }, readings) }];
    }),
  ),
});
