/** Runs the scenarios round by round (A B C A B C), so that a disturbance affects all of a round alike. */
import type { Server } from '../../test/servers/node-server.ts';
import type { Target as Loaded } from '../../test/servers/testbed.ts';
import { rssBytes, spentMs, usOfEach } from '../cpu.ts';
import type { Generator } from '../load/fire.ts';
import type { ClosedResult } from '../load/job.ts';
import { connectionsFor } from '../load/mix.ts';
import { failuresOf } from '../load/outcomes.ts';
import { recipeOf } from '../load/recipes.ts';
import { pairedRatios, type Summary, summarize } from '../stats.ts';
import { isReached, type Scenario, type Target } from './scenarios.ts';

/** A gateway beside the bare route and the peer. */
export type Testbed = Loaded & Readonly<Record<'bare' | 'peer', Server>>;

/** One measurement of one scenario. */
export interface Round {
  readonly goodPerS: number;
  readonly codesPerS: number;
  /** Requests without a good answer. */
  readonly failures: number;
  /** Bytes of an average good answer. */
  readonly bytesAGood: number;
  /** Processor time of the measured server for one good answer. */
  readonly serverCpuMs: number;
  /** Processor time of Redis and Postgres together for one good answer; 0 for the bare route and the peer. */
  readonly storesCpuMs: number;
  /** Share of one core that the load generator used. */
  readonly generatorCores: number;
  readonly rssBytes: number;
  readonly result: ClosedResult;
}

/** All rounds of one scenario, in order. */
export interface Measured {
  readonly scenario: Scenario;
  readonly rounds: readonly Round[];
}

/** For how long to measure. */
interface Times {
  /** Seconds of warm-up before each measurement. */
  readonly warmUpS: number;
  readonly seconds: number;
}

const measure = async (
  generator: Generator,
  testbed: Testbed,
  scenario: Scenario,
  times: Times,
): Promise<Round> => {
  const { target } = recipeOf(scenario.mix[0]![0]);
  const { url, pid } = testbed[target];
  const { mix, connections } = scenario;
  const { aim } = testbed;
  const load = { url, mix, connections: connectionsFor(mix, aim, connections), aim, ...times };
  const spent = () => spentMs(pid, target === 'gateway' ? testbed.backends : {});
  let before = spent();
  const result = await generator.closed(load, () => {
    before = spent();
  });
  const { tally, seconds, generatorCpuMs } = result;
  const good = Math.max(1, tally.good);
  const us = usOfEach(before, spent(), good);
  return {
    goodPerS: tally.good / seconds,
    codesPerS: tally.codes / seconds,
    failures: failuresOf(tally),
    bytesAGood: tally.bytes / good,
    serverCpuMs: us.gateway / 1000,
    storesCpuMs: (us.redis + us.postgres) / 1000,
    generatorCores: generatorCpuMs / 1000 / seconds,
    rssBytes: rssBytes(pid),
    result,
  };
};

/** Measures every scenario in every round. Calls `onRound` after each. */
export const compare = async (
  generator: Generator,
  testbed: Testbed,
  {
    scenarios,
    rounds,
    warmUpS,
    seconds,
  }: Times & { readonly scenarios: readonly Scenario[]; readonly rounds: number },
  onRound: (scenario: Scenario, round: number, measured: Round) => void,
): Promise<Measured[]> => {
  const measured = scenarios.map((scenario) => ({ scenario, rounds: [] as Round[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { scenario, rounds } of measured) {
      rounds.push(await measure(generator, testbed, scenario, { warmUpS, seconds }));
      onRound(scenario, round, rounds.at(-1)!);
    }
  }
  return measured;
};

/** A target beside the ratio that was measured. `isMet` compares the median of the rounds. */
export interface Outcome {
  readonly target: Target;
  readonly ratio: Summary;
  readonly isMet: boolean;
}

/** Judges the targets whose scenarios were both measured, and leaves out the others. */
export const judge = (measured: readonly Measured[], targets: readonly Target[]): Outcome[] =>
  targets.flatMap((target) => {
    const find = (name: string) => measured.find(({ scenario }) => scenario.name === name)?.rounds;
    const [rounds, base] = [find(target.of), find(target.to)];
    if (rounds === undefined || base === undefined) return [];
    const values = (list: readonly Round[]) => list.map((round) => round[target.measure]);
    const ratio = summarize(pairedRatios(values(rounds), values(base)));
    return [{ target, ratio, isMet: isReached(target, ratio.median) }];
  });
