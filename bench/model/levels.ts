/** What a call of each kind costs at several loads, with access lines and without. */
import type { Generator } from '../load/fire.ts';
import type { RecipeName } from '../load/recipes.ts';
import { recipeOf } from '../load/recipes.ts';
import { failuresOf } from '../load/tally.ts';
import { type ByPart, byPart, type KindCost, type Level } from './model.ts';
import { cheapest, type Subject, settle, usOfEach } from './subject.ts';

/** Shares of the peak at which costs are measured, besides the peak. */
const SHARES = [0.1, 0.3, 0.6, 0.9] as const;
/** At this share access lines are counted. */
const LOGGED_SHARE = 0.6;
const CONNECTIONS = 64;
const UNDER_WAY_MAX = 512;
/** At most; more means that the machine could not serve what it served before. */
const FAILED_SHARE_MAX = 0.05;
const IDLE_MS = 5000;

/** How the loads are made. */
export interface LevelOptions {
  readonly generator: Generator;
  readonly serial: (requests: number) => number;
  readonly seconds: number;
  readonly rounds: number;
}

/** Returns the processor time that a gateway and its stores take when nobody calls: microseconds a second. */
export const measureIdle = async (subject: Subject): Promise<ByPart> => {
  await settle();
  const before = subject.spentMs();
  const startMs = performance.now();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const seconds = (performance.now() - startMs) / 1000;
  const after = subject.spentMs();
  return byPart((part) => ((after[part] - before[part]) * 1000) / seconds);
};

const peakOf = async (subject: Subject, kind: RecipeName, options: LevelOptions): Promise<Level> => {
  const { generator, serial, seconds } = options;
  const job = { url: subject.url, mix: [[kind, 1]] as const, aim: subject.aim, connections: CONNECTIONS / 2 };
  let before = subject.spentMs();
  const begin = () => {
    before = subject.spentMs();
  };
  const firstSerial = serial(0);
  const {
    tally,
    seconds: lasted,
    nextSerial,
  } = await generator.closed({ ...job, firstSerial, warmUpS: 1, seconds }, begin);
  serial(nextSerial - firstSerial);
  return { share: 1, callsPerS: tally.good / lasted, us: usOfEach(before, subject.spentMs(), tally.good) };
};

/** Sends a kind at a constant rate. @returns What one call cost, and its median latency. */
export const costAtRate = async (
  subject: Subject,
  kind: RecipeName,
  ratePerS: number,
  { generator, serial, seconds }: Omit<LevelOptions, 'rounds'>,
) => {
  const job = { url: subject.url, mix: [[kind, 1]] as const, aim: subject.aim, connections: CONNECTIONS };
  let before = subject.spentMs();
  const begin = () => {
    before = subject.spentMs();
  };
  const firstSerial = serial(Math.ceil(ratePerS * seconds) + 1);
  const { tally, dropped, goodPerS, latencyMs } = await generator.open(
    { ...job, firstSerial, ratePerS, seconds, underWayMax: UNDER_WAY_MAX },
    begin,
  );
  const us = usOfEach(before, subject.spentMs(), tally.good);
  const failed = failuresOf(tally) + dropped;
  if (failed > FAILED_SHARE_MAX * (tally.good + failed))
    throw new Error(
      `${kind} at ${Math.round(ratePerS)} a second: ${failed} of ${tally.good + failed} calls failed`,
    );
  return { callsPerS: goodPerS, us, latencyMs };
};

/**
 * Measures one kind. The peak comes first; the loads alternate, and the cheapest round of each counts.
 * @param logged A gateway with access lines.
 */
export const measureKind = async (
  subject: Subject,
  logged: Subject,
  kind: RecipeName,
  options: LevelOptions,
): Promise<Omit<KindCost, 'bytes' | 'redisRoundTrips'>> => {
  const peaks: Level[] = [];
  const rounds: (Level & { readonly p50: number })[][] = [];
  const extra: { readonly us: number; readonly bytes: number }[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    peaks.push(await peakOf(subject, kind, options));
    const peakPerS = Math.max(...peaks.map(({ callsPerS }) => callsPerS));
    const levels = [];
    for (const share of SHARES) {
      const { us, callsPerS, latencyMs } = await costAtRate(subject, kind, share * peakPerS, options);
      levels.push({ share, callsPerS, us, p50: latencyMs.p50 });
      if (share !== LOGGED_SHARE) continue;
      const bytes = logged.logBytes();
      const withLines = await costAtRate(logged, kind, share * peakPerS, options);
      const calls = withLines.callsPerS * options.seconds;
      const gatewayUs = (cost: ByPart) => cost.loop + cost.drawing + cost.threads;
      extra.push({ us: gatewayUs(withLines.us) - gatewayUs(us), bytes: (logged.logBytes() - bytes) / calls });
    }
    rounds.push(levels);
  }
  const levels = SHARES.map((_, i) => cheapest(rounds.map((round) => round[i]!)));
  const peak = cheapest(peaks);
  const logs = extra.reduce((best, one) => (one.us < best.us ? one : best));
  return {
    kind,
    codes: recipeOf(kind).codes,
    peakPerS: Math.max(...peaks.map(({ callsPerS }) => callsPerS)),
    levels: [...levels.map(({ p50: _, ...level }) => level), peak],
    logs: { us: Math.max(0, logs.us), bytes: logs.bytes },
    latencyMs: Math.min(...rounds.map(([lowest]) => lowest!.p50)),
  };
};
