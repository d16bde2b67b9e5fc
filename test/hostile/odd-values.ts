/** Texts, ids, dates and JSON that programs often handle badly. Valid ones are cheap: they draw small pictures. */
import fc from 'fast-check';

/** The part of JSON Schema that the shapes of requests need. References are resolved. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

const NUMBERS = [
  ...['0', '-0', '1', '49', '50', '64', '1e1', '5E1', '50.0', '0.5', '-1', '1e400', '-1e400', '1e-400'],
  ...['2147483648', '-2147483649', '9007199254740993', '18446744073709551616'],
  ...['123456789012345678901234567890', 'Infinity', '-Infinity', 'NaN', '0x10', '0b1', '05', '+5'],
  ...[' 5 ', '5_0', '٥', '5n', '1,5'],
];

const TEXTS = [
  ...['', ' ', 'x', '\0', 'a\0b', '\ud800', 'a\udc00b', '\ufffe', '\u202e', 'e\u0301', '%', '%%'],
  ...['%00', '_', "'", '"', '`', '\\', '--', '\r\nX-Injected: 1', '../../etc/passwd'],
  ...['<script>alert(1)</script>', '{{7*7}}', '=1+1', "'; drop table accounts; --", '__proto__'],
  ...['{constructor}', '{__proto__}', '{toString:3}', '{{x}', "'=1+1", '\u22121', '['.repeat(3000)],
  ...['constructor', 'toString', 'null', 'undefined', 'true', '[object Object]'],
  ...['https://example.com/', 'http://127.0.0.1:1/', 'http://[::1]/', '//example.com'],
  ...['javascript:alert(1)', 'data:image/png;base64,', 'data:image/svg+xml;base64,PHN2Zy8+', 'red'],
  ...['#1a2b3c', 'rgb(1e400 0 0)', 'hsl(-1e99deg 200% 3)', 'a'.repeat(201), 'x'.repeat(4297)],
  '💥'.repeat(300),
];

const DATES = [
  ...['2026-11-22T00:00:00Z', '2026-11-20T00:00:00+14:00', '9999-12-31T23:59:59.999Z'],
  ...['0000-01-01T00:00:00Z', '0001-01-01T00:00:00-23:59', '+275760-09-13T00:00:00Z'],
  ...['-271821-04-20T00:00:00Z', '-000001-01-01T00:00:00Z', '2026-02-30T00:00:00Z'],
  ...['2026-06-30T23:59:60Z', '2026-11-22T24:00:00Z', '2026-11-22', '2026-11-22 00:00:00', 'now'],
  'infinity',
];

const ZONES = [
  ...['UTC', 'Europe/Berlin', 'Etc/GMT+99', 'Etc/GMT+12', '+25:00', '+00:00:00.1', 'utc', 'GMT0'],
  ...['posix/UTC', 'America/Nowhere', '../UTC', 'localtime', 'EST5EDT4,M3.2.0,M11.1.0', 'Factory'],
];

const RANDOM_ID = '5f0c2a52-6f6c-4d6e-9a52-0d5c1f3f9b11';

/** Returns one id in every notation that some program accepts. */
const notationsOf = (id: string): readonly string[] => [
  id,
  id.toUpperCase(),
  `urn:uuid:${id}`,
  `URN:UUID:${id}`,
  `{${id}}`,
  id.replaceAll('-', ''),
  ` ${id}`,
  `${id}\n`,
  `${id}\0`,
  id.slice(0, -1),
  `${id}0`,
];

const CURSORS = [
  'MC4wLjVmMGMyYTUyLTZmNmMtNGQ2ZS05YTUyLTBkNWMxZjNmOWIxMQ',
  'bjE',
  'bjk5OTk5OTk5OTk5OTk5OQ',
  'bjA',
  '!!!!',
  '====',
  'AAAA',
  '\u00ff',
].concat(
  ['99999999999999.9999', '-1.0', '8640000000000001.0', '0.99999', '1e3.0'].map((head) =>
    Buffer.from(`${head}.${RANDOM_ID}`).toString('base64url'),
  ),
);

/** Any text, usually a hostile one. */
export const oddTexts: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.constantFrom(...NUMBERS, ...DATES, ...ZONES, ...CURSORS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
);

/** Returns random ids, existing and unknown, in various notations. */
export const oddIds = (known: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(RANDOM_ID, ...known) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(RANDOM_ID, ...known).chain((id) => fc.constantFrom(...notationsOf(id))),
    },
    { weight: 2, arbitrary: oddTexts },
  );

