/** Uploads of batches in chunks, on one gateway and across a kill. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { UPLOADS } from '../../src/batches/receive/limits.ts';
import { createUploads } from '../../src/batches/uploads.ts';
import type { Sql } from '../../src/db/client.ts';
import { XLSX_TYPE } from '../../src/http/bodies/row-types.ts';
import { createFolderStore } from '../../src/storage/folder.ts';
import { StoreFault } from '../../src/storage/store.ts';
import { until } from '../servers/until.ts';
import type { Answer } from '../support/app/app.ts';
import type { newClient } from '../support/app/client.ts';
import { patiently } from '../support/app/patient.ts';
import { xlsxOf } from '../support/files/xlsx.ts';
import { silent } from '../support/silent-log.ts';
import { gzipped, ndjson, newSender, plainRows, sharedBatchApp } from './support.ts';

const { app, store, sql } = await sharedBatchApp();

/** The path of an upload after `/api/v1`. */
const pathOf = (location: unknown): string =>
  new URL(String(location), 'http://qr.test/api/v1/batches').pathname.replace('/api/v1', '');

/** An account with functions that send its uploads. */
const newUploader = async (wanted: Parameters<typeof newClient>[1] = { monthlyQuota: 1000 }) => {
  const made = await newSender(app, wanted);
  const { del, head, patch, post } = made;
  return {
    ...made,
    beginUpload: (query = '', headers: Record<string, string> = {}): Promise<Answer> =>
      post(`/batches${query}`, undefined, {
        'content-type': 'application/x-ndjson',
        'upload-complete': '?0',
        ...headers,
      }),
    append: (
      location: unknown,
      offset: number,
      body: string | Buffer,
      headers: Record<string, string> = {},
    ): Promise<Answer> =>
      patch(pathOf(location), body, {
        'content-type': 'application/partial-upload',
        'upload-offset': String(offset),
        'upload-complete': '?0',
        ...headers,
      }),
    stateOf: (location: unknown): Promise<Answer> => head(pathOf(location)),
    drop: (location: unknown): Promise<Answer> => del(pathOf(location)),
  };
};

