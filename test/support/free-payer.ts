import type { Payer } from '../../src/execution/payer.ts';

/** Pays for everything, and never rests. */
export const FREE_PAYER: Payer = {
  spendTurn: () => {},
  spendDatabase: () => {},
  rest: async () => {},
  enter: async () => () => {},
};
