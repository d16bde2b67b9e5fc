/** The tables in ClickHouse, with versions of their own. */
import { type Migration, readMigrations } from '../db/migrations/files.ts';
import { splitSql } from '../db/migrations/statements.ts';
import type { ClickHouse } from './client.ts';

/** `sql/` is next to `src/` in the sources, and next to `dist/src/` in a build. */
const SQL_FOLDER = new URL('../../sql/clickhouse/', import.meta.url);

const VERSIONS = `
  create table if not exists schema_versions (number UInt32, name String, checksum String, applied_at DateTime default now())
  engine = ReplacingMergeTree order by number`;

const missingOf = async (clickhouse: ClickHouse): Promise<readonly Migration[]> => {
  const known = await readMigrations(SQL_FOLDER);
  const applied = await clickhouse.read<{ number: number; checksum: string; name: string }>(
    'select number, name, checksum from schema_versions final order by number',
  );
  for (const { number, name, checksum } of applied) {
    const own = known.find((migration) => migration.number === number);
    if (own !== undefined && own.checksum !== checksum)
      throw new Error(
        `ClickHouse was migrated with another ${name}: use the version that did, or an empty database`,
      );
  }
  return known.filter(({ number }) => !applied.some((one) => one.number === number));
};

/**
 * Makes the tables that are missing, and returns the names of the migrations. Several gateways may do so at once,
 * because each statement can be repeated.
 */
export const migrateClickHouse = async (clickhouse: ClickHouse): Promise<readonly string[]> => {
  // A statement may take minutes, also when there is no answer.
  await clickhouse.ping();
  await clickhouse.run(VERSIONS);
  const missing = await missingOf(clickhouse);
  for (const { number, name, checksum, text } of missing) {
    for (const statement of splitSql(text)) await clickhouse.run(statement);
    await clickhouse.insert('schema_versions', [{ number, name, checksum }], `migration ${name}`);
  }
  return missing.map(({ name }) => name);
};

/** Returns the names of the migrations that are missing. It changes nothing. */
export const missingInClickHouse = async (clickhouse: ClickHouse): Promise<readonly string[]> => {
  const [{ count }] = (await clickhouse.read<{ count: number }>(
    "select count() as count from system.tables where database = currentDatabase() and name = 'schema_versions'",
  )) as [{ count: number }];
  const missing = count === 0 ? await readMigrations(SQL_FOLDER) : await missingOf(clickhouse);
  return missing.map(({ name }) => name);
};
