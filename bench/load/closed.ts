/** Closed loops: for some seconds with autocannon, and with a fixed number of requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { Pool } from 'undici';
import { ownCpuMs } from '../cpu.ts';
import type { ClosedJob, ClosedResult, CountedJob, CountedResult } from './job.ts';
import { createRequests } from './mix.ts';
import { createTally } from './outcomes.ts';
import type { Recipe } from './recipes.ts';

const TIMEOUT_S = 30;
/**
 * autocannon stops without waiting for requests in flight. The server gets this time to finish them before the next
 * measurement.
 */
const ABANDONED_MS = 300;

interface Context {
  recipe?: Recipe;
}

const fire = async (job: ClosedJob, durationS: number): Promise<Omit<ClosedResult, 'generatorCpuMs'>> => {
  const next = createRequests(job.mix, job.aim);
  const tally = createTally();
  // All connections share one description; autocannon calls its `setupRequest` before each request.
  const request: autocannon.Request = {
    setupRequest(blank, context: Context) {
      const { recipe, request } = next();
      context.recipe = recipe;
      return { ...blank, ...request, headers: { ...request.headers }, body: request.body ?? '' };
    },
    onResponse(status, body, context: Context, headers) {
      const { recipe } = context;
      if (recipe === undefined) throw new Error('an answer without a request');
      tally.answer(recipe.isGood(status, body), status, body.length, recipe.codes, timingIn(headers));
    },
  };
  const startMs = performance.now();
  const result = await autocannon({
    url: job.url,
    connections: job.connections,
    timeout: TIMEOUT_S,
    requests: [request],
    duration: durationS,
  });
  const seconds = (performance.now() - startMs) / 1000;
  await sleep(ABANDONED_MS);
  tally.count('timeouts', result.timeouts);
  tally.count('connectionErrors', result.errors - result.timeouts);
  return { tally: { ...tally.result(), bytes: result.throughput.total }, seconds };
};

/** Header names are spelled as the server sent them. */
const timingIn = (headers: Readonly<Record<string, unknown>> | undefined): unknown =>
  headers?.['server-timing'] ?? headers?.['Server-Timing'];

/** Runs a closed loop. @param begin Called between the warm-up and the measurement. */
export const runClosed = async (job: ClosedJob, begin: () => void): Promise<ClosedResult> => {
  if (job.warmUpS > 0) await fire(job, job.warmUpS);
  begin();
  const cpuBeforeMs = ownCpuMs();
  const result = await fire(job, job.seconds);
  return { ...result, generatorCpuMs: ownCpuMs() - cpuBeforeMs };
};

/** Connections stay open from job to job. */
const pools = new Map<string, Pool>();

const poolFor = ({ url, connections }: CountedJob): Pool => {
  const name = `${url} ${connections}`;
  const pool = pools.get(name) ?? new Pool(url, { connections, pipelining: 1 });
  pools.set(name, pool);
  return pool;
};

/** Sends a fixed number of requests. @param begin Called right before the first request leaves. */
export const runCounted = async (job: CountedJob, begin: () => void): Promise<CountedResult> => {
  const pool = poolFor(job);
  const next = createRequests(job.mix, job.aim);
  const tally = createTally();
  let left = job.requests;

  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { recipe, request } = next();
      const { method, path, headers, body } = request;
      const answer = await pool.request({ method, path, headers: { ...headers }, body: body ?? null });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      const isGood = recipe.isGood(answer.statusCode, bytes);
      tally.answer(isGood, answer.statusCode, bytes.length, recipe.codes, answer.headers['server-timing']);
    }
  };
  begin();
  await Promise.all(Array.from({ length: job.connections }, client));
  return { tally: tally.result() };
};
