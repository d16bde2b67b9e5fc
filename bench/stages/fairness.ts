/** How fast one account gets small pictures while another account floods the gateway with large ones. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLargeCodes } from '../../test/servers/account.ts';
import type { Scope } from '../../test/servers/scope.ts';
import type { Aim } from '../load/aim.ts';
import { startGenerator } from '../load/fire.ts';
import type { RecipeName } from '../load/recipes.ts';
import { atLeast, atMost, type Verdict } from '../verdict.ts';

const FLOODS: readonly (readonly [name: string, recipe: RecipeName, connections: number])[] = [
  ['batches', 'gradient flood', 4],
  ['large singles', 'large single', 24],
  ['large redraws', 'large redraw', 24],
];
const SMALL_PER_S = 20;
/** The median during a flood may be this many times the median without one. */
const P50_FACTOR_MAX = 6;
/** The 99th percentile during a flood may be this much longer than without one. */
const P99_MORE_MAX_MS = 60;

/**
 * Measures small pictures alone and then during each flood. `rival` is the key of the flooding account. Each
 * measurement takes `seconds`.
 */
export const fairness = async (
  scope: Scope,
  url: string,
  aim: Aim,
  rival: string,
  seconds: number,
): Promise<readonly Verdict[]> => {
  const [generator, flooder] = [startGenerator(scope), startGenerator(scope)];
  const smallOnes = () => {
    const job = { url, mix: [['render miss 300', 1]] as const, aim: { ...aim, run: `${aim.run}-fair` } };
    const rate = { connections: 32, ratePerS: SMALL_PER_S, seconds, underWayMax: 1000 };
    return generator.open({ ...job, ...rate });
  };
  const rivals = {
    ...aim,
    key: rival,
    largeCodes: await createLargeCodes(url, [rival]),
    run: `${aim.run}-flood`,
  };

  const alone = await smallOnes();
  const verdicts: Verdict[] = [];
  for (const [name, recipe, connections] of FLOODS) {
    const flood = { url, mix: [[recipe, 1]] as const, aim: rivals, connections };
    const flooding = flooder.closed({ ...flood, warmUpS: 0, seconds: seconds + 2 });
    // The flood must fill the queue before the small pictures come.
    await sleep(1000);
    const beside = await smallOnes();
    await flooding;
    const [p50, p99] = [
      beside.latencyMs.p50 / alone.latencyMs.p50,
      beside.latencyMs.p99 - alone.latencyMs.p99,
    ];
    verdicts.push(
      atLeast(
        `small ones drawn beside ${name}`,
        beside.tally.good / (alone.tally.good || 1),
        0.99,
        'of them',
      ),
      atMost(`p50 beside ${name} against alone`, p50, P50_FACTOR_MAX, 'times'),
      atMost(`p99 beside ${name} above alone`, p99, P99_MORE_MAX_MS, 'ms'),
    );
  }
  return verdicts;
};
