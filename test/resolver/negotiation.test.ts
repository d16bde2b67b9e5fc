/** Choosing the link for a request from its items and preferences. */
import fc from 'fast-check';
import t from 'tap';
import type { ItemLink } from '../../src/db/tables/items.ts';
import { applyChange } from '../../src/resolver/edit-items.ts';
import { bracketsOf, readKey, readRequest, toPathPrefix } from '../../src/resolver/key.ts';
import { LINK_TYPES, readRel } from '../../src/resolver/link-types.ts';
import { readLinks, settleDefault } from '../../src/resolver/links.ts';
import {
  addressOf,
  chooseLinks,
  type FoundItem,
  type Preferences,
  ranksOf,
  resolve,
} from '../../src/resolver/resolve.ts';
import { ok, refused } from '../../src/result.ts';

const RELS = ['gs1:pip', 'gs1:recallStatus', 'https://schema.org/review'];
const TYPES = ['text/html', 'application/pdf', 'application/json'];
const TAGS = ['en', 'fr', 'pt-BR', 'pt-PT'];

const link = fc.record<ItemLink>({
  rel: fc.constantFrom(...RELS),
  href: fc.nat(1e9).map((n) => `https://example.com/${n}`),
  title: fc.constant('A title'),
  hreflang: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 2 }),
  type: fc.constantFrom(null, ...TYPES),
  context: fc.uniqueArray(fc.constantFrom('DE', 'LK'), { maxLength: 1 }),
  isDefault: fc.constant(false),
});

const links = fc
  .tuple(fc.uniqueArray(link, { minLength: 1, maxLength: 8, selector: ({ href }) => href }), fc.nat())
  .map(([all, n]) => all.map((each, i) => ({ ...each, isDefault: i === n % all.length })));

const junk = fc.string({ unit: 'binary-ascii', maxLength: 30 });
const preferences = fc.record<Preferences>({
  accept: fc.oneof(fc.constantFrom(undefined, '*/*', 'undefined', 'text/html, */*;q=0.1', ...TYPES), junk),
  language: fc.oneof(fc.constantFrom(undefined, '*', 'fr;q=0.5, en', 'pt', 'de', ...TAGS), junk),
  context: fc.constantFrom(null, 'DE', 'LK', 'XX'),
});

const itemOf = (path: string, all: readonly ItemLink[]): FoundItem => ({
  path,
  slug: path,
  accountId: 'account',
  links: all,
});
const same = (one: ItemLink, other: ItemLink) =>
  ['type', 'hreflang', 'context'].every(
    (name) => JSON.stringify(one[name as 'type']) === JSON.stringify(other[name as 'type']),
  );

t.test('for any preferences, the answer is one or several links of the requested type', async (t) => {
  fc.assert(
    fc.property(links, preferences, fc.constantFrom(...RELS), (all, wished, rel) => {
      const answer = resolve([itemOf('/01/1', all)], rel, wished);
      const given =
        answer.kind === 'link' ? [answer.link] : answer.kind === 'choices' ? answer.item.links : [];
      const ofType = all.filter((each) => each.rel === rel);
      fc.pre(ofType.length > 0 || answer.kind === 'none');
      return given.length > 0 === ofType.length > 0 && given.every((each) => ofType.includes(each));
    }),
    { numRuns: 2000 },
  );
  t.pass();
});

