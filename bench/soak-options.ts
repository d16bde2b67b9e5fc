/** The command line of `npm run soak`. */

import { number, text, textOr, type Values } from '../test/support/command.ts';
import { parseSlo } from './capacity/slo.ts';
import { parseMix } from './load/mix.ts';
import { ARRIVALS, meanOf, parseArrivals, parseProfile } from './load/open/arrivals.ts';

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
