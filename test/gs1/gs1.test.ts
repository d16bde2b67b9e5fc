import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { checkGs1, convertGs1, type Form, instanceKeyOf } from '../../src/gs1/check.ts';
import { identifierOf, listIdentifiers } from '../../src/gs1/dictionary.ts';
import { FAULTS_MAX, tellFault } from '../../src/gs1/fault.ts';
import { damage, pairsOf } from '../support/gs1.ts';
import { createRandom } from '../support/random.ts';

const convert = (text: string, form?: Form) => {
  const checked = checkGs1(text, form);
  if (!checked.ok) throw new Error(checked.fault.map(tellFault).join('; '));
  return convertGs1(checked.value);
};

const faultsOf = (text: string, form?: Form): readonly string[] => {
  const checked = checkGs1(text, form);
  return checked.ok ? [] : checked.fault.map(tellFault);
};

t.test('the three forms of the same data are equivalent', async (t) => {
  const expected = {
    elementString: '(01)09521321000018(10)A/B(21)7(17)261231',
    fnc1: '\u001d010952132100001810A/B\u001d217\u001d17261231',
    digitalLink: 'https://id.gs1.org/01/09521321000018/10/A%2FB/21/7?17=261231',
    gtin: '09521321000018',
  };
  t.strictSame(convert(expected.elementString), expected);
  t.strictSame(convert(expected.fnc1), expected);
  t.strictSame(convert(expected.digitalLink), expected);
  t.strictSame(convert(`]Q3${expected.fnc1.slice(1)}`), expected, 'as sent by a scanner');
  t.strictSame(convert(`]Q3${expected.fnc1}\u001d`), expected, 'with unnecessary separators');
});

t.test('the key of a single thing is the same in every form, and a kind of thing has none', async (t) => {
  const serial = '(01)09521321000018(21)A7';
  for (const text of [
    '(01)09521321000018(10)LOT(21)A7',
    '(21)A7(01)09521321000018',
    '\u001d010952132100001821A7',
    'https://brand.example/shop/01/9521321000018/21/A7?17=261231',
    'https://id.gs1.org/01/09521321000018/10/LOT/21/A7',
  ])
    t.equal(instanceKeyOf(text), serial, text);
  for (const [text, key] of [
    ['(00)395213210000000019', '(00)395213210000000019'],
    ['(8003)09521321000018A7', '(8003)09521321000018A7'],
    ['(8004)9521321A', '(8004)9521321A'],
    ['(8010)9521321A(8011)7', '(8010)9521321A(8011)7'],
    ['(8003)09521321000018', null],
    ['(8010)9521321A', null],
    ['(01)09521321000018(10)LOT', null],
    ['(414)9521321000018', null],
    ['https://example.com/menu', null],
  ] as const)
    t.equal(instanceKeyOf(text), key, text);
});

t.test('the form of a text is detected by its start, or given explicitly', async (t) => {
  for (const [text, form] of [
    ['(8002)1', 'brackets'],
    ['80021', 'fnc1'],
    ['\u001d80021', 'fnc1'],
    [']Q380021', 'fnc1'],
    ['HTTPS://example.com/8004/95213A', 'digital-link'],
  ] as const) {
    const checked = checkGs1(text);
    t.equal(checked.ok && checked.value.form, form, text);
  }
  t.match(faultsOf('(8002)1', 'digital-link'), [/has a host and a path/]);
});

