/** The effect of network latency to Redis on a call, measured through a delaying proxy. */
import type { RecipeName } from '../../load/recipes.ts';
import { mean } from '../../stats.ts';
import type { ProxiedSubject } from './bytes.ts';
import { costAtRate, type LevelOptions } from './levels.ts';

/** Measured round-trip times in ms. The long one shows how often a call waits, because noise is small beside it. */
const ROUND_TRIPS_MS = [0, 2, 20] as const;
/** A share of the peak that is low enough for calls not to queue. */
const SHARE = 0.1;

/** The median latency of a call with added latency to Redis. */
export interface Away {
  readonly roundTripMs: number;
  readonly latencyMs: number;
}

/**
 * Measures one kind at each round-trip time, and removes the delay afterwards. The fastest round counts, because
 * noise only adds.
 */
export const measureAway = async (
  subject: ProxiedSubject,
  kind: RecipeName,
  peakPerS: number,
  options: LevelOptions,
): Promise<Away[]> => {
  const fastest = ROUND_TRIPS_MS.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < options.rounds; round += 1)
    for (const [i, roundTripMs] of ROUND_TRIPS_MS.entries()) {
      subject.redisProxy.delay(roundTripMs / 2);
      const { latencyMs } = await costAtRate(subject, [[kind, 1]], SHARE * peakPerS, options);
      fastest[i] = Math.min(fastest[i]!, latencyMs.p50);
    }
  subject.redisProxy.delay(0);
  return ROUND_TRIPS_MS.map((roundTripMs, i) => ({ roundTripMs, latencyMs: fastest[i]! }));
};

/** Returns how often a call waits for Redis: the slope of its latency over the round-trip time (least squares). */
export const roundTripsOf = (measured: readonly Away[]): number => {
  const [x, y] = [
    mean(measured.map(({ roundTripMs }) => roundTripMs)),
    mean(measured.map(({ latencyMs }) => latencyMs)),
  ];
  const above = measured.reduce((all, one) => all + (one.roundTripMs - x) * (one.latencyMs - y), 0);
  const below = measured.reduce((all, one) => all + (one.roundTripMs - x) ** 2, 0);
  return below === 0 ? 0 : Math.max(0, above / below);
};
