/** A closed loop with autocannon. */
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { ownCpuMs } from '../cpu.ts';
import type { ClosedJob, ClosedResult } from './job.ts';
import { createRequests } from './mix.ts';
import type { Recipe } from './recipes.ts';
import { createTally } from './tally.ts';

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
  for (let n = 0; n < result.timeouts; n += 1) tally.timeout();
  for (let n = 0; n < result.errors - result.timeouts; n += 1) tally.connectionError();
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
