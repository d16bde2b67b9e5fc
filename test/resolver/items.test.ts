/** Creating, changing and deleting items, and the answers of all gateways afterwards. */
import postgres from 'postgres';
import t from 'tap';
import { until, WITHIN_A_SECOND } from '../servers/until.ts';
import { type Answer, startApp } from '../support/app/app.ts';
import { newClient, RANDOM_ID } from '../support/app/client.ts';
import { PHONE_BROWSER } from '../support/browser/phone-browser.ts';
import { realDatabaseUrl } from '../support/database/database.ts';

interface Link {
  readonly rel: string;
  readonly href: string;
  readonly title: string;
  readonly is_default: boolean;
}
interface Item {
  readonly id: string;
  readonly key: string;
  readonly path: string;
  readonly url: string;
  readonly links: readonly Link[];
}
const itemOf = ({ json }: Pick<Answer, 'json'>) => json as unknown as Item;
const itemsOf = ({ json }: Answer) => json.data as unknown as readonly Item[];

/** Returns a new GTIN for each test. */
const gtinOf = (n: number): string => {
  const digits = `09521321${String(n).padStart(5, '0')}`;
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
};
const pip = (name: string, more: object = {}) => ({
  ...{ rel: 'gs1:pip', href: `https://brand.example/${name}`, title: name, ...more },
});

const databaseUrl = await realDatabaseUrl();
const app = await startApp(t, {
  RESOLVER: 'on',
  RESOLVER_ITEMS_PER_ACCOUNT_MAX: '1000',
  DATABASE_URL: databaseUrl,
});
const { call } = app;
const client = await newClient(app);
const { get, post, patch, del } = client;
const make = async (key: string, ...links: object[]) => {
  const made = await post('/resolver/items', { key, links: links.length > 0 ? links : [pip('page')] });
  if (made.status !== 201) throw new Error(made.text);
  return itemOf(made);
};
const follow = async (path: string) => (await call({ url: path })).headers.location;
const leadsTo = (path: string, name: string) =>
  until(async () => (await follow(path)) === `https://brand.example/${name}`, WITHIN_A_SECOND);
const sendTable = (lines: readonly string[], query = '', headers = {}) =>
  call({
    method: 'POST',
    url: `/api/v1/resolver/items/import${query}`,
    key: client.key,
    headers: { 'content-type': 'text/csv', ...headers },
    body: `${lines.join('\r\n')}\r\n`,
  });

