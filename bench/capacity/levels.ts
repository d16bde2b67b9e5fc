/** Throughput of a mix by number of gateway processes, for the scalability law. */
import { inScope } from '../../test/servers/scope.ts';
import { startGenerator } from '../load/fire.ts';
import type { Mix } from '../load/mix.ts';
import { peakOf } from '../model/measure/levels.ts';
import { startSubject } from '../model/measure/subject.ts';
import type { Level } from './usl.ts';

/**
 * Measures each number of processes on new stores. The numbers alternate, so that a busy minute does not hit one of them
 * alone. Returns one level for each round of each number.
 */
export const measureLevels = async (
  mix: Mix,
  counts: readonly number[],
  options: { readonly seconds: number; readonly rounds: number; onLevel(level: Level): void },
): Promise<Level[]> => {
  const levels: Level[] = [];
  for (let round = 0; round < options.rounds; round += 1)
    for (const n of counts) {
      const level = await inScope(async (scope) => {
        const generator = startGenerator(scope);
        const subject = await startSubject(scope, generator, { name: `level-${n}`, mix, processes: n });
        const { callsPerS } = await peakOf(subject, mix, { generator, seconds: options.seconds });
        return { n, rate: callsPerS };
      });
      levels.push(level);
      options.onLevel(level);
    }
  return levels;
};
