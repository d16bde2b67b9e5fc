/** Addresses of signed pictures: their canonical form, signature and validation. */
import { createHmac, createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { isSigned, PATH_MAX_CHARACTERS, readAddress, signPath } from '../../src/signed/address.ts';
import { readNamed, readParameters } from '../../src/signed/parameters.ts';
import { blocksOf, readPage } from '../docs/pages.ts';

const SECRET = { id: '6f3c2b1a-9d8e-4f70-a1b2-c3d4e5f60718', secret: `tss_${'0123456789abcdef'.repeat(4)}` };
const isValid = (path: string, secret = SECRET.secret): boolean => {
  const address = readAddress(path);
  return address !== null && isSigned(secret, address);
};

const parameters = fc.record(
  {
    data: fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }),
    width: fc.integer({ min: 50, max: 2000 }),
    dotsOptions: fc.record({ color: fc.constantFrom('navy', '#1a4b8c') }),
    expires: fc.integer({ min: 0, max: 4_000_000_000 }),
  },
  { requiredKeys: ['data'] },
);
const format = fc.constantFrom('png' as const, 'svg' as const);

t.test('a signed address is parsed to the same parameters that were signed', async (t) => {
  fc.assert(
    fc.property(parameters, format, (asked, format) => {
      const path = signPath(SECRET, asked, format);
      const address = readAddress(path)!;
      t.ok(isValid(path));
      t.ok(isSigned(createSecretKey(SECRET.secret, 'utf8'), address));
      t.equal(address.secretId, SECRET.id);
      t.equal(address.format, format);
      const read = readParameters(address.parameters, () => null);
      t.strictSame(read, { ok: true, value: JSON.parse(JSON.stringify(asked)) });
    }),
    { numRuns: 50 },
  );
});

t.test('a change of any single character is refused', async (t) => {
  const path = signPath(SECRET, { data: 'https://example.com/', width: 400 }, 'png');
  t.ok(isValid(path));
  let changed = 0;
  for (let at = 0; at < path.length; at += 1) {
    for (let code = 0; code < 256; code += 1) {
      const other = String.fromCharCode(code);
      if (other === path[at]) continue;
      changed += 1;
      if (isValid(path.slice(0, at) + other + path.slice(at + 1))) t.fail(`${other} at ${at}`);
    }
    if (isValid(path.slice(0, at) + path.slice(at + 1))) t.fail(`without ${at}`);
    if (isValid(`${path.slice(0, at)}A${path.slice(at)}`)) t.fail(`inserted at ${at}`);
  }
  t.equal(changed, path.length * 255);
});

t.test('any other text in place of a part of the address is refused', async () => {
  const path = signPath(SECRET, { data: 'https://example.com/' }, 'svg');
  fc.assert(
    fc.property(
      fc.nat(path.length),
      fc.nat(path.length),
      fc.string({ unit: 'binary', maxLength: 20 }),
      (from, to, text) => {
        const other = path.slice(0, Math.min(from, to)) + text + path.slice(Math.max(from, to));
        return other === path || !isValid(other);
      },
    ),
    { numRuns: 2000 },
  );
});

t.test('only the canonical spelling of a signature is accepted', async (t) => {
  const path = signPath(SECRET, { data: 'a' }, 'png');
  const signature = path.slice(3, 46);
  const same = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    .map((last) => signature.slice(0, -1) + last)
    .filter((text) => Buffer.from(text, 'base64url').equals(Buffer.from(signature, 'base64url')));
  t.equal(same.length, 4, 'base64url has four spellings of 32 bytes');
  t.strictSame(
    same.filter((text) => isValid(path.replace(signature, text))),
    [signature],
  );
});

t.test('a signature by another secret or of other parameters is refused', async (t) => {
  fc.assert(
    fc.property(parameters, parameters, fc.string({ minLength: 1 }), (one, other, secret) => {
      const a = signPath(SECRET, one, 'png');
      const b = signPath(SECRET, other, 'png');
      const mixed = `/i/${a.split('/')[2]}/${b.split('/')[3]}`;
      t.equal(isValid(mixed), a === b);
      t.notOk(isValid(a, secret));
    }),
    { numRuns: 50 },
  );
});