t.test('an item is created, shown, listed, changed and deleted, and redirects follow', async (t) => {
  const gtin = gtinOf(1);
  const path = `/01/${gtin}`;
  t.equal((await call({ url: path })).status, 404);
  const made = await make(`(01)${gtin}`, pip('first', { hreflang: ['EN'], context: ['DE'] }), pip('second'));
  t.match(made, { key: `(01)${gtin}`, path, url: `http://qr.test${path}` });
  t.strictSame(made.links, [
    { ...pip('first'), hreflang: ['en'], type: null, context: ['DE'], is_default: true },
    { ...pip('second'), hreflang: [], type: null, context: [], is_default: false },
  ]);
  await leadsTo(path, 'first');
  const shown = await get(`/resolver/items/${made.id}`);
  t.strictSame(itemOf(shown), made);
  t.equal(String(shown.headers.etag).replace(/\..*"/, '"'), shown.json.etag);
  t.strictSame(itemsOf(await get(`/resolver/items?key=${gtin}`)), [made]);

  const edit = { links: [pip('third')] };
  t.equal((await patch(`/resolver/items/${made.id}`, edit, { 'if-match': '"other"' })).status, 412);
  const edited = await patch(`/resolver/items/${made.id}`, edit, { 'if-match': shown.json.etag });
  t.match(itemOf(edited).links, [{ title: 'third', is_default: true }]);
  await leadsTo(path, 'third');
  const history = (await get(`/resolver/items/${made.id}/history`)).json.data as unknown as readonly Item[];
  t.strictSame(
    history.map(({ links }) => links.map(({ title }) => title)),
    [['third'], ['first', 'second']],
  );
  await patch(`/resolver/items/${made.id}`, { links: history[1]!.links });
  await leadsTo(path, 'first');
  await patch(`/resolver/items/${made.id}`, { links: history[1]!.links });
  t.equal(
    (await get(`/resolver/items/${made.id}/history`)).json.data.length,
    3,
    'an edit without changes is not recorded',
  );

  t.equal((await del(`/resolver/items/${made.id}`)).status, 204);
  await until(async () => (await call({ url: path })).status === 404, WITHIN_A_SECOND);
  for (const place of ['', '/history', '/scans'])
    t.equal((await get(`/resolver/items/${made.id}${place}`)).status, 404);
});

t.test('an invalid item is refused with a fault that says how to fix it', async (t) => {
  const gtin = gtinOf(2);
  const key = `(01)${gtin}`;
  for (const [body, details] of [
    [
      { key: '(01)09521321000011', links: [pip('a')] },
      /^key: is not valid GS1 data: AI \(01\), character 18/,
    ],
    [{ key: `${key}(17)261231`, links: [pip('a')] }, /^key: may have a primary key and its qualifiers only/],
    [{ key: `${key}(10)A(21)B`, links: [pip('a')] }, /^key: \(21\) names one unit by itself/],
    [{ key, links: [] }, /^links: /],
    [{ key, links: [pip('a'), pip('b', { rel: 'gs1:pipp' })] }, /^links\.1\.rel: .*did you mean gs1:pip\?/],
    [{ key, links: [pip('a', { href: 'javascript:alert(1)' })] }, /^links\.0\.href: must be an absolute/],
    [
      { key, links: [pip('a', { href: `http://qr.test/01/${gtin}` })] },
      /^links\.0\.href: .*our own resolver/,
    ],
    [{ key, links: [pip('a', { href: 'http://qr.test/l/abcdefgh' })] }, /^links\.0\.href: .*own short links/],
    ...[
      'https://brand.example/pil?serial={serialnumber}',
      'https://brand.example/{210}/x',
      'https://brand.example/%7Bserialnumber%7D',
      'https://brand.example/?s={{serial:08}}',
      'https://brand.example/#{serial number}',
    ].map((href) => [
      { key, links: [pip('a'), pip('b', { href })] },
      /^links\.1\.href: must not contain the placeholder (?:\{|%7B).*(?:\}|%7D): there are the AIs of the URI, such as \{21\} or \{serial\}/,
    ]),
    [
      { key, links: [pip('a', { is_default: true }), pip('b', { is_default: true })] },
      /^links\.1\.is_default: /,
    ],
    [{ key: `${key}(10)A`, links: [pip('a')] }, /^links: \(01\)\d+\(10\)A has no default link/],
    [{ key, links: [pip('a')], other: 1 }, /other/],
  ] as const) {
    const { status, json } = await post('/resolver/items', body);
    t.equal(status, 400, String(details));
    t.match(json.details, details);
  }
});

t.test('a primary key belongs to the account that has items of it', async (t) => {
  const other = await newClient(app);
  const gtin = gtinOf(3);
  const made = await make(`(01)${gtin}`);
  const lot = { key: `(01)${gtin}(10)L`, links: [pip('lot', { is_default: true })] };
  const taken = await other.post('/resolver/items', lot);
  t.match(
    [taken.status, taken.json],
    [409, { error: 'Name already taken', details: /belongs to another account/ }],
  );
  const again = await post('/resolver/items', { key: `https://id.gs1.org/01/${gtin}`, links: [pip('x')] });
  t.match([again.status, again.json.details], [409, /you have an item/]);
  for (const { status } of [
    await other.get(`/resolver/items/${made.id}`),
    await other.patch(`/resolver/items/${made.id}`, { links: [pip('x')] }),
    await other.del(`/resolver/items/${made.id}`),
    await other.get(`/resolver/items/${made.id}/history`),
    await other.get(`/resolver/items/${RANDOM_ID}`),
  ])
    t.equal(status, 404);
  t.strictSame(itemsOf(await other.get('/resolver/items')), []);
  t.equal(
    (await other.patch('/resolver/items', { ids: [made.id], change: { remove: ['gs1:faqs'] } })).status,
    400,
  );
  await del(`/resolver/items/${made.id}`);
  t.equal((await other.post('/resolver/items', lot)).status, 201);
});

t.test('when accounts create items of the same primary key at once, only one succeeds', async (t) => {
  const others = await Promise.all(Array.from({ length: 6 }, () => newClient(app)));
  const gtin = gtinOf(4);
  const answers = await Promise.all(
    others.map((each, i) =>
      each.post('/resolver/items', { key: `(01)${gtin}(10)L${i}`, links: [pip('x', { is_default: true })] }),
    ),
  );
  t.strictSame(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409]);
});

t.test('an item that provides the default link of others cannot be deleted', async (t) => {
  const gtin = gtinOf(5);
  const product = await make(`(01)${gtin}`);
  const lot = await make(`(01)${gtin}(10)L`, pip('lot', { rel: 'gs1:recallStatus' }));
  t.equal(await follow(`/01/${gtin}/10/L`), 'https://brand.example/page');
  const refused = await del(`/resolver/items/${product.id}`);
  t.match([refused.status, refused.json.details], [409, /\(10\)L has its default link from this item/]);
  await patch(`/resolver/items/${lot.id}`, { links: [pip('lot', { is_default: true })] });
  t.equal((await del(`/resolver/items/${product.id}`)).status, 204);
  const orphan = await patch(`/resolver/items/${lot.id}`, { links: [pip('lot')] });
  t.match([orphan.status, orphan.json.details], [400, /has no default link/]);
});

t.test('many items are changed at once, and the change can be undone', async (t) => {
  const gtin = gtinOf(7);
  const product = await make(`(01)${gtin}`, pip('page'), pip('faq', { rel: 'gs1:faqs' }));
  const lots = [];
  for (const lot of ['A', 'B'])
    lots.push(await make(`(01)${gtin}(10)${lot}`, pip(`lot-${lot}`, { is_default: true })));
  const change = {
    set: [pip('recall', { rel: 'gs1:recallStatus', is_default: true })],
    remove: ['gs1:faqs'],
  };
  const changed = await patch('/resolver/items', { key: `(01)${gtin}`, change });
  t.match(changed.json, { items: 3, changed: 3, change_id: /./ });
  await leadsTo(`/01/${gtin}/10/A`, 'recall');
  t.strictSame(
    itemOf(await get(`/resolver/items/${product.id}`)).links.map(({ title, is_default }) => [
      title,
      is_default,
    ]),
    [
      ['page', false],
      ['recall', true],
    ],
  );
  const none = await patch('/resolver/items', { ids: [product.id], change: { remove: ['gs1:faqs'] } });
  t.match(none.json, { items: 1, changed: 0, change_id: null });
  const all = { remove: ['gs1:pip', 'gs1:recallStatus'] };
  t.match((await patch('/resolver/items', { key: gtin, change: all })).json.details, /would have no link/);
  const undone = await post(`/resolver/changes/${changed.json.change_id}/undo`);
  t.match(undone.json, { items: 3, changed: 3 });
  await leadsTo(`/01/${gtin}/10/A`, 'lot-A');
  t.strictSame(itemOf(await get(`/resolver/items/${product.id}`)).links, product.links);
  t.equal((await post(`/resolver/changes/${RANDOM_ID}/undo`)).status, 404);
  for (const body of [
    { change },
    { ids: [product.id], key: gtin, change },
    { ids: [RANDOM_ID], change },
    { key: 'x', change },
  ])
    t.equal((await patch('/resolver/items', body)).status, 400);
});

t.test('what a change of many items removes must be link types that it does not set', async (t) => {
  const { id } = await make(`(01)${gtinOf(43)}`, pip('page'), pip('faq', { rel: 'gs1:faqs' }));
  const faqs = [pip('faqs', { rel: 'gs1:faqs' })];
  for (const [change, details] of [
    [
      { remove: ['gs1:faqs', 'gs1:faq'] },
      /^change\.remove\.1: must be a link type .*did you mean gs1:faqs\?/,
    ],
    [{ remove: ['gs1:defaultLink'] }, /^change\.remove\.0: must say what the link is about/],
    [
      { set: faqs, remove: ['gs1:pip', 'https://gs1.org/voc/faqs'] },
      /^change\.remove\.1: gs1:faqs is also in change\.set, which replaces all links of its types/,
    ],
  ] as const) {
    const refused = await patch('/resolver/items', { ids: [id], change });
    t.match([refused.status, refused.json.details], [400, details]);
  }
  const change = { remove: [' https://gs1.org/voc/faqs '] };
  const changed = await patch('/resolver/items', { ids: [id, id.toUpperCase()], change });
  t.match(changed.json, { items: 1, changed: 1 }, 'a repeated id counts once');
  const ids = Array.from({ length: 1000 }, () => RANDOM_ID);
  const many = await patch('/resolver/items', { ids, change });
  t.match([many.status, many.json.details], [400, 'ids.0: there is no such item']);
});

t.test('items are imported from a table, all or none, and exported to one', async (t) => {
  const [one, two] = [gtinOf(8), gtinOf(9)];
  const lines = [
    'GTIN;lot;rel;href;title;hreflang;type;context;default',
    `${one.slice(1)};;gs1:pip;https://brand.example/en;Juice;en;text/html;;yes`,
    `${one};;gs1:pip;https://brand.example/pt;Sumo;pt pt-BR;text/html;BR PT;`,
    `${one};"A/1";gs1:recallStatus;https://brand.example/recall;"Recall; now";;;;`,
    `${two};;gs1:pip;https://brand.example/two;=Two;;;;`,
  ];
  const tried = await sendTable(lines, '?dry_run=true');
  if (tried.status !== 200) t.comment(tried.text);
  t.match(tried.json, { rows: 4, items: 3, created: 3, changed: 0, change_id: null, dry_run: true });
  t.equal((await call({ url: `/01/${one}` })).status, 404);
  const headers = { 'idempotency-key': 'a-table' };
  const done = await sendTable(lines, '', headers);
  t.match(done.json, { rows: 4, items: 3, created: 3, changed: 0, dry_run: false });
  t.equal((await sendTable(lines, '', headers)).headers['idempotent-replayed'], 'true');
  await leadsTo(`/01/${one}`, 'en');
  t.equal(
    await follow(`/01/${one}/10/A%2F1?linkType=gs1:recallStatus`),
    'https://brand.example/recall?linkType=gs1:recallStatus',
  );
  const exported = (await get('/resolver/items.csv')).text.split('\r\n');
  t.equal(exported[0], 'key,rel,href,title,hreflang,type,context,default');
  t.ok(exported.includes(`(01)${one},gs1:pip,https://brand.example/pt,Sumo,pt pt-BR,text/html,BR PT,`));
  t.ok(exported.includes(`(01)${two},gs1:pip,https://brand.example/two,'=Two,,,,true`));
  const mine = exported.filter((line) => line.includes(one) || line.startsWith('key'));
  const all = [...mine, ...exported.filter((line) => line.includes(two))];
  t.match((await sendTable(all)).json, { items: 3, created: 0, changed: 0, change_id: null }, 'unchanged');
  const changed = await sendTable([
    ...mine.slice(0, 2),
    `(01)${gtinOf(10)},gs1:pip,https://brand.example/3,3,,,,`,
  ]);
  t.match(changed.json, { items: 2, created: 1, changed: 1, change_id: /./ });
  t.equal(itemsOf(await get(`/resolver/items?key=${one}`))[0]!.links.length, 1);
  await post(`/resolver/changes/${changed.json.change_id}/undo`);
  t.equal(itemsOf(await get(`/resolver/items?key=${one}`))[0]!.links.length, 2);
});

t.test('no number that accounts share is used up by a dry run or by a refused call', async (t) => {
  const sql = postgres(databaseUrl, { max: 1 });
  t.teardown(() => sql.end());
  const sequences = async () => [
    ...(await sql`
      select sequencename, data_type::text, last_value::text from pg_sequences where schemaname = 'public'
      order by 1`),
  ];
  const before = await sequences();
  t.ok(
    before.every(({ data_type }) => data_type === 'bigint'),
    'an account cannot use up a sequence',
  );
  const other = await newClient(app);
  const rivals = gtinOf(60);
  await other.post('/resolver/items', { key: `(01)${rivals}`, links: [pip('theirs')] });
  const known = await sequences();
  const row = (gtin: string, lot = '') => `${gtin},${lot},gs1:pip,https://brand.example/x,x,`;
  const head = 'gtin,lot,rel,href,title,default';
  const rows = Array.from({ length: 900 }, (_, i) => row(gtinOf(61), `L${i}`));
  t.match((await sendTable([head, row(gtinOf(61)), ...rows], '?dry_run=true')).json, { created: 901 });
  const many = Array.from({ length: 1001 }, (_, i) => row(gtinOf(61), `L${i}`));
  for (const query of ['', '?dry_run=true'])
    for (const [lines, status] of [
      [[head, row(gtinOf(62)), row(rivals)], 409],
      [[head, row(gtinOf(61)), ...many], 409],
      [[head, `${gtinOf(62)},A,gs1:pip,https://brand.example/x,x,no`], 400],
    ] as const)
      t.equal((await sendTable(lines, query)).status, status, query);
  t.strictSame(await sequences(), known);
  t.equal((await call({ url: `/01/${gtinOf(61)}` })).status, 404);
});

t.test('a slug that is taken is drawn again', async (t) => {
  const sql = postgres(databaseUrl, { max: 1 });
  const [{ drawing }] = await sql<[{ drawing: string }]>`
    select pg_get_expr(adbin, adrelid) as drawing from pg_attrdef
    where adrelid = 'resolver_items'::regclass and pg_get_expr(adbin, adrelid) like '%uuid_send%'`;
  t.teardown(async () => {
    await sql.unsafe(`alter table resolver_items alter column slug set default ${drawing}`);
    await sql.end();
  });
  const { key } = await make(`(01)${gtinOf(63)}`);
  await sql.unsafe(`
    create sequence draws;
    create function drawn() returns text language sql volatile as $$
      select case when nextval('draws') = 1
        then (select slug from resolver_items where path = '/01/${gtinOf(63)}') else '_second_' end $$;
    alter table resolver_items alter column slug set default drawn()`);
  const { key: other } = await make(`(01)${gtinOf(64)}`);
  t.not(other, key);
  const [drawn] = await sql`select slug from resolver_items where path = ${`/01/${gtinOf(64)}`}`;
  t.equal(drawn?.slug, '_second_');
});

t.test(
  'braces that are no placeholder may stand in an address, and a placeholder in no change of it',
  async (t) => {
    const key = `(01)${gtinOf(12)}`;
    const guid = 'https://brand.example/?d={550e8400-e29b-41d4-a716-446655440000}&f=%7B%22a%22%3A1%7D';
    const { status, json } = await post('/resolver/items', { key, links: [pip('a', { href: guid })] });
    t.equal(status, 201);
    const links = [pip('a', { href: 'https://brand.example/{serialnumber}' })];
    const refusals = [
      await patch(`/resolver/items/${json.id}`, { links }),
      await patch('/resolver/items', { ids: [json.id], change: { set: links } }),
      await sendTable(['key,rel,href,title', `${key},gs1:pip,${links[0]!.href},x`]),
    ];
    for (const refused of refusals) t.match(refused, { status: 400, json: { details: /\{serialnumber\}/ } });
  },
);

t.test('an invalid table is refused with up to ten faults and their rows', async (t) => {
  const row = (more: string) => `${gtinOf(11)},${more}`;
  const { status, json } = await sendTable([
    'gtin,rel,href,title',
    row('gs1:pip,https://brand.example/,fine'),
    row('gs1:pip,ftp://brand.example/,a'),
    row('gs1:nothing,https://brand.example/,b'),
    '123,gs1:pip,https://brand.example/,c',
    ...Array.from({ length: 20 }, () => row('gs1:pip,https://brand.example/,')),
  ]);
  t.equal(status, 400);
  t.equal(json.faults?.length, 10);
  t.strictSame(
    json.faults?.slice(0, 4).map(({ field }) => field),
    ['row 3, href', 'row 4, rel', 'row 5, gtin', 'row 6, title'],
  );
  t.equal((await call({ url: `/01/${gtinOf(11)}` })).status, 404);
  for (const [lines, details] of [
    [[], /body: has no rows/],
    [['key,rel,href'], /row 1: the column "title" is missing/],
    [['rel,href,title'], /row 1: a column "key" is missing/],
    [['keys,rel,href,title'], /row 1: there is no column "keys" \(did you mean "key"\?\)/],
    [['key,rel,href,title', '(01)1,"x'], /^row \d/],
    [
      ['gtin,rel,href,title', '95213210000,gs1:pip,https://brand.example/,x'],
      /^row 2, gtin: .*a spreadsheet has probably removed leading zeros/,
    ],
    [['key,rel,href,title', ...Array.from({ length: 10_001 }, () => ',,,x')], /more than 10000 rows/],
  ] as const) {
    const refused = await sendTable(lines);
    t.equal(refused.status, 400, String(details));
    t.match(refused.json.details, details);
  }
  t.equal((await post('/resolver/items/import', { items: [] })).status, 415);
});

t.test('items are listed in pages, sorted by key', async (t) => {
  const some = await newClient(app);
  const keys = Array.from({ length: 5 }, (_, i) => `(01)${gtinOf(20)}(10)${'%'.repeat(19)}${i}`);
  for (const key of keys.toReversed())
    await some.post('/resolver/items', { key, links: [pip('x', { is_default: true })] });
  const found: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await some.get(`/resolver/items?key=%2801%29&limit=2${cursor && `&cursor=${cursor}`}`);
    found.push(...itemsOf(page).map(({ key }) => key));
    if (page.json.next_cursor === null) break;
    cursor = page.json.next_cursor;
  }
  t.strictSame(found, keys);
  t.equal((await some.get('/resolver/items?cursor=abc')).status, 400);
  for (const key of ['%00', '%28%00', '%F0%9F%98%80', '%25', 'x', '~'])
    t.strictSame(itemsOf(await some.get(`/resolver/items?key=${key}`)), [], key);
  const change = { remove: ['gs1:faqs'] };
  t.equal((await some.patch('/resolver/items', { key: '(01)\ud800', change })).status, 400);
});

