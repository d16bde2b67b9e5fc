/**
 * How many random cases a test tries: all, or a fifth in `npm test`, which sets `TEST_SHORT`. `make.mjs` gives tests this
 * in the place of fast-check, so that properties follow; samples and loops ask `casesOf`.
 */
import * as all from 'fast-check';

/** Of a property that says nothing else: the default of fast-check. */
const RUNS = 100;

const isShort = process.env.TEST_SHORT === '1';

/** Returns how many of `count` cases this run tries. */
export const casesOf = (count: number): number => (isShort ? Math.ceil(count / 5) : count);

/** Returns those of some cases that this run tries: all, or each fifth. */
export const someOf = <T>(cases: readonly T[]): readonly T[] =>
  isShort ? cases.filter((_, i) => i % 5 === 0) : cases;

/** Returns how many cases of a kind there must be where all cases have `count`; chance varies more among few. */
export const fewestOf = (count: number): number => (isShort ? Math.floor(count / 25) : count);

export * from 'fast-check';

/** As that of fast-check. Examples come before random cases, and all of them are tried. */
export const assert = ((property, { numRuns = RUNS, ...others } = {}) =>
  all.assert(property, {
    ...others,
    numRuns: Math.max(casesOf(numRuns), others.examples?.length ?? 0),
  })) as typeof all.assert;

export default { ...all, assert };
