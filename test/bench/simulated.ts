/** A simulated server with a virtual clock: a queue with servers that take turns, and disturbances. */
import type { Fired } from '../../bench/capacity/step.ts';
import { createHistogram, encode, record } from '../../bench/load/histogram.ts';
import { openResult } from './results.ts';

/** How the server is disturbed. Speeds are shares of the usual one. */
export interface Noise {
  /** It stands still so often, for half of `stallS` to one and a half. */
  readonly stallsPerS?: number;
  readonly stallS?: number;
  /** Its speed wanders around 1 by this standard deviation, and forgets within `driftS`. */
  readonly drift?: number;
  readonly driftS?: number;
  /** A neighbour takes a share of the speed away for a share of the time, `busyS` seconds at a time on average. */
  readonly busyShare?: number;
  readonly busyS?: number;
  readonly taken?: number;
}

export interface Simulated {
  readonly servers: number;
  readonly meanS: number;
  readonly arrivals: 'even' | 'poisson';
  readonly noise: Noise;
}

/** Numbers between 0 and 1 (Mulberry32). */
const createRandom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const exponential = (random: () => number): number => -Math.log(1 - random());
const normal = (random: () => number): number =>
  Math.sqrt(2 * exponential(random)) * Math.cos(2 * Math.PI * random());

const SLOT_S = 0.02;

/** Returns the speed in each slot of time. */
const createSpeeds = (noise: Noise, random: () => number) => {
  const { stallsPerS = 0, stallS = 0, drift = 0, driftS = 1, busyShare = 0, busyS = 1, taken = 0 } = noise;
  const speeds: number[] = [];
  let [wander, stalledS, isBusy] = [drift * normal(random), 0, false];
  let changeS = (busyS / Math.max(1e-9, busyShare)) * exponential(random);
  return (slot: number): number => {
    while (speeds.length <= slot) {
      wander += (-wander * SLOT_S) / driftS + drift * Math.sqrt((2 * SLOT_S) / driftS) * normal(random);
      if (stalledS <= 0 && random() < stallsPerS * SLOT_S) stalledS = stallS * (0.5 + random());
      stalledS -= SLOT_S;
      changeS -= SLOT_S;
      if (busyShare > 0 && changeS <= 0) {
        isBusy = !isBusy;
        changeS = exponential(random) * (isBusy ? busyS : (busyS * (1 - busyShare)) / busyShare);
      }
      speeds.push(
        stalledS > -SLOT_S && stalledS + SLOT_S > 0 ? 0 : Math.exp(wander) * (isBusy ? 1 - taken : 1),
      );
    }
    return speeds[slot]!;
  };
};

/** Starts a server whose clock is at 0. */
export const simulate = ({ servers, meanS, arrivals, noise }: Simulated, seed: number) => {
  const random = createRandom(seed);
  const speedIn = createSpeeds(noise, createRandom(seed ^ 0x9e3779b9));
  let clockS = 0;

  const endOf = (startS: number, workS: number): number => {
    let [atS, leftS] = [startS, workS];
    for (let slot = Math.floor(startS / SLOT_S); ; slot += 1) {
      const speed = speedIn(slot);
      const endS = (slot + 1) * SLOT_S;
      if ((endS - atS) * speed >= leftS) return atS + leftS / speed;
      leftS -= (endS - atS) * speed;
      atS = endS;
    }
  };
  /** Loads the server, and calls `onLatency` for each request. Returns the seconds until the last answer. */
  const load = (ratePerS: number, seconds: number, onLatency: (s: number) => void): number => {
    const freeS = Array.from({ length: servers }, () => clockS);
    let arrivalS = clockS;
    for (let n = 0; n < Math.round(ratePerS * seconds); n += 1) {
      arrivalS = arrivals === 'even' ? clockS + n / ratePerS : arrivalS + exponential(random) / ratePerS;
      let next = 0;
      for (let other = 1; other < servers; other += 1) if (freeS[other]! < freeS[next]!) next = other;
      freeS[next] = endOf(Math.max(arrivalS, freeS[next]!), meanS * exponential(random));
      onLatency(freeS[next]! - arrivalS);
    }
    const tookS = Math.max(seconds, ...freeS.map((atS) => atS - clockS));
    clockS += tookS;
    return tookS;
  };
  return {
    load,
    clockS: () => clockS,
    rest: async (seconds: number) => {
      clockS += seconds;
    },
    /** The same as the generator against a real server. */
    async fire(ratePerS: number, seconds: number): Promise<Fired> {
      const latencies = createHistogram();
      const tookS = load(ratePerS, seconds, (s) => record(latencies, s * 1000));
      const empty = openResult({ ratePerS, p99: 1 });
      const { totalCount: good } = latencies;
      return {
        result: {
          ...empty,
          seconds: tookS,
          sent: good,
          tally: { ...empty.tally, good, codes: 0 },
          accepted: encode(latencies),
          kinds: {},
        },
        faults: [],
        seen: '',
      };
    },
  };
};
