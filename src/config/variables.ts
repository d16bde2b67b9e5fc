/**
 * The variables of the environment. Each is one row of a file in `variables/`: its default, how it is read, and what it
 * is for. Tests compare docs/configuration.md and the compose file with these rows.
 */
import { ACCOUNTS } from './variables/accounts.ts';
import { ADDRESSES } from './variables/addresses.ts';
import { BATCHES } from './variables/batches.ts';
import { BODIES } from './variables/bodies.ts';
import { OPERATION } from './variables/operation.ts';
import { RETENTION } from './variables/retention.ts';
import { STORES } from './variables/stores.ts';
import { THREADS } from './variables/threads.ts';
import { TRACING } from './variables/tracing.ts';
import type { Variable } from './variables/variable.ts';

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
