/** Searches for the capacity of a gateway that it starts, or of a running deployment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { removeSecret } from '../../test/servers/account.ts';
import type { Scope } from '../../test/servers/scope.ts';
import { startTestbed } from '../../test/servers/testbed.ts';
import { type Spent, spentMs, usOfEach } from '../cpu.ts';
import type { Aim } from '../load/aim.ts';
import { aimAt } from '../load/correct.ts';
import type { Deployment } from '../load/deployment.ts';
import type { Generator } from '../load/fire.ts';
import { connectionsFor, type Mix, needsOf } from '../load/mix.ts';
import { describeWitness, faultsOf, watch } from '../load/open/witness.ts';
import type { CapacityOptions } from './options.ts';
import { type Found, search } from './search.ts';
import type { Step } from './step.ts';

/** Of the closed loop; an open one gets as many more as the objective lets be in flight. */
const CONNECTIONS = 64;
const CONNECTIONS_MAX = 2000;
const UNDER_WAY_MAX = 4000;
/** How late requests may be sent, as a share of the tightest objective. */
const LATE_SHARE_MAX = 0.5;
/** The longest warm-up in seconds. A step shorter than this has a warm-up of its own length. */
const WARM_UP_S = 2;
/** The search begins at this share of the closed loop's throughput, low enough for any reasonable objective. */
const FIRST_SHARE = 1 / 8;

/** The server under load. */
export interface CapacityTarget {
  readonly url: string;
  readonly aim: Aim;
  /** Milliseconds of processor time so far; `null` when the server runs elsewhere. */
  spentMs(): Spent | null;
  /** Where the gateway's metrics can be read; `null` when it runs elsewhere. */
  readonly metricsUrl: string | null;
}

/**
 * Fixed, so that two runs send the same requests. A deployment keeps pictures between runs, so it gets another seed.
 */
const SEED = 'cafe';

/** Starts a testbed and loads its gateway. */
export const ownTarget = async (scope: Scope, mix: Mix): Promise<CapacityTarget> => {
  const { gateway, backends, aim } = await startTestbed(scope, { run: SEED, needs: needsOf(mix) });
  const { url, pid } = gateway;
  return { url, aim, spentMs: () => spentMs(pid, backends), metricsUrl: url };
};

/**
 * Loads a running deployment. The load is real there: it uses units of the keys' accounts, and the codes, links and
 * items that it makes stay there.
 */
export const givenTarget = async (
  scope: Scope,
  deployment: Deployment,
  mix: Mix,
): Promise<CapacityTarget> => {
  const { url } = deployment;
  const aim = await aimAt(deployment, mix);
  scope.teardown(() => removeSecret(url, aim));
  return { url, aim, spentMs: () => null, metricsUrl: null };
};

/**
 * Measures the throughput in a closed loop, then searches for the highest rate that meets the objective, starting at an
 * eighth of it. Returns what was found, and what a good answer of the last soak took of each part; `null` where that could
 * not be measured.
 */
export const findCapacity = async (
  target: CapacityTarget,
  generator: Pick<Generator, 'closed' | 'open'>,
  options: Pick<CapacityOptions, 'arrivals' | 'mix' | 'seconds' | 'slo' | 'soakSeconds'> & {
    onThroughput(goodPerS: number): void;
    onStep(step: Step): void;
  },
): Promise<{ readonly found: Found; readonly us: Spent | null }> => {
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

  let us: Spent | null = null;
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
      const after = target.spentMs();
      // The value of the last step stays, and the last step is the soak.
      us = before && after && usOfEach(before, after, Math.max(1, result.tally.good));
      const witness = await (await watching)();
      const faults = faultsOf(result, witness, LATE_SHARE_MAX * boundsMs[0]!);
      return { result, faults, seen: describeWitness(result, witness) };
    },
  });
  return { found, us };
};
