/** Items for any value of a qualifier, and targets that requests fill in. */
import fc from 'fast-check';
import t from 'tap';
import { checkDestination, isRedirectable } from '../../src/links/destination.ts';
import { readKey, readRequest } from '../../src/resolver/key.ts';
import { hrefOf, prepareLinks, TARGET_PLACEHOLDERS } from '../../src/resolver/templates.ts';
import { until, WITHIN_A_SECOND } from '../servers/until.ts';
import { startApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';

const KEY = '/01/09521321000018';
const LINK = {
  ...{ rel: 'gs1:pip', title: 'x', hreflang: [], type: null, context: [], isDefault: true },
} as const;

const fill = (href: string, path: string, query = ''): string => {
  const checked = checkDestination(href, 'https://qr.test', TARGET_PLACEHOLDERS);
  const asked = readRequest(path, query);
  if (!checked.ok) throw new Error(checked.fault);
  if (!asked.ok) throw new Error(asked.fault);
  return hrefOf(prepareLinks([{ ...LINK, href: checked.value }])[0]!, asked.value, query);
};

t.test('targets are filled in with what the URI holds', async (t) => {
  const path = `${KEY}/22/C/10/L%2F1/21/A%26B`;
  for (const [href, query, address] of [
    [
      'https://brand.example/{gtin}/{serial}?l={lot}',
      '',
      'https://brand.example/09521321000018/A%26B?l=L%2F1',
    ],
    ['https://brand.example/{01}/{21}?l={10}', '', 'https://brand.example/09521321000018/A%26B?l=L%2F1'],
    ['https://brand.example/{key}/{cpv}', '', 'https://brand.example/09521321000018/C'],
    ['https://brand.example{path}', '', null],
    ['https://brand.example/dl/{path}', '', `https://brand.example/dl${path}`],
    ['https://brand.example/?e={17}&f={expiry}', '17=271231', 'https://brand.example/?e=271231&f=271231'],
    ['https://brand.example/?c={query.campaign}', 'campaign=a+b', 'https://brand.example/?c=a%20b'],
    ['https://brand.example/?s={235}', '', 'https://brand.example/?s='],
  ] as const)
    if (address === null) t.throws(() => fill(href, path, query), /behind its host only/);
    else t.equal(fill(href, path, query), address, href);
});

/** The character set 82 of GS1, without the lone dots that no path can have. */
const SERIAL = fc
  .stringMatching(/^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,20}$/)
  .filter((text) => !/^\.{1,2}$/.test(text));

t.test('any serial number arrives decoded exactly once, and the host never changes', async () => {
  fc.assert(
    fc.property(SERIAL, (serial) => {
      const address = fill(
        'https://brand.example/p/{21}/q?s={serial}#s={21}',
        `${KEY}/21/${encodeURIComponent(serial)}`,
      );
      const url = new URL(address);
      return (
        isRedirectable(address) &&
        url.origin === 'https://brand.example' &&
        decodeURIComponent(url.pathname.split('/')[2]!) === serial &&
        url.searchParams.get('s') === serial &&
        decodeURIComponent(url.hash) === `#s=${serial}`
      );
    }),
  );
});

t.test('a key may be for any value of its qualifiers', async (t) => {
  const path = `${KEY}/21/%7B21%7D`;
  for (const key of [
    '(01)09521321000018(21){21}',
    '(01)09521321000018(21){serial}',
    `https://id.example${KEY}/21/{21}`,
    `https://id.example${path}`,
  ])
    t.strictSame(readKey(key), { ok: true, value: { path, keyPath: KEY, shape: '{21}' } }, key);
  t.match(readKey('(01)09521321000018(22)A(10){lot}'), { ok: true, value: { shape: '22,{10}' } });
  for (const [key, fault] of [
    ['(01)09521321000018(21){serialnumber}', /write \{21\} for any value of \(21\)/],
    ['(01)09521321000018(21){10}', /write \{21\}/],
    ['(01)09521321000018(21)A(21){21}', /\(21\) once/],
    ['(01)09521321000018(17){17}', /primary key and its qualifiers only/],
    ['(01)09521321000018(10){10}(21){21}', /names one unit by itself/],
    ['(01){01}', /not valid GS1 data/],
  ] as const)
    t.match(readKey(key), { ok: false, fault }, key);
});

