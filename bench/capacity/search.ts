/** Finds the highest rate that meets the objective: doubles the rate until it misses, then bisects. */
import type { OpenResult } from '../load/job.ts';
import { missedBy, reachedLimit, type Slo } from './slo.ts';

/** One stretch of load at a constant rate. */
export interface Step {
  readonly phase: 'double' | 'bisect' | 'soak';
  readonly result: OpenResult;
  /** Why the step missed the objective; `null` when it met it. */
  readonly missed: string | null;
}

/** How to search, and how to load the target. */
export interface SearchOptions {
  readonly slo: Slo;
  /** The first rate, in requests a second. It must be low enough to meet the objective if any rate does. */
  readonly firstPerS: number;
  readonly seconds: number;
  readonly soakSeconds: number;
  /** Loads the target at a constant rate. */
  fire(ratePerS: number, seconds: number): Promise<OpenResult>;
  /** Called after each step. */
  onStep(step: Step): void;
}

/** What a search found. */
export interface Found {
  /**
   * The highest rate that met the objective, if the soak at 80 % of it met it too. If that soak missed, the rate of
   * a lower soak that met it: a search never claims a rate at which a step missed. 0 when no rate met the
   * objective.
   */
  readonly ratePerS: number;
  /** The soak that met the objective; `null` when none did. */
  readonly soak: Step | null;
  readonly steps: readonly Step[];
}

/** Waiting grows as ρ / (1 - ρ): above this share of the capacity a plan has no reserve for a busy minute. */
export const PLANNED_SHARE = 0.8;
const PRECISION = 0.05;
/** A millionfold, which no real service reaches. */
const DOUBLINGS_MAX = 20;
/** One disturbed step must not end the search: only a second miss at the same rate counts. */
const ATTEMPTS = 2;
const SOAKS_MAX = 3;

/** Ends at the first answer that shows a limit of the account or key: no rate above it can be measured. */
export const search = async (options: SearchOptions): Promise<Found> => {
  const { slo, fire, onStep } = options;
  const steps: Step[] = [];
  const take = async (phase: Step['phase'], ratePerS: number, seconds: number): Promise<Step> => {
    const result = await fire(ratePerS, seconds);
    const step = { phase, result, missed: missedBy(slo, result) };
    steps.push(step);
    onStep(step);
    return step;
  };
  const nothing: Found = { ratePerS: 0, soak: null, steps };
  const limited = (): boolean => steps.some(({ result }) => reachedLimit(result));
  const holds = async (phase: Step['phase'], ratePerS: number): Promise<boolean> => {
    for (let attempt = 0; attempt < ATTEMPTS && !limited(); attempt += 1) {
      if ((await take(phase, ratePerS, options.seconds)).missed === null) return true;
    }
    return false;
  };

  let [low, high] = [0, options.firstPerS];
  for (let doubling = 0; doubling < DOUBLINGS_MAX; doubling += 1) {
    if (!(await holds('double', high))) break;
    [low, high] = [high, 2 * high];
  }
  while (high - low > PRECISION * high && high > 1 && !limited()) {
    const middle = (low + high) / 2;
    if (await holds('bisect', middle)) low = middle;
    else high = middle;
  }
  if (low === 0 || limited()) return nothing;
  let ratePerS = low;
  let soakPerS = PLANNED_SHARE * low;
  let soak = await take('soak', soakPerS, options.soakSeconds);
  for (let again = 1; again < SOAKS_MAX && soak.missed !== null && !limited(); again += 1) {
    soakPerS *= PLANNED_SHARE;
    ratePerS = soakPerS;
    soak = await take('soak', soakPerS, options.soakSeconds);
  }
  return soak.missed === null ? { ratePerS, soak, steps } : nothing;
};
