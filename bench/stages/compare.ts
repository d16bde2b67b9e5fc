/** Runs the scenarios round by round, A B C A B C, so that a disturbance hits neighbouring scenarios alike. */

import type { Server } from '../../test/servers/node-server.ts';
import { cpuMs, rssBytes, treeCpuMs } from '../cpu.ts';
import type { Aim } from '../load/aim.ts';
import type { Generator } from '../load/fire.ts';
import type { ClosedResult } from '../load/job.ts';
import type { TargetName } from '../load/recipes.ts';
import { recipeOf } from '../load/recipes.ts';
import { failuresOf } from '../load/tally.ts';
import { pairedRatios, type Summary, summarize } from '../stats.ts';
import { isReached, type Scenario, type Target } from './scenarios.ts';

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

/** What to measure, and on which servers. */
export interface CompareOptions {
  readonly scenarios: readonly Scenario[];
  readonly rounds: number;
  /** Load before each measurement, which does not count. */
  readonly warmUpS: number;
  readonly seconds: number;
  readonly servers: Readonly<Record<TargetName, Server>>;
  /** Process ids of Redis and Postgres. */
  readonly stores: readonly number[];
  readonly aim: Aim;
  /** Called after each measurement. */
  onRound(scenario: Scenario, round: number, measured: Round): void;
}

const measure = async (
  generator: Generator,
  scenario: Scenario,
  options: CompareOptions,
  firstSerial: number,
): Promise<Round> => {
  const target = recipeOf(scenario.mix[0]![0]).target;
  const server = options.servers[target];
  const stores = target === 'gateway' ? options.stores : [];
  const storesMs = () => stores.reduce((total, pid) => total + treeCpuMs(pid), 0);
  let [serverBeforeMs, storesBeforeMs] = [0, 0];
  const { url } = server;
  const result = await generator.closed(
    {
      url,
      mix: scenario.mix,
      aim: options.aim,
      firstSerial,
      connections: scenario.connections,
      warmUpS: options.warmUpS,
      seconds: options.seconds,
    },
    () => {
      [serverBeforeMs, storesBeforeMs] = [cpuMs(server.pid), storesMs()];
    },
  );
  const { tally, seconds, generatorCpuMs } = result;
  const good = Math.max(1, tally.good);
  return {
    goodPerS: tally.good / seconds,
    codesPerS: tally.codes / seconds,
    failures: failuresOf(tally),
    bytesAGood: tally.bytes / good,
    serverCpuMs: (cpuMs(server.pid) - serverBeforeMs) / good,
    storesCpuMs: (storesMs() - storesBeforeMs) / good,
    generatorCores: generatorCpuMs / 1000 / seconds,
    rssBytes: rssBytes(server.pid),
    result,
  };
};

/**
 * Measures every scenario in every round. Serial numbers continue from round to round, so no content comes twice.
 */
export const compare = async (generator: Generator, options: CompareOptions): Promise<Measured[]> => {
  const rounds = options.scenarios.map((): Round[] => []);
  const serials = options.scenarios.map(() => 0);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [index, scenario] of options.scenarios.entries()) {
      const aim = { ...options.aim, run: `${options.aim.run}-${index}` };
      const measured = await measure(generator, scenario, { ...options, aim }, serials[index]!);
      serials[index] = measured.result.nextSerial;
      rounds[index]!.push(measured);
      options.onRound(scenario, round, measured);
    }
  }
  return options.scenarios.map((scenario, index) => ({ scenario, rounds: rounds[index]! }));
};

/** A target beside the ratio that was measured. `isMet` compares the median of the rounds. */
export interface Outcome {
  readonly target: Target;
  readonly ratio: Summary;
  readonly isMet: boolean;
}

/** Judges the targets of which both scenarios were measured; leaves out the others. */
export const judge = (measured: readonly Measured[], targets: readonly Target[]): Outcome[] =>
  targets.flatMap((target) => {
    const find = (name: string) => measured.find(({ scenario }) => scenario.name === name)?.rounds;
    const [rounds, base] = [find(target.of), find(target.to)];
    if (rounds === undefined || base === undefined) return [];
    const values = (list: readonly Round[]) => list.map((round) => round[target.measure]);
    const ratio = summarize(pairedRatios(values(rounds), values(base)));
    return [{ target, ratio, isMet: isReached(target, ratio.median) }];
  });
