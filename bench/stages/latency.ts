/** Latency at constant rates: shares of what each scenario does at most. */

import type { Aim } from '../load/aim.ts';
import type { Generator } from '../load/fire.ts';
import type { OpenResult } from '../load/job.ts';
import { median } from '../stats.ts';
import type { Measured } from './compare.ts';

/** Of the closed loop's throughput. */
export const LOADS = [0.25, 0.5, 0.7, 0.85] as const;
const CONNECTIONS = 128;
const UNDER_WAY_MAX = 5000;

/** The kinds of requests that differ in what they are made of. */
export const LATENCY_SCENARIOS = [
  'redirect',
  'render hit 300',
  'render miss 300',
  'single styled',
  'bulk 10',
  'mixed',
];

export interface LatencyRun {
  readonly scenario: string;
  /** Share of the scenario's throughput. */
  readonly load: number;
  readonly result: OpenResult;
}

export const measureLatencies = async (
  generator: Generator,
  measured: readonly Measured[],
  options: {
    readonly url: string;
    readonly aim: Aim;
    readonly seconds: number;
    onRun(run: LatencyRun): void;
  },
): Promise<LatencyRun[]> => {
  const runs: LatencyRun[] = [];
  for (const { scenario, rounds } of measured) {
    if (!LATENCY_SCENARIOS.includes(scenario.name)) continue;
    const throughput = median(rounds.map(({ goodPerS }) => goodPerS));
    let firstSerial = 0;
    for (const load of LOADS) {
      const result = await generator.open({
        url: options.url,
        mix: scenario.mix,
        aim: { ...options.aim, run: `${options.aim.run}-open-${scenario.name.replaceAll(' ', '')}` },
        firstSerial,
        connections: CONNECTIONS,
        ratePerS: throughput * load,
        seconds: options.seconds,
        underWayMax: UNDER_WAY_MAX,
      });
      firstSerial = result.nextSerial;
      const run = { scenario: scenario.name, load, result };
      runs.push(run);
      options.onRun(run);
    }
  }
  return runs;
};