/** Returns random values for a parameter, as text before encoding. */
export const oddParameters = (name: string, schema: Schema, ids: readonly string[]): fc.Arbitrary<string> => {
  const fitting = (): fc.Arbitrary<string> => {
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum.map(String));
    if (schema.format === 'uuid' || /^(id|slug)$|_id$/.test(name)) return oddIds(ids);
    if (schema.format === 'date-time') return fc.constantFrom(...DATES);
    if (schema.type === 'integer') return fc.constantFrom(...NUMBERS);
    if (/zone/i.test(name)) return fc.constantFrom(...ZONES);
    if (name === 'cursor') return fc.constantFrom(...CURSORS);
    return fc.constantFrom('x', 'red', 'https://example.com/', ...TEXTS);
  };
  return fc.oneof({ weight: 4, arbitrary: fitting() }, { weight: 1, arbitrary: oddTexts });
};

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const oddJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NUMBERS),
  oddTexts.map((text) => JSON.stringify(text)),
  fc.constantFrom(
    'null',
    'true',
    '[]',
    '{}',
    '[[[[[[]]]]]]',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"a":1,"a":2}',
    '"\\ud800"',
    '"\\u0000"',
    '"\\x"',
    '"\n"',
    "'x'",
    'undefined',
    `${'['.repeat(500)}${']'.repeat(500)}`,
  ),
);

const fittingString = ({ format }: Schema, ids: readonly string[]): fc.Arbitrary<string> => {
  if (format === 'uuid') return oddIds(ids);
  if (format === 'date-time') return fc.constantFrom(...DATES);
  if (format === 'css-color') return fc.constantFrom('red', '#1a2b3c', 'transparent', 'rgb(1 2 3 / .5)');
  if (format === 'logo-source') return fc.constantFrom(PIXEL, 'http://127.0.0.1:1/x.png', 'http://10.0.0.1/');
  return fc.constantFrom('x', 'manage', 'https://example.com/', ...TEXTS);
};

const fittingNumber = ({ type, minimum = 0 }: Schema): fc.Arbitrary<string> =>
  type === 'integer'
    ? fc.integer({ min: minimum, max: minimum + 14 }).map(String)
    : fc.double({ min: minimum, max: minimum + 1, noNaN: true }).map(String);

/** Returns random JSON that fits the schema or nearly, as text, for numbers beyond doubles and broken escapes. */
export const oddJsonFor = (schema: Schema, ids: readonly string[]): fc.Arbitrary<string> => {
  const fitting = (): fc.Arbitrary<string> => {
    if (schema.const !== undefined) return fc.constant(JSON.stringify(schema.const));
    if (schema.enum !== undefined)
      return fc.constantFrom(...schema.enum.map((value) => JSON.stringify(value)));
    if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => oddJsonFor(one, ids)));
    switch (schema.type) {
      case 'string':
        return fittingString(schema, ids).map((text) => JSON.stringify(text));
      case 'integer':
      case 'number':
        return fittingNumber(schema);
      case 'boolean':
        return fc.constantFrom('true', 'false');
      case 'array':
        return fc
          .array(oddJsonFor(schema.items ?? {}, ids), { minLength: 1, maxLength: 3 })
          .map((items) => `[${items.join(',')}]`);
      case 'object':
        return oddObject(schema, ids);
      default:
        return oddJson;
    }
  };
  return fc.oneof({ weight: 15, arbitrary: fitting() }, { weight: 1, arbitrary: oddJson });
};

const STRANGE_FIELDS = ['"unknown":1', '"__proto__":null', '"":0', '"a\\u0000":1', '"toString":{}'];

/** Returns the value `present` times for every `absent` times that it is left out. */
const mostly = (present: number, absent: number, arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: present, arbitrary }, { weight: absent, arbitrary: fc.constant('') });

const oddObject = (schema: Schema, ids: readonly string[]): fc.Arbitrary<string> => {
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const field = oddJsonFor(schema, ids).map((json) => `${JSON.stringify(name)}:${json}`);
    return required.includes(name) ? mostly(40, 1, field) : mostly(1, 3, field);
  });
  const strange = mostly(1, 20, fc.constantFrom(...STRANGE_FIELDS));
  return fc.tuple(...fields, strange).map((all) => `{${all.filter((field) => field !== '').join(',')}}`);
};
