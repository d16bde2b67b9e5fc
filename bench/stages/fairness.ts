/** How one account's small pictures fare while another account floods the gateway with large ones. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLargeCodes } from '../../test/servers/account.ts';
import type { Server } from '../../test/servers/node-server.ts';
import type { Scope } from '../../test/servers/scope.ts';
import type { Aim } from '../load/aim.ts';
import { startGenerator } from '../load/fire.ts';
import type { OpenResult } from '../load/job.ts';
import type { Mix } from '../load/mix.ts';
import type { RecipeName } from '../load/recipes.ts';
import { atLeast, atMost, type Verdict } from './verdict.ts';

interface Flood {
  readonly name: string;
  readonly recipe: RecipeName;
  readonly connections: number;
}

/** One flood, and the small pictures that were measured beside it. */
export interface Scene {
  readonly flood: string;
  readonly beside: OpenResult;
  /** Requests of the flood that got a good answer. */
  readonly flooded: number;
}

/** The small pictures alone, beside each flood, and how the two compare. */
export interface Fairness {
  readonly alone: OpenResult;
  readonly scenes: readonly Scene[];
  readonly verdicts: readonly Verdict[];
}

const FLOODS: readonly Flood[] = [
  { name: 'batches', recipe: 'gradient flood', connections: 4 },
  { name: 'large singles', recipe: 'large single', connections: 24 },
  { name: 'large redraws', recipe: 'large redraw', connections: 24 },
];
const SMALL: Mix = [['render miss 300', 1]];
const SMALL_CONNECTIONS = 32;
const SMALL_PER_S = 20;
/** Beside a flood the median may take this many times as long as alone. */
const P50_FACTOR_MAX = 6;
/** Beside a flood the 99th percentile may take this much longer than alone. */
const P99_MORE_MAX_MS = 60;

const judge = (alone: OpenResult, { flood, beside }: Scene): readonly Verdict[] => [
  atLeast(`small ones drawn beside ${flood}`, beside.tally.good / (alone.tally.good || 1), 0.99, 'of them'),
  atMost(
    `p50 beside ${flood} against alone`,
    beside.latencyMs.p50 / alone.latencyMs.p50,
    P50_FACTOR_MAX,
    'times',
  ),
  atMost(
    `p99 beside ${flood} above alone`,
    beside.latencyMs.p99 - alone.latencyMs.p99,
    P99_MORE_MAX_MS,
    'ms',
  ),
];

/**
 * Measures small pictures alone and then beside each flood. `rival` is the key of another account than `aim`'s. Each
 * measurement takes `seconds`.
 */
export const fairness = async (
  scope: Scope,
  gateway: Server,
  aim: Aim,
  rival: string,
  seconds: number,
): Promise<Fairness> => {
  const [generator, flooder] = [startGenerator(scope), startGenerator(scope)];
  let firstSerial = 0;
  const smallOnes = async () => {
    const result = await generator.open({
      url: gateway.url,
      mix: SMALL,
      aim: { ...aim, run: `${aim.run}-fair` },
      firstSerial,
      connections: SMALL_CONNECTIONS,
      ratePerS: SMALL_PER_S,
      seconds,
      underWayMax: 1000,
    });
    firstSerial = result.nextSerial;
    return result;
  };
  const codes = await createLargeCodes(gateway.url, rival);

  const beside = async ({ name, recipe, connections }: Flood): Promise<Scene> => {
    const flooding = flooder.closed({
      url: gateway.url,
      mix: [[recipe, 1]],
      aim: { ...aim, key: rival, codes, run: `${aim.run}-flood` },
      firstSerial: 0,
      connections,
      warmUpS: 0,
      seconds: seconds + 2,
    });
    // The flood must fill the queue before the small pictures come.
    await sleep(1000);
    const measured = await smallOnes();
    const { tally } = await flooding;
    return { flood: name, beside: measured, flooded: tally.good };
  };

  const alone = await smallOnes();
  const scenes: Scene[] = [];
  for (const flood of FLOODS) scenes.push(await beside(flood));
  return { alone, scenes, verdicts: scenes.flatMap((scene) => judge(alone, scene)) };
};
