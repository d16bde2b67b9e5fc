/** Waits for migrations that another process applies. */
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { VERSION } from '../../package.ts';
import type { Migration } from './files.ts';
import type { OnlineRun } from './online.ts';
import { checkApplied, compareSchema, readApplied } from './schema.ts';

const LOOK_EVERY_MS = 1000;

/**
 * Waits until a database has all migrations of a build. Changes nothing, and needs only to read the table of those that
 * were applied.
 *
 * @throws {Error} When this build cannot work on the database, or the migrations are still missing after `patienceMs`.
 */
export const awaitMigrations = async (
  sql: postgres.Sql,
  known: readonly Migration[],
  { patienceMs, tell }: Pick<OnlineRun, 'patienceMs' | 'tell'>,
): Promise<void> => {
  const untilMs = performance.now() + patienceMs;
  for (let isTold = false; ; isTold = true) {
    const applied = (await readApplied(sql)) ?? [];
    checkApplied(applied, known);
    const { missing } = compareSchema(applied, known, VERSION);
    if (missing.length === 0) return;
    const fault = `the database lacks ${missing.join(', ')}, which only tessera migrate or a gateway with another ROLE adds`;
    if (performance.now() > untilMs) throw new Error(fault);
    if (!isTold) tell(`waiting: ${fault}`);
    await sleep(LOOK_EVERY_MS);
  }
};
