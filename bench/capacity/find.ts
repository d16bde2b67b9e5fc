/** Searches for the capacity of one target, and records what its requests cost and whether the run can be trusted. */
import { type Spent, usOfEach } from '../cpu.ts';
import type { Generator } from '../load/fire.ts';
import type { OpenResult } from '../load/job.ts';
import { connectionsFor, type Mix } from '../load/mix.ts';
import { type Found, type Step, search } from './search.ts';
import type { Slo } from './slo.ts';
import type { CapacityTarget } from './target.ts';

const CONNECTIONS = 64;
const UNDER_WAY_MAX = 4000;
/** The longest warm-up in seconds. A step shorter than this has a warm-up of its own length. */
const WARM_UP_S = 4;
/**
 * The search begins at this share of the closed loop's throughput. It is low enough to meet any reasonable objective.
 */
const FIRST_SHARE = 1 / 8;

/** A check of the measurement by Little's law. `residual` is `underWay / expected - 1`. */
export interface Little {
  /** Mean number of requests in flight, from the area under their curve. */
  readonly underWay: number;
  /** Rate × mean time (Little: "A Proof for the Queuing Formula L = λW", 1961). */
  readonly expected: number;
  readonly residual: number;
}

/** Processor time of one good answer in ms; `null` where it could not be measured. */
export interface Cost {
  readonly gatewayMs: number | null;
  readonly redisMs: number | null;
  readonly postgresMs: number | null;
}

/** The rate that was found, and the evidence for it. */
export interface Capacity {
  readonly found: Found;
  /** Of the soak that met the objective, like `cost`; `null` when none did. */
  readonly little: Little | null;
  readonly cost: Cost;
}

const littleOf = ({ seconds, inFlightMs, timesMs }: OpenResult): Little => {
  const [underWay, expected] = [inFlightMs / 1000 / seconds, timesMs / 1000 / seconds];
  return { underWay, expected, residual: expected === 0 ? 0 : underWay / expected - 1 };
};

const costOf = (good: number, before: Spent | null, after: Spent | null): Cost => {
  if (before === null || after === null) return { gatewayMs: null, redisMs: null, postgresMs: null };
  const us = usOfEach(before, after, Math.max(1, good));
  return { gatewayMs: us.gateway / 1000, redisMs: us.redis / 1000, postgresMs: us.postgres / 1000 };
};

/**
 * Measures the throughput in a closed loop, then searches for the highest rate that meets the objective, starting at an
 * eighth of it.
 */
export const findCapacity = async (
  target: CapacityTarget,
  generator: Pick<Generator, 'closed' | 'open'>,
  options: {
    readonly mix: Mix;
    readonly slo: Slo;
    readonly seconds: number;
    readonly soakSeconds: number;
    onThroughput(goodPerS: number): void;
    onStep(step: Step): void;
  },
): Promise<Capacity> => {
  const { mix, slo, seconds, soakSeconds, onStep } = options;
  const load = {
    url: target.url,
    mix,
    aim: target.aim,
    connections: connectionsFor(mix, target.aim, CONNECTIONS),
  };
  const closed = await generator.closed({
    ...load,
    warmUpS: Math.min(WARM_UP_S, seconds),
    seconds,
  });
  const throughput = closed.tally.good / closed.seconds;
  options.onThroughput(throughput);

  let cost = costOf(0, null, null);
  const found = await search({
    slo,
    firstPerS: Math.max(1, throughput * FIRST_SHARE),
    seconds,
    soakSeconds,
    onStep,
    async fire(ratePerS, durationS) {
      const before = target.spentMs();
      const job = { ...load, ratePerS, seconds: durationS, underWayMax: UNDER_WAY_MAX };
      const result = await generator.open(job);
      // The value of the last step stays, and the last step is the soak.
      cost = costOf(result.tally.good, before, target.spentMs());
      return result;
    },
  });
  return { found, little: found.soak === null ? null : littleOf(found.soak.result), cost };
};