const LAST = { 'upload-complete': '?1' };
const digestOf = (text: string): string => `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;

const chunksIn = async (location: unknown): Promise<readonly string[]> =>
  readdir(join(store, 'uploads', String(location).split('/').at(-1)!)).catch(() => []);

t.test('chunks become the same batch as a single body, and are removed', async (t) => {
  const { beginUpload, append, drop, stateOf, ended, entriesOf } = await newUploader();
  const begun = await beginUpload('?folder_name=Cups&formats=svg', { design: '{"width":200,"height":200}' });
  t.match(begun, { status: 201, headers: { 'upload-offset': '0', 'upload-complete': '?0' }, text: '' });
  t.match(begun.headers['upload-limit'], /^max-size=2000000000, max-append-size=8388608, max-age=86\d{3}$/);
  const { location } = begun.headers;
  t.match(location, /^batch-uploads\/[0-9a-f-]{36}$/);

  const body = ndjson([{ data: 'a', file: 'first.png' }, ...plainRows(20)]);
  const first = await append(location, 0, body.slice(0, 100), {
    'content-digest': digestOf(body.slice(0, 100)),
  });
  t.match(first, { status: 204, headers: { 'upload-offset': '100', 'upload-complete': '?0' } });
  t.match(await stateOf(location), {
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

  t.match(await stateOf(location), { status: 204, headers: { 'upload-complete': '?1' } });
  const again = await append(location, body.length, '', LAST);
  t.match(again, { status: 202, json: { id: batch.id }, headers: { 'idempotent-replayed': 'true' } });
  t.match(await append(location, body.length, 'more'), { status: 409 });
  t.equal((await drop(location)).status, 204);
  t.equal((await stateOf(location)).status, 404);
  t.match(await ended(batch.id), { state: 'done' });
});

t.test('a chunk that is repeated, too early, damaged or too long is refused and not stored', async (t) => {
  const { beginUpload, append, stateOf } = await newUploader();
  const { location } = (await beginUpload()).headers;
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
  t.equal(Number((await stateOf(location)).headers['upload-offset']), 13 + UPLOADS.chunkMaxBytes);
  t.equal((await chunksIn(location)).length, 2);
});

t.test('the terms in the first call are checked before any bytes are sent', async (t) => {
  const { beginUpload, send } = await newUploader();
  t.equal((await beginUpload('?formats=gif')).status, 400);
  t.equal((await beginUpload('', { design: '{' })).status, 400);
  t.equal((await beginUpload('', { 'content-type': 'application/json' })).status, 415);
  t.equal((await beginUpload(`?folder_id=${crypto.randomUUID()}`)).status, 400);
  t.equal((await beginUpload('?expires_in=31536000')).status, 400);
  const headers = { 'content-type': 'text/csv', 'upload-complete': '?0' };
  t.equal((await send('data\na\n', { headers })).status, 400);
  t.equal((await (await newUploader({ plan: 'free' })).beginUpload()).status, 403);
});

t.test('gzip, CSV and multipart work in chunks, and an Idempotency-Key covers both kinds', async (t) => {
  const { beginUpload, append, send, ended } = await newUploader();
  const csv = gzipped('data,file\na,x\nb,y\n');
  const headers = { 'content-type': 'text/csv', 'content-encoding': 'gzip', 'idempotency-key': 'k1' };
  const { location } = (await beginUpload('?folder_name=A&formats=png', headers)).headers;
  await append(location, 0, csv.subarray(0, 10));
  const made = await append(location, 10, csv.subarray(10), LAST);
  t.match(await ended(made.json.id), { state: 'done', made: 2 });
  const direct = await send(csv, { query: '?folder_name=A&formats=png', headers });
  t.match(direct, { status: 202, json: { id: made.json.id }, headers: { 'idempotent-replayed': 'true' } });
  const second = (await beginUpload('?folder_name=A&formats=png', headers)).headers.location;
  t.match(await append(second, 0, csv, LAST), { status: 202, json: { id: made.json.id } });

  const form = `--x\r\ncontent-disposition: form-data; name="design"\r\n\r\n{"width":120,"height":120}\r\n--x\r\ncontent-disposition: form-data; name="rows"\r\ncontent-type: text/csv\r\n\r\ndata\r\na\r\n\r\n--x--\r\n`;
  const multipart = await beginUpload('', { 'content-type': 'multipart/form-data; boundary=x' });
  const whole = await append(multipart.headers.location, 0, form, LAST);
  t.match(await ended(whole.json.id), { state: 'done', made: 1 });
});

t.test('XLSX works in chunks with columns chosen by hand; a missing column is reported', async (t) => {
  const { beginUpload, append, send, make, ended, errorsOf, entriesOf, manifestOf } = await newUploader();
  const file = xlsxOf([
    ['Web page', 'Title', 'Tracked?', 'Note'],
    ['https://example.com/menu', 'Menu', 'WAHR', 'x'],
    ['https://example.com/bar', 'Bar', '', ''],
  ]);
  const columns = encodeURIComponent('{"data":"web page","dynamic":"Tracked?"}');
  const query = `?columns=${columns}&other_columns=skip`;
  const { location } = (await beginUpload(query, { 'content-type': XLSX_TYPE })).headers;
  await append(location, 0, file.subarray(0, 700));
  const made = await append(location, 700, file.subarray(700), LAST);
  t.match(await ended(made.json.id), { state: 'done', made: 2 });
  t.equal((await entriesOf(made.json.id))[0]!.name, '0000001-Menu.png');
  t.strictSame(
    (await manifestOf(made.json.id)).map(({ slug }) => slug !== ''),
    [true, false],
  );

  const faultOf = async (body: string | Buffer, query = ''): Promise<string> => {
    const headers = { 'content-type': typeof body === 'string' ? 'text/csv' : XLSX_TYPE };
    const batch = await make(body, { headers, query });
    t.match(batch, { state: 'failed', made: 0, errors: 1 });
    return (await errorsOf(batch.id))[0]!.message;
  };
  const unnamed = xlsxOf([
    ['Where', 'Title', 'width'],
    ['a', 'b', 'wide'],
  ]);
  t.match(await faultOf(unnamed), /^the header row has no column "data".*"Where", "Title", "width"/);
  t.match(await faultOf('url,link\na,b\n'), /"url" and "link" can both be data; say with columns/);
  t.match(
    await faultOf('url,shelf\na,b\n'),
    /has a column "shelf" that is not a field; name it with columns, or leave it out with other_columns=skip; docs/,
  );
  const long = Array.from({ length: 20 }, (_, index) => `${index} ${'word '.repeat(19)}`).join();
  t.match(await faultOf(`${long}\n${long}\n`), / word …$/, 'a long message is cut between words');
  t.match(
    await faultOf('a,b\na,b\n', `?columns=${encodeURIComponent('{"data":"c"}')}`),
    /no column "c", which columns names for data/,
  );
  const refused = (columns: string, type = 'text/csv') =>
    send('data\na\n', {
      headers: { 'content-type': type },
      query: `?columns=${encodeURIComponent(columns)}`,
    });
  t.match(await refused('["data"]'), { status: 400, json: { details: /^columns: must be a JSON object/ } });
  t.match(await refused('{"colour":"a"}'), { status: 400, json: { details: /known fields are: data, / } });
  t.match(await refused('{"data":7}'), { status: 400 });
  t.match(await refused('{"data":"a"}', 'application/x-ndjson'), {
    status: 400,
    json: { details: /NDJSON/ },
  });
});

t.test('a preview shows the columns, what they are mapped to and the first rows, for free', async (t) => {
  const { preview } = await newUploader({ plan: 'free' });
  const rows = Array.from({ length: 30 }, (_, i) => [`https://example.com/${i}`, `Table ${i}`]);
  const expected = {
    columns: [
      { name: 'Link', field: 'data' },
      { name: 'Shelf', field: null },
    ],
    more: true,
    fault: null,
  };
  const spreadsheet = await preview(xlsxOf([['Link', 'Shelf'], ...rows]), XLSX_TYPE, '?rows=2');
  t.match(spreadsheet, { status: 200, json: { ...expected, rows: rows.slice(0, 2) } });
  t.ok((spreadsheet.json as unknown as { fields: string[] }).fields.includes('dotsOptions.color'));
  const text = `Link;Shelf\r\n${rows.map((cells) => cells.join(';')).join('\r\n')}`;
  t.match((await preview(text, 'text/csv')).json, { ...expected, rows: rows.slice(0, 10) });
  const all = await preview(Buffer.from(`\ufeff${text}`, 'utf16le'), 'text/csv', '?rows=1000');
  t.match(all.json, { more: false, rows });
  t.match((await preview('a,b\nc\n"d', 'text/csv')).json, { rows: [['c']], fault: /no column "data"/ });
  t.match((await preview('data,b\nc\n"d', 'text/csv')).json, { rows: [['c']], fault: /[Qq]uote/ });
  t.match(await preview('', 'text/csv'), { status: 400, json: { details: /needs a header row/ } });
  t.match(await preview('data\n', XLSX_TYPE), { status: 400, json: { details: /not an XLSX file/ } });
  t.match(await preview('data\n', 'application/json'), { status: 415 });
  t.match(await preview(Buffer.alloc(9_000_000, 'x'), 'text/csv'), { status: 413 });
});

