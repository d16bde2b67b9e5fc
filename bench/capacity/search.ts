/** Finds the highest rate that meets the objective: doubles the rate until the objective is missed, then bisects. */
import type { OpenResult } from '../load/job.ts';
import { missedBy, reachedLimit, type Slo } from './slo.ts';

/** One period of load at a constant rate. */
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
  /** The rate of the soak that met the objective; shorter steps do not count. 0 when no soak met it. */
  readonly ratePerS: number;
  /** The highest rate at which a short step met the objective; 0 when none did. */
  readonly searchedPerS: number;
  /** The soak that met the objective; `null` when none did. */
  readonly soak: Step | null;
  readonly steps: readonly Step[];
}

/** Waiting grows as ρ / (1 - ρ): above this share of the capacity a plan has no reserve for a busy minute. */
export const PLANNED_SHARE = 0.8;
const PRECISION = 0.05;
/** Doublings, which make a factor of a million: no real service gets that far. */
const DOUBLINGS_MAX = 20;
/** A single disturbed step must not end the search: only a second miss at the same rate counts. */
const ATTEMPTS = 2;
const SOAKS_MAX = 3;

/** Stops as soon as an answer shows that a limit of the account or key was reached: higher rates cannot be measured. */
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
  const nothing: Found = { ratePerS: 0, searchedPerS: 0, soak: null, steps };
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
  let ratePerS = PLANNED_SHARE * low;
  for (let soaks = 0; soaks < SOAKS_MAX && !limited(); soaks += 1) {
    const soak = await take('soak', ratePerS, options.soakSeconds);
    if (soak.missed === null) return { ratePerS, searchedPerS: low, soak, steps };
    ratePerS *= PLANNED_SHARE;
  }
  return nothing;
};