t.test('hostile paths are not parsed as addresses', async (t) => {
  const path = signPath(SECRET, { data: 'a' }, 'png');
  const [, , signature, picture] = path.split('/') as [string, string, string, string];
  const long = signPath(SECRET, { data: 'x'.repeat(8000) }, 'png');
  t.ok(long.length > 10_000);
  for (const hostile of [
    long,
    '',
    '/i',
    '/i/',
    `/i/${signature}`,
    `/i/${signature}/`,
    `/i//${picture}`,
    `${path}/`,
    `/${path}`,
    `${path}?`,
    `${path}?a.png`,
    path.replace('.png', '?.png'),
    `${path}?width=2000`,
    `${path}#a`,
    `${path}%00`,
    `${path}\0`,
    `${path}\n`,
    path.replace('.png', '.PNG'),
    path.replace('.png', '%2epng'),
    path.replace('.png', '%252epng'),
    path.replace('.png', '.pdf'),
    path.replace('.png', ''),
    path.replace(SECRET.id, SECRET.id.toUpperCase()),
    path.replace(SECRET.id, '__proto__'),
    path.replace(signature, `${signature}=`),
    path.replace('/i/', '/i/../i/'),
    path.replace('/i/', '/I/'),
    path.replace('/i/', '/%69/'),
    path.replace('a', 'а'),
    `http://qr.test${path}`,
  ]) {
    t.notOk(isValid(hostile), hostile.slice(0, 120));
  }
  const longest = 'a'.repeat(PATH_MAX_CHARACTERS);
  t.equal(readAddress(`/i/${longest}`), null);
});

t.test('signed parameters that are not a JSON object in UTF-8 are a fault of the signer', async (t) => {
  const read = (text: string | Buffer) => readParameters(Buffer.from(text).toString('base64url'), () => null);
  for (const wrong of [
    '',
    'a',
    '[]',
    '"a"',
    'null',
    '1',
    '{',
    Buffer.from([0x22, 0xff, 0x22]),
    '[['.repeat(2000),
    `{"dotsOptions":${'['.repeat(3000)}1${']'.repeat(3000)}}`,
  ]) {
    t.match(read(wrong), { ok: false, fault: { field: 'parameters' } });
  }
});

t.test('parameters are a text with options, or a saved code', async (t) => {
  const code = 'AAAAAAAA-0000-4000-8000-000000000000';
  t.match(readNamed({ data: 'a', width: 100 }), { value: { kind: 'content', parameters: { data: 'a' } } });
  t.match(readNamed({ code, width: 100 }), {
    value: { kind: 'code', codeId: code.toLowerCase(), widthPx: 100 },
  });
  t.match(readNamed({}), { ok: false, fault: { field: 'data' } });
  t.match(readNamed({ code, data: 'a' }), { ok: false, fault: { field: 'data' } });
  t.match(readNamed({ code, shape: 'circle' }), { ok: false, fault: { field: 'shape' } });
});

t.test('the test vectors in the documentation hold', async (t) => {
  const [vectors] = blocksOf(readPage('docs/api/pictures.md'))
    .filter(({ language, text }) => language === 'json' && text.includes('"path"'))
    .map(({ text }) => JSON.parse(text));
  t.ok(vectors.vectors.length >= 3);
  for (const { json, path } of vectors.vectors) {
    const format = path.endsWith('.svg') ? 'svg' : 'png';
    const signed = `${vectors.id}.${Buffer.from(json).toString('base64url')}.${format}`;
    const signature = createHmac('sha256', vectors.secret).update(signed).digest('base64url');
    t.equal(`/i/${signature}/${signed}`, path);
    t.ok(isValid(path, vectors.secret));
    const readBack = readParameters(readAddress(path)!.parameters, () => null);
    t.strictSame(readBack, { ok: true, value: JSON.parse(json) });
  }
});
