/** Decisions by rules against a model of them that was written from docs/api/link-rules.md. */
import fc from 'fast-check';
import t from 'tap';
import type { Conditions, Rule } from '../../src/db/tables/rules/rule.ts';
import { createScanClassifier } from '../../src/links/classify.ts';
import { decide, explain, readyRules } from '../../src/links/rules/decide.ts';
import { createVisitors, factsOf } from '../../src/links/rules/facts.ts';
import { networkOf } from '../../src/links/scan.ts';
import { type ModelVisit, modelRule } from './rules-model.ts';

const classify = createScanClassifier(100);

const USER_AGENTS = [
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'ios',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
    'ios',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
    'android',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
    'desktop',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'desktop',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'desktop'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', null],
  ['WhatsApp/2.23', null],
  ['', null],
] as const;
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Australia/Lord_Howe',
];
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const LANGUAGES = ['de', 'de-CH', 'DE-ch', 'en', 'en-GB', 'fr', 'zh-Hant', 'zh', 'd'];
const COUNTRIES = ['DE', 'CH', 'AT', 'FR'];
const REGIONS = ['DE-BY', 'DE-BE', 'CH-ZH'];
const CITIES = ['Munich', 'Zürich', 'berlin', 'BERLIN'];

const some = <T>(values: readonly T[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((numbers) => numbers.map((number) => String(number).padStart(2, '0')).join(':'));
const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
const part = fc.constantFrom('a', 'b', 'ä b', '1', '');

const conditions: fc.Arbitrary<Conditions> = fc
  .record(
    {
      device: some(['ios', 'android', 'desktop'] as const),
      language: some(LANGUAGES),
      country: some(COUNTRIES),
      region: some(REGIONS),
      city: some(CITIES),
      query: fc.dictionary(fc.constantFrom('a', 'utm', '__proto__'), fc.array(part, { maxLength: 2 }), {
        minKeys: 1,
      }),
      time: fc
        .record(
          { zone: fc.constantFrom(...ZONES), from: clock, until: clock, weekdays: some(WEEKDAYS) },
          { requiredKeys: ['zone', 'from'] },
        )
        .filter(({ from, until }) => from !== until && (until !== undefined || from !== '00:00')),
      date: fc.record({
        from: moment.map((at) => at.toISOString()),
        until: moment.map((at) => at.toISOString()),
      }),
      visit: fc.constantFrom('first', 'later'),
      share_percent: fc.double({ min: 0.01, max: 99.99, noNaN: true }),
    },
    { requiredKeys: [] },
  )
  // Few conditions, so that many rules fit.
  .chain((all) =>
    some(Object.keys(all).length === 0 ? ['none'] : Object.keys(all)).map(
      (names) =>
        Object.fromEntries(
          Object.entries(all).filter(([name]) => names.slice(0, 2).includes(name)),
        ) as Conditions,
    ),
  );
const ruleLists: fc.Arbitrary<readonly Rule[]> = fc
  .array(conditions, { maxLength: 6 })
  .map((whens) =>
    whens.map((when, at) => ({ name: `rule-${at}`, when, destination: `https://example.com/${at}` })),
  );

const element = fc
  .tuple(
    fc.constantFrom(...LANGUAGES, '*', 'xx-', '12'),
    fc.constantFrom('', ';q=0', ';q=0.8', '; q=0.9 ', ';q=1.000', ';Q=0.5', ';q=2', ';x=1', ';q=0.8;v=1'),
  )
  .map((parts) => parts.join(''));
const header = fc
  .array(element, { maxLength: 4 })
  .map((elements) => elements.join(', '))
  .map((text) => (text.length % 37 === 36 ? text + ' '.repeat(1000) : text));

const visits: fc.Arbitrary<ModelVisit & { readonly address: string }> = fc
  .record({
    at: moment,
    agent: fc.constantFrom(...USER_AGENTS),
    acceptLanguage: header,
    country: fc.constantFrom('', ...COUNTRIES),
    region: fc.constantFrom('', ...REGIONS),
    city: fc.constantFrom('', 'Munich', 'ZÜRICH', 'Berlin'),
    query: fc.array(fc.tuple(fc.constantFrom('a', 'utm', '__proto__', 'x'), part), { maxLength: 3 }),
    address: fc.oneof(fc.ipV4(), fc.ipV6()),
    visit: fc.constantFrom('first' as const, 'later' as const),
  })
  .map(({ agent: [userAgent, device], ...visit }) => ({
    ...visit,
    userAgent,
    device,
    network: networkOf(visit.address),
  }));

const productVisit = (visit: ModelVisit & { readonly address: string }, hasHeader: boolean) => {
  const { country, region, city } = visit;
  const facts = factsOf(
    {
      firstSlug: 'abcdefgh',
      headers: {
        'user-agent': visit.userAgent,
        'accept-language': visit.acceptLanguage,
        ...(hasHeader && country !== '' && { 'cf-ipcountry': country }),
      },
      address: visit.address,
      url: `/l/abcdefgh?${new URLSearchParams(visit.query as [string, string][])}`,
    },
    {
      classify,
      places: { placeOf: () => ({ country, region, city }) },
      visitors: { isFirst: () => visit.visit === 'first', note: () => {} },
    },
  );
  return { ...facts, atMs: visit.at.getTime() };
};

/** A million are decided by `npm run test:all`. */
const RUNS = process.env.TEST_SHORT === undefined ? 1_000_000 : 20_000;

t.test(
  'random visits to random rules are decided as the documentation says',
  { timeout: 3_600_000 },
  async (t) => {
    const fired = new Map<string | null, number>();
    const VISITS = 20;
    fc.assert(
      fc.property(ruleLists, fc.array(visits, { minLength: VISITS, maxLength: VISITS }), (rules, many) => {
        const ready = readyRules(rules);
        return many.every((visit, at) => {
          const expected = modelRule(rules, visit);
          const facts = productVisit(visit, at % 2 === 0);
          fired.set(expected, (fired.get(expected) ?? 0) + 1);
          const tried = explain(ready, facts);
          const last = tried.at(-1);
          const explained = last?.failed === null ? last.rule : null;
          return (decide(ready, facts)?.name ?? null) === expected && explained === expected;
        });
      }),
      { numRuns: RUNS / VISITS },
    );
    t.ok((fired.get('rule-0') ?? 0) > RUNS / 50, 'first rules fit often');
    t.ok((fired.get('rule-2') ?? 0) > RUNS / 200, 'later ones too');
  },
);

t.test('shares of visitors are as large as asked, and those of other names are independent', async (t) => {
  const ready = readyRules([
    { name: 'a', when: { share_percent: 33.3 }, destination: 'https://example.com/a' },
    { name: 'b', when: { share_percent: 50 }, destination: 'https://example.com/b' },
  ]);
  const visit = {
    at: new Date(),
    device: null,
    acceptLanguage: '',
    country: '',
    region: '',
    city: '',
    query: [],
    network: '',
    visit: 'first',
  } as const;
  const counts: Record<string, number> = {};
  for (let n = 0; n < 30_000; n += 1) {
    const address = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    const rule = decide(ready, productVisit({ ...visit, userAgent: 'x', address }, false))?.name ?? 'none';
    counts[rule] = (counts[rule] ?? 0) + 1;
  }
  for (const name of ['a', 'b', 'none'])
    t.ok(Math.abs(counts[name]! - 10_000) < 500, `${name}: ${counts[name]}`);
});

t.test('a visitor is first once a day and link, and the last ones are remembered', async (t) => {
  const visitors = createVisitors(3, () => 'salt');
  t.ok(visitors.isFirst('link', 'me'));
  t.ok(visitors.isFirst('link', 'me'), 'looking is no visit');
  visitors.note('link', 'me');
  t.notOk(visitors.isFirst('link', 'me'));
  t.ok(visitors.isFirst('other', 'me'));
  const tomorrow = Date.now() + 86_400_000;
  t.intercept(Date, 'now', { value: () => tomorrow });
  t.ok(visitors.isFirst('link', 'me'), 'the next day');
  for (const name of ['a', 'b', 'c', 'd']) visitors.note('link', name);
  t.ok(visitors.isFirst('link', 'a'));
  t.notOk(visitors.isFirst('link', 'd'));
});
