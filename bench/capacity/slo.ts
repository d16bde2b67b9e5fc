/** The objectives. Pure. */
import { Misuse } from '../../test/support/command.ts';
import { describeMix, type Mix, weightOf } from '../load/mix.ts';
import type { RecipeName } from '../load/recipes.ts';

/** A bound on one percentile of the latency. */
export interface Objective {
  /** In percent: 99.9. */
  readonly percentile: number;
  /** The kind of requests that it holds for; `null` for all together. */
  readonly kind: RecipeName | null;
  readonly ms: number;
}

/** A service level objective: bounds on latencies, and the share of requests that may fail. */
export interface Slo {
  readonly objectives: readonly Objective[];
  /** Greatest share of requests that may fail: refused, timed out, wrong, or not sent in time. */
  readonly failedShare: number;
}

const FAILED_SHARE = 0.001;
/** A percentile counts as measured when so many requests lie beyond it. */
export const BEYOND_MIN = 20;

const OBJECTIVE = /^p(\d+(?:\.\d+)?)(?:\[([^\]]*)\])?=(\d+(?:\.\d+)?)(ms|s)$/;

/**
 * Parses a text like `p99=100ms,p99.9=1s,p95[redirect]=20ms`. `p99[each]` stands for every kind of the mix.
 * @throws {Misuse}
 */
export const parseSlo = (text: string, mix: Mix): Slo => {
  const objectives = text.split(',').flatMap((all): Objective[] => {
    const part = all.trim();
    const [, percentile, kind, time, unit] = OBJECTIVE.exec(part) ?? [];
    if (percentile === undefined || !(Number(percentile) > 0 && Number(percentile) < 100))
      throw new Misuse(
        `--slo "${part}" must be a percentile below 100 and a time, as in p99=100ms or p99.9[redirect]=1s`,
      );
    const kinds =
      kind === undefined
        ? [null]
        : mix.map(([name]) => name).filter((name) => kind === 'each' || name === kind);
    if (kinds.length === 0)
      throw new Misuse(
        `--slo "${part}": the mix has no "${kind}"; it has ${describeMix(mix)}, or "each" for all of them`,
      );
    const ms = Number(time) * (unit === 's' ? 1000 : 1);
    return kinds.map((one) => ({ percentile: Number(percentile), kind: one, ms }));
  });
  return { objectives, failedShare: FAILED_SHARE };
};

/** Returns the objective's name: `p99[redirect]`. */
export const nameOf = ({ percentile, kind }: Objective): string =>
  `p${percentile}${kind === null ? '' : `[${kind}]`}`;

/** Returns the objective in words. */
export const describeSlo = ({ objectives, failedShare }: Slo): string =>
  `${objectives.map((one) => `${nameOf(one)} of at most ${one.ms} ms`).join(', ')}, at most ${failedShare * 100} % failed`;

/** Returns how many answers the percentile needs. */
export const answersFor = ({ percentile }: Objective): number =>
  Math.ceil((100 * BEYOND_MIN) / (100 - percentile) - 1e-6);

/** Returns the seconds of load that a step at this rate needs, so that each percentile counts as measured. */
export const secondsFor = ({ objectives }: Slo, mix: Mix, ratePerS: number): number => {
  const perS = ({ kind }: Objective) =>
    (ratePerS * weightOf(mix.filter(([name]) => kind === null || name === kind))) / weightOf(mix);
  // One percent more than needed, since kinds are drawn and arrivals may be random.
  return Math.max(...objectives.map((one) => (1.01 * answersFor(one)) / perS(one)));
};
