/** A made-up cost model. */
import { byPart, type CostModel, type KindCost, type Part } from '../../bench/model/model.ts';
import { bench } from './reports.ts';

const US: Readonly<Record<Part, number>> = { loop: 60, drawing: 20, threads: 10, redis: 8, postgres: 2 };

/** A kind that costs `factor` times as much as 100 us at its peak, and much more below it. */
export const kindCost = (kind: KindCost['kind'], codes: number, factor: number): KindCost => ({
  kind,
  codes,
  peakPerS: 10_000 / factor,
  levels: [0.1, 0.3, 0.6, 0.9, 1].map((share) => ({
    share,
    callsPerS: (share * 10_000) / factor,
    us: byPart((part) => factor * US[part] * (1 + 1 / share)),
  })),
  bytes: {
    postgres: 1000 * codes,
    wal: 2000 * codes,
    redis: 0,
    fromCaller: 300,
    toCaller: 1000 * Math.max(1, codes),
    redisNetwork: 100,
    postgresNetwork: 50,
  },
  logs: { us: 20, bytes: 250 },
  redisRoundTrips: 1.5,
  latencyMs: 2,
});

export const model: CostModel = {
  at: '2026-11-23T00:00:00.000Z',
  machine: bench.machine,
  idle: byPart(() => 1000),
  kinds: [kindCost('redirect', 0, 0.5), kindCost('render hit 300', 1, 1), kindCost('bulk 10', 10, 40)],
  away: [0, 2, 20].map((roundTripMs) => ({
    kind: 'redirect',
    roundTripMs,
    latencyMs: 2 + 1.5 * roundTripMs,
    p99Ms: 9,
    us: 100,
  })),
};
