/** What became of the requests of one kind, or of all: counts, latencies, and the time that they were in flight. */
import type { Histogram } from 'hdr-histogram-js';
import { mean, recordOf, sum } from '../stats.ts';
import {
  bucketsOf,
  createHistogram,
  decode,
  type Encoded,
  encode,
  mergeEncoded,
  percentilesOf,
  record,
  TIMEOUT_MS,
} from './histogram.ts';
import type { OpenResult } from './job.ts';
import type { RecipeName } from './recipes.ts';

/** Answers by outcome. Only good answers count as goodput. */
export interface Tally {
  /** Right status and a body of the right kind. */
  readonly good: number;
  /** Codes in the good answers. */
  readonly codes: number;
  /** Right status, wrong body. */
  readonly bodyCheckFailed: number;
  /** Answers with another status, by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly timeouts: number;
  readonly connectionErrors: number;
  /** Bytes of all answers. A closed loop counts their headers too. */
  readonly bytes: number;
  /** Means of `Server-Timing` in ms, over the `answers` that have the header; `null` when none has it. */
  readonly serverMs: Readonly<Record<'quota' | 'queue' | 'render' | 'answers', number>> | null;
}

const PART = /(quota|queue|render);dur=([\d.]+)/g;
const OK_STATUSES = new Set([200, 201, 202, 302, 307]);

const createSums = () => ({
  counts: { good: 0, codes: 0, bodyCheckFailed: 0, timeouts: 0, connectionErrors: 0, bytes: 0 },
  statuses: {} as Record<string, number>,
  timed: { quota: 0, queue: 0, render: 0, answers: 0 },
});

const tallyOf = ({ counts, statuses, timed }: ReturnType<typeof createSums>): Tally => {
  const { answers } = timed;
  const means = {
    quota: timed.quota / answers,
    queue: timed.queue / answers,
    render: timed.render / answers,
  };
  return { ...counts, statuses, serverMs: answers === 0 ? null : { ...means, answers } };
};

/** Returns a tally of zeros. */
export const createTally = () => {
  const sums = createSums();
  const { counts, statuses, timed } = sums;
  return {
    answer(isGood: boolean, status: number, answerBytes: number, codesInIt: number, timing: unknown): void {
      counts.bytes += answerBytes;
      if (typeof timing === 'string') {
        timed.answers += 1;
        for (const [, part, ms] of timing.matchAll(PART)) timed[part as keyof typeof timed] += Number(ms);
      }
      if (isGood) {
        counts.good += 1;
        counts.codes += codesInIt;
      } else if (OK_STATUSES.has(status)) counts.bodyCheckFailed += 1;
      else statuses[status] = (statuses[status] ?? 0) + 1;
    },
    count(fault: 'timeouts' | 'connectionErrors', times = 1): void {
      counts[fault] += times;
    },
    result: (): Tally => tallyOf(sums),
  };
};

/** Returns the number of requests that did not get a good answer. */
export const failuresOf = ({ bodyCheckFailed, statuses, timeouts, connectionErrors }: Tally): number =>
  bodyCheckFailed + timeouts + connectionErrors + sum(Object.values(statuses));

/** Adds up tallies. */
export const mergeTallies = (all: readonly Tally[]): Tally => {
  const sums = createSums();
  const { counts, statuses, timed } = sums;
  for (const tally of all) {
    for (const field of Object.keys(counts) as (keyof typeof counts)[]) counts[field] += tally[field];
    for (const [status, count] of Object.entries(tally.statuses))
      statuses[status] = (statuses[status] ?? 0) + count;
    const { answers, ...means } = tally.serverMs ?? { answers: 0 };
    timed.answers += answers;
    for (const [part, ms] of Object.entries(means)) timed[part as keyof typeof timed] += ms * answers;
  }
  return tallyOf(sums);
};

/** The outcomes of the requests of a load that were of one kind, or of all. */
export interface Outcomes {
  readonly tally: Tally;
  readonly sent: number;
  /** Requests that were not sent, because too many were in flight. */
  readonly dropped: number;
  /**
   * Latency of good answers from the moment the request was due, even if it was sent late, so that there is no
   * coordinated omission.
   */
  readonly accepted: Encoded;
  /** The same from the moment the request left, over a free connection. */
  readonly uncorrected: Encoded;
  /** Time until all other answers and failures, from the moment the request was due. */
  readonly refused: Encoded;
  /** Area under the curve of requests in flight over time, in ms: from counting them as they come and go. */
  readonly inFlightMs: number;
  /** The times from sending to the end of the answer, added up: the same area by Little's law, if no request is lost. */
  readonly timesMs: number;
}

