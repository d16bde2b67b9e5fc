/**
 * The resolver against the clauses of the GS1-Conformant Resolver Standard 1.2.0, tested in the way of GS1's own test
 * suite: it takes a Digital Link URI, gets its linkset, and requests every link in it.
 */
import { Ajv } from 'ajv';
import t from 'tap';
import { type Call, startApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';

const GTIN = '/01/09521321000018';
const ROOT = 'http://qr.test';
const VOC = 'https://ref.gs1.org/voc/';

interface Target {
  readonly href: string;
  readonly title: string;
  readonly hreflang?: readonly string[];
  readonly type?: string;
  readonly context?: readonly string[];
}
type Entry = { readonly anchor: string } & Readonly<Record<string, readonly Target[]>>;

const ajv = new Ajv({ strict: false });
/** The requirements of the published schema of linksets, and the description, as in the schema of the test suite. */
const isLinkset = ajv.compile({
  type: 'object',
  required: ['linkset'],
  additionalProperties: false,
  properties: {
    linkset: {
      type: 'array',
      items: {
        type: 'object',
        required: ['anchor', 'itemDescription'],
        additionalProperties: false,
        properties: {
          anchor: { type: 'string', pattern: '^https?://[a-zA-z0-9./]+' },
          itemDescription: { type: 'string' },
        },
        patternProperties: {
          '(?!(anchor|itemDescription))^([a-z-]+$)|(^https?://[a-zA-z0-9./]+$)': {
            type: 'array',
            items: {
              type: 'object',
              required: ['href', 'title'],
              additionalProperties: false,
              properties: {
                href: { type: 'string', pattern: '^https?://[a-zA-z0-9./]+' },
                title: { type: 'string' },
                hreflang: {
                  type: 'array',
                  items: { type: 'string', pattern: '(^\\w{2}$)|(^\\w{2}-\\w{2}$)' },
                },
                type: { type: 'string', pattern: '\\w+/[-+.\\w]+' },
                context: { type: 'array' },
              },
            },
          },
        },
      },
    },
  },
});

const KEYS = 'all 01 8006 8013 8010 410 411 412 413 414 415 417 8017 8018 255 00 253 401 402 8003 8004';
const isDescription = ajv.compile({
  type: 'object',
  required: ['resolverRoot', 'supportedPrimaryKeys'],
  properties: {
    resolverRoot: { type: 'string', pattern: '^https?://' },
    supportedPrimaryKeys: { type: 'array', items: { enum: KEYS.split(' ') } },
    name: { type: 'string' },
    supportedLinkType: {
      type: 'array',
      items: {
        properties: { namespace: { type: 'string' }, prefix: { pattern: '^[a-zA-Z_][A-Za-z0-9_-]*?:$' } },
      },
    },
    linkTypeDefaultCanBeLinkset: { type: 'boolean' },
    supportedContextValuesExternal: {
      type: 'array',
      items: { properties: { nameOfList: { type: 'string' }, url: { type: 'string' } } },
    },
    jsonLdContextLocation: { type: 'string' },
  },
});

const link = (rel: string, name: string, more: object = {}) => ({
  ...{ rel: `gs1:${rel}`, href: `https://brand.example/${name}`, title: name, ...more },
});
const html = { type: 'text/html' };
const pdf = { type: 'application/pdf' };

/** Links of each kind of the suite: single, by language, by media type, by context, and indistinguishable. */
const PRODUCT = [
  link('pip', 'en', { ...html, hreflang: ['en'], is_default: true }),
  link('pip', 'fr', { ...html, hreflang: ['fr'] }),
  link('pip', 'data', { type: 'application/ld+json' }),
  link('certificationInfo', 'certificates', html),
  link('certificationInfo', 'certificate-fr', { ...html, hreflang: ['fr'] }),
  link('certificationInfo', 'roadmap', html),
  link('certificationInfo', 'another', pdf),
  link('certificationInfo', 'another-en', { ...pdf, hreflang: ['en'] }),
  link('certificationInfo', 'another-lk', { ...pdf, hreflang: ['en'], context: ['LK'] }),
  link('instructions', 'recycling?step=1', { ...html, hreflang: ['en', 'de'] }),
  link('recallStatus', 'recall'),
  { rel: 'https://schema.org/review', href: 'https://brand.example/review', title: 'Reviews' },
];

const { call, account } = await startApp(t, { RESOLVER: 'on', PUBLIC_URL: ROOT });
const client = await newClient({ call, account });
for (const [key, links] of [
  ['(01)09521321000018', PRODUCT],
  ['(01)09521321000018(10)A/7', [link('recallStatus', 'recall-a7'), link('traceability', 'lot')]],
  ['(01)09521321000018(21)S1', [link('dpp', 'passport', { is_default: true })]],
  ['(414)9521321000018', [link('locationInfo', 'place'), link('openingHoursInfo', 'hours')]],
  ['(414)9521321000018(254)GATE1', [link('locationInfo', 'gate', { is_default: true })]],
  ['(00)095213210000000018', [link('logisticsInfo', 'pallet')]],
] as const) {
  const { status, text } = await client.post('/resolver/items', { key, links });
  if (status !== 201) throw new Error(`${key}: ${text}`);
}

const ask = (url: string, headers: Call['headers'] = {}, method: Call['method'] = 'GET') =>
  call({ method, url, headers });
const locationOf = ({ headers }: Awaited<ReturnType<typeof ask>>) => headers.location;
const linksetAt = async (url: string) => {
  const { text } = await ask(url, { accept: 'application/linkset+json' });
  return (JSON.parse(text) as { linkset: readonly Entry[] }).linkset;
};

/** The suite ignores `linkType` in the redirect target. */
const without = (address: unknown, linkType: string) =>
  String(address).replace(new RegExp(`[?&]linkType=${encodeURIComponent(linkType)}.*$`), '');

const URIS = {
  GTIN,
  'GTIN and lot': `${GTIN}/10/A%2F7`,
  'GTIN and serial': `${GTIN}/21/S1`,
  'an unknown serial': `${GTIN}/21/unknown`,
  GLN: '/414/9521321000018',
  'GLN with extension': '/414/9521321000018/254/GATE1',
  SSCC: '/00/095213210000000018',
};

for (const [name, uri] of Object.entries(URIS)) {
  t.test(`${name} is resolved as the standard requires`, async (t) => {
    const plain = await ask(uri);

    t.test('2.2: GET, HEAD and OPTIONS are answered, for pages of any origin', async (t) => {
      t.equal(plain.status, 307);
      const head = await ask(uri, {}, 'HEAD');
      t.strictSame([head.status, locationOf(head), head.text], [307, locationOf(plain), '']);
      const options = await ask(uri, { origin: 'https://ref.gs1.org' }, 'OPTIONS');
      t.equal(options.status, 204);
      for (const { headers } of [plain, head, options]) {
        t.equal(headers['access-control-allow-origin'], '*');
      }
      t.equal(options.headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS');
      t.equal(options.headers.link, plain.headers.link);
      t.equal((await ask(uri, {}, 'POST')).status, 405);
    });

    t.test('2.4.1: a syntax error is a 400 for every kind of client', async (t) => {
      for (const accept of ['*/*', 'text/html', 'application/linkset+json']) {
        t.equal((await ask(`${uri}/foo`, { accept })).status, 400, accept);
        t.equal((await ask(`${uri}/99/foo`, { accept })).status, 400, accept);
      }
      t.equal((await ask(`${uri}?01=1`)).status, 400);
    });

    t.test('2.9: the linkset is returned without a redirect, by linkType or by Accept', async (t) => {
      const byType = await ask(`${uri}?linkType=linkset`, { accept: '*/*' });
      const byAccept = await ask(uri, { accept: 'application/linkset+json' });
      const byBoth = await ask(`${uri}?linkType=all`, { accept: 'application/linkset+json' });
      for (const { status, headers, json } of [byType, byAccept, byBoth]) {
        t.equal(status, 200);
        t.equal(headers['content-type'], 'application/linkset+json');
        t.match(headers.vary, /Accept/);
        t.ok(isLinkset(json), ajv.errorsText(isLinkset.errors));
        t.match(
          headers.link,
          /rel="http:\/\/www\.w3\.org\/ns\/json-ld#context"; type="application\/ld\+json"/,
        );
      }
      t.strictSame(byType.json, byAccept.json);
      const json = await ask(`${uri}?linkType=linkset`, { accept: 'application/json' });
      t.strictSame([json.headers['content-type'], json.json], ['application/json', byType.json]);
      const jsonLd = await ask(`${uri}?linkType=linkset`, { accept: 'application/ld+json' });
      t.match(jsonLd.json, { '@context': 'https://ref.gs1.org/standards/resolver/linkset-context' });
      for (const accept of [undefined, 'text/html']) {
        const page = await ask(`${uri}?linkType=linkset`, accept === undefined ? {} : { accept });
        t.equal(page.headers['content-type'], 'text/html; charset=utf-8');
        const [, embedded = ''] = /<script type="application\/ld\+json">(.*)<\/script>/.exec(page.text) ?? [];
        t.strictSame(JSON.parse(embedded), jsonLd.json);
      }
    });

    t.test('2.10: a redirect has a Link header with the linkset and no other links', async (t) => {
      const [, address, rest] = /^<([^>]+)>(.*)$/.exec(String(plain.headers.link)) ?? [];
      t.match(rest, /; rel="linkset"; type="application\/linkset\+json"/);
      t.notMatch(rest, /,/);
      const { pathname, search, origin } = new URL(String(address));
      t.equal(origin, ROOT);
      const named = await ask(pathname + search, { accept: 'application/linkset+json' });
      t.strictSame((named.json as unknown as { linkset: unknown }).linkset, await linksetAt(uri));
    });

    t.test('2.5.8: there is one default link, at the most specific level that has any', async (t) => {
      const levels = (await linksetAt(uri)).filter((entry) => entry[`${VOC}defaultLink`] !== undefined);
      const [byDefault, ...others] = levels[0]![`${VOC}defaultLink`]!;
      t.strictSame(others, []);
      t.strictSame(Object.keys(byDefault!), ['href', 'title']);
      t.equal(locationOf(plain), byDefault!.href);
      const { [`${VOC}defaultLink`]: _, ...described } = levels[0]!;
      t.ok(
        Object.values(described)
          .flat()
          .some((target) => (target as Target).href === byDefault!.href),
      );
    });

    t.test('2.6.2 and 2.6.3: each link is found by its type and its distinguishing attributes', async (t) => {
      const seen = new Set<string>();
      for (const { anchor: _, itemDescription: __, ...types } of await linksetAt(uri))
        for (const [type, targets] of Object.entries(types) as [string, readonly Target[]][]) {
          if (type === `${VOC}defaultLink` || seen.has(type)) continue;
          seen.add(type);
          const rel = type.replace(VOC, 'gs1:');
          const attributes = targets.map(({ type, hreflang, context }) =>
            JSON.stringify([type, hreflang, context]),
          );
          for (const [i, target] of targets.entries()) {
            const isMulti = rel === 'gs1:defaultLinkMulti';
            const query = isMulti ? '?' : `?linkType=${encodeURIComponent(rel)}`;
            const context = target.context === undefined ? '' : `&context=${target.context[0]}`;
            const found = await ask(uri + query + context, {
              accept: String(target.type),
              ...(target.hreflang !== undefined && { 'accept-language': target.hreflang[0]! }),
            });
            const isAlone = attributes.filter((each) => each === attributes[i]).length === 1;
            t.equal(found.status, isAlone || isMulti ? 307 : 300, `${rel} ${attributes[i]}`);
            if (isAlone) t.equal(without(locationOf(found), rel), target.href);
            else t.ok(isLinkset((await ask(uri + query, { accept: 'application/json' })).json) || isMulti);
          }
        }
      t.ok(seen.size > 0);
      t.equal((await ask(`${uri}?linkType=gs1:nosuchlt`)).status, 404);
    });

    t.test('2.12: the whole query is passed on', async (t) => {
      for (const query of ['foo=bar', 'a=1&a=2&b=%20;c', 'y=1&linkType=linkset2', 'x=%7By%7D']) {
        const { status, headers } = await ask(`${uri}?${query}`);
        if (query.includes('linkset2')) t.equal(status, 404);
        else t.equal(headers.location, `${locationOf(plain)}?${query}`);
      }
    });

    t.test('2.13: a trailing slash is ignored', async (t) => {
      const slash = await ask(`${uri}/`);
      t.strictSame([slash.status, locationOf(slash)], [plain.status, locationOf(plain)]);
      t.equal((await ask(`${uri}//`)).status, 400);
    });
  });
}

t.test('2.5.9: a qualifier with an unknown value falls back to the levels above it', async (t) => {
  const { href } = (await linksetAt(GTIN))[0]![`${VOC}defaultLink`]![0]!;
  for (const path of ['/10/KL8G', '/22/V/10/B/21/X', '/235/T', '/21/S2'])
    t.equal(locationOf(await ask(GTIN + path)), href, path);
  t.equal((await ask('/414/9521321000018/254/KL8G')).status, 307);
});

t.test('2.5.9: a linkset has all combinations of qualifiers, the most specific first', async (t) => {
  const anchors = (await linksetAt(`${GTIN}/10/A%2F7/21/S1`)).map(({ anchor }) => anchor);
  t.strictSame(anchors, [`${ROOT}${GTIN}/21/S1`, `${ROOT}${GTIN}/10/A%2F7`, `${ROOT}${GTIN}`]);
  t.equal(locationOf(await ask(`${GTIN}/10/A%2F7/21/S1`)), 'https://brand.example/passport');
});

t.test('2.4: invalid URIs are refused, and unknown ones are a 404', async (t) => {
  for (const path of [
    '/01/09521321000010',
    `${GTIN}/21/S1/10/A`,
    `${GTIN}/17/261231`,
    `${GTIN}/10`,
    `/01/09521321000018${GTIN}`,
    `${GTIN}/10/%E4`,
    `${GTIN}/10/A%zz`,
    '/01/',
    `${GTIN}?17=269931`,
  ])
    t.equal((await ask(path)).status, 400, path);
  for (const path of ['/01/09521321000025', '/00/095213210000000025', '/gtin/09521321000018', '/eh3016'])
    t.equal((await ask(path)).status, 404, path);
  t.equal((await ask('/01/9521321000018')).status, 307, 'a GTIN of 13 digits');
});

t.test('2.7: a choice is offered only when preferences do not decide', async (t) => {
  const browser = {
    accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
    'accept-language': 'fr-CH,fr;q=0.9,en;q=0.8',
  };
  t.equal(locationOf(await ask(GTIN, browser)), 'https://brand.example/fr');
  t.equal(
    locationOf(await ask(GTIN, { ...browser, 'accept-language': 'pt-BR' })),
    'https://brand.example/en',
  );
  const ofType = await ask(`${GTIN}?linkType=gs1:pip`);
  for (const query of ['linktype=gs1:pip', 'linktype=gs1:PIP', 'linkType=GS1:pip'])
    t.match(locationOf(await ask(`${GTIN}?${query}`)), /\/en\?/, query);
  t.equal((await ask(`${GTIN}?linktype=gs1:nosuchlt`)).status, 404);
  t.match((await ask(`${GTIN}?linktype=linkset`)).headers['content-type'], /linkset\+json|text\/html/);
  t.match(locationOf(ofType), /\/en\?/, 'the default link decides');
  const choices = await ask(`${GTIN}?linkType=gs1:certificationInfo`, browser);
  t.equal(choices.status, 307, 'one of them is French');
  const open = await ask(`${GTIN}?linkType=gs1:certificationInfo`, { accept: 'text/html' });
  t.equal(open.status, 300);
  t.match(open.text, /roadmap/);
  t.notMatch(open.text, /another/);
});

t.test('3: the resolver describes itself', async (t) => {
  const { status, headers, text } = await ask('/.well-known/gs1resolver', { accept: 'application/json' });
  t.strictSame([status, headers['content-type']], [200, 'application/json']);
  t.ok(isDescription(JSON.parse(text)), ajv.errorsText(isDescription.errors));
  t.match(JSON.parse(text), { resolverRoot: ROOT, supportsCompression: false });
  t.equal(headers['access-control-allow-origin'], '*');
});
