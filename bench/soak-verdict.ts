/** What a soak showed, in sentences, and its exit code. Pure. */
import { missedBy, type Slo, tooFew } from './capacity/slo.ts';
import type { OpenResult } from './load/job.ts';
import { failuresOf } from './load/outcomes.ts';
import { figure, percent } from './say.ts';
import { mean } from './stats.ts';

/** Each quarter needs two slices. */
const SLICES_MIN = 8;
const GROWTH_MAX = 0.1;
const LAG_MAX_S = 1;

/** Returns the growth from the third quarter to the last, as a share; `null` when there are too few values. */
export const growthOf = (values: readonly number[]): number | null => {
  if (values.length < SLICES_MIN) return null;
  const half = values.slice(values.length >> 1);
  const [before, after] = [half.slice(0, half.length >> 1), half.slice(half.length >> 1)];
  return mean(after) / mean(before) - 1;
};

/** What a soak measured. */
export interface Soaked {
  readonly whole: OpenResult;
  /** Why it says nothing; empty when it does. */
  readonly faults: readonly string[];
  readonly slo: Slo | null;
  /** Of memory; `null` when it is not known. */
  readonly growth: { readonly gateway: number | null; readonly Redis: number | null };
  readonly lagS: number;
}

const growthText = (share: number | null): string =>
  share === null ? `not known before ${SLICES_MIN} slices` : percent(share);

/** Returns the lines to print, the verdict last, and the exit code: 0, 1 for a miss, 3 when the soak says nothing. */
export const verdictOf = ({ whole, faults, slo, growth, lagS }: Soaked) => {
  const failures = failuresOf(whole.tally);
  const late = slo === null ? null : missedBy(slo, whole);
  const misses = [
    ...(failures > 0 ? [`${failures} requests failed`] : []),
    ...(late === null ? [] : [late]),
    ...Object.entries(growth).flatMap(([of, share]) =>
      share !== null && share > GROWTH_MAX ? [`the memory of ${of} grew by ${percent(share)}`] : [],
    ),
    ...(lagS > LAG_MAX_S ? [`the drain fell ${figure(lagS)} s behind`] : []),
  ];
  const invalid = [...faults, ...(slo === null ? [] : tooFew(slo, whole))];
  const word = invalid.length > 0 ? 'NOT VALID' : misses.length > 0 ? 'MISSED' : 'held';
  const rate = `${figure(whole.sentPerS)} of ${figure(whole.askedPerS)} requests/s for ${figure(whole.seconds)} s`;
  return {
    code: invalid.length > 0 ? 3 : misses.length > 0 ? 1 : 0,
    lines: [
      `\ngrowth in the second half: gateway ${growthText(growth.gateway)}, Redis ${growthText(growth.Redis)}`,
      `longest lag of the drain: ${figure(lagS)} s`,
      `\n${word}: ${[rate, ...invalid, ...misses].join('; ')}`,
    ],
  };
};
