/** Calls of several kinds, or to several gateways, whose costs are compared. */
import type { Server } from '../../test/servers/node-server.ts';
import { type Spent, type StorePids, spentMs, totalOf, usOfEach } from '../cpu.ts';
import type { Aim } from '../load/aim.ts';
import type { Generator } from '../load/fire.ts';
import type { RecipeName } from '../load/recipes.ts';
import { median, pairedRatios } from '../stats.ts';
import { measured, type Verdict } from '../verdict.ts';

/** Calls of one kind to one gateway. */
export interface Turn {
  readonly name: string;
  readonly gateway: Server;
  /** Stores whose processor time counts too. */
  readonly backends: StorePids;
  readonly aim: Aim;
  readonly kind: RecipeName;
  /** Calls per round. */
  readonly requests: number;
  readonly connections: number;
}

/** What one call of a turn costs, round by round, in microseconds. */
export interface Cost {
  readonly name: string;
  readonly rounds: readonly Spent[];
  /** Processor time of all parts, as multiples of the first turn: the median of the rounds. */
  readonly ratio: number;
}

/** On a busy machine a call occasionally times out waiting for a store. */
const GOOD_SHARE = 0.99;

const roundOf = async (generator: Generator, turn: Turn): Promise<Spent> => {
  const { name, gateway, backends, aim, kind, requests, connections } = turn;
  const before = spentMs(gateway.pid, backends);
  const mix = [[kind, 1]] as const;
  const job = { url: gateway.url, mix, aim, connections, requests };
  const { tally } = await generator.counted(job);
  if (tally.good < GOOD_SHARE * requests)
    throw new Error(`${name}: ${tally.good} of ${requests} answers were right`);
  return usOfEach(before, spentMs(gateway.pid, backends), requests);
};

/**
 * Measures what one call of each turn costs. The rounds alternate, so that other work on the machine affects all of
 * them alike, and each turn begins equally many rounds. The first round of each does not count.
 */
export const measureInTurns = async (
  generator: Generator,
  turns: readonly Turn[],
  rounds: number,
): Promise<readonly Cost[]> => {
  const spent = turns.map((): Spent[] => []);
  for (let round = -1; round < rounds; round += 1) {
    for (const [i] of turns.entries()) {
      const at = (i + round + 1) % turns.length;
      const us = await roundOf(generator, turns[at]!);
      if (round >= 0) spent[at]!.push(us);
    }
  }
  const totals = spent.map((us) => us.map(totalOf));
  return turns.map(({ name }, i) => ({
    name,
    rounds: spent[i]!,
    ratio: median(pairedRatios(totals[i]!, totals[0]!)),
  }));
};

/** Prints the medians of a cost. */
export const costVerdicts = ({ name, rounds }: Pick<Cost, 'name' | 'rounds'>): readonly Verdict[] =>
  (['gateway', 'redis', 'postgres'] as const).map((part) =>
    measured(`${name}: ${part}`, median(rounds.map((us) => us[part])), 'us'),
  );
