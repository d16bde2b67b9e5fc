/**
 * The cost of a call as a curve over the load of one gateway process. Pure.
 *
 * The first call of a moment pays for waking up, for running a script, for a write; calls that come with it share that:
 * a call costs `lastingUs + sharedUs / (1 + perS / halfPerS)` of a part. With calls of other kinds it shares less: their
 * loads, each in its own `halfPerS`, count by `SHARED_BETWEEN_KINDS`, and less where their `sharedUs` is smaller.
 */
import { CLUSTER_SHARDS } from '../../src/quota/redis/keys.ts';
import { PARTS, type Part, type Spent, totalOf } from '../cpu.ts';
import { largest, mean, recordOf, sum } from '../stats.ts';
import type { CostModel, KindCost } from './model.ts';

/** Calls per second, or codes of batches per second, by kind. */
export type Rates = Readonly<Record<string, number>>;

/** What a call of one kind costs one part. */
export interface Curve {
  readonly lastingUs: number;
  readonly sharedUs: number;
  /** The rate at which half of `sharedUs` is saved. */
  readonly halfPerS: number;
}

/** A kind with its curves. */
export interface KindLaw {
  readonly cost: KindCost;
  readonly curves: Readonly<Record<Part, Curve>>;
  /** Root mean square of fitted / measured - 1 over the measured loads, all parts together. */
  readonly error: number;
}

/** The curves of every kind of a model. */
export interface Law {
  readonly idle: Spent;
  readonly processBytes: number;
  readonly kinds: ReadonlyMap<string, KindLaw>;
}

const US_PER_S = 1e6;
/** Where the best fit is looked for: `halfPerS` as multiples of the peak, in steps of a tenth, and `lastingUs` of `sharedUs`. */
const HALF = { from: 1 / 50, to: 30, step: 1.1 };
const LASTING = [0, 0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.6, 1.2];

/**
 * Fits the curve of one part by least squares of relative errors. What the part takes when idle is no cost of a call. A
 * hundredth of the cost of all parts keeps the noise of a part that hardly takes part from deciding.
 */
const fitCurve = ({ levels, peakPerS }: KindCost, idle: Spent, part: Part): Curve => {
  const points = levels.map(({ us, callsPerS }) => ({
    us: Math.max(0, us[part] - idle[part] / callsPerS),
    perS: callsPerS,
    weight: (us[part] + totalOf(us) / 100) ** -2,
  }));
  // A batch is made as fast as it can be, whatever the plan leaves for it, so its codes have one load and no curve.
  if (points.length === 1) return { lastingUs: points[0]!.us, sharedUs: 0, halfPerS: peakPerS };
  let best = { lastingUs: 0, sharedUs: 0, halfPerS: peakPerS, loss: Number.POSITIVE_INFINITY };
  for (let half = HALF.from; half <= HALF.to; half *= HALF.step)
    for (const lasting of LASTING) {
      const halfPerS = half * peakPerS;
      const shapes = points.map(({ perS }) => lasting + 1 / (1 + perS / halfPerS));
      const scale =
        sum(points.map(({ us, weight }, i) => weight * shapes[i]! * us)) /
        sum(points.map(({ weight }, i) => weight * shapes[i]! ** 2));
      const loss = sum(points.map(({ us, weight }, i) => weight * (scale * shapes[i]! - us) ** 2));
      if (loss < best.loss) best = { lastingUs: scale * lasting, sharedUs: scale, halfPerS, loss };
    }
  return best;
};

/** How gateways and Redis divide a load. */
export interface Split {
  /** Gateway processes, each with an equal share of the load. */
  readonly processes: number;
  /** Nodes of Redis; more than one are a cluster, where a script run has the calls of one shard. */
  readonly nodes: number;
}

/** A store that others keep awake costs no more than at this share of the peak, however few calls come together. */
const AWAKE_SHARE = 0.1;

/**
 * Returns into how many groups a load falls whose calls share with each other. A gateway process shares with itself
 * only. A store is between that and one group: with two processes instead of one at the same rate Redis took 1.3 times
 * as much a call, where two groups would have taken 1.8 times. So it is the geometric mean. In a cluster a script run
 * has the calls of one shard.
 */