const HISTOGRAMS = ['accepted', 'uncorrected', 'refused'] as const;
const COUNTS = ['sent', 'dropped', 'inFlightMs', 'timesMs'] as const;

/** Adds up the outcomes of several kinds, or of several generators. */
export const mergeOutcomes = (all: readonly Outcomes[]): Outcomes => ({
  tally: mergeTallies(all.map(({ tally }) => tally)),
  ...recordOf(COUNTS, (field) => sum(all.map((one) => one[field]))),
  ...recordOf(HISTOGRAMS, (field) => mergeEncoded(all.map((one) => one[field]))),
});

/**
 * Returns the latencies of all requests that were due. One that failed or was not sent counts with at least the time
 * limit, so that a fast refusal never helps to meet an objective.
 */
export const latenciesOf = ({ accepted, refused, dropped }: Outcomes): Histogram => {
  const all = decode(accepted);
  for (const [ms, count] of bucketsOf(decode(refused))) record(all, Math.max(TIMEOUT_MS, ms), count);
  if (dropped > 0) record(all, TIMEOUT_MS, dropped);
  return all;
};

/** Collects the outcomes of the requests of one kind. Times are of one clock, in ms. */
export const createOutcomes = () => {
  const tally = createTally();
  const histograms = recordOf(HISTOGRAMS, createHistogram);
  const counts = recordOf(COUNTS, () => 0);
  let [underWay, changedMs] = [0, 0];

  const change = (by: 1 | -1, atMs: number): void => {
    counts.inFlightMs += underWay * (atMs - changedMs);
    underWay += by;
    changedMs = atMs;
  };
  return {
    tally,
    count(what: 'sent' | 'dropped'): void {
      counts[what] += 1;
    },
    /** The request has a connection and leaves. */
    left: (atMs: number): void => change(1, atMs),
    /** @param leftMs `null` for a request that never left. */
    ended(isGood: boolean, dueMs: number, leftMs: number | null, endMs: number): void {
      record(isGood ? histograms.accepted : histograms.refused, endMs - dueMs);
      if (leftMs === null) return;
      change(-1, endMs);
      counts.timesMs += endMs - leftMs;
      if (isGood) record(histograms.uncorrected, endMs - leftMs);
    },
    result: (): Outcomes => ({
      tally: tally.result(),
      ...counts,
      ...recordOf(HISTOGRAMS, (name) => encode(histograms[name])),
    }),
  };
};

/** Outcomes by kind. */
export type Kinds = OpenResult['kinds'];

/** Puts the outcomes of each kind together with what is known of the whole load. */
export const resultOf = (
  kinds: Kinds,
  load: Pick<OpenResult, 'seconds' | 'askedPerS' | 'sentPerS' | 'goodPerS' | 'lateMs' | 'generatorCpuMs'>,
): OpenResult => {
  const all = mergeOutcomes(Object.values(kinds));
  return {
    ...load,
    ...all,
    kinds,
    latencyMs: percentilesOf(latenciesOf(all)),
    acceptedMs: percentilesOf(decode(all.accepted)),
    uncorrectedMs: percentilesOf(decode(all.uncorrected)),
    refusedMs: percentilesOf(decode(all.refused)),
  };
};

const RATES = ['askedPerS', 'sentPerS', 'goodPerS'] as const;
const TIMES = ['seconds', 'generatorCpuMs'] as const;
type Join = (values: readonly number[]) => number;
const most: Join = (values) => Math.max(...values);

const joined = (results: readonly OpenResult[], ofRates: Join, ofTimes: Join): OpenResult => {
  const all = (field: (typeof RATES | typeof TIMES)[number] | 'lateMs') => results.map((one) => one[field]);
  const names = [...new Set(results.flatMap(({ kinds }) => Object.keys(kinds) as RecipeName[]))];
  return resultOf(
    recordOf(names, (name) => mergeOutcomes(results.flatMap(({ kinds }) => kinds[name] ?? []))),
    {
      ...recordOf(RATES, (field) => ofRates(all(field))),
      ...recordOf(TIMES, (field) => ofTimes(all(field))),
      lateMs: most(all('lateMs')),
    },
  );
};

/** Returns what several generators measured at the same time as one result. */
export const mergeResults = (results: readonly OpenResult[]): OpenResult => joined(results, sum, most);

/** Returns what one generator measured in several loads, one after the other. */
export const chainResults = (results: readonly OpenResult[]): OpenResult => joined(results, mean, sum);
