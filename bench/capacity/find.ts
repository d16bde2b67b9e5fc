/** Searches the capacity of one target, and records what its requests cost and whether the run can be trusted. */
import type { Generator } from '../load/fire.ts';
import type { OpenResult } from '../load/job.ts';
import type { Mix } from '../load/mix.ts';
import { witness } from '../witness/witness.ts';
import { type Confirmation, confirm, type WitnessRun } from './confirm.ts';
import { type Found, type Step, search } from './search.ts';
import type { Slo } from './slo.ts';
import type { CapacityTarget, Usage } from './target.ts';

const CONNECTIONS = 64;
const UNDER_WAY_MAX = 4000;
/** At most; short steps have a warm-up of their length. */
const WARM_UP_S = 4;
/** Each has an event loop of its own, so that it can be on time. */
const WITNESS_PROCESSES = 2;
/**
 * The search begins at this share of the closed loop's throughput. It is low enough to meet any reasonable objective.
 */
const FIRST_SHARE = 1 / 8;

/** A check of the measurement by Little's law. `residual` is `underWay / expected - 1`. */
export interface Little {
  /** Mean number of requests under way, as sampled. */
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
  /** Its rate is the claimed one: that of the search, or the lower one that the independent generator confirmed. */
  readonly found: Found;
  /** `null` when no soak met the objective, so that there was nothing to confirm. */
  readonly confirmation: Confirmation | null;
  /** Of the soak that met the objective, like `cost`; `null` when none did. */
  readonly little: Little | null;
  readonly cost: Cost;
}

const littleOf = ({ sentPerS, uncorrectedMs, meanUnderWay }: OpenResult): Little => {
  const expected = (sentPerS * uncorrectedMs.mean) / 1000;
  return { underWay: meanUnderWay, expected, residual: expected === 0 ? 0 : meanUnderWay / expected - 1 };
};

const costOf = (good: number, before: Usage | null, after: Usage | null): Cost => {
  const spent = (part: keyof Usage) =>
    before === null || after === null ? null : (after[part] - before[part]) / Math.max(1, good);
  return { gatewayMs: spent('gatewayMs'), redisMs: spent('redisMs'), postgresMs: spent('postgresMs') };
};

/**
 * Measures the throughput in a closed loop, then searches the highest rate that meets the objective, starting at an
 * eighth of it. Then the independent generator confirms it.
 */
export const findCapacity = async (
  target: CapacityTarget,
  generator: Generator,
  options: {
    readonly mix: Mix;
    readonly slo: Slo;
    readonly seconds: number;
    readonly soakSeconds: number;
    readonly confirmSeconds: number;
    onThroughput(goodPerS: number): void;
    onStep(step: Step): void;
    onWitness(run: WitnessRun): void;
  },
): Promise<Capacity> => {
  const { mix, slo, seconds, soakSeconds, onStep } = options;
  const load = { url: target.url, mix, aim: target.aim, connections: CONNECTIONS };
  const closed = await generator.closed({
    ...load,
    firstSerial: 0,
    warmUpS: Math.min(WARM_UP_S, seconds),
    seconds,
  });
  const throughput = closed.tally.good / closed.seconds;
  options.onThroughput(throughput);

  let firstSerial = closed.nextSerial;
  let cost = costOf(0, null, null);
  const found = await search({
    slo,
    firstPerS: Math.max(1, throughput * FIRST_SHARE),
    seconds,
    soakSeconds,
    onStep,
    async fire(ratePerS, durationS) {
      const before = target.usage();
      const job = { ...load, firstSerial, ratePerS, seconds: durationS, underWayMax: UNDER_WAY_MAX };
      const result = await generator.open(job);
      firstSerial = result.nextSerial;
      // The value of the last step stays, and the last step is the soak.
      cost = costOf(result.tally.good, before, target.usage());
      return result;
    },
  });
  if (found.soak === null) return { found, confirmation: null, little: null, cost };
  const confirmation = await confirm({
    slo,
    searchedPerS: found.ratePerS,
    onRun: options.onWitness,
    async fire(ratePerS) {
      const times = { seconds: options.confirmSeconds, warmUpS: Math.min(WARM_UP_S, options.confirmSeconds) };
      const result = await witness({
        ...load,
        firstSerial,
        ratePerS,
        ...times,
        processes: WITNESS_PROCESSES,
      });
      firstSerial += Math.ceil(ratePerS * (times.seconds + times.warmUpS));
      return result;
    },
  });
  const claimed = { ...found, ratePerS: confirmation.claimedPerS };
  return { found: claimed, confirmation, little: littleOf(found.soak.result), cost };
};
