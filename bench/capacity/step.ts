/** The steps of a search: loads at a constant rate, each judged by the objective. */
import type { OpenResult } from '../load/job.ts';
import type { Mix } from '../load/mix.ts';
import type { Point } from './estimate.ts';
import { judge, reachedLimit, type Slo, secondsFor, tooFew } from './slo.ts';

/** What a load measured, and why that says nothing about the target; without a fault it does. */
export interface Fired {
  readonly result: OpenResult;
  readonly faults: readonly string[];
  /** What was seen beside it, in a sentence. */
  readonly seen: string;
}

/** One period of load at a constant rate. */
export interface Step extends Fired {
  readonly phase: 'range' | 'bisect' | 'refine' | 'soak';
  /** Why the step missed the objective; `null` when it met it. */
  readonly missed: string | null;
  /** Requests that failed, and then those that were too slow for each objective. */
  readonly points: readonly Point[];
}

/** How to search, and how to load the target. */
export interface SearchOptions {
  readonly slo: Slo;
  readonly mix: Mix;
  /** The first rate, in requests a second. It must be low enough to meet the objective if any rate does. */
  readonly firstPerS: number;
  /** The least duration of a step; it takes longer where a percentile needs more answers. */
  readonly seconds: number;
  readonly soakSeconds: number;
  /** Loads the target at a constant rate. */
  fire(ratePerS: number, seconds: number): Promise<Fired>;
  /** Leaves the target alone. */
  rest(seconds: number): Promise<void>;
  /** Called after each step. */
  onStep(step: Step): void;
}

/** Ends a search; the message says why it found no rate. */
export class Undetermined extends Error {}

/** A step that says nothing is repeated, among the first ones only if it missed. */
const ATTEMPTS = 2;
/** After a miss the target gets this time to recover, and as long again as its backlog took. */
const COOL_DOWN_S = 3;
/** So many steps in a row that say nothing, each of them twice, end the search. */
const FAULTY_MAX = 4;
const STEP_S_MAX = 600;

const unsent = ({ dropped }: OpenResult): string | null =>
  dropped === 0 ? null : `${dropped} requests were not sent`;

/** Returns a function that takes a step of the search and adds it to `steps`. @throws {Undetermined} */
export const createTake = (options: SearchOptions, steps: Step[]) => {
  const { slo, mix } = options;
  let faulty = 0;
  const once = async (phase: Step['phase'], ratePerS: number, seconds: number): Promise<Step> => {
    const { result, faults, seen } = await options.fire(ratePerS, seconds);
    const judged = judge(slo, result);
    const step: Step = {
      ...{ phase, result, seen },
      faults: phase === 'range' ? faults : [...faults, ...tooFew(slo, result)],
      missed:
        (phase === 'soak' ? unsent(result) : null) ??
        judged.find((one) => one.missed !== null)?.missed ??
        null,
      points: judged.map(({ over, of }) => ({ ratePerS, over, of })),
    };
    steps.push(step);
    options.onStep(step);
    if (reachedLimit(result))
      throw new Undetermined(
        'the target answers 429: give the account more units, start its gateways with RATE_LIMIT_PER_SECOND=0 and FREE_WORK_MS_PER_SECOND=0, or give the keys of several accounts',
      );
    if (step.missed !== null) await options.rest(COOL_DOWN_S + Math.max(0, result.seconds - seconds));
    return step;
  };
  return async (phase: Step['phase'], ratePerS: number): Promise<Step> => {
    // The first steps only look for the region.
    const counts = phase === 'refine' || phase === 'soak';
    const needed = secondsFor(slo, mix, ratePerS);
    if (phase !== 'range' && needed > STEP_S_MAX)
      throw new Undetermined(
        `at ${ratePerS.toFixed(1)} requests a second a step would need ${Math.round(needed)} s for its percentiles: choose lower ones, or give their kinds more weight`,
      );
    const least = phase === 'soak' ? options.soakSeconds : options.seconds;
    const seconds = Math.max(least, phase === 'range' ? Math.min(needed, options.soakSeconds) : needed);
    const isDoubtful = ({ faults, missed }: Step) => faults.length > 0 && (counts || missed !== null);
    let step = await once(phase, ratePerS, seconds);
    for (let n = 1; n < ATTEMPTS && isDoubtful(step); n += 1) step = await once(phase, ratePerS, seconds);
    faulty = counts && isDoubtful(step) ? faulty + 1 : 0;
    if (faulty === FAULTY_MAX) throw new Undetermined(step.faults.join('; '));
    return step;
  };
};
