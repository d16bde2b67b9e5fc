import postgres from 'postgres';
import t from 'tap';
import { readMigrations } from '../../src/db/migrations/files.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { embeddedFolder, realDatabaseUrl, realServer } from '../support/database/database.ts';
import { run } from './support.ts';

const known = (await readMigrations()).map(({ name }) => name);

t.test('an empty database gets the schema, and --dry-run only lists what is missing', async (t) => {
  const DATABASE_URL = await (await realServer()).createDatabase();
  const sql = postgres(DATABASE_URL, { max: 1 });
  t.teardown(() => sql.end());
  const tables = async () => (await sql`select from pg_tables where schemaname = 'public'`).length;
  const listed = await run(['migrate', '--dry-run'], { DATABASE_URL });
  t.match(listed, { code: 0, err: '' });
  t.match(listed.out, new RegExp(`^${known.length} migrations are missing:\n  ${known[0]}\n`));
  t.equal(await tables(), 0);

  const done = await run(['migrate', '--json'], { DATABASE_URL });
  t.equal(done.code, 0, done.err);
  t.same(JSON.parse(done.out), { missing: [], applied: known });
  t.ok((await tables()) > 20);
  t.same(await run(['migrate'], { DATABASE_URL }), { code: 0, out: 'No migration is missing.\n', err: '' });
});

t.test('what it applied is said, by gateways that start at once, too', async (t) => {
  const DATABASE_URL = await (await realServer()).createDatabase();
  const runs = await Promise.all([1, 2, 3].map(() => run(['migrate'], { DATABASE_URL })));
  t.same(
    runs.map(({ code }) => code),
    [0, 0, 0],
  );
  const applied = runs.flatMap(({ out }) => [...out.matchAll(/^Applied (\w+)\.$/gm)].map(([, name]) => name));
  t.same(applied.sort(), known);
});

t.test('a database that this version cannot work on is refused', async (t) => {
  const DATABASE_URL = await realDatabaseUrl();
  const sql = postgres(DATABASE_URL, { max: 1 });
  t.teardown(() => sql.end());
  await sql`insert into migrations (number, name, checksum, needs) values (9999, '9999_later', '', '99.0.0')`;
  for (const more of [[], ['--dry-run']])
    t.match(await run(['migrate', ...more], { DATABASE_URL }), {
      ...{ code: 1, out: '' },
      err: /^tessera: .*9999_later, which needs Tessera 99\.0\.0 or later/,
    });
});

t.test('the embedded database is migrated where there is one', async (t) => {
  const DATA_DIR = await embeddedFolder(t);
  t.match(await run(['migrate'], { DATA_DIR }), { code: 0, out: 'No migration is missing.\n' });
  t.match(await run(['migrate'], { DATA_DIR: await temporaryFolder(t) }), {
    code: 1,
    err: /there is no embedded database in \S+ yet.*set DATABASE_URL/,
  });
});

t.test('faults of the environment and of the server are said without a stack or a password', async (t) => {
  t.match(await run(['migrate'], { DATABASE_URL: 'nonsense' }), { code: 1, err: /^tessera: DATABASE_URL: / });
  const DATABASE_URL = 'postgres://tessera:hidden@127.0.0.1:1/tessera';
  const { code, err } = await run(['migrate'], { DATABASE_URL });
  t.match({ code, err }, { code: 1, err: /^tessera: no Postgres answers at 127\.0\.0\.1:1/ });
  t.notMatch(err, /hidden|\n./);
  t.match(await run(['migrate', '--wait-minutes', 'x'], {}), { code: 2 });
});
