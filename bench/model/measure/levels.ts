/** What a call of each kind costs at several loads. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Spent, usDuring, usOfEach } from '../../cpu.ts';
import type { Generator } from '../../load/fire.ts';
import { connectionsFor, describeMix, type Mix } from '../../load/mix.ts';
import { failuresOf, type Tally } from '../../load/outcomes.ts';
import { type RecipeName, recipeOf } from '../../load/recipes.ts';
import type { KindCost, Level } from '../model.ts';
import { cheapest, type Subject, settle } from './subject.ts';

/** Shares of the peak at which costs are measured, besides the peak. */
const SHARES = [0.1, 0.3, 0.6, 0.9] as const;
const CONNECTIONS = 64;
const UNDER_WAY_MAX = 2000;
/**
 * The greatest tolerated share of failed calls. Requests that a busy machine could not send do not count.
 */
const FAILED_SHARE_MAX = 0.05;
const IDLE_MS = 5000;
const NEAREST_SHARE = 0.95;
/** With fewer calls, what a gateway does when idle hides what a call costs. */
const CALLS_MIN = 20;

/** How to generate the loads. */
export interface LevelOptions {
  readonly generator: Generator;
  readonly seconds: number;
  readonly rounds: number;
}

/** Returns the processor time of an idle gateway and its stores, in microseconds per second. */
export const measureIdle = async (subject: Subject): Promise<Spent> => {
  await settle();
  const before = subject.spentMs();
  const startMs = performance.now();
  await sleep(IDLE_MS);
  return usOfEach(before, subject.spentMs(), (performance.now() - startMs) / 1000);
};

const goodOf = ({ tally }: { readonly tally: Tally }): number => tally.good;

const jobOf = ({ url, aim, processes }: Subject, mix: Mix, connections: number) => ({
  ...{ url, mix, aim },
  connections: connectionsFor(mix, aim, connections * processes),
});

/** Sends a mix in a closed loop. Returns the rate, and what an average call cost. */
export const peakOf = async (
  subject: Subject,
  mix: Mix,
  { generator, seconds }: Omit<LevelOptions, 'rounds'>,
): Promise<Level> => {
  const job = { ...jobOf(subject, mix, CONNECTIONS / 2), warmUpS: 1, seconds };
  const { result, us } = await usDuring(subject.spentMs, (begin) => generator.closed(job, begin), goodOf);
  return { share: 1, callsPerS: goodOf(result) / result.seconds, us };
};

/**
 * Sends a mix at a constant rate.
 *
 * @returns What an average call cost, the rate that was reached, and latencies.
 */
export const costAtRate = async (
  subject: Subject,
  mix: Mix,
  ratePerS: number,
  { generator, seconds }: Omit<LevelOptions, 'rounds'>,
) => {
  const job = { ...jobOf(subject, mix, CONNECTIONS), ratePerS, seconds, underWayMax: UNDER_WAY_MAX };
  const { result, us } = await usDuring(subject.spentMs, (begin) => generator.open(job, begin), goodOf);
  const { tally, goodPerS, latencyMs } = result;
  const failed = failuresOf(tally);
  if (failed > FAILED_SHARE_MAX * (tally.good + failed))
    throw new Error(
      `${describeMix(mix)} at ${Math.round(ratePerS)} a second: ${failed} of ${tally.good + failed} calls failed`,
    );
  return { callsPerS: goodPerS, us, latencyMs };
};

/** The rounds that came nearest to the requested rate: in the others, the machine was busy with other work. */
const undisturbed = (rounds: readonly Level[]): Level[] => {
  const mostPerS = Math.max(...rounds.map(({ callsPerS }) => callsPerS));
  return rounds.filter(({ callsPerS }) => callsPerS >= NEAREST_SHARE * mostPerS);
};

/** Measures one kind: first the peak, then the lower loads in alternation. The cheapest round of each load counts. */
export const measureKind = async (
  subject: Subject,
  kind: RecipeName,
  options: LevelOptions,
): Promise<Omit<KindCost, 'bytes' | 'redisRoundTrips'>> => {
  const mix: Mix = [[kind, 1]];
  const peaks: Level[] = [];
  let shares: readonly number[] | undefined;
  const rounds: (Level & { readonly p50: number })[][] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    peaks.push(await peakOf(subject, mix, options));
    const highestPerS = Math.max(...peaks.map(({ callsPerS }) => callsPerS));
    if (highestPerS === 0) throw new Error(`${kind}: no right answer within ${options.seconds} s`);
    shares ??= SHARES.filter(
      (share) => share === SHARES.at(-1) || share * highestPerS * options.seconds >= CALLS_MIN,
    );
    const levels = [];
    for (const share of shares) {
      const { us, callsPerS, latencyMs } = await costAtRate(subject, mix, share * highestPerS, options);
      levels.push({ share, callsPerS, us, p50: latencyMs.p50 });
    }
    rounds.push(levels);
  }
  const peakPerS = Math.max(...peaks.map(({ callsPerS }) => callsPerS));
  const levels = shares!
    .map((_, i) => cheapest(undisturbed(rounds.map((round) => round[i]!))))
    .map(({ callsPerS, us }) => ({
      // A busy machine may not reach the requested rate.
      share: Math.min(1, callsPerS / peakPerS),
      callsPerS,
      us,
    }));
  return {
    kind,
    codes: recipeOf(kind).codes,
    peakPerS,
    levels: [...levels.sort((a, b) => a.share - b.share), cheapest(peaks)],
    latencyMs: Math.min(...rounds.map(([lowest]) => lowest!.p50)),
  };
};
