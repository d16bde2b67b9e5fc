/** The independent generator: processes of its own for each run, and what they saw together. */
import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bindToCore } from '../costs/neighbours.ts';
import type { OpenResult, Percentiles } from '../load/job.ts';
import type { Seen, WitnessJob } from './drive.ts';

const SCRIPT = fileURLToPath(
  new URL(`process${extname(new URL(import.meta.url).pathname)}`, import.meta.url),
);

/** What the independent generator saw. Latencies count from when a request was due. */
export interface Witnessed
  extends Pick<
    OpenResult,
    'seconds' | 'tally' | 'askedPerS' | 'sentPerS' | 'goodPerS' | 'dropped' | 'latencyMs' | 'generatorCpuMs'
  > {
  /** How late requests left: that share of their latency is the generator's, or of its connections. */
  readonly latenessMs: Percentiles;
}

/** A load, and the processes that make it. */
export interface WitnessLoad extends Omit<WitnessJob, 'index' | 'of'> {
  readonly processes: number;
  /** Priority of the processes, as `nice` has it: 0 by default. */
  readonly niceness?: number;
  /** The core that they are bound to; absent: any. */
  readonly core?: number;
}

/** Returns the value below which a share of the sorted values lies (nearest rank); 0 without values. */
const atShare = (sorted: Float64Array, share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;

/** Returns the percentiles of times in ms; all 0 without a value. */
export const percentilesOf = (values: Float64Array): Percentiles => {
  const sorted = values.slice().sort();
  const mean = sorted.length === 0 ? 0 : sorted.reduce((total, ms) => total + ms, 0) / sorted.length;
  return {
    mean,
    p50: atShare(sorted, 0.5),
    p90: atShare(sorted, 0.9),
    p99: atShare(sorted, 0.99),
    p999: atShare(sorted, 0.999),
    max: atShare(sorted, 1),
  };
};

const joined = (parts: readonly Float64Array[]): Float64Array => {
  const all = new Float64Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

/** Returns what several processes saw as one result. @param askedPerS The rate of all of them. */
export const together = (seen: readonly Seen[], askedPerS: number): Witnessed => {
  const sum = (of: (one: Seen) => number): number => seen.reduce((total, one) => total + of(one), 0);
  const statuses: Record<string, number> = {};
  for (const one of seen)
    for (const [status, n] of Object.entries(one.statuses)) statuses[status] = (statuses[status] ?? 0) + n;
  const latenciesMs = joined(seen.map((one) => one.latenciesMs));
  const latenessMs = joined(seen.map((one) => one.latenessMs));
  const seconds = Math.max(...seen.map(({ sendingS }) => sendingS));
  return {
    seconds,
    tally: {
      good: latenciesMs.length,
      codes: sum(({ codes }) => codes),
      bodyCheckFailed: sum(({ wrong }) => wrong),
      statuses,
      timeouts: sum(({ timeouts }) => timeouts),
      connectionErrors: sum(({ lost }) => lost),
      bytes: sum(({ bytes }) => bytes),
      serverMs: null,
    },
    askedPerS,
    sentPerS: latenessMs.length / seconds,
    goodPerS: latenciesMs.length / seconds,
    dropped: sum(({ unsent }) => unsent),
    latencyMs: percentilesOf(latenciesMs),
    latenessMs: percentilesOf(latenessMs),
    generatorCpuMs: sum(({ cpuMs }) => cpuMs),
  };
};

const runProcess = ({ niceness = 0, core, ...job }: WitnessJob & Pick<WitnessLoad, 'niceness' | 'core'>) =>
  new Promise<Seen>((resolve, reject) => {
    const child = fork(SCRIPT, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' });
    if (niceness !== 0) setPriority(child.pid!, niceness);
    if (core !== undefined) bindToCore(child.pid!, core);
    let seen: Seen | null = null;
    child.on('message', (message: Seen) => {
      seen = message;
    });
    child.once('error', reject).once('exit', () => {
      if (seen === null) reject(new Error('the independent generator ended before its load'));
      else resolve(seen);
    });
    child.send(job);
  });

/** Starts the processes, loads the server at a constant rate, and waits for their end. */
export const witness = async ({ processes, ...load }: WitnessLoad): Promise<Witnessed> => {
  const connections = Math.max(1, Math.round(load.connections / processes));
  const runs = Array.from({ length: processes }, (_, index) =>
    runProcess({ ...load, connections, index, of: processes }),
  );
  return together(await Promise.all(runs), load.ratePerS);
};
