/** Whether a load met an objective. Pure. */
import { countOver, percentileOf } from '../load/histogram.ts';
import type { OpenResult } from '../load/job.ts';
import { failuresOf, latenciesOf, type Outcomes } from '../load/outcomes.ts';
import { answersFor, nameOf, type Objective, type Slo } from './slo.ts';

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
