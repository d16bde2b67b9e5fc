/** Rules as the fields of their form have them, and in words. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import type { Rule } from '../../src/dashboard/api/shapes.ts';
import { columnsOf } from '../../src/dashboard/screens/links/jobs/words.ts';
import {
  conditionsInWords,
  faultOfRule,
  toRule,
  toRuleTexts,
} from '../../src/dashboard/screens/links/rules/texts.ts';

/** Names and values of parameters: what the service keeps, apart from half characters. */
const text = (minLength: number) => fc.string({ minLength, maxLength: 12, unit: 'binary' });

const list = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { minLength: 1, maxLength: 4 });

const moment = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));

const conditions = fc.record(
  {
    device: fc.subarray(['ios', 'android', 'desktop'] as const, { minLength: 1 }),
    language: list(fc.constantFrom('de', 'de-CH', 'pt-BR', 'zh-Hant-TW')),
    country: list(fc.constantFrom('CH', 'DE', 'US')),
    region: list(fc.constantFrom('DE-BY', 'CH-ZH')),
    city: list(fc.constantFrom('Bern', 'Washington, D.C.', 'New York')),
    query: fc.dictionary(text(1), fc.uniqueArray(text(0), { maxLength: 3 }), {
      minKeys: 1,
      maxKeys: 3,
      noNullPrototype: true,
    }),
    time: fc.record(
      {
        zone: fc.constantFrom('Europe/Berlin', 'UTC'),
        weekdays: fc.subarray(['mon', 'wed', 'sun'] as const, { minLength: 1 }),
        from: clock,
        until: clock,
      },
      { requiredKeys: ['zone', 'weekdays'], noNullPrototype: true },
    ),
    date: fc.record({ from: moment, until: moment }, { requiredKeys: ['until'], noNullPrototype: true }),
    visit: fc.constantFrom('first' as const, 'later' as const),
    share_percent: fc.constantFrom(0.01, 33.3, 50, 99.99),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const rule = fc.record(
  {
    name: fc.constantFrom('a', 'swiss-german'),
    when: conditions,
    destination: fc.constantFrom('https://example.com/a', 'https://example.com/{slug}?a=b'),
  },
  { noNullPrototype: true },
) as fc.Arbitrary<Rule>;

t.test('a rule that is opened and saved is as it was', (t) => {
  fc.assert(
    fc.property(rule, (each) => {
      const texts = toRuleTexts(each);
      return isDeepStrictEqual(toRule(texts, each), each) && faultOfRule(texts) === null;
    }),
  );
  t.end();
});

t.test('parameters are typed one a line, as in addresses or as they are', (t) => {
  const read = (query: string) =>
    toRule({ ...toRuleTexts(null), conditions: ['query'], query }, null).when.query;
  t.strictSame(read('size=L\n size = XL \n\nutm_source'), { size: ['L', 'XL'], utm_source: [] });
  t.strictSame(read('a=50%\nb=a%20b%3D\nc=1=2\nd=1\nd'), { a: ['50%'], b: ['a b='], c: ['1=2'], d: [] });
  t.end();
});

t.test('conditions are told in words', (t) => {
  const told = conditionsInWords({
    device: ['ios', 'android'],
    country: ['CH'],
    language: ['de', 'x'],
    query: { size: ['L', 'M'], utm_source: [] },
    time: { zone: 'Europe/Berlin', weekdays: ['mon', 'fri'], until: '12:00' },
    share_percent: 33.3,
    visit: 'later',
  });
  t.strictSame(told, [
    'iOS or Android',
    'German or x',
    'Switzerland',
    'size=L or M, utm_source',
    'Mon, Fri 00:00–12:00 (Europe/Berlin)',
    'later visits of a day',
    '33.3% of the visitors',
  ]);
  t.end();
});

t.test('what can be seen to be wrong is said before the service is asked', (t) => {
  const texts = { ...toRuleTexts(null), destination: 'https://example.com/' };
  t.equal(faultOfRule({ ...texts, conditions: ['time'] }), 'Choose days, or enter a time.');
  t.equal(faultOfRule({ ...texts, conditions: ['time'], timeFrom: '08:00' }), null);
  t.equal(faultOfRule({ ...texts, conditions: ['date'] }), 'Enter a date.');
  t.match(faultOfRule({ ...texts, destination: 'menu' }), /whole address/);
  t.end();
});

t.test('columns by other names are typed one a line', (t) => {
  t.equal(
    columnsOf('destination = Long link\n\nslug=Back = half'),
    '{"destination":"Long link","slug":"Back = half"}',
  );
  t.equal(columnsOf(' \n'), '');
  t.end();
});
