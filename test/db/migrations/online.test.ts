/** Migrations that run outside of a transaction: killed, at once, against traffic, and on both kinds of database. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import postgres from 'postgres';
import t, { type Test } from 'tap';
import { readMigrations } from '../../../src/db/migrations/files.ts';
import { migrate } from '../../../src/db/migrations/migrate.ts';
import { embeddedSession } from '../../../src/db/migrations/session.ts';
import { until } from '../../servers/until.ts';
import { embeddedDatabase, realServer } from '../../support/database/database.ts';
import { onlineRun } from '../../support/database/online-run.ts';

const PROCESS = fileURLToPath(new URL('../../support/database/migrate-process.ts', import.meta.url));

const TABLES = `create table made_codes (x integer not null, y integer);
  insert into made_codes select n, n % 7 from generate_series(1, 2000) n; create table made_runs (x integer);`;

const ONLINE = `-- transaction: none
insert into made_runs values (1);
create index concurrently made_by_y on made_codes (y);
alter table made_codes add constraint made_small check (y < 7) not valid;
alter table made_codes validate constraint made_small;
`;

/** A database of its own, connections to it, and a folder of migrations. */
const newPlace = async (t: Test, online = ONLINE) => {
  const url = await (await realServer()).createDatabase();
  const connect = () => {
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    t.teardown(() => sql.end({ timeout: 1 }));
    return sql;
  };
  const folder = t.testdir();
  const write = (text: string) => writeFile(join(folder, '0002_online.sql'), text);
  await writeFile(join(folder, '0001_tables.sql'), TABLES);
  await write(online);
  const known = () => readMigrations(pathToFileURL(`${folder}/`));
  const sql = connect();
  await migrate(sql, (await known()).slice(0, 1), onlineRun(url));
  return {
    url,
    folder,
    sql,
    connect,
    write,
    run: async (options = {}) => migrate(connect(), await known(), onlineRun(url, options)),
  };
};

type Place = Awaited<ReturnType<typeof newPlace>>;

const indexOf = async (sql: postgres.Sql) =>
  (
    await sql<{ oid: number; isValid: boolean }[]>`
    select indexrelid::integer as oid, indisvalid as "isValid" from pg_index
    where indexrelid = to_regclass('made_by_y')`
  )[0];

const checkDone = async (t: Test, sql: postgres.Sql) => {
  t.match(await indexOf(sql), { isValid: true });
  t.same(await sql`select convalidated as valid from pg_constraint where conname = 'made_small'`, [
    { valid: true },
  ]);
  t.same(await sql`select count(*)::integer as runs from made_runs`, [{ runs: 1 }], 'nothing is done twice');
  t.same(await sql`select name from migrations where number = 2`, [{ name: '0002_online' }]);
  t.same(await sql`select * from migration_steps`, []);
};

