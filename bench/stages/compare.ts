/** Runs the scenarios round by round (A B C A B C), so that a disturbance affects all of a round alike. */
import type { Server } from '../../test/servers/node-server.ts';
import type { Target as Loaded } from '../../test/servers/testbed.ts';
import { rssBytes, spentMs, usDuring } from '../cpu.ts';
import type { Generator } from '../load/fire.ts';
import { connectionsFor } from '../load/mix.ts';
import { failuresOf } from '../load/outcomes.ts';
import { recipeOf } from '../load/recipes.ts';
import type { RunOptions } from '../options.ts';
import { summarize } from '../stats.ts';
import { isReached, ratiosOf, type Scenario, type Target } from './scenarios.ts';

/** A gateway beside the bare route and the peer. */
export type Testbed = Loaded & Readonly<Record<'bare' | 'peer', Server>>;

/** All rounds of one scenario, in order. */
export interface Measured {
  readonly scenario: Scenario;
  readonly rounds: readonly Round[];
}

const measure = async (
  generator: Generator,
  testbed: Testbed,
  { mix, connections }: Scenario,
  times: Pick<RunOptions, 'warmUpS' | 'seconds'>,
) => {
  const { target } = recipeOf(mix[0]![0]);
  const { url, pid } = testbed[target];
  const { aim } = testbed;
  const load = { url, mix, connections: connectionsFor(mix, aim, connections), aim, ...times };
  const { result, us } = await usDuring(
    () => spentMs(pid, target === 'gateway' ? testbed.backends : {}),
    (begin) => generator.closed(load, begin),
    ({ tally }) => tally.good,
  );
  const { tally, seconds, generatorCpuMs } = result;
  return {
    goodPerS: tally.good / seconds,
    codesPerS: tally.codes / seconds,
    /** Requests without a good answer. */
    failures: failuresOf(tally),
    /** Bytes of an average good answer. */
    bytesAGood: tally.bytes / Math.max(1, tally.good),
    /** Processor time of the measured server for one good answer. */
    serverCpuMs: us.gateway / 1000,
    /** Processor time of Redis and Postgres together for one good answer; 0 for the bare route and the peer. */
    storesCpuMs: (us.redis + us.postgres) / 1000,
    /** Share of one core that the load generator used. */
    generatorCores: generatorCpuMs / 1000 / seconds,
    rssBytes: rssBytes(pid),
    result,
  };
};

/** One measurement of one scenario. */
export type Round = Readonly<Awaited<ReturnType<typeof measure>>>;

/** Measures every scenario in every round. Calls `onRound` after each. */
export const compare = async (
  generator: Generator,
  testbed: Testbed,
  { scenarios, rounds, warmUpS, seconds }: RunOptions,
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

/** Judges the targets whose scenarios were both measured, and leaves out the others. */
export const judge = (measured: readonly Measured[], targets: readonly Target[]) =>
  targets.flatMap((target) => {
    const ratios = ratiosOf(measured, target);
    if (ratios.length === 0) return [];
    const ratio = summarize(ratios);
    return [{ target, ratio, isMet: isReached(target, ratio.median) }];
  });

/** A target beside the ratio that was measured. `isMet` compares the median of the rounds. */
export type Outcome = Readonly<ReturnType<typeof judge>[number]>;
