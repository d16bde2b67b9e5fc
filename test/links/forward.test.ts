/** What visits add to the addresses of short links: values of placeholders, parameters and paths. */
import fc from 'fast-check';
import t from 'tap';
import type { Forward } from '../../src/db/tables/links.ts';
import { checkDestination, isRedirectable } from '../../src/links/destination.ts';
import {
  joinQueries,
  LINK_PLACEHOLDERS,
  parameterFinder,
  prepareDestination,
} from '../../src/links/forward.ts';
import { onceEach } from '../../src/links/template.ts';
import { visitOf } from '../../src/links/visit.ts';

const PUBLIC_URL = 'https://qr.example.com';
const SLUG = 'abcdefgh';
const NOTHING: Forward = { query: 'drop', path: false, utm: {} };

const check = (written: string) => checkDestination(written, PUBLIC_URL, LINK_PLACEHOLDERS);
const okOf = (written: string): string => {
  const checked = check(written);
  if (!checked.ok) throw new Error(`${written} ${checked.fault}`);
  return checked.value;
};

/** Where a visit of `/l/abcdefgh` and what follows leads. */
const leadsTo = (written: string, behind: string, forward: Partial<Forward> = {}): string => {
  const destination = okOf(written);
  const leads = prepareDestination(destination, { ...NOTHING, ...forward });
  return leads === null ? destination : leads(SLUG, visitOf(`/l/${SLUG}${behind}`, 2));
};

t.test('a host that a parser turns into the stand-in of a placeholder stays as it is', async (t) => {
  for (const host of ['zq0z', 'ｚｑ0ｚ', 'ZQ0Z', 'zq\u00ad0z', 'ｚｑ0ｚ.ｚｑq0ｚ', 'xn--zq0z'])
    for (const behind of ['{query.x}', '?a={query.x}', '#{query.x}']) {
      const checked = check(`https://${host}/${behind}`);
      if (!checked.ok) continue;
      const written = new URL(`https://${host}/`).host;
      t.equal(new URL(leadsTo(`https://${host}/${behind}`, '?x=evil.example')).host, written, host);
    }
});

t.test('a value is found once, however often and wherever an address names it', async (t) => {
  const asked: string[] = [];
  const fill = onceEach((name, place) => {
    asked.push(`${place} ${name}`);
    return '';
  });
  for (const place of ['path', 'query', 'path', 'query'] as const)
    for (const name of ['a', 'b', 'a']) fill(name, place);
  t.strictSame(asked, ['path a', 'path b', 'query a', 'query b']);
});

/** A dot segment has no place in a path. */
const asSegment = (value: string): string => (/^\.{1,2}$/.test(value) ? '' : value);

t.test('the rest of a path and the query are read from the target of a request', async (t) => {
  for (const [url, depth, visit] of [
    ['/l/a', 2, { rest: '', query: '' }],
    ['/l/a/', 2, { rest: '', query: '' }],
    ['/l/a/b/c?d=/e?f', 2, { rest: 'b/c', query: 'd=/e?f' }],
    ['/l/a?b=/c/d', 2, { rest: '', query: 'b=/c/d' }],
    ['/a/b%2Fc', 1, { rest: 'b%2Fc', query: '' }],
  ] as const)
    t.strictSame(visitOf(url, depth), visit, url);
});

t.test('placeholders are filled in where they stand', async (t) => {
  for (const [written, behind, address] of [
    ['https://brand.example/{slug}', '', 'https://brand.example/abcdefgh'],
    ['https://brand.example/{path}?x=1', '/a/b%2Fc', 'https://brand.example/a/b%2Fc?x=1'],
    ['https://brand.example/?p={path}', '/a/b', 'https://brand.example/?p=a%2Fb'],
    [
      'https://brand.example/p?s={query.s}#{query.t}',
      '?s=a+b&t=%C3%A9',
      'https://brand.example/p?s=a%20b#%C3%A9',
    ],
    ['https://brand.example/p?s={query.s}', '?S=1', 'https://brand.example/p?s='],
    ['https://brand.example/p?s={query.s}', '?s=100%', 'https://brand.example/p?s=100%25'],
    ['https://brand.example/p/{query.s}', '?s=%2e%2e', 'https://brand.example/p/'],
    ['https://brand.example/{21}/{lot}', '/01/09521321000018/10/L%2F1/21/A', 'https://brand.example/A/L%2F1'],
    ['https://brand.example/{serial}', '?21=A%26B', 'https://brand.example/A%26B'],
    ['https://brand.example/%7Bserialnumber%7D', '', 'https://brand.example/%7Bserialnumber%7D'],
    ['https://brand.example/?f={%22a%22:1}', '', 'https://brand.example/?f={%22a%22:1}'],
  ] as const)
    t.equal(leadsTo(written, behind), address, written);
});

