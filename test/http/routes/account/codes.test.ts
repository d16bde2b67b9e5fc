/** Named codes, and operations on many codes at once. */
import { parse } from 'csv-parse/sync';
import t from 'tap';
import { until } from '../../../servers/until.ts';
import { sharedApp } from '../../../support/app/app.ts';
import { newClient, RANDOM_ID } from '../../../support/app/client.ts';
import { fieldsOf } from '../../../support/fields-of.ts';
import { readZip } from '../../../support/files/zip.ts';

const gateway = await sharedApp();

const newAccount = () => newClient(gateway, { credits: 1000 });

const follow = async (slug: string) => (await gateway.call({ method: 'HEAD', url: `/l/${slug}` })).status;

t.test('a code gets a name, by which it is found and sorted, and which its files carry', async (t) => {
  const { get, post, patch, bulk } = await newAccount();
  const { folderId, codes } = await bulk(['https://example.com/', 'plain', 'third'], 'Posters');
  const [first, second] = codes.map(({ id }) => id);
  const named = await patch(`/codes/${first}`, { name: '  Cafe\u0301 am Hafen ' });
  t.match(named.json, {
    id: first,
    name: 'Caf\u00e9 am Hafen',
    folder_id: folderId,
    content: 'https://example.com/',
  });
  await patch(`/codes/${second}`, { name: 'Aushang 2' });
  t.equal((await get(`/codes/${first}`)).json.name, 'Caf\u00e9 am Hafen');
  const names = async (query: string) => (await get(`/codes?${query}`)).json.data.map(({ name }) => name);
  t.strictSame(await names('sort=name'), ['Aushang 2', 'Caf\u00e9 am Hafen', null]);
  t.strictSame(await names('search=HAFEN'), ['Caf\u00e9 am Hafen']);
  const one = await get('/codes?sort=name&limit=1');
  const two = await get(`/codes?sort=name&limit=1&cursor=${one.json.next_cursor}`);
  t.equal(two.json.data[0]!.name, 'Caf\u00e9 am Hafen');
  t.match(await get(`/codes?cursor=${one.json.next_cursor}`), {
    status: 400,
    json: { details: /^cursor: / },
  });

  const files = await readZip((await get(`/folders/${folderId}/archive`)).bytes);
  t.strictSame(fieldsOf(files, 'name'), [
    'Caf\u00e9 am Hafen.png',
    'Aushang 2.png',
    '00003-third.png',
    'manifest.csv',
  ]);
  const [row] = parse(files.at(-1)!.bytes, { columns: true }) as Record<string, string>[];
  t.match(row, { name: 'Caf\u00e9 am Hafen', content: 'https://example.com/' });
  const { headers } = await get(`/codes/${first}/image`);
  t.equal(
    headers['content-disposition'],
    'inline; filename="Cafe am Hafen.png"; filename*=UTF-8\'\'Caf%C3%A9%20am%20Hafen.png',
  );

  t.equal((await patch(`/codes/${first}`, { name: null })).json.name, null);
  const names200 = ['x'.repeat(201), ' ', 'a\nb'].map((name) => ({ name }));
  for (const body of [{}, ...names200, { title: 'x' }, { content: 'x' }])
    t.equal((await patch(`/codes/${first}`, body)).status, 400, JSON.stringify(body));
  t.equal((await patch(`/codes/${RANDOM_ID}`, { name: 'x' })).status, 404);
  t.equal((await patch(`/codes/${first}`, { folder_id: RANDOM_ID })).status, 404);
  t.equal((await post('/codes/delete', { ids: [second] })).status, 200);
  t.equal((await get('/bin')).json.data[0]!.name, 'Aushang 2', 'the bin shows the name, too');
  t.equal((await patch(`/codes/${second}`, { name: 'x' })).status, 404, 'not while it is in the bin');
});