t.test('a redirect counts as a scan of the most specific item; other requests do not count', async (t) => {
  const gtin = gtinOf(30);
  const product = await make(`(01)${gtin}`);
  const lot = await make(`(01)${gtin}(10)L`, pip('lot', { rel: 'gs1:recallStatus' }));
  const visit = (url: string, method: 'GET' | 'HEAD' = 'GET', headers = {}) =>
    call({ method, url, headers: { 'user-agent': PHONE_BROWSER, ...headers } });
  await visit(`/01/${gtin}/10/L`);
  await visit(`/01/${gtin}/10/L`, 'HEAD');
  await visit(`/01/${gtin}/10/L?linkType=linkset`);
  await visit(`/01/${gtin}/10/L?linkType=gs1:nothing`);
  await visit(`/01/${gtin}/21/unknown`);
  await visit(`/01/${gtin}`);
  const countOf = async ({ id }: Item) => (await get(`/resolver/items/${id}`)).json.scan_count;
  await until(async () => (await countOf(product)) === 2, { deadlineMs: 10_000, pauseMs: 50 });
  const { json } = await get(`/resolver/items/${lot.id}/scans`);
  t.match(json, {
    totals: { people: 1, bots: 0, unique_visitors: 1 },
    breakdowns: { device: [{ value: 'mobile' }] },
  });
});

