/** A made-up cost model. */
import { PARTS, type Part } from '../../bench/cpu.ts';
import { BATCH_CODE, type CostModel, type KindCost } from '../../bench/model/model.ts';
import { recordOf } from '../../bench/stats.ts';
import { bench } from './reports.ts';

const US: Readonly<Record<Part, number>> = { gateway: 90, redis: 8, postgres: 2 };
const IDLE_US = 1000;
const BYTES = {
  postgres: 1000,
  wal: 2000,
  redis: 0,
  fromCaller: 300,
  toCaller: 1000,
  redisNetwork: 100,
  postgresNetwork: 50,
  log: 250,
  batches: 0,
};
const LOADS = [0.1, 0.3, 0.6, 0.9, 1];

/**
 * A kind that costs `factor` times 100 us in the long run and four times as much in addition when it comes alone; half
 * of that is saved at a fifth of its peak.
 */
export const kindCost = (kind: KindCost['kind'], codes: number, factor: number): KindCost => ({
  kind,
  codes,
  peakPerS: 10_000 / factor,
  levels: LOADS.map((share) => ({
    share,
    callsPerS: (share * 10_000) / factor,
    us: recordOf(
      PARTS,
      (part) => factor * US[part] * (1 + 4 / (1 + 5 * share)) + (IDLE_US * factor) / (share * 10_000),
    ),
  })),
  bytes: BYTES,
  redisRoundTrips: kind === 'redirect' ? 0 : 1.5,
  latencyMs: 2,
});

/** A code of a batch: a million take 200 s, and Postgres is busier with them than half of its core. */
const batchCode: KindCost = {
  kind: BATCH_CODE,
  codes: 1,
  peakPerS: 5000,
  levels: [{ share: 1, callsPerS: 5000, us: { gateway: 180, redis: 1, postgres: 120 } }],
  bytes: { ...BYTES, toCaller: 0, batches: 600 },
  redisRoundTrips: 0,
  latencyMs: 0,
};

export const model: CostModel = {
  at: '2026-11-23T00:00:00.000Z',
  machine: bench.machine,
  idle: recordOf(PARTS, () => IDLE_US),
  processBytes: 3e8,
  kinds: [
    kindCost('redirect', 0, 0.5),
    kindCost('render hit 300', 1, 1),
    kindCost('signed miss 300', 1, 2),
    kindCost('bulk 10', 10, 40),
    batchCode,
  ],
};
