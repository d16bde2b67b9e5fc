/** Loads this machine with the mix of a plan and compares the cost of a call with the prediction of the model. */
import { inScope } from '../../test/servers/scope.ts';
import { PARTS, type Spent, totalOf } from '../cpu.ts';
import { startGenerator } from '../load/fire.ts';
import type { Mix } from '../load/mix.ts';
import { isRecipeName } from '../load/recipes.ts';
import { figure, percent, tableOf } from '../say.ts';
import { type Law, type Rates, usAt } from './curve.ts';
import { costAtRate, peakOf } from './measure/levels.ts';
import { cheapest, settle, startSubject } from './measure/subject.ts';
import { callsPerS } from './plan/load.ts';
import type { TitledTable } from './tables.ts';

/** Share of the peak of one process at which the check runs, whatever the number of processes. */
export const CHECKED_SHARE = 0.6;
/** The greatest tolerated error of the processor time of a call. */
export const ERROR_MAX = 0.15;

/** Returns the calls per second of a mix that one process serves, if each kind loads the machine as it does alone. */
export const peakOfMix = ({ kinds }: Law, mix: Rates): number =>
  callsPerS(mix) /
  Object.entries(mix).reduce((total, [kind, perS]) => total + perS / kinds.get(kind)!.cost.peakPerS, 0);

/** Compares a measurement with the prediction for the rate that was reached: a busy machine may not reach the wanted one. */
export const compare = (
  law: Law,
  mix: Rates,
  measured: { readonly processes: number; readonly callsPerS: number; readonly us: Spent },
) => {
  const predicted = usAt(law, mix, measured.callsPerS, measured.processes);
  /** Of all parts together: measured / predicted - 1. */
  const error = totalOf(measured.us) / totalOf(predicted) - 1;
  return { ...measured, predicted, error };
};

/** A measurement beside its prediction. */
export type Checked = ReturnType<typeof compare>;

/**
 * Measures the mix on new gateway processes, after a while at their peak. As in the model, the cheapest round counts.
 * Batches are no part of it.
 */
export const checkModel = (
  law: Law,
  rates: Rates,
  options: {
    readonly processes: number;
    readonly seconds: number;
    readonly rounds: number;
    onRound(us: Spent): void;
  },
): Promise<Checked> =>
  inScope(async (scope) => {
    const { processes, seconds, rounds, onRound } = options;
    const mix: Mix = Object.entries(rates).flatMap(([kind, perS]) =>
      isRecipeName(kind) && perS > 0 ? [[kind, perS] as const] : [],
    );
    const calls = Object.fromEntries(mix);
    const generator = startGenerator(scope);
    const subject = await startSubject(scope, generator, { name: 'check', mix, processes });
    await peakOf(subject, mix, { generator, seconds });
    const measured = [];
    for (let round = 0; round < rounds; round += 1) {
      await settle();
      const perS = CHECKED_SHARE * peakOfMix(law, calls);
      const { us, callsPerS: reachedPerS } = await costAtRate(subject, mix, perS, { generator, seconds });
      measured.push({ processes, us, callsPerS: reachedPerS });
      onRound(us);
    }
    return compare(law, calls, cheapest(measured));
  });

/** Shows prediction, measurement and error, part by part. */
export const checkTable = ({ processes, callsPerS: perS, predicted, us }: Checked): TitledTable => ({
  title: `${figure(perS)} calls a second on ${processes === 1 ? 'one gateway process' : `${processes} gateway processes`}: microseconds per call`,
  ...tableOf(
    [
      ...PARTS.map((part) => ({ part: part as string, one: predicted[part], other: us[part] })),
      { part: 'all', one: totalOf(predicted), other: totalOf(us) },
    ],
    [
      ['part', ({ part }) => part],
      ['predicted', ({ one }) => one],
      ['measured', ({ other }) => other],
      ['error', ({ one, other }) => (one === 0 ? null : percent(other / one - 1))],
    ],
  ),
});
