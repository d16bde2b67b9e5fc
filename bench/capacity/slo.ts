/** The objective, and whether a step of load held it. Pure. */
import type { OpenResult } from '../load/job.ts';
import { failuresOf } from '../load/tally.ts';

const PERCENTILES = ['p50', 'p90', 'p99', 'p999'] as const;

export interface Slo {
  readonly percentile: (typeof PERCENTILES)[number];
  readonly ms: number;
  /** Greatest share of requests that may fail: refused, timed out, wrong, or not sent in time. */
  readonly failedShare: number;
}

const FAILED_SHARE = 0.001;
/** Below this share of the asked rate the load was another one than asked. */
const SENT_SHARE_MIN = 0.98;

/** @returns The objective of a text like `p99=100ms`, or what is wrong with it. */
export const parseSlo = (text: string): Slo | string => {
  const match = /^(p50|p90|p99|p999|p99\.9)=(\d+(?:\.\d+)?)(ms|s)$/.exec(text);
  if (match === null) return `"${text}" is no objective; write p99=100ms, with p50, p90, p99 or p99.9`;
  const percentile = match[1]!.replace('.', '') as Slo['percentile'];
  return { percentile, ms: Number(match[2]) * (match[3] === 's' ? 1000 : 1), failedShare: FAILED_SHARE };
};

export const describeSlo = ({ percentile, ms, failedShare }: Slo): string =>
  `${percentile === 'p999' ? 'p99.9' : percentile} of at most ${ms} ms, at most ${failedShare * 100} % failed`;

/** Share of the requests that were due and did not end in a good answer. */
export const failedShareOf = ({ tally, dropped }: OpenResult): number => {
  const failed = failuresOf(tally) + dropped;
  return failed / Math.max(1, failed + tally.good);
};

/** What most of the failures were. */
const commonest = ({ tally, dropped }: OpenResult): string => {
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
 * Whether an account or key reached a limit: then the load shows what was sold, not what the machine holds.
 */
export const reachedLimit = ({ tally }: OpenResult): boolean => (tally.statuses[429] ?? 0) > 0;

/** Why a step did not hold the objective; `null` when it did. */
export const missedBy = (slo: Slo, result: OpenResult): string | null => {
  const failed = failedShareOf(result);
  if (failed > slo.failedShare) {
    return `${(failed * 100).toFixed(1)} % failed, mostly: ${commonest(result)}`;
  }
  if (result.sentPerS < SENT_SHARE_MIN * result.askedPerS) return 'the generator could not keep the rate';
  const ms = result.latencyMs[slo.percentile];
  return ms > slo.ms ? `${slo.percentile} is ${ms.toFixed(1)} ms` : null;
};
