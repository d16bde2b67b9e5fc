/** Loads this machine with the mix of a plan and compares the cost of a call with the prediction of the model. */
import { inScope } from '../../test/servers/scope.ts';
import { startGenerator } from '../load/fire.ts';
import type { Mix } from '../load/mix.ts';
import { figure, percent, tableOf } from '../say.ts';
import { costAtRate, peakOf } from './measure/levels.ts';
import { cheapest, settle, startSubject } from './measure/subject.ts';
import { allOf, type ByPart, byPart, type CostModel, PARTS } from './model.ts';
import { costsOf, type Rates, spentAt } from './plan/predict.ts';
import type { TitledTable } from './tables.ts';

/** Share of the predicted peak at which the check runs. */
export const CHECKED_SHARE = 0.6;
/** The greatest tolerated error of the processor time of a call. */
export const ERROR_MAX = 0.15;

/** What a model predicts for a mix on the machine where it was measured. */
export interface Prediction {
  readonly peakPerS: number;
  /** Microseconds of an average call. */
  readonly us: ByPart;
}

/** Returns the calls per second of a load, all kinds together. */
const callsPerS = (rates: Rates): number => Object.values(rates).reduce((total, perS) => total + perS, 0);

/**
 * Returns the peak of a mix, assuming that each kind loads the machine as it does alone, and what an average call costs
 * at a share of that peak.
 */
export const predict = (model: CostModel, mix: Rates, share: number): Prediction => {
  const calls = callsPerS(mix);
  const peakShare = costsOf(model, mix).reduce((total, { cost, perS }) => total + perS / cost.peakPerS, 0);
  const us = spentAt(model, mix, { gateways: share, redis: share, postgres: share });
  return { peakPerS: calls / peakShare, us: byPart((part) => us[part] / calls) };
};

/** A measurement beside its prediction. */
export interface Checked {
  readonly share: number;
  readonly callsPerS: number;
  readonly predicted: ByPart;
  readonly measured: ByPart;
  /** Of all parts together: measured / predicted - 1. */
  readonly error: number;
}

/** Compares a measurement with the prediction for the reached rate: a busy machine may not reach the requested one. */
export const compare = (
  model: CostModel,
  mix: Rates,
  measured: { readonly callsPerS: number; readonly us: ByPart },
): Checked => {
  const share = measured.callsPerS / predict(model, mix, CHECKED_SHARE).peakPerS;
  const predicted = predict(model, mix, share).us;
  return {
    share,
    callsPerS: measured.callsPerS,
    predicted,
    measured: measured.us,
    error: allOf(measured.us) / allOf(predicted) - 1,
  };
};

/**
 * Measures the mix on a new gateway, after a while at its peak. As in the model, the cheapest round counts.
 */
export const checkModel = (
  model: CostModel,
  rates: Rates,
  options: { readonly seconds: number; readonly rounds: number; onRound(us: ByPart): void },
): Promise<Checked> =>
  inScope(async (scope) => {
    const mix: Mix = costsOf(model, rates).map(({ cost, perS }) => [cost.kind, perS]);
    const generator = startGenerator(scope);
    const subject = await startSubject(scope, generator, { name: 'check', mix });
    await peakOf(subject, mix, { generator, seconds: options.seconds });
    const ratePerS = CHECKED_SHARE * predict(model, rates, CHECKED_SHARE).peakPerS;
    const measured = [];
    for (let round = 0; round < options.rounds; round += 1) {
      await settle();
      const { us, callsPerS: reachedPerS } = await costAtRate(subject, mix, ratePerS, {
        generator,
        seconds: options.seconds,
      });
      measured.push({ us, callsPerS: reachedPerS });
      options.onRound(us);
    }
    return compare(model, rates, cheapest(measured));
  });

/** Shows prediction, measurement and error, part by part. */
export const checkTable = ({ share, callsPerS: perS, predicted, measured }: Checked): TitledTable => ({
  title: `${figure(perS)} calls a second, ${percent(share)} of the predicted peak: microseconds per call`,
  ...tableOf(
    [
      ...PARTS.map((part) => ({ part: part as string, one: predicted[part], other: measured[part] })),
      { part: 'all', one: allOf(predicted), other: allOf(measured) },
    ],
    [
      ['part', ({ part }) => part],
      ['predicted', ({ one }) => one],
      ['measured', ({ other }) => other],
      ['error', ({ one, other }) => (one === 0 ? null : percent(other / one - 1))],
    ],
  ),
});
