/**
 * Finds the capacity, the highest rate that meets the objective in the long run, with an interval, and a rate that
 * holds for whole soaks.
 *
 * It doubles the rate until the objective is missed and narrows the bracket. Then come steps on both sides of the
 * capacity, each at the rate that those before it suggest (stochastic approximation: Robbins and Monro, 1951), until
 * the interval is narrow. Then it soaks at the low end of the interval.
 */
import { figure } from '../say.ts';
import { type Curve, type Estimate, estimate, fitCurve } from './estimate.ts';
import type { Slo } from './slo.ts';
import { createTake, type SearchOptions, type Step, Undetermined } from './step.ts';

/** What a search found. */
export interface Found {
  /** The rate that held for whole soaks; 0 when none did. */
  readonly ratePerS: number;
  /** `null` when the search did not get so far. */
  readonly capacity: Estimate | null;
  /** Soaks at that rate, and how many of them met the objective. */
  readonly soaks: number;
  readonly held: number;
  /** The last soak that met it; `null` when no rate is claimed. */
  readonly soak: Step | null;
  /** Why no rate is claimed; `null` when one is. */
  readonly undetermined: string | null;
  readonly steps: readonly Step[];
}

/** Doublings, which make a factor of a million: no real service gets that far. */
const DOUBLINGS_MAX = 20;
const BRACKET = 1.15;
/** Steps further away from the capacity do not count, by the logarithm of the rate. */
const NEAR = 0.35;
/** The steps of a group lie on both sides of the capacity, at these parts of the distance. */
const SIDES = [-1, 1, 0.3, -0.5];
const GROUPS = { min: 5, max: 8 };
/** At this distance, in units of the slope, the share of slow answers differs by a factor of three. */
const DISTANCE = { units: 1.2, min: 0.03, max: 0.12 };
/** The most by which a step changes the estimate. */
const MOVE_MAX = 0.1;
/** Widths of the interval, as shares of the capacity: narrow enough to stop, and too wide for an answer. */
const WIDTH = { enough: 0.25, max: 0.5 };
const SOAKS = 3;
/** One disturbed soak must not end the claim, but its miss is told. */
const MISSES_MAX = 1;
const SOAK_ROUNDS = 3;
/** How far the rate falls when too many soaks missed. */
const STEP_DOWN = 0.95;

/** Why a search ended when even the lowest rates missed the objective. */
export const NO_RATE = 'no rate met the objective';

type Take = ReturnType<typeof createTake>;

/** Returns a rate that met the objective and a higher one that missed it. */
const bracket = async (take: Take, firstPerS: number): Promise<readonly [low: number, high: number]> => {
  let [low, high] = [0, firstPerS];
  for (let doubling = 0; doubling < DOUBLINGS_MAX; doubling += 1) {
    if ((await take('range', high)).missed !== null) break;
    [low, high] = [high, 2 * high];
  }
  while (high > BRACKET * low && high > 1) {
    const middle = low === 0 ? high / 2 : Math.sqrt(low * high);
    if ((await take(low === 0 ? 'range' : 'bisect', middle)).missed === null) low = middle;
    else high = middle;
  }
  if (low === 0) throw new Undetermined(NO_RATE);
  return [low, high];
};

/** Reads the capacity from the sound steps so far. `at` is the logarithm of a rate nearby. */
const createReader = (slo: Slo, steps: readonly Step[]) => {
  const allowed = [slo.failedShare, ...slo.objectives.map(({ percentile }) => 1 - percentile / 100)];
  const sound = (): Step[] => steps.filter(({ faults }) => faults.length === 0);

  /** The curve of the part of the objective that is missed first; `null` when none was missed by any request. */
  const curveAt = (at: number): { readonly part: number; readonly curve: Curve } | null => {
    const near = sound().filter(({ points }) => Math.abs(Math.log(points[0]!.ratePerS) - at) < NEAR);
    const curves = allowed.flatMap((share, part) => {
      const points = near.map((step) => step.points[part]!);
      const curve = points.some(({ over }) => over > 0) ? fitCurve(points, share) : null;
      return curve === null ? [] : [{ part, curve }];
    });
    return curves.sort((a, b) => a.curve.root - b.curve.root)[0] ?? null;
  };
  /** `null` before there are enough groups of consecutive steps. */
  const capacityAt = (at: number): Estimate | null => {
    const found = curveAt(at);
    if (found === null) return null;
    const points = sound().flatMap((step) => (step.phase === 'refine' ? [step.points[found.part]!] : []));
    const groups = Array.from({ length: Math.floor(points.length / SIDES.length) }, (_, n) =>
      points.slice(n * SIDES.length, (n + 1) * SIDES.length),
    );
    return groups.length < GROUPS.min ? null : estimate(found.curve, groups, allowed[found.part]!);
  };
  return { curveAt, capacityAt };
};

