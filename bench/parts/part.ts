/** How parts are measured: one after the other, in rounds, or in turns with others. */
import { inScope, type Scope } from '../../test/servers/scope.ts';
import type { Target } from '../../test/servers/testbed.ts';
import { ownCpuMs, PARTS, type Spent, type StorePids, spentMs, totalOf, usOfEach } from '../cpu.ts';
import type { Generator } from '../load/fire.ts';
import type { RecipeName } from '../load/recipes.ts';
import { describeMachine, hardwareOf } from '../machine.ts';
import { atMost, measured, say, show, type Verdict, verdictTable } from '../say.ts';
import { median, pairedRatios, quantile } from '../stats.ts';

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

/** Returns the milliseconds that each of `count` consecutive pieces of numbers takes, which count up from 0. */
export const timesOfPieces = (count: number, size: number, run: (numbers: number[]) => Promise<unknown>) =>
  timesOf(count, (piece) => run(Array.from({ length: size }, (_, i) => piece * size + i)));

const SAMPLES = 40;

/** Returns the 95th percentile of the times of consecutive runs. @param maxMs `null` when it has no limit. */
export const p95Of = async (
  name: string,
  run: () => Promise<unknown>,
  maxMs: number | null,
): Promise<Verdict> => {
  return atMost(`${name}: p95`, quantile(await timesOf(SAMPLES, run), 0.95), maxMs, 'ms');
};

/** Calls of one kind to one gateway. */
export interface Turn extends Pick<Target, 'gateway' | 'aim'> {
  readonly name: string;
  /** Stores whose processor time counts too. */
  readonly backends: StorePids;
  readonly kind: RecipeName;
  /** Calls per round. */
  readonly requests: number;
  readonly connections: number;
}

/** What one call of a turn costs. */
export interface Cost {
  readonly name: string;
  /** Processor time of all parts, as multiples of the first turn: the median of the rounds. */
  readonly ratio: number;
  /** The microseconds of each part: the medians of the rounds. */
  readonly verdicts: readonly Verdict[];
}

/** On a busy machine a call occasionally times out waiting for a store. */
const GOOD_SHARE = 0.99;

const roundOf = async (generator: Generator, turn: Turn): Promise<Spent> => {
  const { name, gateway, backends, kind, requests, ...load } = turn;
  const before = spentMs(gateway.pid, backends);
  const mix = [[kind, 1]] as const;
  const { tally } = await generator.counted({ ...load, url: gateway.url, mix, requests });
  if (tally.good < GOOD_SHARE * requests)
    throw new Error(`${name}: ${tally.good} of ${requests} answers were right`);
  return usOfEach(before, spentMs(gateway.pid, backends), requests);
};

/** Shows the medians of the microseconds of each part. */
export const costVerdicts = (name: string, rounds: readonly Spent[]): readonly Verdict[] =>
  PARTS.map((part) => measured(`${name}: ${part}`, median(rounds.map((us) => us[part])), 'us'));

/**
 * Measures what one call of each turn costs. The rounds alternate, so that other work on the machine affects all of
 * them alike, and each turn begins equally many rounds. The first round of each does not count.
 */
export const measureInTurns = async (
  generator: Generator,
  turns: readonly Turn[],
  rounds: number,
): Promise<readonly Cost[]> => {
  const spent = turns.map((): Spent[] => []);
  for (let round = -1; round < rounds; round += 1) {
    for (const [i] of turns.entries()) {
      const at = (i + round + 1) % turns.length;
      const us = await roundOf(generator, turns[at]!);
      if (round >= 0) spent[at]!.push(us);
    }
  }
  const totals = spent.map((us) => us.map(totalOf));
  return turns.map(({ name }, i) => ({
    name,
    ratio: median(pairedRatios(totals[i]!, totals[0]!)),
    verdicts: costVerdicts(name, spent[i]!),
  }));
};
