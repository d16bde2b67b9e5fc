/** Made-up results of the load generators. */
import type { OpenResult, Percentiles } from '../../bench/load/job.ts';
import type { Round } from '../../bench/stages/compare.ts';

const percentiles = (ms: number): Percentiles => ({ mean: ms, p50: ms, p90: ms, p99: ms, p999: ms, max: ms });

export const openResult = (wanted: {
  readonly ratePerS: number;
  readonly p99: number;
  readonly sentPerS?: number;
  readonly refused?: number;
  readonly status?: number;
}): OpenResult => {
  const { ratePerS, p99, sentPerS = ratePerS, refused = 0, status = 503 } = wanted;
  return {
    seconds: 1,
    tally: {
      good: 100,
      codes: 100,
      bodyCheckFailed: 0,
      statuses: refused === 0 ? {} : { [status]: refused },
      timeouts: 0,
      connectionErrors: 0,
      bytes: 100_000,
      serverMs: { quota: 1, queue: 2, render: 3 },
    },
    askedPerS: ratePerS,
    sentPerS,
    goodPerS: sentPerS,
    dropped: 0,
    latencyMs: percentiles(p99),
    uncorrectedMs: percentiles(p99),
    refusedMs: percentiles(p99),
    meanUnderWay: (ratePerS * p99) / 1000,
    generatorCpuMs: 100,
  };
};

export const roundOf = (goodPerS: number): Round => {
  const { tally, latencyMs } = openResult({ ratePerS: goodPerS, p99: 5 });
  return {
    goodPerS,
    codesPerS: goodPerS,
    failures: 0,
    bytesAGood: 1000,
    serverCpuMs: 0.1,
    storesCpuMs: 0.05,
    generatorCores: 0.2,
    rssBytes: 1e8,
    result: { seconds: 1, tally, latencyMs, generatorCpuMs: 200 },
  };
};