t.test(
  'an address with a placeholder that nothing fills in is refused, naming those there are',
  async (t) => {
    for (const [written, fault] of [
      [
        'https://brand.example/{serialnumber}',
        /^must not contain the placeholder \{serialnumber\}: there are \{slug\}, \{path\}, .*%7B/,
      ],
      ['https://brand.example/{sluq}', /did you mean \{slug\}\?/],
      ['https://brand.example/?a={slug }', /placeholder \{slug \}/],
      ['https://brand.example/?a={{slug}}', /\{slug\} in single braces/],
      ['https://brand.example/%7Bslug%7D', /write \{slug\} to have it filled in/],
      ['https://brand.example{slug}/', /behind its host only/],
      ['https://{query.host}/', /behind its host only/],
      ['https://｛query.host｝/', /braces in its host/],
      ['https://a﹛path﹜/{path}', /braces in its host/],
      ['https://︷slug︸.example/', /braces in its host/],
      ['https://a:{slug}@brand.example/', /behind its host only/],
      ['{slug}://brand.example/', /absolute/],
      ['{slug}', /absolute/],
      [`${PUBLIC_URL}/{path}`, /our own address/],
      [`${PUBLIC_URL}/l/{slug}`, /our own short links/],
      [`https://brand.example/${'{slug}/'.repeat(51)}`, /at most 50 placeholders/],
    ] as const)
      t.match(check(written), { ok: false, fault }, written);
    t.match(check(`${PUBLIC_URL}/docs?from={slug}`), { ok: true });
  },
);

const VALUE = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '.',
    '..',
    '%2e',
    '%',
    'a+b',
    '/../',
    'https://evil.example/',
    '\r\nSet-Cookie: a=b',
    '&x=1#y',
    '{slug}',
  ),
);

t.test('any value of a parameter arrives decoded exactly once, wherever it stands', async () => {
  const encoders: ((value: string) => string)[] = [
    encodeURIComponent,
    (value) => new URLSearchParams({ value }).toString().slice('value='.length),
  ];
  fc.assert(
    fc.property(VALUE, fc.constantFrom(...encoders), (value, encode) => {
      const address = leadsTo(
        'https://brand.example/p/{query.v}/q?y={query.v}&z=1#f={query.v}',
        `?w=0&v=${encode(value)}`,
      );
      const url = new URL(address);
      const [, , segment, last] = url.pathname.split('/');
      return (
        url.origin === 'https://brand.example' &&
        decodeURIComponent(segment!) === asSegment(value) &&
        last === 'q' &&
        url.searchParams.get('y') === value &&
        url.searchParams.get('z') === '1' &&
        decodeURIComponent(url.hash) === `#f=${value}`
      );
    }),
  );
});

/** What Node may hand over: bytes as the characters of Latin-1. */
const SENT = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)),
    fc.constantFrom('/', '..', '%2e', '%0d%0a', '%', '\\', '#', '&', '=', '?', '@', '{slug}'),
  ),
  maxLength: 30,
});

t.test('nothing that is sent changes the host or leaves the folder, or is no part of a header', async () => {
  const templates = [
    'https://brand.example/shop/{path}',
    'https://brand.example/shop/a.{query.a}{query.b}/x?{query.a}=1#{path}',
    'https://brand.example/shop',
    'https://brand.example/shop/?a=1#b',
    'https://brand.example/shop/{21}/.{10}',
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...templates),
      SENT.map((sent) => sent.replaceAll('?', '')),
      SENT,
      fc.record({ query: fc.constantFrom('drop', 'keep-own', 'keep-theirs'), path: fc.boolean() }),
      (template, rest, query, forward) => {
        const address = leadsTo(template, `/${rest}?a=${query}&b=${rest}`, forward as Partial<Forward>);
        const url = new URL(address);
        return (
          isRedirectable(address) &&
          url.origin === 'https://brand.example' &&
          url.pathname.startsWith('/shop') &&
          url.username === ''
        );
      },
    ),
    { numRuns: 2000 },
  );
});

