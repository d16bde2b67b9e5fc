/** The parsers of variables: what they accept and what they refuse. */
import fc from 'fast-check';
import t from 'tap';
import { VARIABLES } from '../../src/config/config.ts';
import {
  flag,
  integer,
  oneOf,
  otlpHeaders,
  type Parse,
  publicUrl,
  share,
  store,
  text,
  trustedProxies,
  url,
  type Variable,
  wordOr,
} from '../../src/config/parse.ts';

const readBy = <T>(parse: Parse<T>, written: string): T | 'refused' => {
  const parsed = parse(written);
  return parsed.ok ? parsed.value : 'refused';
};

t.test('whole numbers are accepted within their bounds and only as digits', async (t) => {
  const bound = fc.integer({ min: -1000, max: 1000 });
  fc.assert(
    fc.property(bound, bound, bound, (one, other, value) => {
      const [min, max] = [Math.min(one, other), Math.max(one, other)];
      return [value, min, max, min - 1, max + 1].every(
        (number) =>
          readBy(integer(min, max), String(number)) === (number < min || number > max ? 'refused' : number),
      );
    }),
  );
  for (const wrong of ['', ' 1', '1 ', '1.0', '+1', '1e1', '0x1', '--1', '1'.repeat(16), 'NaN'])
    t.equal(readBy(integer(-10, 1e20), wrong), 'refused', wrong);
  t.equal(readBy(integer(0, 1e20), '1'.repeat(15)), 111_111_111_111_111);
});

t.test('every numeric variable accepts its documented bounds and nothing beyond them', async (t) => {
  const all = Object.entries<Variable<unknown>>(VARIABLES);
  let bounded = 0;
  for (const [name, { parse, fallback, example }] of all) {
    if (fallback !== null) t.ok(parse(fallback).ok, `${name}: default`);
    t.ok(parse(example).ok, `${name}: example`);
    const refused = parse('99999999999999999999');
    const [, min, max] = (refused.ok ? null : /from (-?\d+) to (\d+)/.exec(refused.fault)) ?? [];
    if (min === undefined || max === undefined) continue;
    bounded += 1;
    for (const bound of [min, max]) t.equal(readBy(parse, bound), Number(bound), `${name}: ${bound}`);
    t.notOk(parse(String(Number(min) - 1)).ok, `${name}: below ${min}`);
    t.notOk(parse(String(Number(max) + 1)).ok, `${name}: above ${max}`);
  }
  t.ok(bounded > 15, `${bounded} variables are numeric`);
});

t.test('a variable with fixed words accepts them, and its fault lists them', async (t) => {
  t.equal(readBy(oneOf('a', 'b'), 'b'), 'b');
  t.strictSame(oneOf('a', 'b')('c'), { ok: false, fault: 'must be one of a, b' });
  t.strictSame(
    ['true', 'false', 'TRUE', '1', ''].map((word) => readBy(flag, word)),
    [true, false, 'refused', 'refused', 'refused'],
  );
  const either = wordOr('auto', integer(1, 9));
  t.strictSame(
    ['auto', '9', '10'].map((word) => readBy(either, word)),
    ['auto', 9, 'refused'],
  );
  t.match(either('10'), { fault: /from 1 to 9, or auto$/ });
  t.equal(readBy(text(/^x+$/, 'must be x'), 'xx'), 'xx');
  t.strictSame(text(/^x+$/, 'must be x')('y'), { ok: false, fault: 'must be x' });
});

t.test('URLs are checked, and the public URL is normalised', async (t) => {
  const postgres = url('postgres:', 'postgresql:');
  const hosts = 'postgres://a:1,b:2/d';
  t.equal(readBy(postgres, hosts), hosts);
  t.equal(readBy(postgres, 'postgresql://h/d'), 'postgresql://h/d');
  for (const wrong of ['postgres:/h', 'http://h', ' postgres://h', 'postgres://h /d', '', 'xpostgres://h'])
    t.equal(readBy(postgres, wrong), 'refused', wrong);
  const longest = `postgres://${'h'.repeat(1989)}`;
  t.equal(readBy(postgres, longest), longest, '2,000 characters');
  t.equal(readBy(postgres, `${longest}h`), 'refused');
  t.match(postgres('x'), { fault: 'must be a URL that begins with postgres:// or postgresql://' });

  for (const [written, right] of [
    ['https://Example.com', 'https://example.com'],
    ['http://example.com:8080/a//', 'http://example.com:8080/a'],
    ['https://example.com:443/', 'https://example.com'],
  ] as const)
    t.equal(readBy(publicUrl, written), right);
  for (const wrong of [
    'ftp://x',
    'example.com',
    '/a',
    'https://x/?a=1',
    'https://x/#a',
    'https://x/?',
    'https://x/#',
    'https://user@x/',
    'https://:pw@x/',
    '',
    'xhttp://a',
    'https:',
  ])
    t.equal(readBy(publicUrl, wrong), 'refused', wrong);
});

