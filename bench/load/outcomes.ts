/** What became of the requests of one kind, or of all: counts, latencies, and the time that they were in flight. */
import type { Histogram } from 'hdr-histogram-js';
import {
  bucketsOf,
  createHistogram,
  decode,
  type Encoded,
  encode,
  mergeEncoded,
  record,
  TIMEOUT_MS,
} from './histogram.ts';
import { createTally, mergeTallies, type Tally } from './tally.ts';

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

/** Adds up the outcomes of several kinds, or of several generators. */
export const mergeOutcomes = (all: readonly Outcomes[]): Outcomes => {
  const total = (field: 'sent' | 'dropped' | 'inFlightMs' | 'timesMs') =>
    all.reduce((sum, one) => sum + one[field], 0);
  const histogram = (field: 'accepted' | 'uncorrected' | 'refused') =>
    mergeEncoded(all.map((one) => one[field]));
  return {
    tally: mergeTallies(all.map(({ tally }) => tally)),
    sent: total('sent'),
    dropped: total('dropped'),
    accepted: histogram('accepted'),
    uncorrected: histogram('uncorrected'),
    refused: histogram('refused'),
    inFlightMs: total('inFlightMs'),
    timesMs: total('timesMs'),
  };
};

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
  const [accepted, uncorrected, refused] = [createHistogram(), createHistogram(), createHistogram()];
  let [sent, dropped, underWay, changedMs, inFlightMs, timesMs] = [0, 0, 0, 0, 0, 0];

  const change = (by: 1 | -1, atMs: number): void => {
    inFlightMs += underWay * (atMs - changedMs);
    underWay += by;
    changedMs = atMs;
  };
  return {
    tally,
    sent(): void {
      sent += 1;
    },
    /** The request has a connection and leaves. */
    left: (atMs: number): void => change(1, atMs),
    dropped(): void {
      dropped += 1;
    },
    /** @param leftMs `null` for a request that never left. */
    ended(isGood: boolean, dueMs: number, leftMs: number | null, endMs: number): void {
      record(isGood ? accepted : refused, endMs - dueMs);
      if (leftMs === null) return;
      change(-1, endMs);
      timesMs += endMs - leftMs;
      if (isGood) record(uncorrected, endMs - leftMs);
    },
    result: (): Outcomes => ({
      tally: tally.result(),
      sent,
      dropped,
      accepted: encode(accepted),
      uncorrected: encode(uncorrected),
      refused: encode(refused),
      inFlightMs,
      timesMs,
    }),
  };
};