t.test('HEAD has no Content-Length, and a wrong media type is refused with the right one', async (t) => {
  const { beginUpload, append, stateOf } = await newUploader();
  const { location } = (await beginUpload()).headers;
  t.equal((await stateOf(location)).headers['content-length'], undefined);
  t.match(await append(location, 0, 'x', { 'content-type': 'text/csv' }), {
    status: 415,
    json: { details: 'Send the chunk as Content-Type: application/partial-upload.' },
  });
});

t.test('of chunks sent at the same time one is stored, and nothing of the others remains', async (t) => {
  const { id: accountId, beginUpload, append, drop } = await newUploader();
  const { location } = (await beginUpload()).headers;
  const objects = createFolderStore(store);
  const uploads = createUploads({ sql, store: objects, log: silent });
  const upload = await uploads.get(accountId, String(location).split('/').at(-1)!);
  const both = await Promise.all(['a', 'b'].map((text) => uploads.append(upload!, Buffer.from(text))));
  t.equal(both.filter((appended) => appended !== null).length, 1);
  t.equal((await chunksIn(location)).length, 1);
  t.equal((await append(location, 1, 'c')).status, 204);

  await drop(location);
  t.equal(await uploads.append({ ...upload!, bytes: 2 }, Buffer.from('late')), null);
  t.strictSame(await chunksIn(location), []);
});

