/** Invalid requests get precise errors, and harmless oddities of clients are accepted. */
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import Type, { type TSchema } from 'typebox';
import { createCheck } from '../../../src/http/schemas/validation.ts';
import { FORMAT_LIST, LINE, NAME, PATTERN_RULES, REFERENCE } from '../../../src/validation/formats.ts';
import { sendBytes } from '../../hostile/wire.ts';
import { ADMIN_TOKEN, sharedApp } from '../../support/app/app.ts';
import { newClient, RANDOM_ID } from '../../support/app/client.ts';
import { documentedCalls } from '../../support/app/conformance.ts';

const gateway = await sharedApp();
const { app, call } = gateway;
const { key, get, post, bulk } = await newClient(gateway);

const at = (path: string): string =>
  path
    .replace('{signature}/{picture}', 'a/b.c.png')
    .replace(/\{(\w+)\}/g, (_, name) => (name === 'n' ? '1' : RANDOM_ID));

const paths = new Map<string, Set<string>>();
for (const { path, method } of documentedCalls(app.gateway))
  paths.set(path, (paths.get(path) ?? new Set(['OPTIONS'])).add(method));
// The form of the page that asks for a password is not in the document.
paths.get('/l/{slug}')!.add('POST');

t.test('each path lists the methods that it allows, and refuses the others', async (t) => {
  t.ok(paths.size > 60, `${paths.size}`);
  const said: object[] = [];
  const expected: object[] = [];
  for (const [path, methods] of paths) {
    if (methods.has('GET')) methods.add('HEAD');
    const asked = await call({ method: 'OPTIONS', url: at(path) });
    const refused: string[] = [];
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY', 'PROPFIND'].filter(
      (method) => !methods.has(method),
    );
    for (const method of others) {
      const { statusCode, headers, payload } = await app.gateway.inject({
        method: method as 'GET',
        url: at(path),
      });
      const isSaid = method === 'HEAD' || /Method not allowed.*This path supports /s.test(payload);
      if (statusCode === 405 && headers.allow === asked.headers.allow && isSaid) refused.push(method);
    }
    const allowed = String(asked.headers.allow).split(', ').sort();
    said.push({ path, status: asked.status, text: asked.text, allowed, refused });
    expected.push({ path, status: 204, text: '', allowed: [...methods].sort(), refused: others });
  }
  t.strictSame(said, expected);
  for (const url of ['/dashboard/codes', '/docs/', '/l/abc', '/'])
    t.match(await call({ method: 'DELETE', url }), { status: 405, headers: { allow: /^GET, HEAD/ } }, url);
  for (const method of ['OPTIONS', 'QUERY'] as 'OPTIONS'[])
    t.equal((await call({ method, url: '/api/v1/nothing' })).status, 404, method);
  t.equal(
    (await call({ method: 'DELETE', url: '/api/v1/codes/move', key })).status,
    405,
    'a fixed path is not taken for an id',
  );
});

t.test('a method that the path does not allow is refused before its body is read', async (t) => {
  const answer = await call({
    method: 'PUT',
    url: '/api/v1/qr',
    headers: { 'content-type': 'text/plain' },
    body: 'x',
  });
  t.match(answer, { status: 405, headers: { allow: 'POST, OPTIONS' } });
});

t.test('an unsupported Content-Encoding is a 415 that names it, on every call with a body', async (t) => {
  const calls = documentedCalls(app.gateway).filter(({ operation }) => operation.requestBody !== undefined);
  t.ok(calls.length > 25, `${calls.length}`);
  const said: unknown[] = [];
  const expected: unknown[] = [];
  const cookie = await import('../../support/app/session.ts').then(({ signIn }) => signIn({ call }, key));
  for (const { path, method, operation } of calls) {
    const [type = ''] = Object.keys(operation.requestBody!.content);
    const isBatch = ['/api/v1/batches', '/api/v1/link-jobs', '/api/v1/links/imports'].includes(path);
    for (const encoding of ['br', 'deflate', ...(isBatch ? [] : ['gzip'])]) {
      const { status, headers, json } = await call({
        method,
        url: at(path),
        ...(path.startsWith('/dashboard/') ? {} : { key: path.startsWith('/admin/') ? ADMIN_TOKEN : key }),
        headers: {
          'content-type': type,
          'content-encoding': encoding,
          cookie,
          'sec-fetch-site': 'same-origin',
        },
        body: gzipSync('{}'),
      });
      const how = isBatch ? 'plain or as gzip' : 'plain';
      const details = `Content-Encoding: ${encoding} is not read here; send the body ${how}.`;
      said.push([method, path, status, json.details, headers['accept-encoding']]);
      expected.push([method, path, 415, details, isBatch ? 'gzip, identity' : 'identity']);
    }
  }
  t.strictSame(said, expected);
  const plain = await post('/qr', { data: 'x' }, { 'content-encoding': 'identity' });
  t.equal(plain.status, 200);
});

