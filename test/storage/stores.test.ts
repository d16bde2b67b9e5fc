/** The contract of object stores, tested on a folder and on a real S3 server. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { openOwnStore } from '../../src/batches/own-store.ts';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import { createFolderStore } from '../../src/storage/folder.ts';
import { createS3Store } from '../../src/storage/s3.ts';
import type { ByteRange, ObjectStore } from '../../src/storage/store.ts';
import { BUCKET, startS3 } from '../servers/s3.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';

const folder = await temporaryFolder(t);
const { endpoint } = await startS3(t);
const place = { bucket: BUCKET, endpoint, region: null };
const PATIENCE = { idleMs: 30_000, requestMs: 60_000 };
/** For objects shorter than the requested range: the server stalls after sending all of them. */
const IMPATIENCE = { idleMs: 500, requestMs: 10_000 };

const readAll = async (store: ObjectStore, key: string, range: ByteRange): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of store.read(key, range)) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Returns bytes without a repeating pattern. */
const bytesOf = (length: number): Buffer =>
  Buffer.from(Uint32Array.from({ length: length / 4 }, (_, i) => i).buffer);

const folderStore = createFolderStore(join(folder, 'not', 'yet', 'there'));
const bucketStores = (prefix: string) =>
  [createS3Store({ ...place, prefix }, PATIENCE), createS3Store({ ...place, prefix }, IMPATIENCE)] as const;
const stores: readonly [string, ObjectStore, ObjectStore][] = [
  ['a folder', folderStore, folderStore],
  ['a bucket with a prefix', ...bucketStores('some/where')],
  ['a bucket', ...bucketStores('')],
];

t.test('the first mark of a folder is kept', async (t) => {
  const marked = createFolderStore(join(folder, 'marked'));
  const marks = ['a', 'b', 'c', 'd'];
  await Promise.all(marks.map((mark) => marked.writeMark(mark)));
  const first = await marked.readMark();
  await marked.writeMark('later');
  t.ok(marks.includes(first!));
  t.equal(await marked.readMark(), first);
  t.strictSame(await readdir(join(folder, 'marked')), ['installation']);
});

t.test('a folder: only the owner can read objects and enter their folders', async (t) => {
  const root = join(folder, 'modes');
  await createFolderStore(root).put('a/b/1', Buffer.from('x'));
  const modeOf = async (path: string) => ((await stat(join(root, path))).mode & 0o777).toString(8);
  t.strictSame(await Promise.all(['', 'a', 'a/b', 'a/b/1'].map(modeOf)), ['700', '700', '700', '600']);
});

for (const [name, store, impatient] of stores) {
  t.test(`${name}: there is no mark until one is written`, async (t) => {
    t.equal(await store.readMark(), null);
    await store.writeMark('mine');
    t.equal(await store.readMark(), 'mine');
  });

  t.test(`${name}: an object can be read in full and in ranges, across chunks`, async (t) => {
    const bytes = bytesOf(3_000_000);
    await store.put('a/b.c-d_e/1', bytes);
    t.ok((await readAll(store, 'a/b.c-d_e/1', { start: 0, end: bytes.length })).equals(bytes));
    for (const [start, end] of [
      // s3rver treats an end of 0 as no end.
      [0, 2],
      [1_048_570, 1_048_590],
      [2_999_999, 3_000_000],
      [5, 2_500_001],
    ] as const) {
      const range = await readAll(store, 'a/b.c-d_e/1', { start, end });
      t.ok(range.equals(bytes.subarray(start, end)), `${start} to ${end}`);
    }
    t.equal((await readAll(store, 'a/b.c-d_e/1', { start: 7, end: 7 })).length, 0);
  });

  t.test(`${name}: no chunk is larger than a megabyte, and a reader may stop early`, async (t) => {
    await store.put('long', bytesOf(4_000_000));
    let largest = 0;
    for await (const chunk of store.read('long', { start: 0, end: 4_000_000 })) {
      largest = Math.max(largest, chunk.length);
      if (largest > 100) break;
    }
    t.ok(largest > 0 && largest <= 1024 * 1024, `${largest} bytes`);
  });

  t.test(`${name}: an object is replaced completely, and may be empty`, async (t) => {
    await store.put('again', Buffer.from('first, and longer'));
    await store.put('again', Buffer.from('second'));
    t.equal((await readAll(store, 'again', { start: 0, end: 6 })).toString(), 'second');
    await t.rejects(readAll(impatient, 'again', { start: 0, end: 7 }), { name: 'StoreFault' });
    await store.put('empty', Buffer.alloc(0));
    await t.rejects(readAll(impatient, 'empty', { start: 0, end: 1 }), { name: 'StoreFault' });
  });

  t.test(`${name}: a missing object is a fault of the store`, async (t) => {
    await t.rejects(readAll(impatient, 'nothing', { start: 0, end: 1 }), { name: 'StoreFault' });
    await store.put('short', Buffer.from('abc'));
    await t.rejects(readAll(impatient, 'short', { start: 3, end: 4 }), { name: 'StoreFault' });
    await t.rejects(readAll(impatient, 'short', { start: 0, end: 4 }), { name: 'StoreFault' });
  });

  t.test(`${name}: keys outside the store are refused`, async (t) => {
    for (const key of ['../x', '/x', 'a//b', 'a/../b', '', '.x', 'a/', 'a\\b', 'a b', 'ü']) {
      await t.rejects(store.put(key, Buffer.from('x')), TypeError, key);
      t.throws(() => store.read(key, { start: 0, end: 1 }), TypeError, key);
    }
  });

  t.test(`${name}: removing a folder removes everything in it and nothing else`, async (t) => {
    const keys = ['gone/1', 'gone/a/1', 'gone/a/b/2'];
    const others = ['gone-not/1', 'gon/1', 'other/gone/1'];
    for (const key of [...keys, ...others]) await store.put(key, Buffer.from(key));
    await store.removeAll('gone/a');
    t.equal((await readAll(store, 'gone/1', { start: 0, end: 6 })).toString(), 'gone/1');
    await t.rejects(readAll(store, 'gone/a/1', { start: 1, end: 2 }), { name: 'StoreFault' });
    await store.removeAll('gone');
    await store.removeAll('gone');
    await store.removeAll('never');
    for (const key of keys)
      await t.rejects(readAll(store, key, { start: 1, end: 2 }), { name: 'StoreFault' }, key);
    for (const key of others)
      t.equal((await readAll(store, key, { start: 0, end: key.length })).toString(), key);
  });
}