t.test('the levels of a request are those of its values and then of any', async (t) => {
  const asked = readRequest(`${KEY}/22/C/10/L`, '');
  t.strictSame(
    asked.ok && asked.value.levels.map(({ shape, asked: up }) => `${shape} ${up.slice(KEY.length)}`),
    ['22,10', '{22},10', '22,{10}', '{22},{10}']
      .map((shape) => `${shape} /22/C/10/L`)
      .concat(['10 /10/L', '{10} /10/L', '22 /22/C', '{22} /22/C', ' ']),
  );
});

const app = await startApp(t, { RESOLVER: 'on', RESOLVER_ITEMS_PER_ACCOUNT_MAX: '3' });
const { call } = app;
const { post, get, patch } = await newClient(app);
const pip = (href: string, more: object = {}) => ({
  rel: 'gs1:pip',
  href,
  title: 'x',
  is_default: true,
  ...more,
});
const follow = async (path: string) => (await call({ url: path })).headers.location;

t.test('one item serves any number of serial numbers, and those with an item have their own', async (t) => {
  const key = '(01)09521321000018';
  await post('/resolver/items', { key, links: [pip('https://brand.example/{gtin}')] });
  const made = await post('/resolver/items', {
    key: `${key}(21){21}`,
    links: [pip('https://brand.example/pil?serial={serial}')],
  });
  t.match(made, { status: 201, json: { key: `${key}(21){21}`, path: `${KEY}/21/%7B21%7D` } }, made.text);
  await post('/resolver/items', { key: `${key}(21)SPECIAL`, links: [pip('https://brand.example/special')] });
  t.equal(
    (await post('/resolver/items', { key: `${key}(21)B`, links: [pip('https://x.example/')] })).status,
    409,
  );

  t.equal(await follow(KEY), 'https://brand.example/09521321000018');
  for (let n = 0; n < 50; n += 1)
    t.equal(await follow(`${KEY}/21/S${n}?a=1`), `https://brand.example/pil?serial=S${n}&a=1`);
  t.equal(await follow(`${KEY}/10/L/21/S1`), 'https://brand.example/pil?serial=S1');
  t.equal(await follow(`${KEY}/21/SPECIAL`), 'https://brand.example/special');
  t.equal(await follow(`${KEY}/21/%7B21%7D`), undefined, 'braces are no serial number');

  const { json } = await call({
    url: `${KEY}/21/S7?linkType=linkset`,
    headers: { accept: 'application/linkset+json' },
  });
  const { linkset } = json as unknown as { linkset: readonly Record<string, unknown>[] };
  t.match(linkset[0], { anchor: `http://qr.test${KEY}/21/S7` });
  t.match(JSON.stringify(linkset), /pil\?serial=S7/);
  t.notMatch(JSON.stringify(linkset), /[{]serial|%7B/);

  const id = (made.json as unknown as { id: string }).id;
  await patch(`/resolver/items/${id}`, { links: [pip('https://brand.example/{21}/new')] });
  await until(async () => (await follow(`${KEY}/21/S1`)) === 'https://brand.example/S1/new', WITHIN_A_SECOND);
  t.equal((await get(`/resolver/items?key=${encodeURIComponent(`${key}(21){21}`)}`)).json.data.length, 1);
  await patch(`/resolver/items/${id}`, {
    links: [pip(`https://brand.example/?q=${'{query.q}'.repeat(50)}`)],
  });
  await until(async () => (await follow(`${KEY}/21/S1`)) === 'https://brand.example/?q=', WITHIN_A_SECOND);
  for (const query of ['', '&linkType=linkset'])
    t.equal((await call({ url: `${KEY}/21/S1?q=${'x'.repeat(200)}${query}` })).status, 400, 'too long');
});

t.test('a table has items for any value, too', async (t) => {
  const other = await newClient(app);
  const body =
    'gtin,serial,rel,href,title,default\n9521321000117,{serial},gs1:pip,https://b.example/{21},x,true\n9521321000117,,gs1:pip,https://b.example/,x,true\n';
  const sent = await call({
    method: 'POST',
    url: '/api/v1/resolver/items/import',
    key: other.key,
    headers: { 'content-type': 'text/csv' },
    body,
  });
  t.equal(sent.status, 200, sent.text);
  t.equal(await follow('/01/09521321000117/21/A1'), 'https://b.example/A1');
  t.equal(
    (await post('/resolver/items', { key: '(01)09521321000117(21){21}', links: [pip('https://x.example/')] }))
      .status,
    409,
    "its key is the other account's",
  );
});
