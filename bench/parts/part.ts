import { inScope, type Scope } from '../../test/servers/scope.ts';
import { ownCpuMs } from '../cpu.ts';
import { describeMachine, hardwareOf } from '../machine.ts';
import { say, show } from '../say.ts';
import { median, quantile } from '../stats.ts';
import { atMost, measured, type Verdict, verdictTable } from '../verdict.ts';

/** How to measure a part. */
export interface PartOptions {
  /** Factor for the usual amounts and rounds: 1, or less for a rough answer. */
  readonly share: number;
  /** Codes and accounts that `large` makes. */
  readonly codes: number;
  readonly accounts: number;
}

/** Measures a part of the service. */
export type Part<O = PartOptions> = (scope: Scope, options: O) => Promise<readonly Verdict[]>;

/** The share of the amounts and rounds with `--short`. */
export const SHORT = 1 / 20;

/** Measures parts one after the other and prints their figures. The exit code is 1 when one misses its limit. */
export const measureParts = async <O>(
  parts: Readonly<Record<string, Part<O>>>,
  names: readonly string[],
  options: O,
): Promise<void> => {
  const machine = describeMachine();
  say(`${hardwareOf(machine)}, load ${machine.load.toFixed(2)}`);
  for (const name of names) {
    const verdicts = await inScope((scope) => parts[name]!(scope, options));
    show(verdictTable(name, verdicts));
    if (verdicts.some(({ isMet }) => !isMet)) process.exitCode = 1;
  }
};

/** Returns the milliseconds of processor time that a run takes, with all threads of this process. */
const cpuOf = async (run: () => unknown, times = 1): Promise<number> => {
  const beforeMs = ownCpuMs();
  for (let n = 0; n < times; n += 1) await run();
  return (ownCpuMs() - beforeMs) / times;
};

const ROUND_MS = 20;
const SLOW_MS = 100;

/**
 * Returns the processor time of one run of each case in ms, the median of its rounds. The cases alternate, so that
 * other work on the machine affects all of them equally. Slow cases have fewer rounds.
 */
export const cpuOfCases = async (
  cases: Readonly<Record<string, () => unknown>>,
  rounds: number,
): Promise<ReadonlyMap<string, number>> => {
  const plans = [];
  for (const [name, run] of Object.entries(cases)) {
    await run();
    const firstMs = await cpuOf(run);
    const roughMs =
      firstMs > SLOW_MS ? firstMs : await cpuOf(run, Math.ceil((3 * ROUND_MS) / Math.max(firstMs, 0.001)));
    const times = Math.ceil(ROUND_MS / Math.max(roughMs, 0.0001));
    plans.push({ name, run, times, rounds: roughMs > SLOW_MS ? rounds / 4 : rounds, ms: [] as number[] });
  }
  for (let round = 0; round < rounds; round += 1)
    for (const { run, times, rounds: most, ms } of plans)
      if (round < Math.max(1, most)) ms.push(await cpuOf(run, times));
  return new Map(plans.map(({ name, ms }) => [name, median(ms)]));
};

/** Returns the milliseconds that each of `count` consecutive runs takes. */
export const timesOf = async (count: number, run: (n: number) => Promise<unknown>): Promise<number[]> => {
  const timesMs: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const startMs = performance.now();
    await run(n);
    timesMs.push(performance.now() - startMs);
  }
  return timesMs;
};

const SAMPLES = 40;

/** Returns the 95th percentile of the times of consecutive runs. @param maxMs `null` when it has no limit. */
export const p95Of = async (
  name: string,
  run: () => Promise<unknown>,
  maxMs: number | null,
): Promise<Verdict> => {
  const p95Ms = quantile(await timesOf(SAMPLES, run), 0.95);
  return maxMs === null ? measured(`${name}: p95`, p95Ms, 'ms') : atMost(`${name}: p95`, p95Ms, maxMs, 'ms');
};
