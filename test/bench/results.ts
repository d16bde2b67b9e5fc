/** Made-up results of the load generators. */
import { createHistogram, encode, type Percentiles, record } from '../../bench/load/histogram.ts';
import type { OpenResult } from '../../bench/load/job.ts';
import { resultOf } from '../../bench/load/outcomes.ts';
import type { Round } from '../../bench/stages/compare.ts';

/** A histogram of `count` equal latencies. */
const equal = (ms: number, count: number): string => {
  const histogram = createHistogram();
  record(histogram, ms, count);
  return encode(histogram);
};

/** Exact, while those of a histogram are rounded up to its buckets. */
const percentiles = (ms: number): Percentiles => ({
  ...{ mean: ms, p50: ms, p75: ms, p90: ms },
  ...{ p95: ms, p99: ms, p999: ms, max: ms },
});

/** A second of redirects. */
export const openResult = (wanted: {
  readonly ratePerS: number;
  readonly p99: number;
  readonly sentPerS?: number;
  readonly refused?: number;
  readonly status?: number;
}): OpenResult => {
  const { ratePerS, p99, sentPerS = ratePerS, refused = 0, status = 503 } = wanted;
  const outcomes = {
    tally: {
      good: 100,
      codes: 100,
      bodyCheckFailed: 0,
      statuses: refused === 0 ? {} : { [status]: refused },
      timeouts: 0,
      connectionErrors: 0,
      bytes: 100_000,
      serverMs: { quota: 1, queue: 2, render: 3, answers: 100 },
    },
    sent: 100 + refused,
    dropped: 0,
    accepted: equal(p99, 100),
    uncorrected: equal(p99, 100),
    refused: equal(p99, refused),
    inFlightMs: ratePerS * p99,
    timesMs: ratePerS * p99,
  };
  const load = {
    seconds: 1,
    askedPerS: ratePerS,
    sentPerS,
    goodPerS: sentPerS,
    lateMs: 1,
    generatorCpuMs: 100,
  };
  return { ...resultOf({ redirect: outcomes }, load), latencyMs: percentiles(p99) };
};

export const roundOf = (goodPerS: number): Round => {
  const { tally } = openResult({ ratePerS: goodPerS, p99: 5 });
  return {
    goodPerS,
    codesPerS: goodPerS,
    failures: 0,
    bytesAGood: 1000,
    serverCpuMs: 0.1,
    storesCpuMs: 0.05,
    generatorCores: 0.2,
    rssBytes: 1e8,
    result: { seconds: 1, tally, generatorCpuMs: 200 },
  };
};
