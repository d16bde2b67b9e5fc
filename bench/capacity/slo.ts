/** The objective, and whether a step of load met it. Pure. */
import type { OpenResult } from '../load/job.ts';
import { failuresOf } from '../load/tally.ts';

const PERCENTILES = ['p50', 'p90', 'p99', 'p999'] as const;

/** A service level objective: a bound on one percentile of the latency, and the share of requests that may fail. */
export interface Slo {
  readonly percentile: (typeof PERCENTILES)[number];
  readonly ms: number;
  /** Greatest share of requests that may fail: refused, timed out, wrong, or not sent in time. */
  readonly failedShare: number;
}

/** The results that an objective is judged by. */
export type Judged = Pick<OpenResult, 'tally' | 'dropped' | 'askedPerS' | 'sentPerS' | 'latencyMs'>;

const FAILED_SHARE = 0.001;
/** A run that sent less than this share of the requested rate does not count as a run at that rate. */
const SENT_SHARE_MIN = 0.98;

/** Parses a text like `p99=100ms`. @returns The objective, or an error message. */
export const parseSlo = (text: string): Slo | string => {
  const match = /^(p50|p90|p99|p999|p99\.9)=(\d+(?:\.\d+)?)(ms|s)$/.exec(text);
  if (match === null)
    return `--slo "${text}" must be a percentile and a time: p50, p90, p99 or p99.9, as in p99=100ms`;
  const percentile = match[1]!.replace('.', '') as Slo['percentile'];
  return { percentile, ms: Number(match[2]) * (match[3] === 's' ? 1000 : 1), failedShare: FAILED_SHARE };
};

/** Returns the objective in words. */
export const describeSlo = ({ percentile, ms, failedShare }: Slo): string =>
  `${percentile === 'p999' ? 'p99.9' : percentile} of at most ${ms} ms, at most ${failedShare * 100} % failed`;

/** Returns the share of due requests that did not get a good answer. */
export const failedShareOf = ({ tally, dropped }: Judged): number => {
  const failed = failuresOf(tally) + dropped;
  return failed / Math.max(1, failed + tally.good);
};

/** Returns the cause of most failures. */
const commonest = ({ tally, dropped }: Judged): string => {
  const causes: [string, number][] = [
    ...Object.entries(tally.statuses),
    ['wrong bodies', tally.bodyCheckFailed],
    ['time-outs', tally.timeouts],
    ['lost connections', tally.connectionErrors],
    ['not sent in time', dropped],
  ];
  return causes.reduce((most, cause) => (cause[1] > most[1] ? cause : most))[0];
};

/**
 * Whether the account or key reached its limit. The run then measured that limit and not the machine.
 */
export const reachedLimit = ({ tally }: Judged): boolean => (tally.statuses[429] ?? 0) > 0;

/** Returns why a step missed the objective; `null` when it met it. */
export const missedBy = (slo: Slo, result: Judged): string | null => {
  const failed = failedShareOf(result);
  if (failed > slo.failedShare) {
    return `${(failed * 100).toFixed(1)} % failed, mostly: ${commonest(result)}`;
  }
  if (result.sentPerS < SENT_SHARE_MIN * result.askedPerS) return 'the generator could not keep up the rate';
  const ms = result.latencyMs[slo.percentile];
  return ms > slo.ms ? `${slo.percentile} is ${ms.toFixed(1)} ms` : null;
};
