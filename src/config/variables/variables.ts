/**
 * The variables of the environment. Each is one row of a file in `variables/`: its default, how it is read, and what it
 * is for. Tests compare docs/configuration.md and the compose file with these rows.
 */

import type { Variable } from '../parse.ts';
import { ACCOUNTS, ADDRESSES } from './accounts.ts';
import { BATCHES, BODIES } from './batches.ts';
import { OPERATION, THREADS, TRACING } from './operation.ts';
import { RETENTION, STORES } from './stores.ts';

/** One row a variable, in the order of docs/configuration.md. */
export const VARIABLES = {
  ...ADDRESSES,
  ...STORES,
  ...THREADS,
  ...ACCOUNTS,
  ...BODIES,
  ...BATCHES,
  ...RETENTION,
  ...OPERATION,
  ...TRACING,
} as const;

/** The values of the variables; `null` for one that is unset and has no default. */
export type Values = {
  readonly [K in keyof typeof VARIABLES]: (typeof VARIABLES)[K] extends Variable<infer T, infer F>
    ? T | (F extends null ? null : never)
    : never;
};
