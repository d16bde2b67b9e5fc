/** What `npm run bench` measures, and what the results should be, as data. */
import type { Mix } from '../load/mix.ts';
import { MIXED } from '../load/mix.ts';
import type { RecipeName } from '../load/recipes.ts';

/** A load that is measured by itself. */
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

/** The ratio of two scenarios that is wanted. `goodPerS`: good answers a second; `codesPerS`: codes in them. */
export interface Target {
  readonly measure: 'goodPerS' | 'codesPerS';
  readonly of: string;
  readonly to: string;
  readonly atLeast: number;
}

/** What each ratio should be at least; a run reports those that it missed. */
export const TARGETS: readonly Target[] = [
  { measure: 'goodPerS', of: 'render miss 300', to: 'peer 300', atLeast: 25 },
  { measure: 'goodPerS', of: 'render miss 1000', to: 'peer 1000', atLeast: 150 },
  { measure: 'goodPerS', of: 'render hit 300', to: 'bare', atLeast: 0.35 },
  { measure: 'goodPerS', of: 'render miss 300', to: 'bare', atLeast: 0.1 },
  { measure: 'goodPerS', of: 'redirect', to: 'bare', atLeast: 0.6 },
  { measure: 'goodPerS', of: 'single styled', to: 'single plain', atLeast: 0.5 },
  { measure: 'codesPerS', of: 'bulk 100', to: 'single plain', atLeast: 1.5 },
];