t.test('for an unknown item, people get a page and programs get JSON', async (t) => {
  const page = await call({ url: `/01/${gtinOf(40)}`, headers: { accept: 'text/html' } });
  t.match([page.status, page.headers['content-type']], [404, 'text/html; charset=utf-8']);
  const json = await call({ url: `/01/${gtinOf(40)}/` });
  t.match([json.status, json.json.error], [404, 'Not found']);
  const made = await make(
    `(01)${gtinOf(41)}`,
    pip('a', { title: '<b>"&' }),
    pip('b', { title: '</script>' }),
  );
  const list = await call({ url: `${made.path}?linkType=linkset`, headers: { accept: 'text/html' } });
  t.match(list.text, /<h1>&lt;b&gt;&quot;&amp;<\/h1>/);
  t.equal(list.text.split('</script>').length, 2, 'a title cannot end the script');
  t.match(list.headers['content-security-policy'], /default-src 'none'/);
});

t.test('the page of a linkset has a line for each title and language of an address', async (t) => {
  const href = 'https://brand.example/same';
  const made = await make(
    `(01)${gtinOf(42)}`,
    pip('Product', { href, hreflang: ['en'] }),
    pip('Recipes', { href, hreflang: ['de'], rel: 'gs1:recipeInfo' }),
    pip('Product', { href, hreflang: ['de', 'fr'] }),
    pip('Product', { href, hreflang: ['en'], rel: 'gs1:productSustainabilityInfo' }),
  );
  const { text } = await call({ url: `${made.path}?linkType=linkset`, headers: { accept: 'text/html' } });
  t.strictSame(
    [...text.matchAll(/<p><a href="https:\/\/brand\.example\/same"([^>]*)>(.*)<\/p>/g)].map(
      ([, ...parts]) => parts,
    ),
    [
      [' lang="en" hreflang="en"', 'Product</a> (en)'],
      ['', 'Product</a> (de, fr)'],
      [' lang="de" hreflang="de"', 'Recipes</a> (de)'],
    ],
  );
});

t.test('an address rests between its linksets, in proportion to what they took', async (t) => {
  const made = await make(`(01)${gtinOf(990)}`, pip('a'));
  app.app.gateway.meter.payerAt('127.0.0.1').spendTurn(100);
  const startedMs = performance.now();
  t.equal((await call({ url: `${made.path}?linkType=linkset` })).status, 200);
  t.ok(performance.now() - startedMs > 190, 'twice as long');
});
