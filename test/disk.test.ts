/** A disk that is running full is reported before it is full. */
import t from 'tap';
import { ADMIN_TOKEN, startApp } from './support/app/app.ts';
import { embeddedFolder } from './support/database/database.ts';

t.test('a gateway whose embedded database lacks disk space is not ready, and says why', async (t) => {
  const { call } = await startApp(t, {
    DATA_DIR: await embeddedFolder(t),
    DISK_FREE_MIN_BYTES: '999999999999999',
  });
  const ready = await call({ url: '/readyz' });
  t.equal(ready.status, 503);
  t.match(ready.json.details, /^The disk of DATA_DIR has \d+ bytes left, fewer than DISK_FREE_MIN_BYTES/);
  t.equal((await call({ url: '/healthz' })).status, 200);
  const { text } = await call({ url: '/metrics', key: ADMIN_TOKEN });
  t.match(text, /^tessera_disk_free_bytes [1-9]\d+/m);
});

t.test('a gateway without an embedded database does not check the disk', async (t) => {
  const { call } = await startApp(t, { DISK_FREE_MIN_BYTES: '999999999999999' });
  t.equal((await call({ url: '/readyz' })).status, 200);
  t.notMatch((await call({ url: '/metrics', key: ADMIN_TOKEN })).text, /tessera_disk_free_bytes/);
});