t.test('without a type, the answer is the default link or a preferred one of its type', async (t) => {
  fc.assert(
    fc.property(links, preferences, (all, wished) => {
      const answer = resolve([itemOf('/01/1', all)], null, wished);
      const byDefault = all.find(({ isDefault }) => isDefault)!;
      return answer.kind === 'link' && answer.link.rel === byDefault.rel;
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(links, (all) => {
      const answer = resolve([itemOf('/01/1', all)], null, {
        accept: '*/*',
        language: undefined,
        context: null,
      });
      return answer.kind === 'link' && answer.link.isDefault;
    }),
    { numRuns: 500 },
  );
  t.pass();
});

t.test('a link whose attributes match the preferences is chosen, and no less suitable one', async (t) => {
  fc.assert(
    fc.property(links, fc.nat(), (all, n) => {
      const wanted = all[n % all.length]!;
      const { rel, type, hreflang, context } = wanted;
      const wished = { accept: type ?? undefined, language: hreflang[0], context: context[0] ?? null };
      const chosen = chooseLinks(
        all.filter((each) => each.rel === rel),
        ranksOf(wished),
      );
      // A link with two languages is also found by a request for only the first.
      return (
        chosen.includes(wanted) &&
        chosen.every((each) => each.hreflang.includes(hreflang[0]!) || same(each, wanted))
      );
    }),
    { numRuns: 2000 },
  );
  t.pass();
});

t.test('the order of the links affects only the order of choices', async (t) => {
  fc.assert(
    fc.property(links, preferences, fc.constantFrom(...RELS), (all, wished, rel) => {
      const of = (some: readonly ItemLink[]) => {
        const answer = resolve([itemOf('/01/1', some)], rel, wished);
        if (answer.kind === 'choices') return answer.item.links.map(({ href }) => href).sort();
        return answer.kind === 'link' ? answer.link.href : answer.kind;
      };
      return JSON.stringify(of(all)) === JSON.stringify(of(all.toReversed()));
    }),
    { numRuns: 1000 },
  );
  t.pass();
});

t.test('languages are matched by weight first, then by RFC 4647 lookup', async (t) => {
  const pages = ['en', 'pt-BR', 'pt'].map((tag) => ({
    ...{ rel: 'gs1:pip', href: `https://example.com/${tag}`, title: tag, hreflang: [tag] },
    ...{ type: null, context: [], isDefault: tag === 'en' },
  }));
  for (const [language, tag] of [
    ['pt-BR', 'pt-BR'],
    ['pt-PT', 'pt'],
    ['pt', 'pt'],
    ['pt;q=0.3, en;q=0.4', 'en'],
    ['EN-gb, pt', 'en'],
    ['en;q=0, pt-br', 'pt-BR'],
    ['de', 'en'],
    ['x'.repeat(2000), 'en'],
  ] as const) {
    const answer = resolve([itemOf('/01/1', pages)], 'gs1:pip', {
      accept: undefined,
      language,
      context: null,
    });
    t.match(answer, { kind: 'link', link: { title: tag } }, language.slice(0, 30));
  }
});

t.test('the most specific level with a link of the type decides', async (t) => {
  const one = (rel: string, href: string, isDefault: boolean): ItemLink => ({
    ...{ rel, href, title: href, hreflang: [], type: null, context: [], isDefault },
  });
  const none = { accept: undefined, language: undefined, context: null };
  const items = [
    itemOf('/01/1/10/A', [one('gs1:recallStatus', 'lot', false)]),
    itemOf('/01/1', [one('gs1:pip', 'pip', true), one('gs1:recallStatus', 'product', false)]),
  ];
  t.match(resolve(items, 'gs1:recallStatus', none), { link: { href: 'lot' } });
  t.match(resolve(items, null, none), { link: { href: 'pip' } });
  t.match(resolve(items, 'gs1:defaultLink', none), { link: { href: 'pip' } });
  t.match(resolve(items, 'gs1:faqs', none), { kind: 'none' });
  t.match(resolve([], null, none), { kind: 'none' });
});

t.test('a query is passed on, and never makes an address invalid as a header', async (t) => {
  for (const [href, query, expected] of [
    ['https://a.example/', '', 'https://a.example/'],
    ['https://a.example/', 'x=1', 'https://a.example/?x=1'],
    ['https://a.example/', 'x="<>\\^`{|}', 'https://a.example/?x=%22%3C%3E%5C%5E%60%7B%7C%7D'],
    ['https://a.example/?y=2#part', 'x=1', 'https://a.example/?y=2&x=1#part'],
    ['https://a.example/?', 'x=1', 'https://a.example/?x=1'],
    [
      'https://a.example/01/1?linkType=gs1:pip',
      'linkType=gs1:dpp&z',
      'https://a.example/01/1?linkType=gs1:pip&z',
    ],
    ['https://a.example/?context=DE', 'context=FR', 'https://a.example/?context=DE'],
    ['https://a.example/?y=?', 'context=FR', 'https://a.example/?y=?&context=FR'],
  ] as const)
    t.equal(addressOf(href, query), expected);
  fc.assert(
    fc.property(fc.webUrl(), fc.string({ unit: 'binary' }), (url, query) => {
      const { href, hash, origin, pathname } = new URL(url);
      const address = addressOf(href, query.toWellFormed());
      const led = new URL(address);
      return (
        /^[\x21-\x7e]+$/.test(address) &&
        led.origin === origin &&
        led.pathname === pathname &&
        address.endsWith(hash)
      );
    }),
    { numRuns: 1000 },
  );
});

t.test('a key has one canonical form, however it is written', async (t) => {
  const path = '/01/09521321000018/10/A%2F7';
  const key = { path, keyPath: '/01/09521321000018', shape: '10' };
  for (const text of [
    '(01)09521321000018(10)A/7',
    '(10)A/7(01)09521321000018',
    'https://brand.example/x/01/9521321000018/10/A%2f7',
    '010952132100001810A/7',
  ])
    t.strictSame(readKey(text), ok(key), text);
  for (const [text, path] of [
    ['09521321000018', '/01/09521321000018'],
    ['9521321000018', '/01/09521321000018'],
    ['9 521321 000018', '/01/09521321000018'],
    ['96385074', '/01/00000096385074'],
    ['9521321000018(10)L1', '/01/09521321000018/10/L1'],
    ['9521321000018(21){21}', '/01/09521321000018/21/%7B21%7D'],
    ['80041234567890', '/8004/1234567890'],
  ] as const)
    t.match(readKey(text), { ok: true, value: { path } }, text);
  t.equal(bracketsOf(path), '(01)09521321000018(10)A/7');
  for (const [text, fault] of [
    ['(01)09521321000018(10)A(21)S', /\(21\) names one unit by itself: leave out \(10\)/],
    ['(01)09521321000018(17)261231', /leave out the other AIs/],
    ['(10)A', /needs another AI/],
    ['(01)09521321000011', /check digit/],
    ['9521321000011', /the check digit must be 8, not 1/],
    ['952132100001', /check digit/],
    ['95213', /./],
    ['', /./],
  ] as const) {
    const read = readKey(text);
    t.match(read.ok ? '' : read.fault, fault, text);
  }
});

t.test('a prefix of a key finds the keys that start with it', async (t) => {
  for (const [text, prefix] of [
    ['', ''],
    ['09521321000018', '/01/09521321000018'],
    ['9521321000018', '/01/09521321000018'],
    ['0952', '/01/0952'],
    ['(01)0952', '/01/0952'],
    ['(01', '/01'],
    ['(01)09521321000018(10)A/', '/01/09521321000018/10/A%2F'],
    ['(01)09521321000018(10)A\\(', '/01/09521321000018/10/A%28'],
    ['https://id.gs1.org/414/9521321000018', '/414/9521321000018'],
    ['095213210000000018', '/00/095213210000000018'],
    ['juice', 'juice'],
    ['(01)\ud800', '~'],
  ] as const)
    t.equal(toPathPrefix(text), prefix, text);
});

t.test('the path of a request is parsed as a Digital Link URI, at every level', async (t) => {
  const read = readRequest('/01/09521321000018/22/V/10/B/21/S/', 'x=1&17=261231');
  t.strictSame(
    read.ok && read.value.levels.map(({ shape }) => shape).filter((shape) => !shape.includes('{')),
    ['21', '22,10', '10', '22', ''],
  );
  t.equal(read.ok && read.value.path, '/01/09521321000018/22/V/10/B/21/S');
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary-ascii', maxLength: 40 }),
      fc.string({ maxLength: 40 }),
      (rest, query) => {
        const asked = readRequest(`/01/09521321000018/${rest}`, query);
        return !asked.ok || asked.value.levels.every(({ path }) => path.startsWith('/01/09521321000018'));
      },
    ),
    { numRuns: 2000 },
  );
});

