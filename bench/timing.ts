/** How long calls take, one after the other. */
import { quantile } from './stats.ts';

/** Milliseconds of one call. */
export const time = async (run: () => Promise<unknown>): Promise<number> => {
  const startMs = performance.now();
  await run();
  return performance.now() - startMs;
};

/** The median, the 95th percentile and the greatest of some times, with one decimal. */
export const percentiles = (timesMs: readonly number[]) => {
  const at = (share: number) => Number(quantile(timesMs, share).toFixed(1));
  return { p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
};