t.test('an upload that is cancelled takes no more chunks while its chunks are removed', async (t) => {
  const { id: accountId, beginUpload, append } = await newUploader();
  const { location } = (await beginUpload()).headers;
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

/** Takes a lock, starts a call that waits for it, runs `during`, and releases the lock. Returns what was started. */
const whileWaiting = async <T>(
  take: (tx: Sql) => Promise<unknown>,
  start: () => Promise<T>,
  during: () => Promise<unknown>,
): Promise<T> => {
  let started: Promise<T> | undefined;
  await sql.begin(async (tx) => {
    await take(tx);
    started = start();
    started.catch(() => {});
    await until(async () => {
      const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.length > 0;
    });
    await during();
  });
  return started!;
};

const batchesOf = async (accountId: string): Promise<number> =>
  (
    await sql<[{ count: number }]>`select count(*)::int as count from batches where account_id = ${accountId}`
  )[0].count;

/** Moments of the call that completes an upload: no row has been read yet, or all of them have. */
const MOMENTS = {
  'before the rows are read': (accountId: string) => (tx: Sql) =>
    tx`select from accounts where id = ${accountId} for no key update`,
  'after the rows are read': () => (tx: Sql) => tx`lock table batch_pieces in share mode`,
};

for (const [moment, lockOf] of Object.entries(MOMENTS)) {
  t.test(`a chunk stored during completion, ${moment}, is kept for the next attempt`, async (t) => {
    const { id, beginUpload, append, ended } = await newUploader({ monthlyQuota: 10 });
    const { location } = (await beginUpload()).headers;
    await append(location, 0, '{"data":"a"}\n');
    const early = await whileWaiting(
      lockOf(id),
      () => patiently(() => append(location, 13, '', LAST)),
      async () => {
        const appended = await patiently(() => append(location, 13, '{"data":"b"}\n'));
        t.match(appended, { status: 204, headers: { 'upload-offset': '26', 'upload-complete': '?0' } });
      },
    );
    t.match(early, {
      status: 409,
      json: { error: 'Upload offset mismatch', details: /must be 26/ },
      headers: { 'upload-offset': '26' },
    });
    t.equal(await batchesOf(id), 0, 'no batch remains of the first attempt');
    const made = await patiently(() => append(location, 26, '', LAST));
    t.match(await ended(made.json.id), { state: 'done', rows: 2, made: 2 });
  });

  t.test(`an upload that is cancelled while it is completed, ${moment}, is gone`, async (t) => {
    const { id, beginUpload, append, drop } = await newUploader({ monthlyQuota: 10 });
    const { location } = (await beginUpload()).headers;
    await append(location, 0, '{"data":"a"}\n');
    const completed = await whileWaiting(
      lockOf(id),
      () => patiently(() => append(location, 13, '', LAST)),
      async () => t.equal((await drop(location)).status, 204),
    );
    t.match(completed, { status: 404, json: { details: 'There is no such upload.' } });
    t.equal(await batchesOf(id), 0);
  });
}

t.test('an upload accepts no chunk while it becomes a batch or is cancelled', async (t) => {
  const { id: accountId } = await newUploader();
  const objects = createFolderStore(store);
  const uploads = createUploads({ sql, store: objects, log: silent });
  const begun = await uploads.begin(accountId, '{}');
  const upload = (await uploads.append(begun, Buffer.from('x')))!;
  const late = await whileWaiting(
    (tx) => uploads.complete(tx, upload, crypto.randomUUID()),
    () => uploads.append(upload, Buffer.from('late')),
    async () => {},
  );
  t.equal(late, null);

  const given = await uploads.begin(accountId, '{}');
  const away = async () => {
    throw new StoreFault('away');
  };
  await sql.begin(async (tx) => {
    await tx`select now()`;
    const remove = createUploads({ sql, store: { ...objects, removeAll: away }, log: silent }).remove(given);
    await t.rejects(remove, { message: 'away' });
    await t.rejects(uploads.complete(tx, given, crypto.randomUUID()), { code: 'upload_offset' });
  });
  const put = createUploads({ sql, store: { ...objects, put: away }, log: silent });
  t.equal(await put.append(given, Buffer.from('x')), null, 'its folder is gone, not the store');
  await t.rejects(put.append(await uploads.begin(accountId, '{}'), Buffer.from('x')), {
    code: 'unavailable',
  });
});

t.test('an upload that fails to become a batch stays, and can be completed later', async (t) => {
  const { id, beginUpload, append, ended } = await newUploader({ monthlyQuota: 1 });
  const { location } = (await beginUpload()).headers;
  const body = ndjson(plainRows(3));
  t.match(await append(location, 0, body, LAST), { status: 429, json: { error: 'Quota exhausted' } });
  t.equal((await chunksIn(location)).length, 1);
  await app.admin('POST', `/accounts/${id}/credits`, { amount: 5 });
  const made = await append(location, body.length, '', LAST);
  t.match(await ended(made.json.id), { state: 'done', made: 3 });
});

t.test('uploads are limited in number, belong to their account, and expire', async (t) => {
  const { id, beginUpload, append, stateOf } = await newUploader();
  const stranger = await newUploader();
  const { location } = (await beginUpload()).headers;
  t.equal((await stranger.stateOf(location)).status, 404);
  t.equal((await stranger.append(location, 0, 'x')).status, 404);
  t.equal((await stateOf(`/api/v1/batch-uploads/${crypto.randomUUID()}`)).status, 404);
  for (let open = 1; open < UPLOADS.openMax; open += 1) t.equal((await beginUpload()).status, 201);
  t.match(await beginUpload(), { status: 409, json: { error: 'Limit reached' } });

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
  t.equal((await beginUpload()).status, 201);
});

t.test('chunks of a completed upload that a killed gateway left behind are removed', async (t) => {
  const { id: accountId } = await newUploader();
  const objects = createFolderStore(store);
  const uploads = createUploads({ sql, store: objects, log: silent });
  const begun = await uploads.begin(accountId, '{}');
  await uploads.append(begun, Buffer.from('x'));
  await sql`update batch_uploads set batch_id = ${crypto.randomUUID()} where id = ${begun.id}`;
  t.equal((await chunksIn(begun.id)).length, 1);
  await uploads.tidy();
  t.strictSame(await chunksIn(begun.id), []);
  t.not(await uploads.get(accountId, begun.id), null, 'callers can still ask for its batch');
});
