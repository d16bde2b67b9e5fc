/** Reports of runs that were never made. */
import { planFor } from '../../bench/capacity/plan.ts';
import { fitUsl } from '../../bench/capacity/usl.ts';
import type { BenchReport, CapacityReport, CostReport } from '../../bench/page/model.ts';
import { judge } from '../../bench/stages/compare.ts';
import { LOADS } from '../../bench/stages/latency.ts';
import { SCENARIOS, TARGETS } from '../../bench/stages/scenarios.ts';
import { openResult, roundOf } from './results.ts';

const machine = {
  cpu: 'A <processor> & more',
  cores: 2,
  memoryBytes: 2 ** 33,
  kernel: '6',
  governor: 'unknown',
  cgroupCpuMax: 'none',
  inContainer: false,
  node: 'v20',
  redis: '7',
  postgres: '15',
  commit: 'abc',
  dirty: false,
  load: 0,
};
const measured = SCENARIOS.map((scenario) => ({ scenario, rounds: [roundOf(100), roundOf(200)] }));
export const bench: BenchReport = {
  at: '2026-11-21T00:00:00.000Z',
  command: 'node dist/bench/bench.js',
  machine,
  settings: {},
  measured,
  outcomes: judge(measured, TARGETS),
  pictureBytes: { 'render miss 300': 500 },
  parts: { 'single styled': { symbol: 0.1, shapes: 0.2, raster: 0.3, encode: 0.4 } },
  latencies: ['redirect', 'single styled', 'mixed'].flatMap((scenario) =>
    LOADS.map((load) => ({ scenario, load, result: openResult({ ratePerS: 100 * load, p99: 18 * load }) })),
  ),
  overload: null,
  fairness: null,
  last: {
    at: '2026-11-20T00:00:00.000Z',
    ratios: { 'redirect / bare': 0.5, 'redirect (server CPU) / bare': 2 },
  },
};
const step = { phase: 'double', result: openResult({ ratePerS: 100, p99: 9 }), missed: null } as const;
const witnessed = {
  ...openResult({ ratePerS: 100, p99: 12 }),
  latenessMs: openResult({ ratePerS: 1, p99: 2 }).latencyMs,
};
const levels = [1, 2, 3, 4].map((n) => ({ n, rate: 100 * Math.sqrt(n) }));
export const capacity: CapacityReport = {
  at: bench.at,
  command: 'node dist/bench/capacity/main.js',
  machine,
  slo: { percentile: 'p99', ms: 100, failedShare: 0.001 },
  mix: [['redirect', 1]],
  url: null,
  found: { ratePerS: 100, soak: step, steps: [step] },
  confirmation: { searchedPerS: 120, claimedPerS: 100, runs: [{ result: witnessed, missed: null }] },
  little: { underWay: 1, expected: 1, residual: 0 },
  cost: { gatewayMs: 1, redisMs: 0.1, postgresMs: 0.1 },
  plan: planFor({ ratePerS: 100, codesARequest: 0, bytesAnAnswer: 10, redisMs: 0.1, postgresMs: 0.1 }),
  threads: { levels, usl: fitUsl(levels) },
  last: null,
};

export const costs: CostReport = {
  at: bench.at,
  command: 'node dist/bench/costs/main.js',
  machine,
  costs: ['redirect', 'bulk 10'].map((label, i) => ({
    label,
    us: { loops: 26 * 50 ** i, threads: 3 * 500 ** i, supervisor: 0.1, redis: 0.1, postgres: 9 },
  })),
};