t.test('a batch store is a folder or a bucket', async (t) => {
  t.strictSame(readBy(store, '/srv/x'), { folder: '/srv/x' });
  t.strictSame(readBy(store, 'x'.repeat(1000)), { folder: 'x'.repeat(1000) });
  t.equal(readBy(store, 'x'.repeat(1001)), 'refused');
  for (const [written, bucket, prefix] of [
    ['s3://abc', 'abc', ''],
    ['s3://abc/', 'abc', ''],
    ['s3://a.b-c/d', 'a.b-c', 'd'],
    ['s3://abc/d/E_f.g-h/', 'abc', 'd/E_f.g-h'],
    [`s3://${'a'.repeat(63)}`, 'a'.repeat(63), ''],
  ] as const)
    t.strictSame(readBy(store, written), { bucket, prefix }, written);
  for (const wrong of [
    's3://ab',
    `s3://${'a'.repeat(64)}`,
    's3://Abc',
    's3://-bc',
    's3://ab-',
    's3://abc//d',
    's3://abc/.d',
    's3://abc/d/../e',
    'gs://abc',
    'file:/x',
    'S3://abc',
    's3:abc',
  ])
    t.equal(readBy(store, wrong), 'refused', wrong);
});

t.test('trusted proxies are all, none, addresses, subnets or names of ranges', async (t) => {
  t.equal(readBy(trustedProxies, 'true'), true);
  t.equal(readBy(trustedProxies, 'false'), false);
  for (const right of '10.0.0.0/8|::1|loopback|linklocal, uniquelocal,10.1.2.3|fd00::/128|1.2.3.4/32|1.2.3.4/1'.split(
    '|',
  ))
    t.equal(readBy(trustedProxies, right), right);
  for (const wrong of [
    '10.0.0.0/0',
    '10.0.0.0/33',
    '10.0.0.0/08',
    'fd00::/129',
    '10.0.0/8',
    'x',
    '',
    '10.0.0.1,',
    '1.2.3.4/8/8',
    '1.2.3.4/',
    'local',
  ])
    t.equal(readBy(trustedProxies, wrong), 'refused', wrong);
  const long = trustedProxies(`loopback,${'y'.repeat(60)}`);
  t.match(long, { fault: new RegExp(`"${'y'.repeat(50)}" is none`) });
});

t.test('the headers for the collector and the share of recorded traces are parsed', async (t) => {
  t.strictSame(readBy(otlpHeaders, 'Api-Key=a%20b, x = c=d '), { 'api-key': 'a b', x: 'c=d' });
  for (const wrong of [
    '',
    'a',
    '=b',
    'a=',
    'a b=c',
    'a=%',
    'a=%0a',
    'a=b,',
    'ü=b',
    `a=${'b'.repeat(4001)}`,
    `${'a'.repeat(101)}=b`,
  ])
    t.equal(readBy(otlpHeaders, wrong), 'refused', wrong);
  t.strictSame(readBy(otlpHeaders, `${'a'.repeat(100)}=${'b'.repeat(4000)}`), {
    ['a'.repeat(100)]: 'b'.repeat(4000),
  });
  t.strictSame(
    ['0', '1', '0.25', '1.0', '00.5'].map((one) => readBy(share, one)),
    [0, 1, 0.25, 1, 0.5],
  );
  for (const wrong of ['1.1', '2', '-0', '.5', '1e-1', '', '0.', '1.0000000001'])
    t.equal(readBy(share, wrong), 'refused', wrong);
});

t.test('the size of a batch may be configured up to a hundred terabytes', async (t) => {
  const { parse } = VARIABLES.BATCH_BYTES_MAX;
  t.equal(readBy(parse, '100000000000000'), 1e14);
  t.equal(readBy(parse, '100000000000001'), 'refused');
});
