/** Made-up reports. */
import { planFor } from '../../bench/capacity/plan.ts';
import { fitUsl } from '../../bench/capacity/usl.ts';
import type { BenchReport, CapacityReport } from '../../bench/reports/report.ts';
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
  latencies: ['redirect', 'single styled', 'mixed'].flatMap((scenario) =>
    LOADS.map((load) => ({
      scenario,
      load,
      result: openResult({ ratePerS: 100 * load, p99: 18 * load }),
      faults: [],
    })),
  ),
  overload: [],
};
const points = [{ ratePerS: 100, over: 0, of: 100 }];
const result = openResult({ ratePerS: 100, p99: 9 });
const step = { phase: 'soak', result, missed: null, faults: [], seen: '', points } as const;
const levels = [1, 2, 3, 4].map((n) => ({ n, rate: 100 * Math.sqrt(n) }));
export const capacity: CapacityReport = {
  at: bench.at,
  command: 'node dist/bench/capacity/main.js',
  machine,
  slo: { objectives: [{ percentile: 99, kind: null, ms: 100 }], failedShare: 0.001 },
  mix: [['redirect', 1]],
  url: null,
  found: {
    ratePerS: 100,
    capacity: { perS: 110, low: 100, high: 120 },
    ...{ soaks: 3, held: 3, soak: step },
    undetermined: null,
    steps: [step],
  },
  cost: { gatewayMs: 1, redisMs: 0.1, postgresMs: 0.1 },
  bytesAnAnswer: 10,
  plan: planFor({ ratePerS: 100, codesARequest: 0, bytesAnAnswer: 10, redisMs: 0.1, postgresMs: 0.1 }),
  threads: { levels, usl: fitUsl(levels) },
};
