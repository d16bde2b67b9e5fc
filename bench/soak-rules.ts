/** What `npm run soak` is asked for, and what it showed: its options and its verdict. Pure. */
import { number, text, textOr, type Values } from '../test/support/command.ts';
import { missedBy, parseSlo, type Slo, tooFew } from './capacity/slo.ts';
import type { OpenResult } from './load/job.ts';
import { parseMix } from './load/mix.ts';
import { ARRIVALS, meanOf, parseArrivals, parseProfile } from './load/open/arrivals.ts';
import { failuresOf } from './load/outcomes.ts';
import { figure, percent } from './say.ts';
import { mean } from './stats.ts';

const SLICE_S = 10;

const OPTIONS = {
  minutes: number('how long', 15),
  rate: number('requests a second', 400, 1),
  mix: textOr('mix', 'mixed', 'recipes with weights, as for npm run capacity'),
  slo: text('objective', 'percentiles and times, as for npm run capacity'),
  ...ARRIVALS,
  profile: text(
    'phases',
    'instead of --rate, over and over: a steady part, a ramp and a burst: 60s@100,30s@100-900,5s@3000',
  ),
} as const;

/** Seconds and the mean rate are of a slice, like the profile. */
const read = (values: Values<typeof OPTIONS>) => {
  const mix = parseMix(values.mix);
  const slo = values.slo === undefined ? null : parseSlo(values.slo, mix);
  const profile = parseProfile(values.profile ?? `${SLICE_S}s@${Number(values.rate)}`);
  const { seconds, ratePerS } = meanOf(profile);
  const slices = Math.max(1, Math.round((Number(values.minutes) * 60) / seconds));
  return { mix, slo, slices, seconds, ratePerS, arrivals: parseArrivals(values.arrivals), profile };
};

/** The command. */
export const SOAK = {
  name: 'npm run soak',
  about:
    'Loads a gateway and its stores for a long time, and reports growth: memory, the lag of the drain, and each table. Exits with 1 when a request failed, the objective was missed, the memory of the gateway or of Redis grew by more than a tenth over the second half, or the drain fell behind by more than a second. Exits with 3 when the run says nothing: requests were not sent, or the generator or the machine was busy.',
  options: OPTIONS,
  examples: [
    ['', 'a quarter of an hour, for a release'],
    ['--minutes 480 --rate 100', 'a night at a low rate'],
    ['--profile "50s@200,5s@200-2000,5s@2000" --slo p99=100ms', 'a burst in each minute'],
  ],
  read,
} as const;

/** The options, checked. */
export type Soak = ReturnType<typeof read>;

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
