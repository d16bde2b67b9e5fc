/** Searches for the capacity of one target, and records what its requests cost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Spent, usOfEach } from '../cpu.ts';
import type { Generator } from '../load/fire.ts';
import { connectionsFor, type Mix } from '../load/mix.ts';
import type { Arrivals } from '../load/open/arrivals.ts';
import { describeWitness, faultsOf, watch } from '../load/open/witness.ts';
import { type Found, search } from './search.ts';
import type { Slo } from './slo.ts';
import type { Step } from './step.ts';
import type { CapacityTarget } from './target.ts';

/** Of the closed loop; an open one gets as many more as the objective lets be in flight. */
const CONNECTIONS = 64;
const CONNECTIONS_MAX = 2000;
const UNDER_WAY_MAX = 4000;
/** How late requests may be sent, as a share of the tightest objective. */
const LATE_SHARE_MAX = 0.5;
/** The longest warm-up in seconds. A step shorter than this has a warm-up of its own length. */
const WARM_UP_S = 2;
/**
 * The search begins at this share of the closed loop's throughput. It is low enough to meet any reasonable objective.
 */
const FIRST_SHARE = 1 / 8;

/** Processor time of one good answer in ms; `null` where it could not be measured. */
export interface Cost {
  readonly gatewayMs: number | null;
  readonly redisMs: number | null;
  readonly postgresMs: number | null;
}

/** The rate that was found, and the evidence for it. */
export interface Capacity {
  readonly found: Found;
  /** Of the last soak. */
  readonly cost: Cost;
}

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
    readonly arrivals: Arrivals;
    onThroughput(goodPerS: number): void;
    onStep(step: Step): void;
  },
): Promise<Capacity> => {
  const { mix, slo, seconds, soakSeconds, arrivals, onStep } = options;
  const connections = (most: number) => connectionsFor(mix, target.aim, most);
  const load = { url: target.url, mix, aim: target.aim };
  const warmUpS = Math.min(WARM_UP_S, seconds);
  const closed = await generator.closed({
    ...load,
    connections: connections(CONNECTIONS),
    warmUpS,
    seconds,
  });
  const throughput = closed.tally.good / closed.seconds;
  options.onThroughput(throughput);

  let cost = costOf(0, null, null);
  const boundsMs = slo.objectives.map(({ ms }) => ms).sort((a, b) => a - b);
  const boundS = boundsMs.at(-1)! / 1000;
  const found = await search({
    slo,
    mix,
    firstPerS: Math.max(1, throughput * FIRST_SHARE),
    seconds,
    soakSeconds,
    onStep,
    rest: (restS) => sleep(restS * 1000),
    async fire(ratePerS, durationS) {
      const begun: { readonly before: Spent | null; readonly watching: ReturnType<typeof watch> }[] = [];
      const most = Math.min(CONNECTIONS_MAX, Math.max(CONNECTIONS, Math.ceil(ratePerS * boundS)));
      const rate = { ratePerS, seconds: durationS, arrivals, underWayMax: UNDER_WAY_MAX };
      const job = { ...load, ...rate, connections: connections(most), warmUpS };
      const result = await generator.open(job, () =>
        begun.push({ before: target.spentMs(), watching: watch(target.metricsUrl) }),
      );
      const { before, watching } = begun[0]!;
      // The value of the last step stays, and the last step is the soak.
      cost = costOf(result.tally.good, before, target.spentMs());
      const witness = await (await watching)();
      const faults = faultsOf(result, witness, LATE_SHARE_MAX * boundsMs[0]!);
      return { result, faults, seen: describeWitness(result, witness) };
    },
  });
  return { found, cost };
};
