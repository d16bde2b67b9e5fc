/**
 * A second open loop, which shares nothing with `bench/load/open.ts` but the requests: its own HTTP client, clock and
 * counting. What both find is no property of a generator.
 *
 * A request leaves when it is due, not with all others of its millisecond: between two that are close the process
 * sleeps for a quarter of a millisecond at most. Its latency counts from when it was due.
 */
import { setImmediate as afterInput, setTimeout as sleep } from 'node:timers/promises';
import type { Aim } from '../load/aim.ts';
import { createPicker, type Mix } from '../load/mix.ts';
import { type Answer, type Connection, createConnection, type Lost } from './connection.ts';

/** A load of one process. */
export interface WitnessJob {
  readonly url: string;
  readonly mix: Mix;
  readonly aim: Aim;
  readonly firstSerial: number;
  /** Requests a second of all processes together. */
  readonly ratePerS: number;
  readonly seconds: number;
  /** Before that, at the same rate: only failures count. */
  readonly warmUpS: number;
  /** Of this process. */
  readonly connections: number;
  /** Of `of` processes this one sends each `of`-th request, beginning with number `index`. */
  readonly index: number;
  readonly of: number;
}

/** What one process saw. */
export interface Seen {
  /** Of good answers, in ms from the moment when the request was due. */
  readonly latenciesMs: Float64Array;
  /** How late requests left, in ms: because the process was late, or no connection was free. */
  readonly latenessMs: Float64Array;
  readonly codes: number;
  /** Of the bodies of good answers. */
  readonly bytes: number;
  /** Answers with another status than 200 and 302. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly wrong: number;
  readonly timeouts: number;
  readonly lost: number;
  /** Requests that never left, because no connection was free before the end. */
  readonly unsent: number;
  /** From the end of the warm-up until the last request was due. */
  readonly sendingS: number;
  readonly cpuMs: number;
}

const TIMEOUT_MS = 10_000;
const NAP_MS = 0.25;
const SWEEP_MS = 250;
const cell = new Int32Array(new SharedArrayBuffer(4));

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Waits for `ms` at most, and takes what has arrived. Timers are too coarse for short waits. */
const pause = async (ms: number): Promise<void> => {
  if (ms > 2) return sleep(Math.floor(ms) - 1);
  Atomics.wait(cell, 0, 0, Math.max(0, Math.min(ms, NAP_MS)));
  await afterInput();
};

const createCount = (most: number) => {
  const [latenciesMs, latenessMs] = [new Float64Array(most), new Float64Array(most)];
  const statuses: Record<string, number> = {};
  let [good, sent, codes, bytes, wrong, timeouts, lost] = [0, 0, 0, 0, 0, 0, 0];
  return {
    sent(lateMs: number): void {
      latenessMs[sent] = lateMs;
      sent += 1;
    },
    good(ms: number, codesInIt: number, bodyBytes: number): void {
      latenciesMs[good] = ms;
      good += 1;
      codes += codesInIt;
      bytes += bodyBytes;
    },
    bad(answer: Answer | Lost): void {
      if (answer === 'timeout') timeouts += 1;
      else if (answer === 'lost') lost += 1;
      else if (answer.status === 200 || answer.status === 302) wrong += 1;
      else statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    },
    result: () => ({
      latenciesMs: latenciesMs.slice(0, good),
      latenessMs: latenessMs.slice(0, sent),
      ...{ codes, bytes, statuses, wrong, timeouts, lost },
    }),
  };
};

/** Runs the load. Resolves when all requests are answered or given up. */
export const drive = async (job: WitnessJob): Promise<Seen> => {
  const { firstSerial, ratePerS, index, of } = job;
  const pick = createPicker(job.mix);
  const url = new URL(job.url);
  const connections = Array.from({ length: job.connections }, () => createConnection(url));
  const free: Connection[] = [...connections];
  const warming = Math.round(ratePerS * job.warmUpS);
  const total = warming + Math.round(ratePerS * job.seconds);
  const count = createCount(Math.ceil(total / of));
  const startMs = performance.now();
  const dueMs = (n: number): number => startMs + (n / ratePerS) * 1000;
  /** The first request that has not left, and the first that is not due. */
  let [next, due] = [index, index];

  const send = (connection: Connection, n: number): void => {
    const recipe = pick(firstSerial + n);
    const request = recipe.build(job.aim, firstSerial + n);
    const counts = n >= warming;
    if (counts) count.sent(performance.now() - dueMs(n));
    connection.send(request, (answer) => {
      const ms = performance.now() - dueMs(n);
      const isGood = typeof answer !== 'string' && recipe.isGood(answer.status, answer.body);
      if (!isGood) count.bad(answer);
      else if (counts) count.good(ms, recipe.codes, answer.body.length);
      free.push(connection);
      leave();
    });
  };
  const leave = (): void => {
    while (next < due && free.length > 0) {
      const n = next;
      next += of;
      send(free.pop()!, n);
    }
  };

  const cpuBeforeMs = cpuMs();
  const sweep = setInterval(() => {
    for (const connection of connections) connection.expire(performance.now() - TIMEOUT_MS);
  }, SWEEP_MS);
  while (due < total) {
    const now = performance.now();
    while (due < total && dueMs(due) <= now) due += of;
    leave();
    if (due < total) await pause(dueMs(due) - performance.now());
  }
  const sendingS = (performance.now() - dueMs(warming)) / 1000;
  const deadlineMs = performance.now() + TIMEOUT_MS;
  while ((next < due || free.length < connections.length) && performance.now() < deadlineMs) await sleep(1);
  const unsent = Math.max(0, Math.ceil((due - next) / of));
  next = due;
  for (const connection of connections) connection.expire(Number.POSITIVE_INFINITY);
  clearInterval(sweep);
  for (const connection of connections) connection.close();
  return { ...count.result(), unsent, sendingS, cpuMs: cpuMs() - cpuBeforeMs };
};
