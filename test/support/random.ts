/** Random numbers that are the same in each run, for the same seed. */

/** Returns a whole number from 0 up to, but not including, `below`. */
export type Random = (below: number) => number;

/** Returns a generator of whole numbers below 2^32 (mulberry32). */
const createWords = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
};

/** Returns a generator of whole numbers below a bound. */
export const createRandom = (seed: number): Random => {
  const next = createWords(seed);
  return (below) => next() % below;
};

/** Returns a generator of numbers from 0 to below 1. */
export const createFractions = (seed: number) => {
  const next = createWords(seed);
  return (): number => next() / 2 ** 32;
};