t.test('a fault names the AI and the character, and says what to do', async (t) => {
  for (const [text, ...faults] of [
    [
      '(01)09521321000011',
      'AI (01), character 18: the check digit must be 8, not 1; compare all digits with the source',
    ],
    ['(01)0952132100001', 'AI (01), character 18: has 13 characters, but GTIN needs 14'],
    ['(01)09521321000018(10)', 'AI (10), character 23: has 0 characters, but BATCH/LOT needs 1 to 20'],
    [
      '(01)09521321000018(10)A#',
      'AI (10), character 24: "#" is not allowed: only the 82 characters of GS1 are allowed',
    ],
    [
      '(01)09521321000018(10)A\\(#',
      'AI (10), character 26: "#" is not allowed: only the 82 characters of GS1 are allowed',
    ],
    ['(01)09521321000018(17)261301', 'AI (17), character 25: month 13 does not exist: write YYMMDD'],
    [
      '(01)09521321000018(17)260230',
      'AI (17), character 27: day 30 does not exist in that month: write YYMMDD',
    ],
    [
      '(00)095213210000000018(4326)260200',
      'AI (4326), character 33: the day must not be 00 here: write the day',
    ],
    [
      '(01)09521321000018(422)999',
      'AI (422), character 24: "999" is not the number of a country (ISO 3166-1)',
    ],
    [
      '(01)09521321000018(37)5',
      'AI (01), character 5: must not be used together with (37): leave one of them out',
      'AI (37), character 23: needs another AI: add (00)',
    ],
    [
      '(253)9521321000018(8030)AB',
      'AI (8030), character 25: needs a key of one unit: add the serial number to the value of (253)',
    ],
    [
      '(00)095213210000000018(255)9521321000018(8030)AB',
      'AI (8030), character 47: needs a key of one unit: add the serial number to the value of (255)',
    ],
    [
      '(8003)09521321000018(8030)AB',
      'AI (8030), character 27: needs a key of one unit: add the serial number to the value of (8003)',
    ],
    ['[01]09521321000018', 'character 1: AIs stand in round brackets, such as "(01)"'],
    ...[
      [']C1', 'a GS1-128 barcode'],
      [']d2', 'a GS1 DataMatrix'],
      [']e0', 'a GS1 DataBar'],
      [']J1', 'a GS1 DotCode'],
      [']Q1', 'a QR code that holds no element string'],
    ].map(([prefix, symbol]) => [
      `${prefix}0109521321000018`,
      `character 1: "${prefix}" is what a scanner sends before the data of ${symbol}: leave it out`,
    ]),
    ...[
      ['(01) 09521321000018 (10) A7', 5],
      ['(01)09521321000018 (10)A7', 19],
      ['( 01 )09521321000018', 2],
      ['01 09521321000018 10 A7', 3],
      [' (01)09521321000018', 1],
      ['(01)09521321000018\n', 19],
    ].map(([spaced, at]) => [
      spaced as string,
      `character ${at}: GS1 data has no spaces or line breaks; only the text that is printed for people has them: leave them out`,
    ]),
    ['(02)09521321000018', 'AI (02), character 5: needs another AI: add (37)'],
    ['(8002)1(8002)2', 'AI (8002), character 14: occurs twice, with "1" and "2": keep one'],
    [
      '(09)1(8002)',
      'AI (09), character 2: is not a GS1 AI; compare it with the list of application identifiers',
      'AI (8002), character 12: has 0 characters, but CMT No. needs 1 to 20',
    ],
    ['8002', 'AI (8002), character 5: has 0 characters, but CMT No. needs 1 to 20'],
    ['09521321000018', 'character 1: this is a number without an AI: write a GTIN as "(01)09521321000018"'],
    ['', 'character 1: is empty: write an AI and its value, such as "(01)09506000134352"'],
    ['(01', 'character 1: an AI in brackets must stand here, such as "(01)"'],
  ] as const) {
    t.strictSame(faultsOf(text), faults, text);
  }
  for (const value of ['(253)9521321000018X', '(255)95213210000180', '(8003)09521321000018X', '(8004)95213A'])
    t.strictSame(faultsOf(`${value}(8030)AB`), [], value);
  t.strictSame(faultsOf('(253)9521321000018'), [], 'without a signature');
  t.equal(faultsOf('(09)1'.repeat(50)).length, FAULTS_MAX);
});

t.test('day 00 means a whole month where the AI allows it; 29 February needs a leap year', async (t) => {
  t.strictSame(faultsOf('(01)09521321000018(17)260200'), []);
  t.strictSame(faultsOf('(01)09521321000018(17)280229'), []);
  t.strictSame(faultsOf('(01)09521321000018(17)270229').length, 1);
});

t.test('a URI has its key and qualifiers in the path, in order, and the rest in the query', async (t) => {
  const gtin = 'https://example.com/01/09521321000018';
  for (const [uri, fault] of [
    [
      `${gtin}/21/1/10/2`,
      'AI (10), character 44: the qualifiers of (01) are (22), (10), (21) or (235), in this order',
    ],
    [
      `${gtin}/17/261231`,
      'AI (17), character 39: is not a qualifier of (01): write it in the query, as "?17="',
    ],
    [`${gtin}?10=2`, 'AI (10), character 39: belongs in the path, as "/10/", not in the query'],
    [
      `${gtin}?8200=x`,
      'AI (8200), character 39: must not be in the query of a Digital Link URI: leave it out',
    ],
    [
      `${gtin}?99999=x`,
      'AI (99999), character 39: is not a GS1 AI; in the query, names that are only digits are reserved for AIs',
    ],
    [`${gtin}/`, 'character 20: the path must not end with "/": end it with the last value'],
    [
      `${gtin}?17=261231&17=261231`,
      'AI (17), character 49: occurs twice: a Digital Link URI has each AI once',
    ],
    [`${gtin}?17=261231&11=260101&17=271231`, /^AI \(17\), character 59: occurs twice/],
    [`${gtin}?01=09521321000018`, /^AI \(01\), character 39: /],
    [`${gtin}/10/a%2`, 'character 43: "%" must be followed by two hexadecimal digits'],
    [
      'https://example.com/about',
      'character 20: the path must have a primary key with its value, such as "/01/09506000134352"',
    ],
    [
      `${gtin}/10/%C3%A9%23`,
      'AI (10), character 42: U+00C3 is not allowed: only the 82 characters of GS1 are allowed',
    ],
    [
      `${gtin}/10/%2F%2Fab%23`,
      'AI (10), character 50: "#" is not allowed: only the 82 characters of GS1 are allowed',
    ],
    [`${gtin}?17=26+231`, 'AI (17), character 44: a space is not allowed: only digits are allowed'],
  ] as const) {
    const [found, ...more] = faultsOf(uri);
    t.strictSame(more, [], uri);
    t.match(found, fault, uri);
  }
});

