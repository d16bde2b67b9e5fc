/** Verifications of folders and chosen codes, from the call to the receipt, with real readers and a real Postgres. */
import { createHash } from 'node:crypto';
import t from 'tap';
import { purgeBin } from '../../src/db/tables/bin.ts';
import { checkReceipt } from '../../src/verify/receipt/document.ts';
import { until } from '../servers/until.ts';
import { sharedApp } from '../support/app/app.ts';
import { newClient, RANDOM_ID } from '../support/app/client.ts';
import { openFor } from '../support/database/database.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { readZip } from '../support/files/zip.ts';

const gateway = await sharedApp();
const { sql } = await openFor(t, { url: gateway.databaseUrl, dataDir: '' });
const DAY_MS = 86_400_000;

const newAccount = async () => {
  const client = await newClient(gateway, { credits: 100_000 });
  const { get, post } = client;
  const ended = async (url: string) => {
    await until(async () => (await get(url)).json.state !== 'running', { pauseMs: 50 });
    return (await get(url)).json;
  };
  return {
    ...client,
    ended,
    async folder(items: readonly object[], folderName = 'Cups'): Promise<string> {
      const { json } = await post('/qr/bulk', { folderName, items });
      return json.meta.folder_id as string;
    },
    /** Starts a verification and waits until it has ended. */
    async verify(folderId: string) {
      const begun = await post(`/folders/${folderId}/verifications`);
      const url = `/folders/${folderId}/verifications/${begun.json.id}`;
      return { begun, url, ended: await ended(url) };
    },
  };
};

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

t.test('a GS1 element string counts as read when its elements are read, without brackets', async (t) => {
  const { folder, verify, get } = await newAccount();
  const data = '(01)09521321000018(10)A%B(21)7';
  const folderId = await folder([{ data, qrOptions: { gs1: 'element-string' } }, { data }]);
  const { url, ended } = await verify(folderId);
  t.match(ended, { total: 2, passed: 2 });
  const { codes } = (await get(`${url}/receipt`)).json;
  t.match(codes, [{ text: '010952132100001810A%B\u001d217' }, { text: data }]);
});

t.test('a folder is drawn and read, and its receipt lists what was read for each code', async (t) => {
  const { folder, verify, get, key } = await newAccount();
  const folderId = await folder([
    { data: 'https://example.com/menu', dynamic: true, dotsOptions: { type: 'rounded' } },
    { data: 'Café' },
    { data: 'faint', dotsOptions: { color: '#e4e4e4' } },
    { data: 'light on dark', dotsOptions: { color: 'white' }, backgroundOptions: { color: 'black' } },
  ]);
  const { begun, url, ended } = await verify(folderId);
  t.match(begun, {
    status: 202,
    json: { state: 'running', folder_id: folderId, total: 4, read: 0, finished_at: null },
  });
  t.match(ended, { state: 'done', total: 4, read: 4, passed: 2, missing: 0 });
  t.match((await get(`/folders/${folderId}/verifications`)).json.data, [ended]);

  const { json, headers, text } = await get(`${url}/receipt`);
  t.match(headers['content-disposition'], /^attachment; filename="Cups receipt\.json"/);
  t.equal(headers['cache-control'], 'private, no-store');
  const asked = await gateway.call({ method: 'HEAD', url: `/api/v1${url}/receipt`, key });
  t.strictSame([asked.status, asked.text], [200, '']);
  t.equal(asked.headers['content-disposition'], headers['content-disposition']);
  const [menu, cafe, faint, dark] = json.codes;
  const everywhere = ['sharp', 'blurred', 'small'];
  t.match(menu, { result: 'passed', grade: 4, read: { zxing: everywhere, zbar: everywhere } });
  t.match(menu!.text, /^http:\/\/qr\.test\/l\/\w{8}$/, 'a dynamic code contains its short link');
  t.match(cafe, { result: 'failed', text: 'Café', read: { zxing: everywhere, zbar: [] } });
  t.match(cafe!.misread?.[0], { reader: 'zbar', condition: 'sharp' }, 'ZBar misreads UTF-8 without ECI');
  t.match(
    faint,
    { result: 'passed', warnings: /contrast/ },
    'read as a file, with a grade that warns of paper',
  );
  t.match(dark, { result: 'failed', grade: 0, read: { zbar: [] } });
  t.match(json.statement, {
    type: 'tessera-receipt',
    id: begun.json.id,
    installation: 'http://qr.test',
    folder: { id: folderId, name: 'Cups' },
    software: { zxing: /^zxing-wasm \d/, zbar: /^@undecaf\/zbar-wasm \d/, tessera: /^Tessera / },
    summary: { codes: 4, passed: 2, grades: { 0: Number, 4: 2 } },
  });

  const files = await readZip((await get(`/folders/${folderId}/archive`)).bytes);
  t.strictSame(
    json.codes.map((code) => code.sha256),
    files.slice(0, -1).map(({ bytes }) => sha256(bytes)),
    'its pictures are the same as in the archive',
  );
  const { json: keySet, headers: keyHeaders } = await gateway.call({ url: '/.well-known/tessera-receipts' });
  t.equal(keyHeaders['cache-control'], 'public, max-age=3600');
  t.strictSame(
    Object.keys(keySet.keys[0]!).sort(),
    ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
    'the public key',
  );
  t.ok(checkReceipt(text, keySet.keys).ok);
  t.notOk(checkReceipt(text.replace('"passed"', '"weak"'), keySet.keys).ok);
});

