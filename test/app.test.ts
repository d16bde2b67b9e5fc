/** The composition root: what its parts hold in memory is written down when it closes. */
import t from 'tap';
import { openDatabase } from '../src/db/database.ts';
import { startApp } from './support/app.ts';
import { realDatabaseUrl } from './support/database.ts';
import { silent } from './support/silent-log.ts';

t.test('closing records the scans of the last moment', async (t) => {
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
    t.equal((await call({ url: `/l/${made.json.results[0].slug}` })).status, 302);
    // The end of this test closes the gateway, sooner than scans are written by themselves.
  });
  const database = await openDatabase({ url, dataDir: '' }, silent);
  t.teardown(() => database.close());
  t.match(await database.sql`select count(*)::int as count from scans`, [{ count: 1 }]);
});
