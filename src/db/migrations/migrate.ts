/** Applies the migrations of a build to a database. */
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { isLockFault } from '../faults.ts';
import type { Migration } from './files.ts';
import { applyOnline, type OnlineRun } from './online.ts';
import { checkApplied, readApplied } from './schema.ts';

/** An arbitrary number, the same in every version. */
const ADVISORY_LOCK = 7_355_608;

/**
 * How long a migration waits for the lock of a table, in ms. Meanwhile no other gateway can use that table. It gives up
 * before Postgres looks for deadlocks (`deadlock_timeout`, 1 s by default), which might end a call of a gateway.
 */
const TABLE_LOCK_MS = 500;
/** How long it keeps retrying, and the longest pause between two tries. */
const TRIES_MS = 300_000;
const PAUSE_MS = 500;

/**
 * Runs a transaction while no other gateway is migrating, with long time limits. The lock has no effect in the embedded
 * database, which only this process uses.
 */
const tryExclusively = <T>(sql: postgres.Sql, run: (sql: postgres.TransactionSql) => Promise<T>) =>
  sql.begin(async (tx) => {
    await tx`set local statement_timeout = '5min'`;
    await tx`set local lock_timeout = '5min'`;
    await tx`select pg_advisory_xact_lock(${ADVISORY_LOCK})`;
    await tx.unsafe(`set local lock_timeout = ${TABLE_LOCK_MS}`);
    return run(tx);
  });

/** Retries while serving gateways hold locks on the tables that it needs. */
const exclusively: typeof tryExclusively = async (sql, run) => {
  const untilMs = performance.now() + TRIES_MS;
  for (;;) {
    try {
      return await tryExclusively(sql, run);
    } catch (error) {
      if (!isLockFault(error) || performance.now() > untilMs) throw error;
      await sleep(Math.random() * PAUSE_MS);
    }
  }
};

/** @returns Whether this process applied it. */
const applyAtOnce = (
  sql: postgres.Sql,
  { number, name, text, checksum, needs }: Migration,
): Promise<boolean> =>
  exclusively(sql, async (tx) => {
    const { count } = await tx`
      insert into migrations (number, name, checksum, needs) values (${number}, ${name}, ${checksum}, ${needs})
      on conflict do nothing`;
    if (count > 0) await tx.unsafe(text);
    return count > 0;
  });

/**
 * Applies the missing migrations and returns their names. Several gateways may do so concurrently while others serve.
 * Each file is applied and recorded in one transaction, except for online ones (see `applyOnline`).
 *
 * A database may have migrations of a newer version. Purely additive ones do not affect an older version, so an upgrade
 * can be rolled back. A migration that breaks older versions declares the version that it needs in a line
 * `-- needs: 1.5.0`.
 *
 * @throws {Error} When the database has a migration that needs a newer version, or one whose file has changed since it
 *   was applied. The database is then left as it was.
 */
export const migrate = async (
  sql: postgres.Sql,
  migrations: readonly Migration[],
  online: OnlineRun,
): Promise<readonly string[]> => {
  const applied = await exclusively(sql, async (tx) => {
    await tx`
      create table if not exists migrations (
        number integer primary key,
        name text not null,
        checksum text not null,
        -- The oldest version that works with it; null: every version that worked before it.
        needs text,
        applied_at timestamptz(3) not null default now()
      )`;
    return (await readApplied(tx)) ?? [];
  });
  checkApplied(applied, migrations);

  const names: string[] = [];
  for (const migration of migrations) {
    if (applied.some((row) => row.number === migration.number)) continue;
    const isNew = await (migration.online === null
      ? applyAtOnce(sql, migration)
      : applyOnline(migration, online));
    if (isNew) names.push(migration.name);
  }
  return names;
};
