/** What becomes of one account's small pictures while another floods the gateway with large ones. */
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

export interface Scene {
  readonly flood: string;
  readonly beside: OpenResult;
  /** Requests of the flood that were answered. */
  readonly flooded: number;
}

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
/** How many times as long as alone the median may take, and how much longer the 99th percentile. */
const P50_FACTOR_MAX = 6;
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

/** @param rival The key of another account than the one of `aim`. */
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
    // The flood must stand in the queue before the others come.
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