type Reader = ReturnType<typeof createReader>;

const widthOf = ({ perS, low, high }: Estimate): number => (high - low) / perS;
const within = (low: number, value: number, high: number): number => Math.min(high, Math.max(low, value));

/** Takes steps on both sides of the capacity until its interval is narrow. */
const refine = async (take: Take, { curveAt, capacityAt }: Reader, from: number): Promise<Estimate> => {
  let [at, distance, capacity]: [number, number, Estimate | null] = [Math.log(from), DISTANCE.max, null];
  let faults: readonly string[] = [];
  for (let n = 0; n < GROUPS.max; n += 1) {
    for (const side of SIDES) {
      const step = await take('refine', Math.exp(at + side * distance));
      if (step.faults.length > 0) faults = step.faults;
      const curve = curveAt(at)?.curve;
      if (curve !== undefined) {
        at = within(at - MOVE_MAX, curve.root, at + MOVE_MAX);
        distance = within(DISTANCE.min, DISTANCE.units / curve.slope, DISTANCE.max);
      } else if (step.faults.length === 0) at += MOVE_MAX; // No slow answer so far.
    }
    capacity = capacityAt(at);
    if (capacity !== null && widthOf(capacity) <= WIDTH.enough) return capacity;
  }
  if (capacity === null) throw new Undetermined(faults.join('; ') || 'no step was slow enough');
  if (widthOf(capacity) > WIDTH.max)
    throw new Undetermined(
      `the capacity changes too much from step to step: its interval would be ${figure(capacity.low)} to ${figure(capacity.high)}`,
    );
  return capacity;
};

/** Soaks at the low end, or below it, until enough soaks held at one rate. */
const soak = async (
  take: Take,
  low: number,
): Promise<Pick<Found, 'ratePerS' | 'soaks' | 'held' | 'soak'>> => {
  let ratePerS = low;
  for (let round = 0; round < SOAK_ROUNDS; round += 1) {
    let [soaks, held] = [0, 0];
    while (soaks - held <= MISSES_MAX) {
      const step = await take('soak', ratePerS);
      if (step.faults.length > 0) throw new Undetermined(step.faults.join('; '));
      soaks += 1;
      if (step.missed === null) held += 1;
      if (held === SOAKS) return { ratePerS, soaks, held, soak: step };
    }
    ratePerS *= STEP_DOWN;
  }
  throw new Undetermined(`soaks missed the objective even at ${figure(ratePerS)} requests a second`);
};

/** Searches, and tells what it found or why it found nothing. */
export const search = async (options: SearchOptions): Promise<Found> => {
  const steps: Step[] = [];
  const take = createTake(options, steps);
  const reader = createReader(options.slo, steps);
  let capacity: Estimate | null = null;
  try {
    const [low, high] = await bracket(take, options.firstPerS);
    capacity = await refine(take, reader, Math.sqrt(low * high));
    const held = await soak(take, capacity.low);
    // The soaks count too.
    capacity = reader.capacityAt(Math.log(capacity.perS)) ?? capacity;
    return { ...held, capacity, undetermined: null, steps };
  } catch (error) {
    if (!(error instanceof Undetermined)) throw error;
    return { ratePerS: 0, capacity, soaks: 0, held: 0, soak: null, undetermined: error.message, steps };
  }
};