t.test('the page of a receipt shows hostile texts as text and runs no script', async (t) => {
  const { folder, verify, get } = await newAccount();
  const hostile = '<img src=x onerror=alert(1)>"\'&\u202egnp\u0000';
  const folderId = await folder(
    [{ data: `${hostile}é`, dotsOptions: { color: 'white' }, backgroundOptions: { color: 'black' } }],
    '</title><script>alert(1)</script>',
  );
  const { url } = await verify(folderId);
  const page = await get(`${url}/receipt?format=html`);
  t.equal(page.headers['content-type'], 'text/html; charset=utf-8');
  t.equal(page.headers['content-security-policy'], "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  t.notMatch(page.text, /<script|<img|\u202e|\0/);
  t.match(page.text, '&lt;img src=x onerror=alert(1)&gt;');
  t.match(page.text, '&lt;/title&gt;&lt;script&gt;');
  t.notMatch(page.headers['content-disposition'], /[<>]/);

  const accept = (value: string) => get(`${url}/receipt`, { accept: value });
  t.match((await accept('text/html,*/*;q=0.8')).headers, { 'content-type': /^text\/html/, vary: /Accept/ });
  t.match((await accept('*/*')).headers['content-type'], /^application\/json/);
});

t.test('a verification belongs to its folder and account', async (t) => {
  const { folder, verify, get } = await newAccount();
  const other = await folder([{ data: 'y' }], 'Plates');
  const folderId = await folder([{ data: 'x' }]);
  const { begun } = await verify(folderId);
  t.equal((await get(`/folders/${other}/verifications/${begun.json.id}`)).status, 404);
  t.equal((await get(`/folders/${folderId}/verifications/${RANDOM_ID}`)).status, 404);
  t.equal((await get(`/folders/${folderId}/verifications/x`)).status, 400);
});

t.test('one verification at a time runs for a folder, and three for an account', async (t) => {
  const { folder, post, get, id, ended } = await newAccount();
  const ids = await Promise.all(['a', 'b', 'c', 'd'].map((name) => folder([{ data: name }], name)));
  // While another gateway holds their leases, this one does not touch them.
  const hold = () => sql`
    update verifications set leased_until = now() + interval '1 minute', lessee = ${RANDOM_ID} where account_id = ${id}`;
  const begun = [];
  for (const folderId of ids.slice(0, 3)) {
    begun.push((await post(`/folders/${folderId}/verifications`)).json);
    await sql`update verifications set state = 'running', finished_at = null, statement = null, jws = null
      where account_id = ${id}`;
    await hold();
  }
  const again = await post(`/folders/${ids[0]}/verifications`);
  t.match(again, { status: 202, json: { id: begun[0]!.id, state: 'running' } }, 'the running verification');
  const fourth = await post(`/folders/${ids[3]}/verifications`);
  t.match(fourth, { status: 409, json: { error: 'Limit reached' } });
  const unfinished = await get(`/folders/${ids[0]}/verifications/${begun[0]!.id}/receipt`);
  t.equal(unfinished.status, 404, 'no receipt yet');
  await sql`delete from verification_pages p using verifications v where v.id = p.verification_id and v.account_id = ${id}`;
  await sql`update verifications set leased_until = now(), passed = 0, after_created_at = null, after_id = null
    where account_id = ${id}`;
  for (const [i, { id: vid }] of begun.entries()) {
    t.match(await ended(`/folders/${ids[i]}/verifications/${vid}`), { state: 'done', passed: 1 });
  }
  t.equal((await post(`/folders/${ids[3]}/verifications`)).status, 202);
});

t.test('an empty folder is refused, and a code that can no longer be drawn is reported', async (t) => {
  const { folder, verify, get, post, id } = await newAccount();
  const empty = await post('/folders', { name: 'Empty' });
  const nothing = await verify(empty.json.id);
  t.match(nothing.ended, { state: 'done', total: 0, read: 0 });
  t.match((await get(`${nothing.url}/receipt`)).json, { codes: [], statement: { summary: { codes: 0 } } });
  const folderId = await folder([{ data: 'fine' }, { data: 'too small', margin: 40 }]);
  await sql`
    update designs set design = jsonb_set(design, '{widthPx}', '50')
    where account_id = ${id} and design->>'marginPx' = '40'`;
  const { ended, url } = await verify(folderId);
  t.match(ended, { state: 'done', passed: 1, missing: 1 });
  t.match((await get(`${url}/receipt`)).json.codes[1], {
    result: 'missing',
    expected: 'too small',
    sha256: null,
    grade: null,
    text: null,
  });
});

t.test('verifications follow their folder into the bin, back, and to final deletion', async (t) => {
  const { folder, verify, get, del, post } = await newAccount();
  const folderId = await folder([{ data: 'x' }]);
  const { url } = await verify(folderId);
  await del(`/folders/${folderId}`);
  t.equal((await get(url)).status, 404);
  t.equal((await get(`${url}/receipt`)).status, 404);
  await post(`/folders/${folderId}/restore`);
  t.equal((await get(`${url}/receipt`)).status, 200);
  await del(`/folders/${folderId}`);
  await purgeBin(sql, new Date(Date.now() + 31 * DAY_MS));
  const left = await sql`select 1 from verifications where folder_id = ${folderId}`;
  t.equal(left.length, 0);
});

t.test('the last ten verifications of a folder are kept', async (t) => {
  const { folder, verify, get } = await newAccount();
  const folderId = await folder([{ data: 'x' }]);
  for (let i = 0; i < 11; i += 1) await verify(folderId);
  t.equal((await get(`/folders/${folderId}/verifications?limit=100`)).json.data.length, 10);
  const first = (await get(`/folders/${folderId}/verifications?limit=4`)).json;
  const next = (await get(`/folders/${folderId}/verifications?limit=100&cursor=${first.next_cursor}`)).json;
  t.equal(first.data.length + next.data.length, 10);
});

t.test(
  'a receipt counts contents that occur more than once, and batches that were adding codes',
  async (t) => {
    const { id, folder, verify, get } = await newAccount();
    const folderId = await folder(['A', 'B', 'A', 'C', 'B', 'A'].map((data) => ({ data })));
    await folder(
      [{ data: 'https://example.com/' }, { data: 'https://example.com/' }].map((item) => ({
        ...item,
        dynamic: true,
      })),
    );
    const before = await verify(folderId);
    t.match(before.ended, { total: 8, duplicate_contents: 2, duplicate_codes: 5, unfinished_batches: 0 });
    const [batch] = await sql<{ id: string }[]>`
    insert into batches (account_id, key_id, state, format, formats, on_error, design, min_grade, repair, folder_id,
      secret, lifetime_s, queued_at, expires_at)
    select account_id, id, 'running', 'csv', '{png}', 'skip', '{}', 0, false, ${folderId},
      decode(repeat('00', 32), 'hex'), 60, now(), now() + interval '1 hour'
    from api_keys where account_id = ${id} limit 1 returning id`;
    const { ended, url } = await verify(folderId);
    t.match(ended, { unfinished_batches: 1 });
    const { statement } = (await get(`${url}/receipt`)).json as never as { statement: object };
    t.match(statement, { unfinished_batches: 1, summary: { duplicates: { contents: 2, codes: 5 } } });
    const page = await get(`${url}/receipt?format=html`);
    t.match(page.text, '2 contents occur more than once, in 5 codes. Batches were adding codes');
    await sql`delete from batches where id = ${batch!.id}`;
  },
);

t.test('a folder with several pages is read in the order of its codes', async (t) => {
  const { folder, verify, get } = await newAccount();
  const texts = Array.from({ length: 70 }, (_, i) => `code ${i}`);
  const folderId = await folder(texts.slice(0, 60).map((data) => ({ data })));
  await folder(texts.slice(60).map((data) => ({ data })));
  const { ended, url } = await verify(folderId);
  t.match(ended, { state: 'done', total: 70, passed: 70 });
  const { json } = await get(`${url}/receipt`);
  t.strictSame(fieldsOf(json.codes, 'text'), texts);
});

t.test('chosen codes from any folders are read, and their receipt names no folder', async (t) => {
  const { folder, get, post, ended, id } = await newAccount();
  const cups = await folder([{ data: 'cup' }, { data: 'left out' }]);
  const plates = await folder([{ data: 'plate' }, { data: 'deleted meanwhile' }], 'Plates');
  const of = async (folderId: string) =>
    (await get(`/folders/${folderId}/codes`)).json.data.map((code) => code.id);
  const [cup, leftOut] = await of(cups);
  const [plate, deleted] = await of(plates);
  const ids = [plate!, cup!, deleted!];
  const begun = await post('/code-verifications', { ids });
  t.match(begun, { status: 202, json: { folder_id: null, state: 'running', total: 3 } });
  await sql`update codes set deleted_at = now() where id = ${deleted!}`;
  await ended(`/code-verifications/${begun.json.id}`);

  // The first one may start before the deletion.
  const url = `/code-verifications/${(await post('/code-verifications', { ids: [plate!, cup!] })).json.id}`;
  t.match(await ended(url), { state: 'done', total: 2, passed: 2, folder_id: null });
  const { json, text, headers } = await get(`${url}/receipt`);
  t.match(headers['content-disposition'], /^attachment; filename="codes receipt\.json"/);
  t.strictSame(
    json.codes.map((code) => [code.id, code.text]),
    [
      [cup, 'cup'],
      [plate, 'plate'],
    ],
    'in order of creation',
  );
  t.equal(json.statement.folder, null);
  const { keys } = (await gateway.call({ url: '/.well-known/tessera-receipts' })).json;
  t.ok(checkReceipt(text, keys as never).ok);
  t.match((await get(`${url}/receipt?format=html`)).text, '<h1>Receipt: chosen codes</h1>');

  t.equal((await get('/code-verifications')).json.data.length, 2);
  t.equal((await get(`/folders/${cups}/verifications`)).json.data.length, 0, 'none is of the folder');
  t.equal((await get(`/folders/${cups}/${url.slice('/code-'.length)}`)).status, 404);
  t.equal((await post('/code-verifications', { ids: [leftOut!, deleted!] })).status, 404, 'all or none');
  t.equal((await post('/code-verifications', { ids: [] })).status, 400);

  await sql`update codes set deleted_at = now() - interval '31 days' where account_id = ${id} and id = ${plate!}`;
  await purgeBin(sql, new Date());
  t.equal((await get(`${url}/receipt`)).status, 200, 'one of its codes is still there');
  await sql`update codes set deleted_at = now() - interval '31 days' where account_id = ${id} and id = ${cup!}`;
  await purgeBin(sql, new Date());
  t.equal((await get(`${url}/receipt`)).status, 404);
});

t.test('the same codes in another order are the same verification while it runs', async (t) => {
  const { folder, get, post, id } = await newAccount();
  const folderId = await folder([{ data: 'a' }, { data: 'b' }]);
  const ids = (await get(`/folders/${folderId}/codes`)).json.data.map((code) => code.id);
  const first = await post('/code-verifications', { ids });
  /** Makes all verifications of the account look as if another gateway worked on them. */
  const hold =
    () => sql`update verifications set state = 'running', finished_at = null, statement = null, jws = null,
    leased_until = now() + interval '10 minutes', lessee = ${RANDOM_ID} where account_id = ${id}`;
  await hold();
  const again = await post('/code-verifications', { ids: [...ids, ids[0]].reverse() });
  t.equal(again.json.id, first.json.id);
  t.not((await post('/code-verifications', { ids: ids.slice(1) })).json.id, first.json.id);
  t.equal((await post(`/folders/${folderId}/verifications`)).status, 202);
  await hold();
  t.match(
    await post('/code-verifications', { ids: ids.slice(0, 1) }),
    { status: 409, json: { error: 'Limit reached' } },
    'verifications of folders and of chosen codes count together',
  );
});
