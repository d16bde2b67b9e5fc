/** Latency at constant rates, which are shares of each scenario's highest throughput. */
import type { Target } from '../../test/servers/testbed.ts';
import type { Generator } from '../load/fire.ts';
import type { OpenResult } from '../load/job.ts';
import { faultsOfSteady, watch } from '../load/open/witness.ts';
import { median } from '../stats.ts';
import type { Measured } from './compare.ts';

/** Rates to test, as shares of the throughput of the closed loop. */
export const LOADS = [0.25, 0.5, 0.7, 0.85] as const;
const CONNECTIONS = 128;
const UNDER_WAY_MAX = 5000;

/** One scenario for each kind of work that a request can cause. */
export const LATENCY_SCENARIOS = [
  ...['redirect', 'render hit 300', 'render miss 300', 'single styled', 'bulk 10', 'mixed'],
];

/** One scenario under one load. */
export interface LatencyRun {
  readonly scenario: string;
  /** Share of the scenario's throughput. */
  readonly load: number;
  readonly result: OpenResult;
  /** Why the result says nothing; empty when it does. */
  readonly faults: readonly string[];
}

/**
 * Loads each measured scenario of `LATENCY_SCENARIOS` at each of `LOADS` for `seconds`, and calls `onRun` after each.
 */
export const measureLatencies = async (
  generator: Generator,
  { gateway: { url }, aim }: Target,
  measured: readonly Measured[],
  { seconds, onRun }: { readonly seconds: number; onRun(run: LatencyRun): void },
): Promise<LatencyRun[]> => {
  const runs: LatencyRun[] = [];
  for (const { scenario, rounds } of measured) {
    if (!LATENCY_SCENARIOS.includes(scenario.name)) continue;
    const throughput = median(rounds.map(({ goodPerS }) => goodPerS));
    for (const load of LOADS) {
      const rate = { ratePerS: throughput * load, connections: CONNECTIONS, underWayMax: UNDER_WAY_MAX };
      const stop = await watch(url);
      const result = await generator.open({ url, mix: scenario.mix, aim, seconds, ...rate });
      runs.push({ scenario: scenario.name, load, result, faults: faultsOfSteady(result, await stop()) });
      onRun(runs.at(-1)!);
    }
  }
  return runs;
};
