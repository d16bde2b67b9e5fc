/** A gateway processes batches only with the store that all gateways of its installation share. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { openOwnStore } from '../../src/batches/own-store.ts';
import { openDatabase } from '../../src/db/database.ts';
import { findStoreMark } from '../../src/db/tables/batches/parts.ts';
import { createFolderStore } from '../../src/storage/folder.ts';
import { createS3Store } from '../../src/storage/s3.ts';
import { type ObjectStore, StoreFault } from '../../src/storage/store.ts';
import { createSender, ndjson, newSender, plainRows } from '../batches/support.ts';
import { BUCKET, startS3 } from '../servers/s3.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { until } from '../servers/until.ts';
import { type Answer, startApp } from '../support/app/app.ts';
import { realDatabaseUrl } from '../support/database/database.ts';
import { silent } from '../support/silent-log.ts';

const openFor = async (t: Test, url: string) => {
  const database = await openDatabase({ url, dataDir: '' }, silent);
  t.teardown(() => database.close());
  return database;
};

const isRefused = (t: Test, { status, headers, json }: Answer, what: string) => {
  t.equal(status, 503, what);
  t.match(json.details, /^The store of batches of this gateway is not that of the service; ask its operator/);
  t.equal(headers['retry-after'], '5');
};

t.test('a gateway with a different folder from the first gateway accepts no batches', async (t) => {
  const DATABASE_URL = await realDatabaseUrl();
  const [mine, other] = [await temporaryFolder(t), await temporaryFolder(t)];
  const first = await startApp(t, { DATABASE_URL, BATCH_STORE: mine, BATCH_WORKERS: '0' });
  const second = await startApp(t, { DATABASE_URL, BATCH_STORE: other });
  const own = await newSender(first);
  const foreign = createSender(second, own.key);

  isRefused(t, await foreign.send(ndjson(plainRows(2))), 'sending');
  t.strictSame((await own.get('/batches')).json.data, [], 'no batch was started');
  const begun = await foreign.send('', { headers: { 'upload-complete': '?0' } });
  t.equal(begun.status, 201);
  const type = { 'content-type': 'application/partial-upload', 'upload-offset': '0' };
  const chunk = await foreign.patch(`/${begun.headers.location}`, ndjson(plainRows(2)), type);
  isRefused(t, chunk, 'sending a chunk');

  const id = await own.begin(plainRows(2));
  // Workers look for work every two seconds.
  await sleep(3000);
  t.match(await own.show(id), { state: 'validating', finished_at: null, errors: 0 });
  const third = await startApp(t, { DATABASE_URL, BATCH_STORE: mine });
  t.match(await createSender(third, own.key).ended(id), { state: 'done', made: 2 });
  isRefused(t, await foreign.part(id), 'downloading');
  t.equal((await own.part(id)).status, 200);
});

t.test('an emptied store is refused until it has its mark again', async (t) => {
  const folder = await temporaryFolder(t);
  const app = await startApp(t, { BATCH_STORE: folder });
  const { send, make } = await newSender(app);
  t.match(await make(plainRows(2)), { state: 'done' });
  const mark = await readFile(join(folder, 'installation'), 'utf8');
  await rm(folder, { recursive: true });
  const status = async () => (await send(ndjson(plainRows(2)))).status;
  await until(async () => (await status()) === 503, { pauseMs: 500 });
  isRefused(t, await send(ndjson(plainRows(2))), 'while it is empty');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'installation'), mark.trim());
  await until(async () => (await status()) === 202, { pauseMs: 500 });
  t.match(await make(plainRows(2)), { state: 'done' });
});

t.test('folders and buckets have marks', async (t) => {
  const { endpoint } = await startS3(t);
  const bucket = (prefix: string) => createS3Store({ bucket: BUCKET, prefix, endpoint, region: null });
  const kinds: Readonly<Record<string, (name: string) => ObjectStore>> = {
    folder: (
      (root) => (name: string) =>
        createFolderStore(join(root, name))
    )(await temporaryFolder(t)),
    bucket: (name) => bucket(name),
  };
  for (const [kind, storeAt] of Object.entries(kinds)) {
    await t.test(`gateways that start at the same time on one ${kind} agree on one mark`, async (t) => {
      const url = await realDatabaseUrl();
      const databases = await Promise.all(Array.from({ length: 4 }, () => openFor(t, url)));
      const stores = await Promise.all(databases.map((own) => openOwnStore(own, storeAt('one'), silent)));
      for (const own of stores) {
        t.teardown(own.close);
        // A gateway may have looked between the mark and the end of its transaction.
        await until(own.isProved);
      }
      t.equal(await storeAt('one').readMark(), await findStoreMark(databases[0]!.sql));
      await stores[3]!.store.put('a', Buffer.from('x'));
    });

    await t.test(`only one of several stores of kind ${kind} becomes that of the installation`, async (t) => {
      const url = await realDatabaseUrl();
      const open = async (name: string) => {
        const own = await openOwnStore(await openFor(t, url), storeAt(name), silent);
        t.teardown(own.close);
        return own;
      };
      const stores = await Promise.all(['a', 'b', 'c'].map(open));
      t.equal(stores.filter((own) => own.isProved()).length, 1);
      const foreign = stores.find((own) => !own.isProved())!;
      await t.rejects(foreign.store.put('x', Buffer.from('x')), { code: 'unavailable' });
      await t.rejects(foreign.store.removeAll('x'), { code: 'unavailable' });
      await t.rejects(
        async () => {
          for await (const _ of foreign.store.read('x', { start: 0, end: 1 }));
        },
        { code: 'unavailable' },
      );
    });

    await t.test(`a mark of a start interrupted between ${kind} and database is taken over`, async (t) => {
      const store = storeAt('left');
      await store.writeMark('left-behind');
      const database = await openFor(t, await realDatabaseUrl());
      const own = await openOwnStore(database, store, silent);
      t.teardown(own.close);
      t.ok(own.isProved());
      t.equal(await findStoreMark(database.sql), 'left-behind');
    });
  }

  await t.test('a store whose mark cannot be written is not chosen', async (t) => {
    const database = await openFor(t, await realDatabaseUrl());
    const broken = { ...kinds.folder!('broken'), writeMark: () => Promise.reject(new StoreFault('full')) };
    const own = await openOwnStore(database, broken, silent);
    t.teardown(own.close);
    t.equal(await findStoreMark(database.sql), null);
    await t.rejects(own.store.put('x', Buffer.from('x')), { name: 'StoreFault' });
  });
});
