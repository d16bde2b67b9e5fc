/** Throughput by number of render threads, for the scalability law. */

import { inScope } from '../../test/servers/scope.ts';
import { startGenerator } from '../load/fire.ts';
import type { Mix } from '../load/mix.ts';
import { ownTarget } from './target.ts';
import type { Level } from './usl.ts';

const CONNECTIONS = 32;
const WARM_UP_S = 2;

/**
 * Measures each number of threads on its own gateway. The numbers alternate, so that a busy minute does not hit one
 * of them alone. Returns one level for each round of each number.
 */
export const measureLevels = async (
  mix: Mix,
  counts: readonly number[],
  options: { readonly seconds: number; readonly rounds: number; onLevel(level: Level): void },
): Promise<Level[]> => {
  const levels: Level[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    for (const n of counts) {
      const rate = await inScope(async (scope) => {
        const { url, aim } = await ownTarget(scope, mix, { RENDER_THREADS: String(n) });
        const load = { url, mix, aim, connections: CONNECTIONS };
        const { tally, seconds } = await startGenerator(scope).closed({
          ...load,
          warmUpS: WARM_UP_S,
          seconds: options.seconds,
        });
        return tally.good / seconds;
      });
      levels.push({ n, rate });
      options.onLevel({ n, rate });
    }
  }
  return levels;
};
