/** The figures that a run will have, so that a wrong `--require` is found before it, not after. Pure. */
import type { RunOptions } from '../options.ts';
import { LATENCY_SCENARIOS, LOADS } from '../stages/latency.ts';
import { TARGETS } from '../stages/scenarios.ts';
import { latencyNames, ratioName, scenarioNames } from './figures.ts';
import { findName, type Requirement } from './require.ts';

const namesOf = ({ scenarios, stages }: RunOptions): string[] => {
  const chosen = scenarios.map(({ name }) => name);
  const isMeasured = stages.includes('compare') || stages.includes('latency');
  const loaded = stages.includes('latency') ? chosen.filter((name) => LATENCY_SCENARIOS.includes(name)) : [];
  const targets = TARGETS.filter(({ of, to }) => chosen.includes(of) && chosen.includes(to));
  return [
    ...(isMeasured ? [...chosen.flatMap(scenarioNames), ...targets.map(ratioName)] : []),
    ...loaded.flatMap((name) => LOADS.flatMap((load) => latencyNames(name, load))),
  ];
};

/** Returns a sentence about a required figure that the run will not have; `null` when it will have all. */
export const faultOfRequirements = (
  options: RunOptions,
  requirements: readonly Requirement[],
): string | null => {
  const names = namesOf(options);
  const found = requirements.map(({ name }) => findName(name, names));
  return found.find((one) => typeof one === 'string') ?? null;
};