const groupsOf = (part: Part, { processes, nodes }: Split): number =>
  part === 'gateway'
    ? processes
    : Math.sqrt(processes * (part === 'redis' && nodes > 1 ? CLUSTER_SHARDS : 1));

/**
 * The share of the load of other kinds that counts like the load of a call's own kind. A script run of Redis has calls of
 * all kinds, Postgres gets the writes of each kind by themselves, and a gateway process is between the two. Measured with
 * two mixes on one and two processes. If all kinds shared like one, a call would cost up to 42 % more than predicted.
 */
const SHARED_BETWEEN_KINDS: Spent = { gateway: 0.5, redis: 1, postgres: 0 };

/** Returns the processor time of all gateway processes, and of their stores for them, in microseconds per second. */
export const spentBy = ({ idle, kinds }: Law, rates: Rates, split: Split): Spent => {
  const calls = Object.entries(rates).map(([kind, perS]) => ({ ...kinds.get(kind)!, perS }));
  const peaks = sum(calls.map(({ cost, perS }) => perS / cost.peakPerS));
  return recordOf(PARTS, (part) => {
    const loads = calls.map(({ curves, perS }) => perS / curves[part].halfPerS);
    const groups = groupsOf(part, split);
    const us = calls.map(({ curves, perS }, i) => {
      const { lastingUs, sharedUs } = curves[part];
      if (sharedUs === 0) return perS * lastingUs;
      const others = calls.map((other, j) =>
        j === i ? 0 : loads[j]! * Math.min(1, other.curves[part].sharedUs / sharedUs),
      );
      const pressure = loads[i]! + SHARED_BETWEEN_KINDS[part] * sum(others);
      // No more is shared than at the measured peaks.
      const together = pressure / groups / Math.max(1, peaks / groups);
      const awake = part === 'gateway' ? 0 : pressure * Math.min(1, AWAKE_SHARE / peaks);
      const shared = 1 / (1 + Math.max(together, awake));
      return perS * (lastingUs + sharedUs * shared);
    });
    return split.processes * idle[part] + sum(us);
  });
};

/** Fits every kind of a model. */
export const lawOf = ({ idle, processBytes, kinds }: CostModel): Law => {
  const fitted = kinds.map((cost): KindLaw => {
    const curves = recordOf(PARTS, (part) => fitCurve(cost, idle, part));
    const alone: Law = { idle, processBytes, kinds: new Map([[cost.kind, { cost, curves, error: 0 }]]) };
    const errors = cost.levels.map(
      ({ callsPerS, us }) => (totalOf(usAt(alone, { [cost.kind]: 1 }, callsPerS, 1)) / totalOf(us) - 1) ** 2,
    );
    return { cost, curves, error: Math.sqrt(mean(errors)) };
  });
  return { idle, processBytes, kinds: new Map(fitted.map((kind) => [kind.cost.kind, kind])) };
};

/** Above this share of a thread or core waiting grows quickly, as ρ / (1 - ρ). */
export const BUSY_SHARE = 0.7;

/** Returns what a request of a mix costs in microseconds, at a rate of all gateway processes together. */
export const usAt = (law: Law, mix: Rates, perS: number, processes: number): Spent => {
  const weights = sum(Object.values(mix));
  const rates = Object.fromEntries(
    Object.entries(mix).map(([kind, weight]) => [kind, (weight / weights) * perS]),
  );
  const spent = spentBy(law, rates, { processes, nodes: 1 });
  return recordOf(PARTS, (part) => spent[part] / perS);
};

/** Returns the rate of a mix that keeps one gateway process busy to `busyShare` of a core. */
export const busyPerS = (law: Law, mix: Rates, busyShare: number): number =>
  largest(0, 1e6, (perS) => usAt(law, mix, perS, 1).gateway * perS <= busyShare * US_PER_S);

/** Returns the rate of a mix that keeps one Redis busy to `busyShare`, from gateway processes that are as busy. */
export const redisCeilingPerS = (law: Law, mix: Rates, busyShare: number): number => {
  const perS = busyPerS(law, mix, busyShare);
  const isEnough = (count: number): boolean =>
    usAt(law, mix, count * perS, count).redis * count * perS <= busyShare * US_PER_S;
  return perS * largest(0, 1e5, isEnough);
};
