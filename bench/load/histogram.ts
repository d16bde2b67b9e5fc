/**
 * Latencies as HDR histograms (Tene: "HdrHistogram", 2012), encoded as text, so that the results of several generators
 * add up bucket for bucket.
 */
import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
  type JsHistogram,
} from 'hdr-histogram-js';

/** A request is given up after this time, and every failure counts with at least this latency. */
export const TIMEOUT_MS = 10_000;
/** In microseconds; three digits are exact to 0.1 %. */
const HISTOGRAM = {
  lowestDiscernibleValue: 1,
  highestTrackableValue: 4 * TIMEOUT_MS * 1000,
  numberOfSignificantValueDigits: 3,
  autoResize: false,
} as const;

/** A histogram of latencies in microseconds, in the compressed encoding V2 of HdrHistogram, as base64. */
export type Encoded = string;

/** A distribution of times in milliseconds; all 0 without a value. */
export type Percentiles = Readonly<
  Record<'mean' | 'p50' | 'p75' | 'p90' | 'p95' | 'p99' | 'p999' | 'max', number>
>;

/** Returns an empty histogram. */
export const createHistogram = (): Histogram => build(HISTOGRAM);

/** Adds `count` equal latencies. What is longer than four time limits counts as four. */
export const record = (histogram: Histogram, ms: number, count = 1): void => {
  const us = Math.min(HISTOGRAM.highestTrackableValue, Math.max(1, Math.round(ms * 1000)));
  histogram.recordValueWithCount(us, count);
};

/** Returns the histogram as text. */
export const encode = (histogram: Histogram): Encoded => encodeIntoCompressedBase64(histogram);

/** Returns the histogram that was encoded. */
export const decode = (encoded: Encoded): Histogram => decodeFromCompressedBase64(encoded);

/** Adds up histograms, bucket for bucket. */
export const mergeEncoded = (all: readonly Encoded[]): Encoded => {
  const merged = createHistogram();
  for (const one of all) merged.add(decode(one));
  return encode(merged);
};

/** Returns the buckets that have requests: their longest latency in ms, and the number of requests. */
export const bucketsOf = (histogram: Histogram): (readonly [ms: number, count: number])[] => {
  const all = histogram as JsHistogram;
  return Array.from({ length: all.countsArrayIndex(all.maxValue) + 1 }, (_, i) => {
    const us = all.highestEquivalentValue(all.valueFromIndex(i));
    return [us / 1000, all.getCountAtIndex(i)] as const;
  }).filter(([, count]) => count > 0);
};

/** Returns how many requests took longer than `ms`, to the precision of the histogram. */
export const countOver = (histogram: Histogram, ms: number): number =>
  bucketsOf(histogram).reduce((over, [bucketMs, count]) => (bucketMs > ms ? over + count : over), 0);

/** Returns the latency in ms that a percentage of the requests did not exceed; 0 without a request. */
export const percentileOf = (histogram: Histogram, percentile: number): number =>
  histogram.totalCount === 0 ? 0 : histogram.getValueAtPercentile(percentile) / 1000;

/** Returns the usual percentiles. */
export const percentilesOf = (histogram: Histogram): Percentiles => {
  const at = (percentile: number) => percentileOf(histogram, percentile);
  const { mean, maxValue } = histogram;
  const all = { p50: at(50), p75: at(75), p90: at(90), p95: at(95), p99: at(99), p999: at(99.9) };
  return { mean: mean / 1000, ...all, max: maxValue / 1000 };
};
