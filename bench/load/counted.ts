/** Sends a fixed number of requests, over connections that stay open from job to job. */
import { Pool } from 'undici';
import type { CountedJob, CountedResult } from './job.ts';
import { createRequests } from './mix.ts';
import { createTally } from './tally.ts';

const pools = new Map<string, Pool>();

const poolFor = ({ url, connections }: CountedJob): Pool => {
  const name = `${url} ${connections}`;
  const pool = pools.get(name) ?? new Pool(url, { connections, pipelining: 1 });
  pools.set(name, pool);
  return pool;
};

/** Runs the job. @param begin Called right before the first request leaves. */
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
