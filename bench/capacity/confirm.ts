/** A rate is claimed only when an independent generator finds the objective held at it too. */
import type { Witnessed } from '../witness/witness.ts';
import { missedBy, type Slo } from './slo.ts';

/** One run of the independent generator. */
export interface WitnessRun {
  readonly result: Witnessed;
  /** Why it missed the objective; `null` when it met it. */
  readonly missed: string | null;
}

/** What the independent generator said of a rate that a search had found. */
export interface Confirmation {
  /** The rate of the search. */
  readonly searchedPerS: number;
  /** The rate that may be claimed: the last run met the objective at it. 0 when no run did. */
  readonly claimedPerS: number;
  /** In order: the first at the rate of the search, each further one at a lower rate. */
  readonly runs: readonly WitnessRun[];
}

/** After a run that missed, the next one has this share of its rate. */
export const LOWERED = 0.9;
/** The last of them is at 0.43 of the rate that was found: then the two generators measure different things. */
const RUNS_MAX = 9;

/** Runs the independent generator at the rate that was found, and lowers the rate until a run meets the objective. */
export const confirm = async (options: {
  readonly slo: Slo;
  readonly searchedPerS: number;
  fire(ratePerS: number): Promise<Witnessed>;
  onRun(run: WitnessRun): void;
}): Promise<Confirmation> => {
  const { slo, searchedPerS } = options;
  const runs: WitnessRun[] = [];
  for (let ratePerS = searchedPerS; runs.length < RUNS_MAX; ratePerS *= LOWERED) {
    const result = await options.fire(ratePerS);
    const run = { result, missed: missedBy(slo, result) };
    runs.push(run);
    options.onRun(run);
    if (run.missed === null) return { searchedPerS, claimedPerS: ratePerS, runs };
  }
  return { searchedPerS, claimedPerS: 0, runs };
};
