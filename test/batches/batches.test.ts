/** Batches from their upload to their results, on one gateway. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { until } from '../servers/until.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { xlsxOf } from '../support/files/xlsx.ts';
import { decodePng } from '../support/pictures/decode.ts';
import {
  createSender,
  gzipped,
  ndjson,
  newSender,
  plainRows,
  SLOW_FORMATS,
  sharedBatchApp,
  slowRows,
} from './support.ts';

const { app, store, sql } = await sharedBatchApp();
const { call } = app;

t.test('a batch of NDJSON ends as done, with its files, its manifest and its codes', async (t) => {
  const { get, make, parts, part, entriesOf, manifestOf, used } = await newSender(app);
  const rows = [
    { data: 'https://example.com/a', dynamic: true, external_id: 'order 1', name: 'Tisch 1 – Küche' },
    { data: 'plain text', external_id: '=2' },
    ...plainRows(5),
  ];
  const batch = await make(rows, { query: '?folder_name=Cups&formats=png,svg' });
  t.match(batch, { state: 'done', rows: 7, made: 7, failed: 0, errors: 0, refunded: 0, reason: null });
  t.strictSame(batch.grades, [0, 0, 0, 0, 7]);
  t.equal(await used(), 7, 'each row costs one unit, however many formats it has');

  const [listed] = await parts(batch.id);
  const zip = await part(batch.id);
  t.equal(createHash('sha256').update(zip.bytes).digest('hex'), listed!.sha256);
  t.equal(zip.bytes.length, listed!.bytes);
  t.equal(Number(zip.headers['content-length']), listed!.bytes);
  t.equal(zip.headers.etag, `"${listed!.sha256}"`);
  const entries = await entriesOf(batch.id);
  t.equal(entries.length, 15);
  t.equal(entries[0]!.name, '0000001-Tisch-1-Kuche.png');
  const manifest = await manifestOf(batch.id);
  t.strictSame(
    manifest.map(({ row }) => Number(row)),
    [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7],
  );
  t.equal(manifest[0]!.external_id, 'order 1');
  t.equal(manifest[2]!.external_id, "'=2", 'a cell is not read as a formula');
  for (const line of manifest) {
    const { bytes } = entries.find(({ name }) => name === line.file)!;
    t.equal(createHash('sha256').update(bytes).digest('hex'), line.sha256);
  }
  t.equal(await decodePng(entries[0]!.bytes), manifest[0]!.short_url);
  const scanned = await call({ url: `/l/${manifest[0]!.slug}` });
  t.equal(scanned.headers.location, 'https://example.com/a');
  t.strictSame(
    fieldsOf((await get(`/folders/${batch.folder_id}/codes?limit=100`)).json.data, 'content'),
    rows.map(({ data }: { data?: string }) => data),
    'the codes are in the folder in row order',
  );
});

t.test('CSV and gzip are accepted, and rows may override the design for all rows', async (t) => {
  const { get, make, entriesOf } = await newSender(app);
  const csv = 'id;data;dotsOptions.color;file\r\nA;"one; two";;first.png\r\n\r\nB;three;red;\r\n';
  const design = JSON.stringify({
    width: 200,
    height: 200,
    dotsOptions: { gradient: { colorStops: [{ offset: 0, color: '#00f' }] } },
  });
  const batch = await make(gzipped(csv), {
    headers: { 'content-type': 'text/csv', 'content-encoding': 'gzip', design },
  });
  t.match(batch, { state: 'done', made: 2 });
  const entries = await entriesOf(batch.id);
  t.strictSame(fieldsOf(entries, 'name'), ['0000001-first.png', '0000002-three.png', 'manifest.csv']);
  t.equal(entries[0]!.bytes.readUInt32BE(16), 200, 'the width from the design for all rows');
  t.equal(await decodePng(entries[0]!.bytes), 'one; two');
  const [first, second] = (await get(`/folders/${batch.folder_id}/codes`)).json.data;
  t.match((await get(`/codes/${first!.id}`)).json, { design: { dotsOptions: { gradient: {} } } });
  t.match((await get(`/codes/${second!.id}`)).json, { design: { dotsOptions: { color: '#ff0000' } } });
});

t.test('rows choose their slugs, and a row whose slug is invalid or taken fails alone', async (t) => {
  const { get, make, entriesOf, manifestOf, errorsOf, used } = await newSender(app);
  const row = (slug: string, more: object = {}) => ({
    data: 'https://example.com/',
    dynamic: true,
    slug,
    ...more,
  });
  const small = { qrOptions: { typeNumber: 3, errorCorrectionLevel: 'L' } };
  const rows = [
    row('Own-Slug-1'),
    row('own_slug_l', { external_id: 'alike' }),
    ...plainRows(1),
    row('admin'),
    row('x'),
    row('y'.repeat(60), small),
    row('another-slug', { name: 'Menu' }),
  ];
  const visit = async () => (await call({ url: '/l/another-slug' })).headers.location;
  t.equal(await visit(), undefined);
  const batch = await make(rows);
  t.equal(await visit(), 'https://example.com/', 'an earlier visit does not hide it');
  t.match(batch, { state: 'done', made: 3, failed: 4, refunded: 4, finished_at: /^\d{4}-.*Z$/ });
  t.equal(await used(), 3);
  const errors = await errorsOf(batch.id);
  t.strictSame(
    errors.map(({ row, external_id }) => [row, external_id]),
    [
      [2, 'alike'],
      [4, null],
      [5, null],
      [6, null],
    ],
  );
  t.match(errors[0], { field: 'slug', message: 'is taken, or looks like one that is; choose another one' });
  t.match(errors[1], { field: 'slug', message: /reserved/ });
  t.match(errors[2], { field: 'slug', message: /3 to 64/ });
  const manifest = await manifestOf(batch.id);
  t.equal(await decodePng((await entriesOf(batch.id))[0]!.bytes), 'http://qr.test/l/Own-Slug-1');
  t.match(manifest[0], { slug: 'Own-Slug-1', short_url: 'http://qr.test/l/Own-Slug-1' });
  t.equal((await call({ url: '/l/Own-Slug-1' })).headers.location, 'https://example.com/');
  const saved = await get(`/folders/${batch.folder_id}/codes`);
  t.strictSame(fieldsOf(saved.json.data, 'slug'), ['Own-Slug-1', manifest[1]!.slug, 'another-slug']);
  const next = await make([row('OWN-SLUG-1'), ...plainRows(1)]);
  t.match(next, { state: 'done', made: 1, failed: 1 }, 'a later batch cannot use them either');
  t.match(await make([{ data: 'static', slug: 'for-nothing' }]), { state: 'failed', errors: 1 });
});

t.test('an account on the Free plan is refused with what to do instead', async (t) => {
  const { send } = await newSender(app, { plan: 'free' });
  const json = { error: 'Pro plan required', details: /batches need the Pro plan; ask the operator/ };
  t.match(await send('{"data":"a"}'), { status: 403, json });
});

t.test('in a multipart upload the first part is the design', async (t) => {
  const { send, make } = await newSender(app);
  const form = (...parts: readonly [string, string, string][]): string =>
    `${parts.map(([name, type, body]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\ncontent-type: ${type}\r\n\r\n${body}\r\n`).join('')}--x--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const design = ['design', 'application/json', '{"width":120,"height":120}'] as const;
  const rows = ['rows', 'application/x-ndjson', '{"data":"a"}\n{"data":"b"}'] as const;
  t.match(await make(form([...design], [...rows]), { headers }), { state: 'done', made: 2 });
  t.equal((await send(form([...rows], [...design]), { headers })).status, 400);
  t.equal((await send(form([...design]), { headers })).status, 400);
  t.equal((await send('no form', { headers })).status, 400);
  t.equal((await send(form(['design', 'application/json', '{'], [...rows]), { headers })).status, 400);
});

t.test('a multipart upload that is repeated with another boundary is the same batch', async (t) => {
  const { send } = await newSender(app);
  const sendForm = (boundary: string, design: string, rows = '{"data":"a"}') =>
    send(
      `--${boundary}\r\ncontent-disposition: form-data; name="design"\r\n\r\n${design}\r\n--${boundary}\r\ncontent-disposition: form-data; name="rows"\r\ncontent-type: application/x-ndjson\r\n\r\n${rows}\r\n--${boundary}--\r\n`,
      { headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'idempotency-key': 'form' } },
    );
  const first = await sendForm('x', '{"width":120,"height":120}');
  t.equal(first.status, 202, first.text);
  t.match(await sendForm('another', '{"width":120,"height":120}'), {
    status: 202,
    json: { id: first.json.id },
    headers: { 'idempotent-replayed': 'true' },
  });
  t.equal((await sendForm('x', '{"width":130,"height":130}')).status, 422);
  t.equal((await sendForm('x', '{"width":120,"height":120}', '{"data":"b"}')).status, 422);
});

t.test('if any row has errors, the whole batch fails at no cost, and each error is listed', async (t) => {
  const { make, errorsOf, used } = await newSender(app);
  const lines = [
    '{"data":"good"}',
    '{"data":"bad","width":1}',
    'no json',
    '{"external_id":"x","data":"ftp://example.com","dynamic":true}',
    '[1]',
    '{"data":"a","colour":"red"}',
    '{"data":" "}',
    `{"data":"${'9'.repeat(4296)}","qrOptions":{"typeNumber":1}}`,
  ];
  const batch = await make(lines.join('\n'));
  t.match(batch, { state: 'failed', rows: 8, made: 0, errors: 7, reason: /7 rows have faults/ });
  t.match(await make('no json'), { state: 'failed', reason: /^1 row has a fault; see the errors/ });
  t.equal(await used(), 0);
  const errors = await errorsOf(batch.id);
  t.strictSame(
    errors.map(({ row, external_id, field }) => [row, external_id, field]),
    [
      [2, null, 'width'],
      [3, null, 'row'],
      [4, 'x', 'data'],
      [5, null, 'row'],
      [6, null, 'colour'],
      [7, null, 'data'],
      [8, null, 'qrOptions.typeNumber'],
    ],
  );
});

const table = (name: string): Buffer => readFileSync(new URL(`../csv/files/${name}.csv`, import.meta.url));

t.test(
  'the charset of CSV is honoured, named in every answer, and asked for where it is missing',
  async (t) => {
    const { get, post, send, make, preview, show, entriesOf } = await newSender(app);
    const typed = (type: string) => ({ headers: { 'content-type': type } });
    for (const [type, name, encoding, letters] of [
      ['text/csv; charset=windows-1251', 'windows-1251', 'windows-1251', 'Зал Б'],
      ['text/csv; charset="Shift_JIS"', 'shift-jis', 'shift_jis', '倉庫'],
    ] as const) {
      const batch = await make(table(name), typed(type));
      t.match(batch, { state: 'done', encoding, empty_rows: 0 });
      const manifest = (await entriesOf(batch.id)).at(-1);
      t.match(String(manifest?.bytes), letters);
      const { json } = await get(`/batches/${batch.id}/report`);
      t.match(json.statement, { encoding, counts: { empty_rows: 0 } });
      const rows = [['https://example.com/1', letters]];
      t.match((await preview(table(name), type)).json, { encoding, rows });
    }
    const before = (await get('/batches')).json.data.length;
    for (const answer of [
      await send(table('windows-1251'), typed('text/csv')),
      await preview(table('windows-1251')),
    ]) {
      t.match(answer, { status: 400, json: { error: 'Unclear encoding' } });
      t.match(
        answer.json.details,
        /^body: row 2 of the file is not UTF-8, and no encoding is said; name .* charset=/,
      );
      t.match(answer.json.readings[0], { encoding: 'windows-1251', text: 'https://example.com/1;Зал Б' });
    }
    const late = Buffer.concat([Buffer.from('data,name\n\na,b\n,\nc,d\ne,'), Buffer.from([0xe9, 0x0a])]);
    t.match(
      (await send(late, typed('text/csv; charset=utf-8'))).json.details,
      /^body: row 6 of the file has bytes that are not utf-8/,
    );
    for (const type of ['text/csv; charset=klingon', 'application/x-ndjson; charset=utf-16'])
      t.match(
        await send('{"data":"a"}', typed(type)),
        { status: 415, json: { details: /^charset: / } },
        type,
      );
    const latin1 = { 'content-type': 'application/json; charset=iso-8859-1' };
    t.match(await post('/qr', '{"data":"a"}', latin1), {
      status: 415,
      json: { details: /JSON is always UTF-8/ },
    });
    t.equal((await get('/batches')).json.data.length, before, 'no batch remains of them');
    const odd = await make(table('delimiter-only-rows'), typed('text/csv'));
    t.match(await show(odd.id), {
      state: 'done',
      rows: 2,
      encoding: 'utf-8',
      empty_rows: 2,
      first_empty_rows: [4, 5],
    });
  },
);

t.test(
  'a part of a form is taken by its name where its type says nothing, and has its charset',
  async (t) => {
    const { send, ended, errorsOf } = await newSender(app);
    const sent = (type: string | null, name: string, bytes: Buffer) => {
      const typed = type === null ? '' : `\r\nContent-Type: ${type}`;
      const head = `--x\r\nContent-Disposition: form-data; name="rows"; filename="${name}"${typed}\r\n\r\n`;
      const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')]);
      return send(body, { headers: { 'content-type': 'multipart/form-data; boundary=x' } });
    };
    for (const type of ['application/octet-stream', 'application/vnd.ms-excel', 'text/plain', null])
      for (const name of ['codes.csv', 'CODES.CSV', 'codes.txt', 'codes.tsv'])
        t.equal((await sent(type, name, table('codes'))).status, 202, `${type} ${name}`);
    const spoken = await sent('text/csv; charset=windows-1251', 'a', table('windows-1251'));
    t.equal((await ended(spoken.json.id)).encoding, 'windows-1251');
    t.match((await sent('application/octet-stream', 'a.csv', table('windows-1251'))).json, {
      error: 'Unclear encoding',
    });
    for (const name of ['codes.pdf', 'codes', 'csv', 'codes.xls'])
      t.equal((await sent('application/octet-stream', name, table('codes'))).status, 415, name);
    t.equal(
      (await sent('image/png', 'codes.csv', table('codes'))).status,
      415,
      'a type that says something counts',
    );
    const book = await sent('application/octet-stream', 'codes.csv', xlsxOf([['data'], ['a']]));
    t.match(
      (await errorsOf((await ended(book.json.id)).id))[0]?.message,
      /not text but a ZIP file, as XLSX is/,
    );
  },
);

t.test('bodies, terms and folders that cannot be used are refused and create no batch', async (t) => {
  const { get, send } = await newSender(app);
  const refused = async (status: number, pattern: RegExp, body: string | Buffer, options?: object) => {
    const answer = await send(body, options);
    t.equal(answer.status, status, answer.text.slice(0, 200));
    t.match(answer.text, pattern);
  };
  await refused(429, /3 are missing/, ndjson(plainRows(1003)));
  await refused(415, /x-ndjson, text\/csv or /, '{}', { headers: { 'content-type': 'application/json' } });
  await refused(400, /Design/, '{"data":"a"}', { headers: { design: '{"width":1}' } });
  await refused(400, /formats/, '{"data":"a"}', { query: '?formats=gif' });
  await refused(400, /webhook/, '{"data":"a"}', { query: '?webhook=https://example.com' });
  await refused(400, /folder/, '{"data":"a"}', { query: '?folder_id=00000000-0000-4000-8000-000000000000' });
  await refused(400, /folder_id/, '{"data":"a"}', { query: '?folder_id=Cups' });
  await refused(400, /folder_name: must not be given together with folder_id/, '{"data":"a"}', {
    query: '?folder_name=Cups&folder_id=00000000-0000-4000-8000-000000000000',
  });
  await refused(400, /folder/, '{"data":"a"}', { query: '?folder=Cups' });
  await refused(400, /expires_in/, '{"data":"a"}', { query: '?expires_in=99999999' });
  t.strictSame((await get('/batches')).json.data, []);
});

t.test('calls with the same Idempotency-Key create one batch', async (t) => {
  const { send, ended, used } = await newSender(app);
  const headers = { 'idempotency-key': 'k1' };
  const first = await send('{"data":"a"}', { headers });
  const again = await send('{"data":"a"}', { headers });
  t.equal(again.json.id, first.json.id);
  t.equal(again.headers['idempotent-replayed'], 'true');
  t.equal((await send('{"data":"b"}', { headers })).status, 422);
  t.equal((await send('{"data":"a"}', { headers, query: '?on_error=stop' })).status, 422);
  await ended(first.json.id);
  t.equal(await used(), 1);
});

t.test('parts support range requests and conditional requests', async (t) => {
  const { head, make, part } = await newSender(app);
  const { id } = await make(plainRows(20));
  const whole = (await part(id)).bytes;
  const size = whole.length;
  for (const [range, start, end] of [
    ['bytes=0-0', 0, 1],
    ['bytes=100-', 100, size],
    ['bytes=-50', size - 50, size],
    [`bytes=1000-${size + 5}`, 1000, size],
    [`bytes=${size - 3000}-${size - 20}`, size - 3000, size - 19],
  ] as const) {
    const answer = await part(id, 1, { range });
    t.equal(answer.status, 206);
    t.equal(answer.headers['content-range'], `bytes ${start}-${end - 1}/${size}`);
    t.ok(answer.bytes.equals(whole.subarray(start, end)), range);
  }
  t.equal((await part(id, 1, { range: `bytes=${size}-` })).status, 416);
  t.equal((await part(id, 1, { range: 'bytes=1-2,5-6' })).status, 200);
  const etag = String((await part(id)).headers.etag);
  t.equal((await part(id, 1, { range: 'bytes=0-9', 'if-range': '"other"' })).status, 200);
  t.equal((await part(id, 1, { range: 'bytes=0-9', 'if-range': etag })).status, 206);
  t.equal((await part(id, 1, { 'if-none-match': etag })).status, 304);
  t.equal((await part(id, 2)).status, 404);
  t.equal((await (await newSender(app)).part(id)).status, 404, "another account's batch does not exist");
  const errors = await head(`/batches/${id}/errors`);
  t.match([errors.status, errors.headers['content-type']], [200, /^application\/x-ndjson/]);
  t.equal(Number((await head(`/batches/${id}/parts/1`)).headers['content-length']), size);
  t.equal((await head(`/batches/${id}/parts/1`, { 'if-none-match': etag })).status, 304);
});

const brokenLogo = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAE=';

t.test('units of failed rows are given back, and with on_error=stop the batch ends', async (t) => {
  const { make, errorsOf, entriesOf, used } = await newSender(app);
  const rows = [...plainRows(3), { data: 'x', external_id: 'broken', image: brokenLogo }, ...plainRows(3)];
  const batch = await make(rows);
  t.match(batch, { state: 'done', rows: 7, made: 6, failed: 1, errors: 1, refunded: 1 });
  t.match(await errorsOf(batch.id), [{ row: 4, external_id: 'broken', field: 'image' }]);
  t.equal((await entriesOf(batch.id)).length, 7);
  t.equal(await used(), 6);
  const stopped = await make(rows, { query: '?on_error=stop' });
  t.match(stopped, { state: 'failed', made: 6, failed: 1, refunded: 1, reason: /on_error is stop/ });
  t.equal(await used(), 12, 'the other rows of the piece were made and are charged');
});

t.test(
  'a batch of a key that a key made is paid by both, and refused early by the quota of either',
  async (t) => {
    const { get, post } = await newSender(app);
    const maker = (await post('/keys', { name: 'maker', monthly_quota: 8 })).json;
    const byMaker = createSender(app, maker.key);
    const child = (await byMaker.post('/keys', { name: 'child' })).json;
    const used = async (): Promise<string> => {
      const { data } = (await get('/keys')).json;
      return [maker, child].map(({ id }) => data.find((row) => row.id === id)?.usage_count).join();
    };
    await byMaker.post('/qr', { data: 'x' });
    await until(async () => (await used()) === '1,0');
    const { send, make } = createSender(app, child.key);
    const rows = [...plainRows(3), { data: 'x', image: brokenLogo }, ...plainRows(3)];
    t.match(await send(ndjson([...rows, ...plainRows(1)])), {
      status: 429,
      json: {
        details: /needs 8 units and 7 are left of the quotas of the key and its makers: 1 are missing/,
      },
    });
    t.match(await make(rows), { state: 'done', made: 6, failed: 1, refunded: 1 });
    await until(async () => (await used()) === '7,6');
    t.match(await make(plainRows(1)), { state: 'done', made: 1 }, 'what was given back may be used again');
    await until(async () => (await used()) === '8,7');
    t.match(await send('this is not read'), { status: 429, json: { details: /^No units are left of the/ } });
  },
);

t.test('the report lists the counts and parts, and its JWS contains the same statement', async (t) => {
  const { get, make, parts } = await newSender(app);
  const batch = await make(plainRows(3));
  const { json } = await get(`/batches/${batch.id}/report`);
  const statement = json.statement as unknown as { parts: object[] };
  t.match(statement, { counts: { rows: 3, made: 3, failed: 0 }, finished_at: batch.finished_at });
  t.strictSame(statement.parts, await parts(batch.id));
  const payload = JSON.parse(Buffer.from(String(json.jws).split('.')[1]!, 'base64url').toString());
  t.strictSame(payload, statement);
});

t.test('a cancelled batch ends after the pieces in progress, and gives other units back', async (t) => {
  const { beginSlow, cancel, show, ended, used } = await newSender(app, { monthlyQuota: 10_000 });
  const id = await beginSlow(500);
  t.match(await cancel(id), { status: 202, json: { state: 'finishing' } });
  const batch = await ended(id);
  t.equal(batch.state, 'cancelled');
  t.ok(batch.made > 0 && batch.made < 500, `${batch.made} of 500 rows were made`);
  t.equal(batch.refunded, 500 - batch.made);
  t.equal(await used(), batch.made);
  t.equal((await cancel(id)).status, 202);
  t.equal((await show(id)).state, 'cancelled');
});

t.test('a batch whose folder is deleted fails, and only the rows made are charged', async (t) => {
  const { beginSlow, del, show, ended, used } = await newSender(app, { monthlyQuota: 10_000 });
  const id = await beginSlow(500, '&folder_name=Gone');
  t.equal((await del(`/folders/${(await show(id)).folder_id}`)).status, 204);
  const batch = await ended(id);
  t.match(batch, { state: 'failed', reason: /folder was deleted/ });
  t.equal(await used(), batch.made);
});

t.test('results are removed when they expire, and the codes stay', async (t) => {
  const { make, show, part, parts } = await newSender(app);
  const batch = await make(plainRows(3), { query: '?expires_in=60' });
  t.ok(Date.parse(batch.expires_at) - Date.parse(String(batch.finished_at)) <= 60_000);
  t.ok((await readdir(join(store, batch.id))).length > 0);
  await sql`update batches set expires_at = now(), leased_until = now() where id = ${batch.id}`;
  await until(async () => (await show(batch.id)).state === 'expired', { pauseMs: 200 });
  t.notOk((await readdir(store)).includes(batch.id));
  t.strictSame(await parts(batch.id), []);
  t.equal((await part(batch.id)).status, 404);
  t.match(await show(batch.id), { rows: 3, made: 3 });
  const codes = await sql`select from codes where folder_id = ${(await show(batch.id)).folder_id}`;
  t.equal(codes.length, 3);
});

t.test('an unfinished batch expires at its deadline, and only the rows made are charged', async (t) => {
  const { beginSlow, ended, used } = await newSender(app, { monthlyQuota: 10_000 });
  const id = await beginSlow(500);
  await sql`update batches set expires_at = now() where id = ${id}`;
  const batch = await ended(id);
  t.match(batch, { state: 'expired', reason: 'It was not done in its time.' });
  t.ok(batch.made < 500);
  t.equal(await used(), batch.made);
});

t.test('small batches finish first, whether a large one of the account is validated or made', async (t) => {
  const { begin, cancel, show, make, ended } = await newSender(app, { monthlyQuota: 10_000 });
  const slow = { query: `?${SLOW_FORMATS}` };
  const large = await begin(slowRows(3000), slow);
  t.match(await make(slowRows(10), slow), { state: 'done', made: 10 });
  await until(async () => (await show(large)).made > 0, { pauseMs: 20 });
  const both = [make(slowRows(10), slow), make(slowRows(20), slow)];
  t.match(await Promise.all(both), [{ made: 10 }, { made: 20 }]);
  const { finished_at, made } = await show(large);
  t.equal(finished_at, null, `${made} of 3000 rows of the large one had been made`);
  await cancel(large);
  await ended(large);
});

t.test('a small batch of another account that was sent later finishes first', async (t) => {
  const [large, small] = [await newSender(app), await newSender(app)];
  const id = await large.beginSlow(500);
  t.match(await small.make(slowRows(30), { query: `?${SLOW_FORMATS}` }), { state: 'done', made: 30 });
  const other = await large.show(id);
  t.equal(other.finished_at, null, `${other.made} of 500 rows of the large one had been made`);
  await large.cancel(id);
  await large.ended(id);
});