t.test('a call without a body may still send a Content-Type', async (t) => {
  const headers = { 'content-type': 'application/json' };
  const { codes } = await bulk(['a']);
  const one = `/api/v1/codes/${codes[0]!.id}`;
  t.equal((await call({ method: 'DELETE', url: one, key, headers })).status, 204);
  t.equal((await call({ method: 'POST', url: `${one}/restore`, key, headers, body: '' })).status, 200);
  const calls = documentedCalls(app.gateway).filter(
    ({ path, method, operation }) =>
      method !== 'GET' &&
      operation.requestBody === undefined &&
      path.includes('{') &&
      path.startsWith('/api/'),
  );
  t.ok(calls.length > 10, `${calls.length}`);
  for (const { path, method } of calls) {
    const { status, text } = await call({ method, url: at(path), key, headers });
    t.equal(status, 404, `${method} ${path}: ${text}`);
  }
  t.equal((await call({ method: 'POST', url: '/api/v1/qr', key, headers, body: '' })).status, 400);
});

t.test('up to ten faults of a request are reported at once', async (t) => {
  const { json } = await post('/qr', { width: 1, dotsOptions: { type: 'no', color: 7 }, shape: 'x', foo: 1 });
  t.strictSame(json, {
    error: 'Invalid request body',
    details: 'data: is required (and 5 more)',
    faults: [
      { field: 'data', message: 'is required' },
      { field: 'foo', message: 'is not a known field' },
      { field: 'width', message: 'must be at least 50' },
      { field: 'shape', message: 'must be one of square, circle' },
      { field: 'dotsOptions.type', message: json.faults![4]!.message },
      { field: 'dotsOptions.color', message: 'must be a text' },
    ],
  });
  const one = await post('/qr', { data: 'x', width: 1 });
  t.strictSame(
    one.json,
    { error: 'Invalid request body', details: 'width: must be at least 50' },
    'a single fault is not a list',
  );

  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}`, i]));
  const unknown = (await post('/qr', { data: 'x', ...many })).json;
  t.equal(unknown.details, 'f0: is not a known field (and more than 9 more)');
  t.equal(unknown.faults!.length, 10);

  const items = [{ data: 'x' }, { data: 'x', width: 1, margin: -1 }, 7, { data: 'x', foo: 1 }];
  const bad = (await post('/qr/bulk', { items, folderId: 'x' })).json;
  t.equal(bad.details, 'folderId: must be a UUID (and 4 more)');
  const fields = ['folderId', 'items.1.width', 'items.1.margin', 'items.2', 'items.3.foo'];
  t.strictSame(
    bad.faults!.map(({ field }) => field),
    fields,
  );
  const all = (await post('/qr/bulk', { items: Array(100).fill({ data: 'x', width: 1 }) })).json;
  t.equal(all.details, 'items.0.width: must be at least 50 (and more than 9 more)');
  t.match((await get('/codes?limit=0&max_grade=7')).json, {
    faults: [{ field: 'limit' }, { field: 'max_grade' }],
  });
});

t.test('a list that is too long is one fault, whatever its items are', async (t) => {
  const { status, json } = await post('/keys', {
    name: 'x',
    scopes: Array.from({ length: 6000 }, (_, i) => i),
  });
  t.strictSame([status, json.details], [400, 'scopes: must have at most 3 items']);
});

t.test('each schema rule has a message that people understand', async (t) => {
  const cases: [TSchema, unknown, string][] = [
    [Type.String(), 7, 'must be a text'],
    [Type.Integer(), 7.5, 'must be a whole number'],
    [Type.Number(), '7', 'must be a number'],
    [Type.Boolean(), 'true', 'must be true or false'],
    [Type.Object({}), [], 'must be an object'],
    [Type.Array(Type.String()), {}, 'must be a list'],
    [Type.Integer({ minimum: 3 }), 2, 'must be at least 3'],
    [Type.Integer({ maximum: 3 }), 4, 'must be at most 3'],
    [Type.String({ minLength: 1 }), '', 'must not be empty'],
    [Type.String({ minLength: 2 }), 'x', 'must have at least 2 characters'],
    [Type.String({ maxLength: 2 }), 'xyz', 'must have at most 2 characters'],
    [Type.Array(Type.String(), { minItems: 1 }), [], 'must not be empty'],
    [Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b'], 'must have at most 1 items'],
    [Type.Array(Type.String(), { uniqueItems: true }), ['a', 'a'], 'must not have the same item twice'],
    [Type.Literal('true'), 'yes', 'must be true'],
    [Type.Enum(['a', 'b']), 'c', 'must be one of a, b'],
    [Type.Object({ a: Type.Optional(Type.String()) }, { minProperties: 1 }), {}, 'send at least one field'],
    [Type.Union([Type.String(), Type.Null()]), 7, 'must be a text or null'],
    [Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]), -1, 'must be at least 0'],
    [Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]), 'x', 'must be a whole number or null'],
    [Type.String({ format: 'uuid' }), 'x', 'must be a UUID'],
    [
      Type.String({ format: 'date-time' }),
      'x',
      'must be a date and time as in RFC 3339, for example 2026-11-01T09:00:00Z',
    ],
    [Type.String({ pattern: NAME }), '\n', 'must be one line with at least one visible character'],
    [Type.String({ pattern: LINE }), '\n', 'must be one line without control characters'],
    [Type.String({ pattern: REFERENCE }), '\n', 'must have no control characters'],
    [
      Type.String({ pattern: FORMAT_LIST }),
      'gif',
      'must be a list with commas of png, svg, pdf, eps, webp, at most five',
    ],
  ];
  for (const [schema, value, message] of cases) {
    const check = createCheck(Type.Object({ field: schema }), () => false);
    t.strictSame(check({ field: value }), { field: 'field', message }, message);
  }
});

t.test('request schemas use only patterns and keywords that have a message', async (t) => {
  const known =
    /^(type|title|description|examples?|default|format|properties|required|additionalProperties|items|anyOf|enum|const|minimum|maximum|minLength|maxLength|minItems|maxItems|maxProperties|uniqueItems|minProperties|pattern|contentMediaType|contentSchema)$/;
  const patterns = new Set<string>();
  const look = (schema: object): void => {
    for (const [keyword, value] of Object.entries(schema)) {
      if (!known.test(keyword)) t.fail(`${keyword} has no message`);
      if (keyword === 'pattern') patterns.add(String(value));
      if (keyword === 'properties') for (const each of Object.values(value)) look(each as object);
      if (keyword === 'items' || keyword === 'contentSchema') look(value);
      if (keyword === 'anyOf') for (const each of value) look(each);
    }
  };
  for (const { operation } of documentedCalls(app.gateway)) {
    for (const { schema } of operation.parameters ?? []) if (schema !== undefined) look(schema);
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) if (schema) look(schema);
  }
  t.strictSame(
    [...patterns].filter((text) => PATTERN_RULES[text] === undefined),
    [],
  );
  t.ok(patterns.size > 1);
});

t.test('oversized headers are a 431 in the common format, on any path and connection', async (t) => {
  await app.gateway.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.gateway.server.address() as AddressInfo;
  const send = (text: string) => sendBytes({ host: '127.0.0.1', port }, Buffer.from(text), true);
  const large = `X-Large: ${'x'.repeat(20_000)}\r\n\r\n`;
  const heads = [
    'POST /api/v1/qr',
    'GET /api/v1/render?content=x',
    'GET /l/abc',
    'PATCH /dashboard',
    'GET /nothing',
  ];
  const whole = [
    ...heads.map((head) => `${head} HTTP/1.1\r\nHost: a\r\n${large}`),
    `GET /api/v1/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n${large}`,
  ];
  for (const text of whole) {
    const { text: answer } = await send(text);
    t.match(answer, /HTTP\/1\.1 431 Request header fields too large\r\n/, text.slice(0, 40));
    t.match(answer, /"details":"Send at most 16 KiB of header fields, including the path\."\}$/);
  }
});
