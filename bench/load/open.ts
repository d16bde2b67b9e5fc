/**
 * An open loop: requests leave at a constant rate, whether or not earlier ones are answered.
 *
 * autocannon's own rate option sends all requests of a second in one burst, which is a different load. Here request i
 * is due at i / rate, and its latency counts from then. A stall of the server therefore counts for all requests that
 * were due during it (Tene: "How NOT to Measure Latency", 2013; wrk2 does the same).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { build, type Histogram } from 'hdr-histogram-js';
import { Pool } from 'undici';
import { ownCpuMs } from '../cpu.ts';
import type { OpenJob, OpenResult, Percentiles } from './job.ts';
import { createRequests } from './mix.ts';
import { createTally } from './tally.ts';

const TIMEOUT_MS = 10_000;
/** Node's timers have no finer resolution. */
const TICK_MS = 1;
const SAMPLE_MS = 10;
/** For latencies in microseconds; three digits are exact to 0.1 %. */
const HISTOGRAM = {
  lowestDiscernibleValue: 1,
  highestTrackableValue: 4 * TIMEOUT_MS * 1000,
  numberOfSignificantValueDigits: 3,
} as const;

const record = (histogram: Histogram, ms: number): void =>
  histogram.recordValue(Math.min(HISTOGRAM.highestTrackableValue, Math.max(1, Math.round(ms * 1000))));

/** Returns the percentiles, in milliseconds, of a histogram in microseconds. All are 0 when it is empty. */
export const percentilesOf = (histogram: Histogram): Percentiles => {
  const at = (percentile: number) => histogram.getValueAtPercentile(percentile) / 1000;
  if (histogram.totalCount === 0) return { mean: 0, p50: 0, p90: 0, p99: 0, p999: 0, max: 0 };
  const { maxValue, mean } = histogram;
  return { mean: mean / 1000, p50: at(50), p90: at(90), p99: at(99), p999: at(99.9), max: maxValue / 1000 };
};

const isTimeout = (error: Error): boolean => /Timeout/.test(error.name);

/** Returns a header from undici's list of alternating names and values. */
const headerIn = (headers: readonly Buffer[], name: string): string | undefined => {
  const at = headers.findIndex((one, i) => i % 2 === 0 && one.toString('latin1').toLowerCase() === name);
  return at === -1 ? undefined : headers[at + 1]!.toString('latin1');
};

/** Sends requests and records what became of each. */
const createSender = (job: OpenJob) => {
  const pool = new Pool(job.url, {
    connections: job.connections,
    pipelining: 1,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  const [latency, uncorrected, refused] = [build(HISTOGRAM), build(HISTOGRAM), build(HISTOGRAM)];
  const tally = createTally();
  let underWay = 0;

  const next = createRequests(job.mix, job.aim);
  const send = (dueMs: number): void => {
    const { recipe, request } = next();
    const sentMs = performance.now();
    const chunks: Buffer[] = [];
    let status = 0;
    let timing: unknown;
    underWay += 1;
    pool.dispatch(
      {
        method: request.method,
        path: request.path,
        headers: { ...request.headers },
        body: request.body ?? null,
      },
      {
        onConnect() {},
        onHeaders(code, headers) {
          status = code;
          timing = headerIn(headers, 'server-timing');
          return true;
        },
        onData(chunk) {
          chunks.push(chunk);
          return true;
        },
        onComplete() {
          underWay -= 1;
          const endMs = performance.now();
          const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
          const isGood = recipe.isGood(status, body);
          tally.answer(isGood, status, body.length, recipe.codes, timing);
          record(isGood ? latency : refused, endMs - dueMs);
          if (isGood) record(uncorrected, endMs - sentMs);
        },
        onError(error) {
          underWay -= 1;
          if (isTimeout(error)) tally.timeout();
          else tally.connectionError();
          record(refused, performance.now() - dueMs);
        },
      },
    );
  };

  return {
    send,
    underWay: () => underWay,
    /** Good answers so far. */
    good: () => latency.totalCount,
    async finish() {
      const deadlineMs = performance.now() + 2 * TIMEOUT_MS;
      while (underWay > 0 && performance.now() < deadlineMs) await sleep(SAMPLE_MS);
      await pool.destroy();
    },
    result: () => ({
      tally: tally.result(),
      latencyMs: percentilesOf(latency),
      uncorrectedMs: percentilesOf(uncorrected),
      refusedMs: percentilesOf(refused),
    }),
  };
};

/** Runs an open loop. @param begin Called right before the first request leaves. */
export const runOpen = async (job: OpenJob, begin: () => void): Promise<OpenResult> => {
  const sender = createSender(job);
  const total = Math.round(job.ratePerS * job.seconds);
  const samples: number[] = [];
  let [next, sent, dropped] = [0, 0, 0];

  begin();
  const cpuBeforeMs = ownCpuMs();
  const startMs = performance.now();
  const sampler = setInterval(() => samples.push(sender.underWay()), SAMPLE_MS);
  while (next < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - startMs) / 1000) * job.ratePerS));
    for (; next < due; next += 1) {
      if (sender.underWay() >= job.underWayMax) {
        dropped += 1;
        continue;
      }
      sender.send(startMs + (next / job.ratePerS) * 1000);
      sent += 1;
    }
    await sleep(TICK_MS);
  }
  const sendingS = (performance.now() - startMs) / 1000;
  const goodPerS = sender.good() / sendingS;
  clearInterval(sampler);
  await sender.finish();
  const seconds = (performance.now() - startMs) / 1000;
  return {
    seconds,
    askedPerS: job.ratePerS,
    sentPerS: sent / sendingS,
    goodPerS,
    dropped,
    ...sender.result(),
    meanUnderWay: samples.length === 0 ? 0 : samples.reduce((all, n) => all + n, 0) / samples.length,
    generatorCpuMs: ownCpuMs() - cpuBeforeMs,
  };
};