/** Starts another process that migrates, and kills it when it waits for `holder` to make the index. */
const killWhileItWaits = async (t: Test, { url, folder, sql, connect }: Place) => {
  const holder = connect();
  await holder`begin`;
  await holder`insert into made_codes values (0, 0)`;
  const child = spawn(process.execPath, [...process.execArgv, PROCESS, url, folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  await until(async () => (await indexOf(sql)) !== undefined);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return { release: () => holder`commit` };
};

t.test('each statement runs once, on a server and on the embedded database', async (t) => {
  const { sql, run } = await newPlace(t);
  t.same(await run(), ['0002_online']);
  t.same(await run(), []);
  await checkDone(t, sql);

  const embedded = await embeddedDatabase(t);
  const folder = t.testdir();
  await writeFile(join(folder, '9001_tables.sql'), TABLES);
  await writeFile(join(folder, '9002_online.sql'), ONLINE);
  const added = await readMigrations(pathToFileURL(`${folder}/`));
  const online = { ...onlineRun(''), open: async () => embeddedSession(embedded.sql) };
  const migrateEmbedded = async () => migrate(embedded.sql, [...(await readMigrations()), ...added], online);
  t.same(await migrateEmbedded(), ['9001_tables', '9002_online']);
  t.same(await migrateEmbedded(), []);
  t.match(await indexOf(embedded.sql), { isValid: true });
});

t.test('an index that a killed run left invalid is made again, and what was done is not', async (t) => {
  const place = await newPlace(t);
  const { release } = await killWhileItWaits(t, place);
  const { sql } = place;
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'create index concurrently%'`;
  await release();
  await until(async () => (await sql`select from pg_locks where locktype = 'advisory'`).length === 0);
  const left = await indexOf(sql);
  t.match(left, { isValid: false });
  t.same(await place.run(), ['0002_online']);
  t.not((await indexOf(sql))?.oid, left?.oid);
  await checkDone(t, sql);
});

t.test('an index that the server finishes after the kill is waited for and kept', async (t) => {
  const place = await newPlace(t);
  const { release } = await killWhileItWaits(t, place);
  const begun = await indexOf(place.sql);
  const told: string[] = [];
  const ended = place.run({ tell: (sentence: string) => void told.push(sentence) });
  await until(async () => told.length > 0);
  t.match(told[0], /^0002_online waits for Postgres process \d+ \(create index concurrently made_by_y/);
  await release();
  t.same(await ended, ['0002_online']);
  t.equal((await indexOf(place.sql))?.oid, begun?.oid);
  await checkDone(t, place.sql);
});

t.test('of ten that start at once one applies it, and the others wait for it', async (t) => {
  const { sql, run } = await newPlace(t);
  const names = await Promise.all(Array.from({ length: 10 }, () => run()));
  t.same(names.flat(), ['0002_online']);
  await checkDone(t, sql);
});

t.test('one that waits too long for another process is refused, and says what that one does', async (t) => {
  const place = await newPlace(t);
  const { release } = await killWhileItWaits(t, place);
  await t.rejects(place.run({ patienceMs: 0 }), {
    message:
      /0002_online is still being applied by Postgres process \d+ \(create index .*start again when it is done/,
  });
  await release();
});

t.test('while it waits for a lock, readers of the table do not wait behind it for long', async (t) => {
  const { sql, run, connect } = await newPlace(
    t,
    '-- transaction: none\nalter table made_codes add z integer;\n',
  );
  const [holder, reader] = [connect(), connect()];
  // A gateway gives up after 2 s.
  await reader`set lock_timeout = '1s'`;
  await holder`begin`;
  await holder`select from made_codes limit 1`;
  const told: string[] = [];
  const ended = run({ tell: (sentence: string) => void told.push(sentence) });
  await until(async () => told.length > 1);
  t.match(told[1], /statement 1 of 1 of 0002_online waits: another transaction holds its table/);
  for (let read = 0; read < 200; read += 1) await reader`select from made_codes limit 1`;
  const waits = await sql`select from pg_locks where not granted`;
  t.ok(waits.length <= 1);
  await holder`commit`;
  t.same(await ended, ['0002_online']);
});

t.test('one that gets no lock says what to do', async (t) => {
  const { run, connect } = await newPlace(t, '-- transaction: none\nalter table made_codes add z integer;\n');
  const holder = connect();
  await holder`begin`;
  await holder`select from made_codes limit 1`;
  await t.rejects(run({ patienceMs: 0 }), {
    message: /statement 1 of 1 of 0002_online got no lock for 0 s: end the transaction or the vacuum/,
  });
  await holder`commit`;
  t.same(await run(), ['0002_online']);
});

t.test(
  'a statement that fails leaves no invalid index, and the file can be corrected from there on',
  async (t) => {
    const broken = ONLINE.replace('create index', 'create unique index');
    const { sql, run, write } = await newPlace(t, broken);
    await t.rejects(run(), { code: '23505' });
    t.equal(await indexOf(sql), undefined);
    await write(ONLINE.replace('values (1)', 'values (2)'));
    await t.rejects(run(), {
      message: /statement 1 of sql\/0002_online\.sql was changed after it was applied/,
    });
    await write(ONLINE);
    t.same(await run(), ['0002_online']);
    await checkDone(t, sql);
  },
);

t.test('an index of that name that is not its own stops it', async (t) => {
  const { sql, run } = await newPlace(t);
  await sql`create index made_by_y on made_codes (x)`;
  await t.rejects(run(), { code: '42P07' });
  t.match(await indexOf(sql), { isValid: true }, 'it stays');
});
