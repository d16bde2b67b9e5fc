/** Uploads of batches in chunks, in one gateway and over a kill. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { UPLOADS } from '../../src/batches/receive/limits.ts';
import { createUploads } from '../../src/batches/uploads/uploads.ts';
import { openDatabase } from '../../src/db/database.ts';
import { createFolderStore } from '../../src/storage/folder.ts';
import { type Answer, startApp } from '../support/app.ts';
import { realDatabaseUrl } from '../support/database.ts';
import { silent } from '../support/silent-log.ts';
import { createSender, gzipped, ndjson, plainRows } from './support.ts';

const store = await mkdtemp(join(tmpdir(), 'tessera-uploads-'));
t.teardown(() => rm(store, { recursive: true, force: true }));
const url = await realDatabaseUrl();
const app = await startApp(t, { BATCH_STORE: store, DATABASE_URL: url });
const database = await openDatabase({ url, dataDir: '' }, silent);
t.teardown(() => database.close());
const { sql } = database;
const { call, account } = app;

const pathOf = (location: unknown): string =>
  new URL(String(location), 'http://qr.test/api/v1/batches').pathname;

const createUploader = (key: string) =>
  Object.assign(createSender(app, key), {
    begin: (query = '', headers: Record<string, string> = {}): Promise<Answer> =>
      call({
        method: 'POST',
        url: `/api/v1/batches${query}`,
        key,
        headers: { 'content-type': 'application/x-ndjson', 'upload-complete': '?0', ...headers },
      }),
    append: (
      location: unknown,
      offset: number,
      body: string | Buffer,
      headers: Record<string, string> = {},
    ): Promise<Answer> =>
      call({
        method: 'PATCH',
        url: pathOf(location),
        key,
        headers: {
          'content-type': 'application/partial-upload',
          'upload-offset': String(offset),
          'upload-complete': '?0',
          ...headers,
        },
        body,
      }),
    head: (location: unknown): Promise<Answer> => call({ method: 'HEAD', url: pathOf(location), key }),
  });

const LAST = { 'upload-complete': '?1' };
const digestOf = (text: string): string => `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;

const chunksIn = async (location: unknown): Promise<readonly string[]> =>
  readdir(join(store, 'uploads', String(location).split('/').at(-1)!)).catch(() => []);

t.test('chunks become a batch as one body does, and are removed', async (t) => {
  const { key } = await account({ monthlyQuota: 1000 });
  const { begin, append, head, ended, entriesOf } = createUploader(key);
  const begun = await begin('?folder=Cups&formats=svg', { design: '{"width":200,"height":200}' });
  t.match(begun, { status: 201, headers: { 'upload-offset': '0', 'upload-complete': '?0' }, text: '' });
  t.match(begun.headers['upload-limit'], /^max-size=2000000000, max-append-size=8388608, max-age=86\d{3}$/);
  const { location } = begun.headers;
  t.match(location, /^batch-uploads\/[0-9a-f-]{36}$/);

  const body = ndjson([{ data: 'a', file: 'first.png' }, ...plainRows(20)]);
  const first = await append(location, 0, body.slice(0, 100), {
    'content-digest': digestOf(body.slice(0, 100)),
  });
  t.match(first, { status: 204, headers: { 'upload-offset': '100', 'upload-complete': '?0' } });
  t.match(await head(location), {
    status: 204,
    headers: { 'upload-offset': '100', 'upload-complete': '?0', 'cache-control': 'no-store' },
  });
  t.match(await append(location, 100, body.slice(100, 200)), { status: 204 });
  t.equal((await chunksIn(location)).length, 2);
  const last = await append(location, 200, body.slice(200), LAST);
  t.equal(last.status, 202, last.text);
  const batch = await ended(last.json.id);
  t.match(batch, { state: 'done', rows: 21, made: 21, formats: ['svg'] });
  const [file] = await entriesOf(batch.id);
  t.equal(file!.name, '0000001-first.svg');
  t.strictSame(await chunksIn(location), []);

  t.match(await head(location), { status: 204, headers: { 'upload-complete': '?1' } });
  const again = await append(location, body.length, '', LAST);
  t.match(again, { status: 202, json: { id: batch.id }, headers: { 'idempotent-replayed': 'true' } });
  t.match(await append(location, body.length, 'more'), { status: 409 });
  t.equal((await call({ method: 'DELETE', url: pathOf(location), key })).status, 204);
  t.equal((await head(location)).status, 404);
  t.match(await ended(batch.id), { state: 'done' });
});

t.test(
  'a chunk that is sent twice, too early, damaged or too long is refused, and nothing of it is stored',
  async (t) => {
    const { key } = await account({ monthlyQuota: 1000 });
    const { begin, append, head } = createUploader(key);
    const { location } = (await begin()).headers;
    t.equal((await append(location, 0, '{"data":"a"}\n')).status, 204);
    for (const offset of [0, 5, 14]) {
      const refused = await append(location, offset, '{"data":"b"}\n');
      t.match(refused, {
        status: 409,
        json: { error: 'Upload offset mismatch' },
        headers: { 'upload-offset': '13' },
      });
    }
    const damaged = await append(location, 13, '{"data":"c"}\n', { 'content-digest': digestOf('other') });
    t.match(damaged, { status: 400, json: { error: 'Malformed body' } });
    t.match(await append(location, 13, Buffer.alloc(UPLOADS.chunkMaxBytes + 1)), { status: 413 });
    t.equal((await append(location, 13, Buffer.alloc(UPLOADS.chunkMaxBytes, '\n'))).status, 204);
    t.match(await append(location, -1, 'x'), { status: 400 });
    t.equal(Number((await head(location)).headers['upload-offset']), 13 + UPLOADS.chunkMaxBytes);
    t.equal((await chunksIn(location)).length, 2);

    const [one, other] = await Promise.all([
      append(location, 13 + UPLOADS.chunkMaxBytes, 'x'),
      append(location, 13 + UPLOADS.chunkMaxBytes, 'y'),
    ]);
    t.strictSame([one.status, other.status].sort(), [204, 409], 'one of two at the same time');
  },
);

t.test('what the first call says is checked before anything is sent', async (t) => {
  const { key } = await account({ monthlyQuota: 1000 });
  const { begin } = createUploader(key);
  t.equal((await begin('?formats=gif')).status, 400);
  t.equal((await begin('', { design: '{' })).status, 400);
  t.equal((await begin('', { 'content-type': 'application/json' })).status, 415);
  t.equal((await begin(`?folder=${crypto.randomUUID()}`)).status, 400);
  t.equal((await begin('?expires_in=31536000')).status, 400);
  const withBody = await call({
    method: 'POST',
    url: '/api/v1/batches',
    key,
    headers: { 'content-type': 'text/csv', 'upload-complete': '?0' },
    body: 'data\na\n',
  });
  t.equal(withBody.status, 400);
  const free = createUploader((await account({ plan: 'free' })).key);
  t.equal((await free.begin()).status, 403);
});

t.test('gzip, CSV and multipart as in one body; an Idempotency-Key holds over both ways', async (t) => {
  const { key } = await account({ monthlyQuota: 1000 });
  const { begin, append, send, ended } = createUploader(key);
  const csv = gzipped('data,file\na,x\nb,y\n');
  const headers = { 'content-type': 'text/csv', 'content-encoding': 'gzip', 'idempotency-key': 'k1' };
  const { location } = (await begin('?folder=A&formats=png', headers)).headers;
  await append(location, 0, csv.subarray(0, 10));
  const made = await append(location, 10, csv.subarray(10), LAST);
  t.match(await ended(made.json.id), { state: 'done', made: 2 });
  const direct = await send(csv, { query: '?folder=A&formats=png', headers });
  t.match(direct, { status: 202, json: { id: made.json.id }, headers: { 'idempotent-replayed': 'true' } });
  const second = (await begin('?folder=A&formats=png', headers)).headers.location;
  t.match(await append(second, 0, csv, LAST), { status: 202, json: { id: made.json.id } });

  const form = `--x\r\ncontent-disposition: form-data; name="design"\r\n\r\n{"width":120,"height":120}\r\n--x\r\ncontent-disposition: form-data; name="rows"\r\ncontent-type: text/csv\r\n\r\ndata\r\na\r\n\r\n--x--\r\n`;
  const multipart = await begin('', { 'content-type': 'multipart/form-data; boundary=x' });
  const whole = await append(multipart.headers.location, 0, form, LAST);
  t.match(await ended(whole.json.id), { state: 'done', made: 1 });
});

t.test('the answer to HEAD has no length, and another media type is told which one to send', async (t) => {
  const { key } = await account();
  const { begin, append, head } = createUploader(key);
  const { location } = (await begin()).headers;
  t.equal((await head(location)).headers['content-length'], undefined);
  t.match(await append(location, 0, 'x', { 'content-type': 'text/csv' }), {
    status: 415,
    json: { details: 'Send the chunk as Content-Type: application/partial-upload.' },
  });
});

t.test('of chunks that are sent at once one is stored, and nothing of the others stays', async (t) => {
  const { key, id: accountId } = await account();
  const { begin, append } = createUploader(key);
  const { location } = (await begin()).headers;
  const objects = createFolderStore(store);
  const uploads = createUploads({ sql, store: objects, log: silent });
  const upload = await uploads.get(accountId, String(location).split('/').at(-1)!);
  const both = await Promise.all(['a', 'b'].map((text) => uploads.append(upload!, Buffer.from(text))));
  t.equal(both.filter((appended) => appended !== null).length, 1);
  t.equal((await chunksIn(location)).length, 1);
  t.equal((await append(location, 1, 'c')).status, 204);

  await call({ method: 'DELETE', url: pathOf(location), key });
  t.equal(await uploads.append({ ...upload!, bytes: 2 }, Buffer.from('late')), null);
  t.strictSame(await chunksIn(location), []);
});

t.test('an upload that is given up takes no more chunks while its chunks are removed', async (t) => {
  const { key, id: accountId } = await account();
  const { begin, append } = createUploader(key);
  const { location } = (await begin()).headers;
  await append(location, 0, 'a');
  const objects = createFolderStore(store);
  const open = createUploads({ sql, store: objects, log: silent });
  const upload = (await open.get(accountId, String(location).split('/').at(-1)!))!;
  let late: unknown = 'not sent';
  const removeAll = async (folder: string): Promise<void> => {
    await objects.removeAll(folder);
    late = await open.append(upload, Buffer.from('late'));
  };
  await createUploads({ sql, store: { ...objects, removeAll }, log: silent }).remove(upload);
  t.equal(late, null);
  t.strictSame(await chunksIn(location), []);
});

t.test('an upload that makes no batch stays, and can be completed later', async (t) => {
  const { key, id } = await account({ plan: 'pro', monthlyQuota: 1 });
  const { begin, append, ended } = createUploader(key);
  const { location } = (await begin()).headers;
  const body = ndjson(plainRows(3));
  t.match(await append(location, 0, body, LAST), { status: 429, json: { error: 'Quota exhausted' } });
  t.equal((await chunksIn(location)).length, 1);
  await app.admin('POST', `/accounts/${id}/credits`, { amount: 5 });
  const made = await append(location, body.length, '', LAST);
  t.match(await ended(made.json.id), { state: 'done', made: 3 });
});

t.test('uploads are bounded, belong to their account, and expire', async (t) => {
  const { key, id } = await account({ monthlyQuota: 1000 });
  const { begin, append, head } = createUploader(key);
  const stranger = createUploader((await account()).key);
  const { location } = (await begin()).headers;
  t.equal((await stranger.head(location)).status, 404);
  t.equal((await stranger.append(location, 0, 'x')).status, 404);
  t.equal((await head(`/api/v1/batch-uploads/${crypto.randomUUID()}`)).status, 404);
  for (let open = 1; open < UPLOADS.openMax; open += 1) t.equal((await begin()).status, 201);
  t.match(await begin(), { status: 409, json: { error: 'Limit reached' } });

  const uploadId = String(location).split('/').at(-1)!;
  await append(location, 0, 'x');
  await sql`update batch_uploads set chunks = ${UPLOADS.chunksMax} where id = ${uploadId}`;
  t.match(await append(location, 1, 'x'), { status: 409, json: { error: 'Limit reached' } });
  await sql`update batch_uploads set chunks = 1, bytes = 2000000000 where id = ${uploadId}`;
  t.match(await append(location, 2_000_000_000, 'x'), { status: 413 });
  await sql`update batch_uploads set bytes = 1 where id = ${uploadId}`;

  await sql`update batch_uploads set expires_at = now() - interval '1 second' where account_id = ${id}`;
  t.equal((await append(location, 1, 'x')).status, 404);
  const uploads = createUploads({ sql, store: createFolderStore(store), log: silent });
  await uploads.tidy();
  t.strictSame(await chunksIn(location), []);
  t.equal((await begin()).status, 201);
});

t.test(
  'chunks of a complete upload whose gateway was killed before it removed them are removed',
  async (t) => {
    const { id: accountId } = await account();
    const objects = createFolderStore(store);
    const uploads = createUploads({ sql, store: objects, log: silent });
    const begun = await uploads.begin(accountId, '{}');
    await uploads.append(begun, Buffer.from('x'));
    await sql`update batch_uploads set batch_id = ${crypto.randomUUID()} where id = ${begun.id}`;
    t.equal((await chunksIn(begun.id)).length, 1);
    await uploads.tidy();
    t.strictSame(await chunksIn(begun.id), []);
    t.not(await uploads.get(accountId, begun.id), null, 'callers may still ask for its batch');
  },
);