t.test('other parameters and the fragment of a URI are ignored', async (t) => {
  const uri = 'https://example.com/shop/01/09521321000018?utm_source=x&11x=1&17=261231#top';
  const { elementString, digitalLink } = convert(uri);
  t.equal(elementString, '(01)09521321000018(17)261231');
  t.equal(digitalLink, 'https://example.com/shop/01/09521321000018?17=261231', 'the stem is kept');
});

t.test('a shorter GTIN in a URI is padded, and faults have positions in the original text', async (t) => {
  t.equal(convert('https://example.com/01/9521321000018').gtin, '09521321000018');
  t.equal(convert('https://example.com/01/95213149').gtin, '00000095213149');
  t.match(faultsOf('https://example.com/01/9521321000011'), [/character 36: the check digit/]);
  t.match(faultsOf('(01)9521321000018'), [/has 13 characters/], 'but not in an element string');
});

t.test('data that cannot be expressed as a URI has none', async (t) => {
  t.equal(convert('(8002)1').digitalLink, null, 'without a primary key');
  t.equal(convert('(01)09521321000018(8200)x').digitalLink, null, 'with an AI that is not allowed in URIs');
});

t.test('faults in a long text are short', async (t) => {
  const long = 'x'.repeat(4000);
  for (const text of [`(${long})`, `(8002)${long}(8002)1`, `https://a/01/09521321000018/${long}/1`]) {
    t.ok(faultsOf(text).join('; ').length < 500, text.slice(0, 40));
  }
});

t.test('a URI has the requested stem', async (t) => {
  const checked = checkGs1('(8004)95213A');
  t.equal(
    checked.ok && convertGs1(checked.value, 'https://brand.example/x').digitalLink,
    'https://brand.example/x/8004/95213A',
  );
});

t.test('no AI is a prefix of another, so that element strings are unambiguous', async (t) => {
  const begin = listIdentifiers().flatMap(({ ai }) =>
    [2, 3]
      .map((digits) => ai.slice(0, digits))
      .filter((text) => text !== ai && identifierOf(text) !== undefined),
  );
  t.strictSame(begin, []);
  t.equal(listIdentifiers().length > 500, true);
});

t.test('valid data survives conversion through every form', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
      const pairs = pairsOf(createRandom(seed));
      const text = pairs.map(({ ai, value }) => `(${ai})${value.replaceAll('(', '\\(')}`).join('');
      const checked = checkGs1(text);
      fc.pre(checked.ok);
      if (!checked.ok) return;
      const forms = convertGs1(checked.value);
      deepStrictEqual(convert(forms.elementString), forms);
      deepStrictEqual(convert(forms.fnc1), forms);
      if (forms.digitalLink === null) return;
      const again = convert(forms.digitalLink);
      const sorted = (elementString: string) => {
        const read = checkGs1(elementString);
        return read.ok ? read.value.elements.map(({ ai, value }) => `${ai} ${value}`).toSorted() : [];
      };
      equal(again.digitalLink, forms.digitalLink);
      deepStrictEqual(sorted(again.elementString), sorted(forms.elementString));
    }),
    { numRuns: 2000 },
  );
});

t.test('no text makes the validator throw, and positions of faults are within the text', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 31 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
      (seed, noise) => {
        const random = createRandom(seed);
        const text = pairsOf(random)
          .map(({ ai, value }) => `(${ai})${value}`)
          .join('');
        const uri = `https://example.com/01/${noise}?${text}`;
        for (const each of [noise, damage(random, text) + noise, uri, `]Q3${noise}`]) {
          const checked = checkGs1(each);
          if (checked.ok) continue;
          ok(checked.fault.length <= FAULTS_MAX);
          for (const { position } of checked.fault) ok(position >= 1 && position <= each.length + 1, each);
        }
      },
    ),
    { numRuns: 1000 },
  );
});
