/** When the requests of an open loop are due. Pure. */
import { Misuse, textOr } from '../../../test/support/command.ts';
import { createRandom, sum } from '../../stats.ts';

/** Evenly spaced, or a Poisson process, as independent callers make it. */
export type Arrivals = 'even' | 'poisson';

/** The option that names them. */
export const ARRIVALS = {
  arrivals: textOr(
    'kind',
    'even',
    'even: requests are evenly spaced; poisson: at random, as of many callers',
  ),
};

/** Returns the kind of arrivals. @throws {Misuse} */
export const parseArrivals = (text: string): Arrivals => {
  if (text === 'even' || text === 'poisson') return text;
  throw new Misuse(`--arrivals must be even or poisson, not "${text}"`);
};

/** A part of a load whose rate is constant, or changes evenly. */
export type Phase = Readonly<Record<'seconds' | 'fromPerS' | 'toPerS', number>>;

const PHASE = /^(\d+(?:\.\d+)?)s@(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?$/;

/**
 * Parses a text like `60s@100,30s@100-900,5s@3000`: a minute at 100 a second, a ramp to 900, and a burst.
 * @throws {Misuse}
 */
export const parseProfile = (text: string): Phase[] =>
  text.split(',').map((all) => {
    const part = all.trim();
    const [, seconds, from, to = from] = PHASE.exec(part) ?? [];
    if (Number(seconds ?? 0) === 0 || Number(from) + Number(to) === 0)
      throw new Misuse(
        `--profile "${part}" must be a duration and a rate above 0, as in 60s@100 or, for a ramp, 60s@100-900`,
      );
    return { seconds: Number(seconds), fromPerS: Number(from), toPerS: Number(to) };
  });

const requestsIn = ({ seconds, fromPerS, toPerS }: Phase): number => (seconds * (fromPerS + toPerS)) / 2;

/** The duration and the mean rate of all phases together. */
export const meanOf = (phases: readonly Phase[]) => {
  const seconds = sum(phases.map((phase) => phase.seconds));
  return { seconds, ratePerS: sum(phases.map(requestsIn)) / seconds };
};

/**
 * Returns a function that gives when the next request is due, in seconds from the start, and `null` after the last one.
 * A process of rate 1 is stretched by the rate (Çinlar: "Introduction to Stochastic Processes", 1975).
 */
export const createArrivals = (phases: readonly Phase[], arrivals: Arrivals, seed: number) => {
  const random = createRandom(seed);
  const gap = (): number => (arrivals === 'even' ? 1 : -Math.log(random()));
  let [at, doneS, done] = [0, 0, 0];
  let due = arrivals === 'even' ? 0 : gap();
  return (): number | null => {
    for (let phase = phases[at]; phase !== undefined; phase = phases[at]) {
      const { seconds, fromPerS, toPerS } = phase;
      const left = due - done;
      // Sums of rates are not exact: a request that is due at the end belongs to the next phase.
      if (left < requestsIn(phase) - 1e-6) {
        due += gap();
        const slope = (toPerS - fromPerS) / seconds;
        const rate = fromPerS + Math.sqrt(fromPerS ** 2 + 2 * slope * left);
        return doneS + (rate === 0 ? 0 : (2 * left) / rate);
      }
      done += requestsIn(phase);
      doneS += seconds;
      at += 1;
    }
    return null;
  };
};
