/** Calls of several kinds, or to several gateways, whose costs are compared. */
import type { Target } from '../../test/servers/testbed.ts';
import { PARTS, type Spent, type StorePids, spentMs, totalOf, usOfEach } from '../cpu.ts';
import type { Generator } from '../load/fire.ts';
import type { RecipeName } from '../load/recipes.ts';
import { median, pairedRatios } from '../stats.ts';
import { measured, type Verdict } from '../verdict.ts';

/** Calls of one kind to one gateway. */
export interface Turn extends Pick<Target, 'gateway' | 'aim'> {
  readonly name: string;
  /** Stores whose processor time counts too. */
  readonly backends: StorePids;
  readonly kind: RecipeName;
  /** Calls per round. */
  readonly requests: number;
  readonly connections: number;
}

/** What one call of a turn costs. */
export interface Cost {
  readonly name: string;
  /** Processor time of all parts, as multiples of the first turn: the median of the rounds. */
  readonly ratio: number;
  /** The microseconds of each part: the medians of the rounds. */
  readonly verdicts: readonly Verdict[];
}

/** On a busy machine a call occasionally times out waiting for a store. */
const GOOD_SHARE = 0.99;

const roundOf = async (generator: Generator, turn: Turn): Promise<Spent> => {
  const { name, gateway, backends, kind, requests, ...load } = turn;
  const before = spentMs(gateway.pid, backends);
  const mix = [[kind, 1]] as const;
  const { tally } = await generator.counted({ ...load, url: gateway.url, mix, requests });
  if (tally.good < GOOD_SHARE * requests)
    throw new Error(`${name}: ${tally.good} of ${requests} answers were right`);
  return usOfEach(before, spentMs(gateway.pid, backends), requests);
};

/** Shows the medians of the microseconds of each part. */
export const costVerdicts = (name: string, rounds: readonly Spent[]): readonly Verdict[] =>
  PARTS.map((part) => measured(`${name}: ${part}`, median(rounds.map((us) => us[part])), 'us'));

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
    ratio: median(pairedRatios(totals[i]!, totals[0]!)),
    verdicts: costVerdicts(name, spent[i]!),
  }));
};
