import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import postgres from 'postgres';
import t, { type Test } from 'tap';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { type Migration, readMigrations } from '../../../src/db/migrations/files.ts';
import { migrate as migrateWith } from '../../../src/db/migrations/migrate.ts';
import { VERSION } from '../../../src/package.ts';
import { until } from '../../servers/until.ts';
import { embeddedDatabase, realServer } from '../../support/database/database.ts';
import { onlineRun } from '../../support/database/online-run.ts';
import { fieldsOf } from '../../support/fields-of.ts';
import { silent } from '../../support/silent-log.ts';

const step = (number: number, text: string, needs: string | null = null): Migration => ({
  number,
  name: `${String(number).padStart(4, '0')}_step`,
  text,
  checksum: text,
  needs,
  online: null,
});

/** None of the migrations here is online. */
const migrate = (sql: postgres.Sql, migrations: readonly Migration[]) =>
  migrateWith(sql, migrations, onlineRun(''));

const tables = async (sql: postgres.Sql) =>
  (
    await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name like 'made_%' order by 1`
  ).map(({ name }) => name);

/** @param known What has been applied: nothing, or the migrations of `sql/`. */
const suite = async (t: Test, sql: postgres.Sql, known: readonly Migration[]) => {
  const one = step(901, 'create table made_one (x integer); create table made_two (y integer);');
  const two = step(902, 'create table made_three (z integer); insert into made_one values (1);');

  t.test('each file is applied once, in order', async (t) => {
    t.same(await migrate(sql, [...known, one]), [one.name]);
    t.same(await migrate(sql, [...known, one, two]), [two.name]);
    t.same(await migrate(sql, [...known, one, two]), []);
    t.same(await tables(sql), ['made_one', 'made_three', 'made_two']);
  });

  t.test('a file that fails changes nothing and can be corrected', async (t) => {
    const broken = step(903, 'create table made_four (x integer); insert into nowhere values (1);');
    await t.rejects(migrate(sql, [...known, one, two, broken]), { code: '42P01' });
    t.same(await tables(sql), ['made_one', 'made_three', 'made_two']);
    const corrected = step(903, 'create table made_four (x integer);');
    t.same(await migrate(sql, [...known, one, two, corrected]), [corrected.name]);
    await sql`delete from migrations where number = 903`;
  });

  t.test('a file that was changed after it was applied is refused', async (t) => {
    const changed = step(901, 'create table made_five (x integer);');
    const added = step(904, 'create table made_six (x integer);');
    await t.rejects(migrate(sql, [...known, changed, two, added]), {
      message: /^sql\/0901_step\.sql was changed/,
    });
    t.notOk((await tables(sql)).includes('made_six'));
  });

  t.test('a database with additions of a newer version is accepted', async (t) => {
    t.same(await migrate(sql, [...known, one]), []);
  });

  t.test('a database is refused only when it needs a newer version', async (t) => {
    await migrate(sql, [...known, one, step(905, 'drop table made_two', '0.0.9'), step(906, '', VERSION)]);
    t.same(await migrate(sql, [...known, one]), []);
    await migrate(sql, [...known, one, step(907, 'drop table made_three', '99.10.0')]);
    await t.rejects(migrate(sql, [...known, one]), {
      message: /0907_step, which needs Tessera 99\.10\.0 or later, and this is .*: run a newer Tessera/,
    });
  });
};

t.test('on the embedded database', async (t) => {
  const { sql } = await embeddedDatabase(t);
  await suite(t, sql, await readMigrations());
});

t.test('on a real Postgres', async (t) => {
  const sql = postgres(await (await realServer()).createDatabase(), { max: 1, onnotice: () => {} });
  t.teardown(() => sql.end());
  await suite(t, sql, []);
});

t.test('ten gateways can start at the same time on an empty database', async (t) => {
  const url = await (await realServer()).createDatabase();
  const options = { url, dataDir: '', bounds: { maxConnections: 1 } };
  const databases = await Promise.all(Array.from({ length: 10 }, () => openDatabase(options, silent)));
  t.teardown(() => Promise.all(databases.map((database) => database.close())));
  const [first] = databases as [Database];
  const rows = await first.sql`select number, name, checksum from migrations order by number`;
  const known = (await readMigrations()).map(({ number, name, checksum }) => ({ number, name, checksum }));
  t.same(rows, known);
});

t.test('a migration completes while transactions hold its tables, and aborts none of them', async (t) => {
  const url = await (await realServer()).createDatabase();
  const connect = () => postgres(url, { max: 1, onnotice: () => {} });
  const [migrator, gateway, watcher] = [connect(), connect(), connect()];
  t.teardown(() => Promise.all([migrator, gateway, watcher].map((sql) => sql.end())));
  const tables = step(901, 'create table made_one (x integer); create table made_two (x integer);');
  const more = step(902, 'alter table made_one add y integer; alter table made_two add y integer;');
  await migrate(migrator, [tables]);
  let migrated: Promise<readonly string[]> | undefined;
  await gateway.begin(async (tx) => {
    await tx`insert into made_two values (1)`;
    migrated = migrate(migrator, [tables, more]);
    await until(async () => (await watcher`select from pg_locks where not granted`).length > 0);
    // The migration holds this table and waits for the other one.
    await tx`insert into made_one values (1)`;
  });
  t.same(await migrated, [more.name]);
});

t.test('files are read in order, and an invalid name or a repeated number is refused', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-test-sql-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const url = pathToFileURL(`${folder}/`);
  for (const name of ['0002_b.sql', '0010_c.sql', '0001_a.sql', 'notes.md']) {
    await writeFile(join(folder, name), `-- ${name}`);
  }
  t.same(
    (await readMigrations(url)).map(({ number, name, text }) => ({ number, name, text })),
    [
      { number: 1, name: '0001_a', text: '-- 0001_a.sql' },
      { number: 2, name: '0002_b', text: '-- 0002_b.sql' },
      { number: 10, name: '0010_c', text: '-- 0010_c.sql' },
    ],
  );
  t.same(fieldsOf(await readMigrations(url), 'needs'), [null, null, null]);
  await writeFile(join(folder, '0010_c.sql'), 'drop table x;\n-- needs: 1.5.0\n');
  t.equal((await readMigrations(url))[2]!.needs, '1.5.0');
  await writeFile(join(folder, '0011_e.sql'), '-- needs 1.5\n');
  await t.rejects(readMigrations(url), { message: /0011_e\.sql has no line like -- needs: 1\.5\.0/ });
  await rm(join(folder, '0011_e.sql'));
  await writeFile(join(folder, '0002_d.sql'), '');
  await t.rejects(readMigrations(url), { message: /two migrations have the number of 0002_b/ });
  await writeFile(join(folder, '3_e.sql'), '');
  await t.rejects(readMigrations(url), { message: /3_e\.sql is not named like/ });
});
