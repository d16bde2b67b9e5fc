/** Which answers are compressed, in which coding, and what their tags say. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import t from 'tap';
import { startApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';
import { documentedCalls } from '../support/app/conformance.ts';
import { svgUri } from '../support/pictures/svg-uri.ts';

const gateway = await startApp(t);
const { app, call } = gateway;
const { key, post, patch } = await newClient(gateway);
const many = { folderName: 'Many', items: Array.from({ length: 40 }, (_, i) => ({ data: `code ${i}` })) };
const bulk = await post('/qr/bulk', many, { 'accept-encoding': 'gzip, br' });
const decode = { gzip: gunzipSync, br: brotliDecompressSync };

/** Calls with `Accept-Encoding`, and returns the answer as it is sent. */
const read = (
  url: string,
  accepted: string | undefined,
  more: Record<string, string> = {},
  method?: 'HEAD',
) =>
  call({
    ...{ url, key, ...(method && { method }) },
    headers: { ...more, ...(accepted !== undefined && { 'accept-encoding': accepted }) },
  });

const LISTS = { json: '/api/v1/codes?limit=100', csv: '/api/v1/resolver/items.csv' };

t.test('a long list is compressed in the coding that the caller prefers, and is the same text', async (t) => {
  const plain = await read(LISTS.json, undefined);
  t.ok(plain.bytes.length > 8192);
  for (const [accepted, coding] of [
    ['gzip, deflate, br', 'gzip'],
    ['br, gzip', 'br'],
    ['gzip;q=0.1, br;q=0.2', 'br'],
    ['*', 'br'],
  ] as const) {
    const { headers, bytes } = await read(LISTS.json, accepted);
    t.equal(headers['content-encoding'], coding, accepted);
    t.equal(Number(headers['content-length']), bytes.length);
    t.match(headers.vary, /Accept-Encoding/);
    t.ok(bytes.length < plain.bytes.length / 3, `${plain.bytes.length} bytes become ${bytes.length}`);
    t.equal(decode[coding](bytes).toString(), plain.text);
  }
  for (const accepted of [undefined, '', 'identity', 'zstd', 'gzip;q=0, br;q=0']) {
    const { headers, text } = await read(LISTS.json, accepted);
    t.equal(headers['content-encoding'], undefined, String(accepted));
    t.match(headers.vary, /Accept-Encoding/, 'caches still keep the two apart');
    t.equal(text, plain.text);
  }
});

t.test('a streamed file is compressed as it is sent', async (t) => {
  const { headers, bytes } = await read(LISTS.csv, 'gzip');
  t.match(headers, { 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  t.match(gunzipSync(bytes).toString(), /^key,/);
});

t.test('short answers, pictures, archives, errors, HEAD and bulk calls are sent as they are', async (t) => {
  const folder = bulk.json.meta.folder_id;
  const [code] = (await read(LISTS.json, undefined)).json.data;
  const plain = async (url: string, method?: 'HEAD') => {
    const answer = await read(url, 'gzip, br', {}, method);
    t.equal(answer.headers['content-encoding'], undefined, url);
    return answer;
  };
  t.equal(bulk.headers['content-encoding'], undefined);
  t.ok(bulk.bytes.length > 8192);
  await plain('/api/v1/usage');
  await plain(`/api/v1/codes/${code!.id}/image?width=2000`);
  await plain(`/api/v1/folders/${folder}/archive`);
  await plain('/api/v1/codes?limit=0');
  t.match((await plain(LISTS.json, 'HEAD')).headers.vary, /Accept-Encoding/);
});

t.test('an answer whose strong ETag names its fields is sent as it is', async (t) => {
  const paths = '<path d="M0 0h1v1z"/>'.repeat(900);
  const image = svgUri(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${paths}</svg>`);
  const { json } = await post('/presets', { name: 'Logo', options: { image } });
  const { headers, bytes } = await read(`/api/v1/presets/${json.id}`, 'gzip');
  t.ok(bytes.length > 8192);
  t.match(headers, { 'content-encoding': undefined, etag: json.etag.slice(0, -1) });
});

t.test(
  '/openapi.json has a strong ETag for each coding, and answers 304 to a caller who has it',
  async (t) => {
    const url = '/openapi.json';
    const plain = await read(url, undefined);
    const etags = new Set([String(plain.headers.etag)]);
    for (const coding of ['gzip', 'br'] as const) {
      const { headers, bytes } = await read(url, coding);
      t.match(headers, { 'content-encoding': coding, 'cache-control': 'no-cache' });
      t.match(headers.vary, /Accept-Encoding/);
      t.equal(decode[coding](bytes).toString(), plain.text);
      const etag = String(headers.etag);
      etags.add(etag);
      t.match(etag, /^"/);
      const again = await read(url, coding, { 'if-none-match': etag });
      t.match(again, { status: 304, headers: { etag, 'content-encoding': undefined }, text: '' });
      t.match(again.headers.vary, /Accept-Encoding/);
      t.equal(
        (await read(url, undefined, { 'if-none-match': etag })).status,
        200,
        'the plain text is another',
      );
    }
    t.equal(etags.size, 3);
  },
);

t.test('a list has a weak ETag in every coding, and answers 304 until it changes', async (t) => {
  const folder = `/api/v1/folders/${bulk.json.meta.folder_id}/codes?limit=100`;
  for (const url of [LISTS.json, folder, '/api/v1/links', '/api/v1/folders', '/api/v1/usage']) {
    const plain = await read(url, undefined);
    const etag = String(plain.headers.etag);
    t.match(etag, /^W\/"[\w-]{27}"$/, url);
    t.equal((await read(url, 'br')).headers.etag, etag, 'one tag, since the text is the same');
    for (const [method, sent] of [
      [undefined, etag],
      [undefined, `"other", ${etag.slice(2)}`],
      ['HEAD', etag],
    ] as const) {
      const known = await read(url, 'gzip', { 'if-none-match': sent }, method);
      t.match(known, { status: 304, text: '', headers: { etag, vary: /Accept-Encoding/ } }, url);
      for (const name of ['content-type', 'content-encoding', 'content-length'])
        t.notOk(name in known.headers, `${name} of ${url}`);
    }
    t.equal((await read(url, 'gzip', { 'if-none-match': 'W/"other"' })).status, 200);
  }
  const { headers } = await read(LISTS.json, undefined);
  const [code] = (await read(LISTS.json, undefined)).json.data;
  await patch(`/codes/${code!.id}`, { name: 'Another' });
  const changed = await read(LISTS.json, 'br', { 'if-none-match': String(headers.etag) });
  t.match(changed, { status: 200, headers: { 'content-encoding': 'br' } });
  t.not(changed.headers.etag, headers.etag);
  t.equal((await read('/api/v1/codes?limit=0', undefined, { 'if-none-match': '*' })).status, 400);
});

t.test('every documented list, and every other JSON that is read, says that it may be a 304', (t) => {
  const isOpen = (path: string) => /^\/(healthz|readyz|metrics|tls\/ask|openapi|\.well-known)/.test(path);
  const reading = documentedCalls(app.gateway).filter(
    ({ method, path, operation: { responses } }) =>
      method === 'GET' && !isOpen(path) && responses['200']?.content?.['application/json'] !== undefined,
  );
  t.ok(reading.length > 35, String(reading.length));
  t.strictSame(
    reading
      .filter(
        ({ operation: { responses } }) =>
          !('304' in responses) || !('ETag' in (responses['200']!.headers ?? {})),
      )
      .map(({ path }) => path)
      .filter((path) => !path.endsWith('/receipt')),
    [],
  );
  t.end();
});
