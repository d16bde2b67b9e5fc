import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type postgres from 'postgres';
import { VERSION } from '../version.ts';
import { type Applied, compareSchema, type Migration } from './schema-state.ts';

/** `sql/` stands beside `src/` in the sources, and beside `dist/src/` in a build. */
const SQL_FOLDER = new URL('../../sql/', import.meta.url);

const NEEDS = /^-- needs: (\d+\.\d+\.\d+)$/m;

/** An arbitrary number that every version uses. */
const ADVISORY_LOCK = 7_355_608;

/**
 * Reads the migrations in the order of their numbers.
 *
 * @throws {Error} When two files have the same number, or a file is not named like `0001_name.sql` or says wrongly what
 *   it needs.
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
 * Runs a transaction while no other gateway migrates, with long time limits. The lock has no effect in the embedded
 * database, which only this process uses.
 */
const exclusively = <T>(sql: postgres.Sql, run: (sql: postgres.TransactionSql) => Promise<T>) =>
  sql.begin(async (tx) => {
    await tx`set local statement_timeout = '5min'`;
    await tx`set local lock_timeout = '5min'`;
    await tx`select pg_advisory_xact_lock(${ADVISORY_LOCK})`;
    return run(tx);
  });

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

/** Returns the migrations that a database has; `null`: no gateway has ever used it. It changes nothing. */
export const readApplied = async (sql: postgres.ISql): Promise<readonly Applied[] | null> => {
  const [{ exists }] = await sql<
    [{ exists: boolean }]
  >`select to_regclass('migrations') is not null as exists`;
  return exists ? sql<Applied[]>`select number, name, checksum, needs from migrations order by number` : null;
};

/**
 * Applies the migrations that the database lacks, and returns their names. Several gateways may do so at once. Each
 * file is applied and recorded in one transaction.
 *
 * A database may have migrations of a newer version: those that only add to the schema do not disturb an older one, so
 * an upgrade can be rolled back. One that an older version would not survive says in a line `-- needs: 1.5.0` which
 * version it needs.
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
    await exclusively(sql, async (tx) => {
      const { count } = await tx`
        insert into migrations (number, name, checksum, needs) values (${number}, ${name}, ${checksum}, ${needs})
        on conflict do nothing`;
      if (count === 0) return;
      await tx.unsafe(text);
      names.push(name);
    });
  }
  return names;
};
