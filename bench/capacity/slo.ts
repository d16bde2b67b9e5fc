/** The objectives, and whether a load met them. Pure. */
import { Misuse } from '../../test/support/command.ts';
import { countOver, percentileOf } from '../load/histogram.ts';
import type { OpenResult } from '../load/job.ts';
import { describeMix, type Mix, weightOf } from '../load/mix.ts';
import { failuresOf, latenciesOf, type Outcomes } from '../load/outcomes.ts';
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

/** What a load showed of one part of the objective. */
export interface Judgement {
  /** Requests that failed, or took longer than the objective allows. */
  readonly over: number;
  /** Requests that were due. */
  readonly of: number;
  /** Share of `of` that may be `over`. */
  readonly allowed: number;
  /** Why the part was missed; `null` when it was met. */
  readonly missed: string | null;
}

/** The results that an objective is judged by. */
export type Judged = Pick<OpenResult, keyof Outcomes | 'kinds'>;

const outcomesOf = (result: Judged, { kind }: Objective): Outcomes | undefined =>
  kind === null ? result : result.kinds[kind];

const dueOf = ({ sent, dropped }: Outcomes): number => sent + dropped;

/** Returns a sentence for each percentile that too few answers were measured for. */
export const tooFew = ({ objectives }: Slo, result: Judged): string[] =>
  objectives.flatMap((objective) => {
    const outcomes = outcomesOf(result, objective);
    const [has, needs] = [outcomes === undefined ? 0 : dueOf(outcomes), answersFor(objective)];
    return has >= needs
      ? []
      : [`${nameOf(objective)} needs ${needs} answers and had ${has}: load for longer`];
  });

/** Returns the cause of most failures. */
const commonest = ({ tally, dropped }: Outcomes): string => {
  const causes: [string, number][] = [
    ...Object.entries(tally.statuses),
    ['wrong bodies', tally.bodyCheckFailed],
    ['time-outs', tally.timeouts],
    ['lost connections', tally.connectionErrors],
    ['not sent in time', dropped],
  ];
  return causes.reduce((most, cause) => (cause[1] > most[1] ? cause : most))[0];
};

/** Whether the account or key reached its limit. The load then measured that limit and not the machine. */
export const reachedLimit = ({ tally }: Pick<OpenResult, 'tally'>): boolean => (tally.statuses[429] ?? 0) > 0;

const judgeFailures = (slo: Slo, result: Judged): Judgement => {
  const [over, of] = [failuresOf(result.tally) + result.dropped, dueOf(result)];
  const share = over / Math.max(1, of);
  const missed =
    share > slo.failedShare ? `${(share * 100).toFixed(1)} % failed, mostly: ${commonest(result)}` : null;
  return { over, of, allowed: slo.failedShare, missed };
};

/** Judges the failures, and then each objective. A kind without a request meets its objective. */
export const judge = (slo: Slo, result: Judged): Judgement[] => [
  judgeFailures(slo, result),
  ...slo.objectives.map((objective): Judgement => {
    const outcomes = outcomesOf(result, objective);
    const allowed = 1 - objective.percentile / 100;
    if (outcomes === undefined) return { over: 0, of: 0, allowed, missed: null };
    const latencies = latenciesOf(outcomes);
    const ms = percentileOf(latencies, objective.percentile);
    return {
      over: countOver(latencies, objective.ms),
      of: latencies.totalCount,
      allowed,
      missed: ms > objective.ms ? `${nameOf(objective)} is ${ms.toFixed(1)} ms` : null,
    };
  }),
];

/** Returns why a load missed the objective; `null` when it met it. */
export const missedBy = (slo: Slo, result: Judged): string | null =>
  judge(slo, result).find(({ missed }) => missed !== null)?.missed ?? null;
