/** Finds the highest rate that holds the objective: doubles until it does not, then bisects. */
import type { OpenResult } from '../load/job.ts';
import { missedBy, reachedLimit, type Slo } from './slo.ts';

export interface Step {
  readonly phase: 'double' | 'bisect' | 'soak';
  readonly result: OpenResult;
  /** `null`: the objective held. */
  readonly missed: string | null;
}

export interface SearchOptions {
  readonly slo: Slo;
  /** Requests a second to begin with; holds surely, or nothing does. */
  readonly firstPerS: number;
  readonly seconds: number;
  readonly soakSeconds: number;
  fire(ratePerS: number, seconds: number): Promise<OpenResult>;
  onStep(step: Step): void;
}

export interface Found {
  /**
   * Highest rate that held its steps, if 80 % of it held the soak; if that missed, the rate of the lower soak that held:
   * a rate at which something missed is never claimed. 0 when none held.
   */
  readonly ratePerS: number;
  /** The soak that held; `null` when nothing did. */
  readonly soak: Step | null;
  readonly steps: readonly Step[];
}

/** Waiting grows as ρ / (1 - ρ): beyond this share of the capacity a plan has no room for a busy minute. */
export const PLANNED_SHARE = 0.8;
const PRECISION = 0.05;
/** A millionfold: no real service gets there. */
const DOUBLINGS_MAX = 20;
/** One disturbed window must not end the search: a miss counts when it happens again. */
const ATTEMPTS = 2;
const SOAKS_MAX = 3;

/** Ends at the first sign of a limit of the account or key: a rate above it can't be found. */
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
