/** Applies the migrations of a build to a database, and compares those that are applied with them. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { VERSION } from '../package.ts';
import { isLockFault } from './faults.ts';

/** A file of `sql/`; `name` is its file name without `.sql`. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  /** SHA-256 of `text`, hexadecimal. */
  readonly checksum: string;
  /** The version in its `-- needs:` line; `null` without one. */
  readonly needs: string | null;
}

/** A migration applied to a database. */
interface Applied {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  /** The oldest version compatible with it; `null`: every version that was compatible before. */
  readonly needs: string | null;
}

/** How a database's schema differs from a build's migrations. Each list contains names, in order. */
interface SchemaState {
  /** Not applied yet. */
  readonly missing: readonly string[];
  /** From a newer version, but compatible with this one. */
  readonly newer: readonly string[];
  /** From a newer version and incompatible, with the version that each needs. */
  readonly tooNew: readonly { readonly name: string; readonly needs: string }[];
  /** Applied from a file whose content has changed since. */
  readonly changed: readonly string[];
}

/** Compares versions such as 1.10.0 by their numbers. */
const isOlder = (version: string, needed: string): boolean =>
  version.localeCompare(needed, 'en', { numeric: true }) < 0;

/** Compares the schema of a database with the migrations of a build. */
export const compareSchema = (
  applied: readonly Applied[],
  known: readonly Migration[],
  version: string,
): SchemaState => {
  const state = {
    missing: known.filter(({ number }) => applied.every((row) => row.number !== number)),
    newer: [] as string[],
    tooNew: [] as SchemaState['tooNew'][number][],
    changed: [] as string[],
  };
  for (const { number, name, checksum, needs } of applied) {
    const migration = known.find((candidate) => candidate.number === number);
    if (migration !== undefined && migration.checksum !== checksum) state.changed.push(migration.name);
    if (migration !== undefined) continue;
    if (needs !== null && isOlder(version, needs)) state.tooNew.push({ name, needs });
    else state.newer.push(name);
  }
  return { ...state, missing: state.missing.map(({ name }) => name) };
};

/** `sql/` is next to `src/` in the sources, and next to `dist/src/` in a build. */
const SQL_FOLDER = new URL('../../sql/', import.meta.url);

const NEEDS = /^-- needs: (\d+\.\d+\.\d+)$/m;

/** An arbitrary number, the same in every version. */
const ADVISORY_LOCK = 7_355_608;

/**
 * Reads the migrations in the order of their numbers.
 *
 * @throws {Error} When two files have the same number, or a file is not named like `0001_name.sql` or has a malformed
 *   `needs` line.
 */
export const readMigrations = async (folder: URL = SQL_FOLDER): Promise<readonly Migration[]> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const migrations = await Promise.all(
    files.map(async (file) => {
      const number = /^(\d{4})_[a-z_]+\.sql$/.exec(file)?.[1];
      if (number === undefined) throw new Error(`${file} is not named like 0001_name.sql`);
      const text = await readFile(new URL(file, folder), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      const needs = NEEDS.exec(text)?.[1] ?? null;
      if (needs === null && /^-- needs\b/m.test(text))
        throw new Error(`${file} has no line like -- needs: 1.5.0`);
      return { number: Number(number), name: file.slice(0, -'.sql'.length), text, checksum, needs };
    }),
  );
  const twice = migrations.find((migration, i) => migration.number === migrations[i + 1]?.number);
  if (twice) throw new Error(`two migrations have the number of ${twice.name}`);
  return migrations;
};

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

/** @throws {Error} When this build cannot work on the database. */
const checkApplied = (applied: readonly Applied[], known: readonly Migration[]): void => {
  const { tooNew, changed } = compareSchema(applied, known, VERSION);
  for (const { name, needs } of tooNew) {
    throw new Error(
      `The database has migration ${name}, which needs Tessera ${needs} or later, and this is ${VERSION}: run a newer Tessera.`,
    );
  }
  for (const name of changed) {
    throw new Error(`sql/${name}.sql was changed after it was applied: add a new migration instead.`);
  }
};

/** Returns the migrations that a database has, or `null` when no gateway has ever used it. Changes nothing. */
export const readApplied = async (sql: postgres.ISql): Promise<readonly Applied[] | null> => {
  const [{ exists }] = await sql<
    [{ exists: boolean }]
  >`select to_regclass('migrations') is not null as exists`;
  return exists ? sql<Applied[]>`select number, name, checksum, needs from migrations order by number` : null;
};

/**
 * Applies the missing migrations and returns their names. Several gateways may do so concurrently while others serve.
 * Each file is applied and recorded in one transaction.
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
  for (const { number, name, text, checksum, needs } of migrations) {
    if (applied.some((row) => row.number === number)) continue;
    const isNew = await exclusively(sql, async (tx) => {
      const { count } = await tx`
        insert into migrations (number, name, checksum, needs) values (${number}, ${name}, ${checksum}, ${needs})
        on conflict do nothing`;
      if (count > 0) await tx.unsafe(text);
      return count > 0;
    });
    if (isNew) names.push(name);
  }
  return names;
};
