import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type postgres from 'postgres';

/** A file of `sql/`; `name` is its file name without `.sql`. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  /** SHA-256 of `text`, hexadecimal. */
  readonly checksum: string;
}

/** `sql/` stands beside `src/` in the sources, and beside `dist/src/` in a build. */
const SQL_FOLDER = new URL('../../sql/', import.meta.url);

/** An arbitrary number that every version uses. */
const ADVISORY_LOCK = 7_355_608;

/**
 * Reads the migrations in the order of their numbers.
 *
 * @throws {Error} When two files have the same number, or a file is not named like `0001_name.sql`.
 */
export const readMigrations = async (folder: URL = SQL_FOLDER): Promise<readonly Migration[]> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const migrations = await Promise.all(
    files.map(async (file) => {
      const number = /^(\d{4})_[a-z_]+\.sql$/.exec(file)?.[1];
      if (number === undefined) throw new Error(`${file} is not named like 0001_name.sql`);
      const text = await readFile(new URL(file, folder), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { number: Number(number), name: file.slice(0, -'.sql'.length), text, checksum };
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

const checkApplied = (
  applied: readonly { number: number; name: string; checksum: string }[],
  known: readonly Migration[],
) => {
  for (const { number, name, checksum } of applied) {
    const migration = known.find((candidate) => candidate.number === number);
    if (!migration) {
      throw new Error(
        `The database has migration ${name}, which this version doesn't know: run a newer Tessera.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new Error(
        `sql/${migration.name}.sql was changed after it was applied: add a new migration instead.`,
      );
    }
  }
};

/**
 * Applies the migrations that the database lacks, and returns their names. Several gateways may do so at once. Each
 * file is applied and recorded in one transaction.
 *
 * @throws {Error} When the database has a migration that is not in `migrations`, or one whose file has changed since it
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
        applied_at timestamptz(3) not null default now()
      )`;
    return tx<
      { number: number; name: string; checksum: string }[]
    >`select number, name, checksum from migrations`;
  });
  checkApplied(applied, migrations);

  const names: string[] = [];
  for (const { number, name, text, checksum } of migrations) {
    if (applied.some((row) => row.number === number)) continue;
    await exclusively(sql, async (tx) => {
      const { count } = await tx`
        insert into migrations (number, name, checksum) values (${number}, ${name}, ${checksum})
        on conflict do nothing`;
      if (count === 0) return;
      await tx.unsafe(text);
      names.push(name);
    });
  }
  return names;
};