t.test('a folder keeps no unfinished objects, and only its owner can read its objects', async (t) => {
  const root = join(folder, 'full');
  const store = createFolderStore(root);
  await store.put('a', Buffer.from('a'));
  // A folder with the name of the object makes the step after writing fail.
  await store.put('b/c', Buffer.from('c'));
  await t.rejects(store.put('b', Buffer.from('b')), { name: 'StoreFault' });
  await t.rejects(store.put('a/b', Buffer.from('b')), { name: 'StoreFault' });
  t.strictSame((await readdir(root)).sort(), ['a', 'b']);
});

t.test('BATCH_STORE must be a folder or s3://bucket/prefix', async (t) => {
  const storeOf = (env: Record<string, string>) => readConfig(env).batches.store;
  t.strictSame(storeOf({ BATCH_STORE: '/srv/x' }), { folder: '/srv/x' });
  const plain = { bucket: 'my.bucket-1', prefix: '', endpoint: null, region: null };
  t.strictSame(storeOf({ BATCH_STORE: 's3://my.bucket-1' }), plain);
  const full = {
    BATCH_STORE: 's3://bucket/a/b_c/',
    AWS_ENDPOINT_URL: 'http://minio:9000',
    AWS_REGION: 'eu-west-3',
  };
  const wanted = { bucket: 'bucket', prefix: 'a/b_c', endpoint: 'http://minio:9000', region: 'eu-west-3' };
  t.strictSame(storeOf(full), wanted);
  t.match(storeOf({ ...full, AWS_ENDPOINT_URL_S3: 'https://s3.example' }), {
    endpoint: 'https://s3.example',
  });
  const wrong = [
    'https://bucket',
    's3://',
    's3:/bucket',
    's3:bucket',
    's3://B',
    's3://bucket/../x',
    's3://bucket/a//b',
    's3://bucket/.x',
    's3://key:secret@bucket/x',
    'gs://bucket',
    's3://bucket?x=1',
  ];
  for (const BATCH_STORE of wrong) t.throws(() => storeOf({ BATCH_STORE }), ConfigError, BATCH_STORE);
});

t.test('a store that cannot be compared with Postgres is logged once until it can be compared', async (t) => {
  const warned: string[] = [];
  const note = (_: object, message: string) => void warned.push(message);
  const log = { info: () => {}, error: () => {}, warn: note };
  const store = createFolderStore(join(folder, 'own'));
  const sql = (() => Promise.reject(new Error('away'))) as never;
  const own = await openOwnStore({ sql }, store, log);
  t.teardown(own.close);
  t.strictSame(warned, ['BATCH_STORE cannot be compared with Postgres; will retry']);
  t.throws(own.require, { name: 'StoreFault' });
});