t.test('many codes are moved, deleted and restored together, or none is', async (t) => {
  const { get, post, patch, del, bulk, contents } = await newAccount();
  const other = await (await newAccount()).bulk(['theirs'], 'Other');
  const { folderId: a, codes } = await bulk(['https://example.com/1', 'two', 'three'], 'A');
  const { folderId: b } = await bulk(['four'], 'B');
  const ids = codes.map(({ id }) => id);
  const strangers = [
    [...ids, other.codes[0]!.id],
    [ids[0], RANDOM_ID],
  ];
  for (const wrong of strangers) {
    for (const path of ['move', 'delete', 'restore', 'archive', 'links-summary']) {
      const body = { ids: wrong, ...(path === 'move' && { folder_id: b }) };
      t.equal((await post(`/codes/${path}`, body)).status, 404, path);
    }
  }
  t.equal((await post('/codes/move', { ids, folder_id: other.folderId })).status, 404);
  t.equal((await post('/codes/delete', { ids: [] })).status, 400);
  t.equal((await post('/codes/delete', { ids: Array.from({ length: 1001 }, () => RANDOM_ID) })).status, 400);
  t.equal((await post('/codes/delete', { ids: Array.from({ length: 1000 }, () => RANDOM_ID) })).status, 404);
  t.strictSame(await contents(`/codes?folder_id=${a}&sort=oldest`), [
    'https://example.com/1',
    'two',
    'three',
  ]);

  const doubled = [ids[0]!, ids[0]!.toUpperCase(), ids[1]!];
  t.strictSame((await post('/codes/move', { ids: doubled, folder_id: b })).json, { codes: 2 });
  t.strictSame(await contents(`/codes?folder_id=${a}`), ['three']);
  t.equal((await get(`/folders/${b}`)).json.code_count, 3);
  t.equal((await patch(`/codes/${ids[0]}`, { folder_id: a, name: 'One' })).json.folder_id, a);

  const { slug } = codes[0]!;
  t.strictSame((await post('/codes/delete', { ids })).json, { codes: 3, links: 1 });
  await until(async () => (await follow(slug)) === 404);
  t.equal((await get('/bin')).json.data.length, 3);
  t.equal((await del(`/folders/${b}`)).status, 204);
  t.strictSame((await post('/codes/restore', { ids })).json, { codes: 3, links: 1 });
  await until(async () => (await follow(slug)) === 302);
  t.strictSame(
    fieldsOf((await get('/bin')).json.data, 'name'),
    ['B'],
    'a code whose folder is in the bin is restored into a new one',
  );

  const answer = await post('/codes/archive?format=svg', { ids: [ids[2], ids[0]] });
  t.match(answer.headers['content-disposition'], 'codes.zip');
  t.strictSame(
    fieldsOf(await readZip(answer.bytes), 'name'),
    ['One.svg', '00002-three.svg', 'manifest.csv'],
    'in the order in which they were created',
  );
});

t.test('codes are sorted by scans, and a summary counts scans before a deletion', async (t) => {
  const { get, post, bulk, contents } = await newAccount();
  const { folderId, codes } = await bulk(['https://example.com/1', 'two', 'https://example.com/3'], 'Menu');
  const agent = (name: string) => ({ 'user-agent': name });
  const phone = agent(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
  );
  for (const headers of [phone, phone, agent('Googlebot/2.1 (+http://www.google.com/bot.html)')])
    await gateway.call({ url: `/l/${codes[2]!.slug}`, headers });
  await gateway.call({ url: `/l/${codes[0]!.slug}`, headers: phone });
  const summary = async () => (await get(`/folders/${folderId}/links-summary`)).json;
  await until(async () => (await summary()).people === 3);
  t.match(await summary(), { links: 2, people: 3, bots: 1, previews: 0 });
  t.match((await post('/codes/links-summary', { ids: [codes[0]!.id, codes[1]!.id] })).json, {
    links: 1,
    people: 1,
    bots: 0,
  });
  t.strictSame(await contents('/codes?sort=scans'), [
    'https://example.com/3',
    'https://example.com/1',
    'two',
  ]);
  t.equal((await get(`/folders/${RANDOM_ID}/links-summary`)).status, 404);
});
