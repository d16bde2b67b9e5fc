/** The result of an open loop from the outcomes of each kind. Pure. */
import { decode, percentilesOf } from './histogram.ts';
import type { OpenResult } from './job.ts';
import { latenciesOf, mergeOutcomes, type Outcomes } from './outcomes.ts';
import type { RecipeName } from './recipes.ts';

/** Outcomes by kind. */
export type Kinds = OpenResult['kinds'];

/** Puts the outcomes of each kind together with what is known of the whole load. */
export const resultOf = (
  kinds: Kinds,
  load: Pick<OpenResult, 'seconds' | 'askedPerS' | 'sentPerS' | 'goodPerS' | 'lateMs' | 'generatorCpuMs'>,
): OpenResult => {
  const all = mergeOutcomes(Object.values(kinds));
  return {
    ...load,
    ...all,
    kinds,
    latencyMs: percentilesOf(latenciesOf(all)),
    acceptedMs: percentilesOf(decode(all.accepted)),
    uncorrectedMs: percentilesOf(decode(all.uncorrected)),
    refusedMs: percentilesOf(decode(all.refused)),
  };
};

/** Returns what several generators measured at the same time as one result. */
export const mergeResults = (results: readonly OpenResult[]): OpenResult => {
  const total = (field: 'askedPerS' | 'sentPerS' | 'goodPerS') =>
    results.reduce((sum, result) => sum + result[field], 0);
  const most = (field: 'seconds' | 'lateMs' | 'generatorCpuMs') =>
    Math.max(...results.map((result) => result[field]));
  const names = new Set(results.flatMap(({ kinds }) => Object.keys(kinds) as RecipeName[]));
  const outcomesOf = (name: RecipeName): Outcomes[] => results.flatMap(({ kinds }) => kinds[name] ?? []);
  return resultOf(Object.fromEntries([...names].map((name) => [name, mergeOutcomes(outcomesOf(name))])), {
    seconds: most('seconds'),
    askedPerS: total('askedPerS'),
    sentPerS: total('sentPerS'),
    goodPerS: total('goodPerS'),
    lateMs: most('lateMs'),
    generatorCpuMs: most('generatorCpuMs'),
  });
};

/** Returns what one generator measured in several loads, one after the other. */
export const chainResults = (results: readonly OpenResult[]): OpenResult => {
  const total = (field: 'seconds' | 'generatorCpuMs' | 'askedPerS' | 'sentPerS' | 'goodPerS') =>
    results.reduce((sum, result) => sum + result[field], 0);
  return {
    ...mergeResults(results),
    seconds: total('seconds'),
    askedPerS: total('askedPerS') / results.length,
    sentPerS: total('sentPerS') / results.length,
    goodPerS: total('goodPerS') / results.length,
    generatorCpuMs: total('generatorCpuMs'),
  };
};