t.test('a link type is one of GS1 in any notation, or another IRI that is valid in a linkset', async (t) => {
  for (const written of [
    'gs1:pip',
    'https://gs1.org/voc/pip',
    'https://www.gs1.org/voc/pip',
    'https://ref.gs1.org/voc/pip',
  ])
    t.strictSame(readRel(written), ok('gs1:pip'), written);
  t.strictSame(readRel('https://schema.org/review'), ok('https://schema.org/review'));
  t.match(readRel('gs1:recalStatus'), refused(/did you mean gs1:recallStatus\?/));
  t.match(readRel('gs1:defaultLink'), refused(/is_default/));
  for (const written of [
    'pip',
    'gs1:',
    'https://example.com/a-b',
    'https://example.com/#x',
    'javascript:1',
    '',
  ])
    t.notOk(readRel(written).ok, written);
  t.equal(new Set(LINK_TYPES).size, 58);
});

t.test('links are validated field by field, and at most one is the default', async (t) => {
  const written = { rel: 'gs1:pip', href: 'https://example.com/', title: ' Juice ' };
  const check = (href: string) => (href.startsWith('https:') ? ok(href) : refused('must be an URL'));
  t.strictSame(
    readLinks([{ ...written, hreflang: ['EN', 'pt-br', 'en'], type: 'Text/HTML', context: ['DE'] }], check),
    ok([
      {
        ...{ rel: 'gs1:pip', href: 'https://example.com/', title: 'Juice', hreflang: ['en', 'pt-BR'] },
        ...{ type: 'text/html', context: ['DE'], isDefault: false },
      },
    ]),
  );
  for (const [field, value] of Object.entries({
    rel: 'gs1:nothing',
    href: 'javascript:alert(1)',
    title: 'a\nb',
    hreflang: ['zh-Hant'],
    type: 'html',
    context: ['a b'],
  }))
    t.match(readLinks([written, { ...written, [field]: value }], check), refused({ index: 1, field }));
  const read = readLinks([written, { ...written, is_default: true }], check);
  const all = read.ok ? read.value : [];
  const defaults = (some: readonly ItemLink[], isKey: boolean) => {
    const settled = settleDefault(some, isKey);
    return settled.ok ? settled.value.map(({ isDefault }) => isDefault) : settled.fault.message;
  };
  t.strictSame(defaults(all, true), [false, true]);
  t.strictSame(defaults(all.slice(0, 1), true), [true], 'the first link of a primary key');
  t.strictSame(defaults(all.slice(0, 1), false), [false], 'no link of a qualifier');
  t.match(defaults([all[1]!, all[1]!], false), /one link only/);
  t.match(
    defaults(
      Array.from({ length: 101 }, () => all[0]!),
      false,
    ),
    /at most 100/,
  );
  t.match(
    defaults(
      Array.from({ length: 9 }, () => ({ ...all[0]!, href: 'x'.repeat(2000) })),
      false,
    ),
    /at most 16384 bytes/,
  );
});

