/**
 * An open loop: requests leave when they are due, whether or not earlier ones are answered.
 *
 * autocannon's own rate option sends all requests of a second in one burst, which is a different load. Here each request
 * is due at its own time, and its latency counts from then. A stall of the server therefore counts for all requests that
 * were due during it (Tene: "How NOT to Measure Latency", 2013; wrk2 does the same).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { Pool } from 'undici';
import { ownCpuMs } from '../../cpu.ts';
import { sum } from '../../stats.ts';
import { createHistogram, percentileOf, record, TIMEOUT_MS } from '../histogram.ts';
import type { OpenJob, OpenResult } from '../job.ts';
import { createRequests } from '../mix.ts';
import { createOutcomes, type Kinds, resultOf } from '../outcomes.ts';
import { recipeOf } from '../recipes.ts';
import { createArrivals, type Phase } from './arrivals.ts';

/** Node's timers have no finer resolution. */
const TICK_MS = 1;
const DRAIN_POLL_MS = 10;
const KEPT_MS = 600_000;

const isTimeout = (error: Error): boolean => /Timeout/.test(error.name);

/** Returns a header from undici's list of alternating names and values. */
const headerIn = (headers: readonly Buffer[], name: string): string | undefined => {
  const at = headers.findIndex((one, i) => i % 2 === 0 && one.toString('latin1').toLowerCase() === name);
  return at === -1 ? undefined : headers[at + 1]!.toString('latin1');
};

/** Sends requests and records what became of each, by kind. */
const createSender = (job: OpenJob) => {
  const pool = new Pool(job.url, {
    connections: job.connections,
    pipelining: 1,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    // Connections that a load opens stay: opening some again in the middle of it would be a load of its own.
    keepAliveTimeout: KEPT_MS,
  });
  const kinds = new Map(job.mix.map(([name]) => [name, createOutcomes()]));
  const outcomesBy = new Map([...kinds].map(([name, outcomes]) => [recipeOf(name), outcomes]));
  const uncounted = createOutcomes();
  const late = createHistogram();
  let [underWay, good] = [0, 0];

  const next = createRequests(job.mix, job.aim);
  /** Sends the next request, or drops it while too many are in flight. */
  const send = (dueMs: number, counts: boolean): void => {
    const { recipe, request } = next();
    const outcomes = counts ? outcomesBy.get(recipe)! : uncounted;
    if (underWay >= job.underWayMax) {
      outcomes.count('dropped');
      return;
    }
    if (counts) record(late, performance.now() - dueMs);
    const chunks: Buffer[] = [];
    let status = 0;
    let timing: unknown;
    let leftMs: number | null = null;
    const end = (isGood: boolean): void => {
      underWay -= 1;
      if (isGood && counts) good += 1;
      outcomes.ended(isGood, dueMs, leftMs, performance.now());
    };
    underWay += 1;
    outcomes.count('sent');
    pool.dispatch(
      {
        method: request.method,
        path: request.path,
        headers: { ...request.headers },
        body: request.body ?? null,
      },
      {
        onConnect() {
          // It is called again when the request moves to another connection.
          if (leftMs !== null) return;
          leftMs = performance.now();
          outcomes.left(leftMs);
        },
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
          const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
          const isGood = recipe.isGood(status, body);
          outcomes.tally.answer(isGood, status, body.length, recipe.codes, timing);
          end(isGood);
        },
        onError(error) {
          outcomes.tally.count(isTimeout(error) ? 'timeouts' : 'connectionErrors');
          end(false);
        },
      },
    );
  };

  return {
    send,
    /** Good answers so far. */
    good: () => good,
    lateMs: () => percentileOf(late, 99),
    async finish() {
      const deadlineMs = performance.now() + 2 * TIMEOUT_MS;
      while (underWay > 0 && performance.now() < deadlineMs) await sleep(DRAIN_POLL_MS);
      await pool.destroy();
    },
    result: (): Kinds => Object.fromEntries([...kinds].map(([name, { result }]) => [name, result()])),
  };
};

/** Loads so far: with the name of the run, no two loads and no two generators have the same random arrivals. */
let loads = 0;

/** Runs an open loop. @param begin Called right before the first request that counts. */
export const runOpen = async (job: OpenJob, begin: () => void): Promise<OpenResult> => {
  const sender = createSender(job);
  const { ratePerS, seconds: wantedS, arrivals = 'even', warmUpS = 0 } = job;
  const profile = job.profile ?? [{ seconds: wantedS, fromPerS: ratePerS, toPerS: ratePerS }];
  /** Sends all requests of the phases when they are due, and returns the time of the first. */
  const sendAll = async (phases: readonly Phase[], counts: boolean): Promise<number> => {
    loads += 1;
    const nextDueS = createArrivals(phases, arrivals, 1 + (crc32(`${job.aim.run} ${loads}`) >>> 2));
    const startMs = performance.now();
    for (let dueS = nextDueS(); dueS !== null; ) {
      const nowS = (performance.now() - startMs) / 1000;
      for (; dueS !== null && dueS <= nowS; dueS = nextDueS()) sender.send(startMs + dueS * 1000, counts);
      await sleep(TICK_MS);
    }
    return startMs;
  };

  if (warmUpS > 0) {
    // As many at once as there are connections, which opens all of them.
    for (let n = 0; n < job.connections; n += 1) sender.send(performance.now(), false);
    await sendAll([{ seconds: warmUpS, fromPerS: 0, toPerS: profile[0]!.fromPerS }], false);
  }
  begin();
  const cpuBeforeMs = ownCpuMs();
  const startMs = await sendAll(profile, true);
  const sendingS = (performance.now() - startMs) / 1000;
  const goodPerS = sender.good() / sendingS;
  await sender.finish();
  const seconds = (performance.now() - startMs) / 1000;
  const kinds = sender.result();
  const sent = sum(Object.values(kinds).map((outcomes) => outcomes.sent));
  return resultOf(kinds, {
    seconds,
    askedPerS: ratePerS,
    sentPerS: sent / sendingS,
    goodPerS,
    lateMs: sender.lateMs(),
    generatorCpuMs: ownCpuMs() - cpuBeforeMs,
  });
};
