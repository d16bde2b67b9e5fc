/** The scenarios and targets of `npm run bench`, as data. */
import { MIXED, type Mix } from '../load/mix.ts';
import { RECIPES, type RecipeName } from '../load/recipes.ts';
import { pairedRatios } from '../stats.ts';

/** A load that is measured separately. */
export interface Scenario {
  readonly name: string;
  readonly mix: Mix;
  readonly connections: number;
}

const of = (recipe: RecipeName, connections = 32): Scenario => ({
  name: recipe,
  mix: [[recipe, 1]],
  connections,
});

/** Measured in this order in every round. Bulk calls are enough work for few connections. */
export const SCENARIOS: readonly Scenario[] = [
  of('bare'),
  of('peer 300'),
  of('peer 1000', 8),
  of('render hit 300'),
  of('render hit 1000'),
  of('render miss 300'),
  of('render miss 1000'),
  of('single plain'),
  of('single styled'),
  of('single gradient'),
  of('single logo'),
  of('bulk 10', 8),
  of('bulk 100', 4),
  of('redirect'),
  { name: 'mixed', mix: MIXED, connections: 32 },
];

/** What can be measured: the scenarios, and all other requests. */
export const SCENARIO_NAMES: readonly string[] = [
  ...new Set([...SCENARIOS.map(({ name }) => name), ...Object.keys(RECIPES)]),
];

/** Returns the scenario of a name. */
export const scenarioOf = (name: string): Scenario =>
  SCENARIOS.find((scenario) => scenario.name === name) ?? of(name as RecipeName);

/**
 * A target for the ratio of two scenarios. `goodPerS`: good answers per second; `codesPerS`: codes in them;
 * `serverCpuMs`: processor time of the server, for which `wanted` is a maximum instead of a minimum.
 */
export interface Target {
  readonly measure: 'goodPerS' | 'codesPerS' | 'serverCpuMs';
  readonly of: string;
  readonly to: string;
  readonly wanted: number;
}

interface Rounds {
  readonly scenario: Pick<Scenario, 'name'>;
  readonly rounds: readonly Readonly<Record<Target['measure'], number>>[];
}

/** Returns the ratio in each round; none when a scenario was not measured. */
export const ratiosOf = (all: readonly Rounds[], { of, to, measure }: Target): number[] => {
  const valuesOf = (name: string) =>
    all.find(({ scenario }) => scenario.name === name)?.rounds.map((round) => round[measure]) ?? [];
  return pairedRatios(valuesOf(of), valuesOf(to));
};

/** Whether a ratio meets its target. */
export const isReached = ({ measure, wanted }: Target, ratio: number): boolean =>
  measure === 'serverCpuMs' ? ratio <= wanted : ratio >= wanted;

/** The targets of the service; a run reports those that it misses. */
export const TARGETS: readonly Target[] = [
  { measure: 'goodPerS', of: 'render miss 300', to: 'peer 300', wanted: 35 },
  { measure: 'goodPerS', of: 'render miss 1000', to: 'peer 1000', wanted: 300 },
  { measure: 'goodPerS', of: 'render hit 300', to: 'bare', wanted: 0.35 },
  { measure: 'goodPerS', of: 'render miss 300', to: 'bare', wanted: 0.1 },
  { measure: 'goodPerS', of: 'redirect', to: 'bare', wanted: 0.6 },
  { measure: 'serverCpuMs', of: 'render miss 300', to: 'bare', wanted: 12 },
  { measure: 'serverCpuMs', of: 'redirect', to: 'bare', wanted: 2 },
  { measure: 'goodPerS', of: 'single styled', to: 'single plain', wanted: 0.6 },
  { measure: 'goodPerS', of: 'single logo', to: 'single styled', wanted: 0.6 },
  { measure: 'goodPerS', of: 'single gradient', to: 'single styled', wanted: 0.4 },
  { measure: 'codesPerS', of: 'bulk 100', to: 'single plain', wanted: 2 },
];