t.test('a bulk change replaces and removes types, and moves the default', async (t) => {
  const of = (rel: string, href: string, isDefault = false): ItemLink => ({
    ...{ rel, href, title: href, hreflang: [], type: null, context: [], isDefault },
  });
  const before = [of('gs1:pip', 'a', true), of('gs1:pip', 'b'), of('gs1:faqs', 'c')];
  const hrefs = (set: ItemLink[], remove: string[]) =>
    applyChange(before, { set, remove }).map(({ href, isDefault }) => href + (isDefault ? '*' : ''));
  t.strictSame(hrefs([of('gs1:pip', 'd')], []), ['c', 'd']);
  t.strictSame(hrefs([of('gs1:dpp', 'd', true)], ['gs1:faqs']), ['a', 'b', 'd*']);
  t.strictSame(hrefs([], ['gs1:pip', 'gs1:faqs']), []);
});

t.test('a language of a link is looked at once, however many ranges a request has', async (t) => {
  let looked = 0;
  const tag = {
    toLowerCase() {
      looked += 1;
      return 'de-at';
    },
  } as unknown as string;
  const pages = Array.from({ length: 50 }, (_, i) => ({
    ...{ rel: 'gs1:pip', href: `https://example.com/${i}`, title: `${i}`, hreflang: [tag, tag, tag] },
    ...{ type: null, context: [], isDefault: i === 0 },
  }));
  const language = Array.from({ length: 40 }, (_, i) => `x${String.fromCharCode(97 + (i % 20))}`).join();
  const ranks = ranksOf({ accept: undefined, language, context: null });
  t.equal(chooseLinks(pages, ranks).length, 50);
  t.equal(looked, 150);
  const late = { accept: undefined, language: `${'fr,'.repeat(20)}de-at`, context: null };
  t.equal(ranksOf(late)[1]!(pages[0]!), 0, 'ranges after the twentieth are ignored');
});
