/**
 * Creates a generator of numbers between 0 and 1, the same for the same seed: Lehmer's with the constants of Park and
 * Miller (1988).
 */
export const createRandom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};
