/** The composition root: closing it writes what its parts hold in memory. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { readConfig } from '../src/config/config.ts';
import { openDatabase } from '../src/db/database.ts';
import { startApp } from './support/app/app.ts';
import { realDatabaseUrl } from './support/database/database.ts';
import { silent } from './support/silent-log.ts';

const BUILD = fileURLToPath(new URL('./support/app/app-process.ts', import.meta.url));

t.test('closing writes pending scans and last-used times of keys', async (t) => {
  const url = await realDatabaseUrl();
  await t.test('a gateway', async (t) => {
    const { call, account } = await startApp(t, { DATABASE_URL: url });
    const { key } = await account();
    const made = await call({
      method: 'POST',
      url: '/api/v1/qr/bulk',
      key,
      body: { items: [{ data: 'https://example.com/', dynamic: true }] },
    });
    t.equal((await call({ url: `/l/${made.json.results[0]!.slug}` })).status, 302);
    // The end of this test closes the gateway, sooner than scans are written by themselves.
  });
  const database = await openDatabase({ url, dataDir: '' }, silent);
  t.teardown(() => database.close());
  t.match(await database.sql`select count(*)::int as count from scans`, [{ count: 1 }]);
  t.match(
    await database.sql`select count(*)::int as count from api_keys where last_used_at is not null`,
    [{ count: 1 }],
    'the last-used time of the key',
  );
});

t.test('without PUBLIC_URL, short links have the address of the gateway before it listens', async (t) => {
  // What goes on after a restart, such as a batch, does not wait until it listens.
  const { app } = await startApp(t, { PUBLIC_URL: '', HOST: '::1', PORT: '18080' });
  t.equal(app.publicUrl(), 'http://[::1]:18080');
});

t.test('a gateway that fails to build leaves no handles that keep the process alive', async (t) => {
  const config = readConfig({
    DATABASE_URL: await realDatabaseUrl(),
    LOG_LEVEL: 'silent',
    RENDER_THREADS: '1',
  });
  const ledger = { ...config, redisUrl: 'redis://localhost/x' };
  const routes = { ...config, publicUrl: 'nowhere' };
  const args = [...process.execArgv, BUILD, JSON.stringify(ledger), JSON.stringify(routes)];
  // A process that is still alive after the timeout is killed, and this rejects.
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  t.match(stdout, /by its number.*\n.*Invalid URL/);
});