t.test('a destination stays byte for byte as it is when nothing is added', async () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (written) => {
      const checked = check(written);
      return !checked.ok || prepareDestination(checked.value, null) === null;
    }),
  );
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (written) => {
      const checked = check(written);
      const forward: Forward = { query: 'keep-own', path: true, utm: {} };
      return (
        !checked.ok ||
        prepareDestination(checked.value, forward)!(SLUG, { query: '', rest: '' }) === checked.value
      );
    }),
  );
});

t.test('what was accepted once is accepted again, unchanged', async () => {
  const part = fc.oneof(
    fc.constantFrom('{slug}', '{path}', '{query.x}', '{21}', '%7Bx%7D', '/', '?', '#', '&', '=', '..', 'é'),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const checked = check(`https://brand.example/${parts.join('')}`);
      return !checked.ok || okOf(checked.value) === checked.value;
    }),
  );
});

t.test('parameters of a visit are passed on, and those of one name win by choice', async (t) => {
  const destination = 'https://brand.example/p?a=1&b=2#f';
  const visit = '?b=3&c=%26';
  t.equal(leadsTo(destination, visit), destination);
  t.equal(leadsTo(destination, visit, { query: 'keep-own' }), 'https://brand.example/p?a=1&b=2&c=%26#f');
  t.equal(leadsTo(destination, visit, { query: 'keep-theirs' }), 'https://brand.example/p?a=1&b=3&c=%26#f');
  t.equal(
    leadsTo('https://brand.example/p', visit, { query: 'keep-own' }),
    'https://brand.example/p?b=3&c=%26',
  );
  const find = parameterFinder('a%5B0%5D=1&b&a[0]=2');
  t.strictSame(['a[0]', 'b', 'c'].map(find), ['1', '', ''], 'names are decoded, and the first one counts');

  const pairs = (query: string) => [...new URLSearchParams(query)];
  const parameter = fc
    .tuple(fc.constantFrom('a', 'b', 'ü', 'a b', 'c[]'), fc.string({ unit: 'grapheme', maxLength: 5 }))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const query = fc.array(parameter, { maxLength: 6 }).map((all) => all.join('&'));
  fc.assert(
    fc.property(query, query, (own, theirs) => {
      const names = (of: string) => new Set(pairs(of).map(([name]) => name));
      const without = (of: string, other: string) => pairs(of).filter(([name]) => !names(other).has(name));
      const expected = {
        'keep-own': [...pairs(own), ...without(theirs, own)],
        'keep-theirs': [...without(own, theirs), ...pairs(theirs)],
      };
      return (['keep-own', 'keep-theirs'] as const).every(
        (rule) => JSON.stringify(pairs(joinQueries(own, theirs, rule))) === JSON.stringify(expected[rule]),
      );
    }),
  );
});

t.test('the rest of the path is appended to that of the destination', async (t) => {
  for (const [destination, behind, address] of [
    ['https://brand.example', '/a/b', 'https://brand.example/a/b'],
    ['https://brand.example/p?x=1#f', '/a/', 'https://brand.example/p/a/?x=1#f'],
    ['https://brand.example/p/', '/%C3%A9?y=1', 'https://brand.example/p/%C3%A9'],
    ['https://brand.example/p', '//evil.example', 'https://brand.example/p//evil.example'],
    ['https://brand.example/p', '/../../x', 'https://brand.example/p///x'],
    ['https://brand.example/p', '/a\\..\\b', 'https://brand.example/p/a%5C..%5Cb'],
  ] as const)
    t.equal(leadsTo(destination, behind, { path: true }), address);
});

t.test(
  'parameters of web statistics replace those of the destination, and may have placeholders',
  async (t) => {
    const destination = 'https://brand.example/p?utm_source=old&a=1';
    const utm = { source: 'poster & more', content: 'at-{slug}-{query.x}' };
    t.equal(
      leadsTo(destination, '', { utm }),
      'https://brand.example/p?a=1&utm_source=poster%20%26%20more&utm_content=at-abcdefgh-',
    );
    t.equal(
      leadsTo(destination, '?x=1&utm_source=theirs', { utm, query: 'keep-theirs' }),
      'https://brand.example/p?a=1&utm_content=at-abcdefgh-1&x=1&utm_source=theirs',
    );
    t.equal(leadsTo('https://brand.example', '', { utm: { id: '7' } }), 'https://brand.example/?utm_id=7');
  },
);
