/** Commands in docs/operations/runbooks.md do what the runbooks say, as far as this can be tested here. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import postgres from 'postgres';
import t from 'tap';
import { readPage } from '../docs/pages.ts';
import { startRedis } from '../servers/redis.ts';
import { startApp } from '../support/app/app.ts';
import { realDatabaseUrl } from '../support/database/database.ts';
import { unitEnv, valuesOf } from './unit.ts';

const page = readPage('docs/operations/runbooks.md');

t.test('the query for a phishing link finds it by any of its slugs', async (t) => {
  const [, query = ''] = /`(select account_id, code_id, destination from [^`]+)`/.exec(page)!;
  const databaseUrl = await realDatabaseUrl();
  const { call, account } = await startApp(t, { DATABASE_URL: databaseUrl });
  const { key } = await account();
  const items = ['https://a.test/', 'https://b.test/'].map((data) => ({ data, dynamic: true }));
  const made = await call({ method: 'POST', url: '/api/v1/qr/bulk', key, body: { items } });
  const { slug: first } = made.json.results[0]!;
  for (const slug of ['spring-sale', 'summer-sale']) {
    const { status } = await call({
      method: 'PATCH',
      url: `/api/v1/links/${first}`,
      key,
      body: { slug },
    });
    t.equal(status, 200);
  }
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  t.teardown(() => sql.end());
  const destinations = async (slug: string) =>
    (await sql.unsafe(query.replaceAll('…', slug))).map(({ destination }) => destination);
  for (const slug of [first, 'spring-sale', 'summer-sale'])
    t.strictSame(await destinations(slug), ['https://a.test/'], slug);
  t.strictSame(await destinations('autumn-sale'), []);
});

t.test('the command that empties Redis affects only the logical database in REDIS_URL', async (t) => {
  const { port } = await startRedis(t, { args: [] });
  const clients = [0, 3].map((db) => new Redis({ port, db }));
  t.teardown(() => clients.map((client) => client.disconnect()));
  for (const client of clients) await client.set('a', '1');
  const [, command = ''] = /`(redis-cli -h db2 -p 6379 -n 3 FLUSHDB)`/.exec(page)!;
  const [program = '', ...args] = command
    .replace('db2', '127.0.0.1')
    .replace('6379', String(port))
    .split(' ');
  // With a password that Redis does not require, redis-cli continues in database 0.
  await promisify(execFile)(program, args, { env: { PATH: process.env.PATH } });
  t.strictSame(await Promise.all(clients.map((client) => client.dbsize())), [1, 0]);
});

t.test('the command line on a systemd host gets the settings and secrets of the service', async (t) => {
  const [, command = ''] = /```text\n(systemd-run [\s\S]*?)```/.exec(page)!;
  const given = [...command.matchAll(/--setenv=(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]);
  t.strictSame(Object.fromEntries(given), unitEnv({ state: '/var/lib', credentials: '/etc/tessera' }));
  t.match(command, `EnvironmentFile=${valuesOf('EnvironmentFile')[0]}`);
  t.match(command, `--working-directory=${valuesOf('WorkingDirectory')[0]}`);
});
