/** The files of the dashboard: one page for all paths, assets that are cached forever, and nothing else. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { dashboardRoutes } from '../../../../src/http/routes/dashboard/dashboard.ts';
import { temporaryFolder } from '../../../servers/temporary-folder.ts';
import { sharedApp } from '../../../support/app/app.ts';
import { bareGateway } from '../../../support/app/bare-gateway.ts';

const SCRIPT = 'export const answer = 42;\n'.repeat(50);
const PAGE = `<!doctype html><html lang="en"><head><title>Tessera</title>
<link rel="stylesheet" href="/dashboard/assets/app-1A.css">
<script type="module" src="/dashboard/assets/app-2B.js"></script></head><body></body></html>`;
const GERMAN = PAGE.replace('lang="en"', 'lang="de"');

const built = async (t: Test) => {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'en.html'), PAGE);
  await writeFile(join(folder, 'de.html'), GERMAN);
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'assets/app-1A.css'), 'body { color: red }');
  await writeFile(join(folder, 'assets/app-2B.js'), SCRIPT);
  await writeFile(join(folder, 'assets/app-2B.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, 'assets/.hidden'), 'secret');
  return pathToFileURL(`${folder}/`);
};

const serve = async (t: Test, basePath: string, folder: URL) => {
  const app = bareGateway(t);
  await app.register(dashboardRoutes({ basePath, folder }));
  return (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
};

t.test('the page', async (t) => {
  const get = await serve(t, '/', await built(t));

  t.test('is served at every path below its own', async (t) => {
    for (const url of ['/dashboard', '/dashboard/', '/dashboard/folders/5f0c2a52', '/dashboard/a/b/c?x=y']) {
      const page = await get(url);
      t.strictSame([page.statusCode, page.payload], [200, PAGE], url);
      t.match(page.headers, {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
    t.equal((await get('/dashboards')).statusCode, 404);
  });

  t.test('may load only its own files and call only this service', async (t) => {
    const { headers } = await get('/dashboard');
    t.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  t.test('has assets that may be cached forever', async (t) => {
    const script = await get('/dashboard/assets/app-2B.js');
    t.strictSame([script.statusCode, script.payload], [200, SCRIPT]);
    t.match(script.headers, {
      'content-type': /^(text|application)\/javascript/,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const small = await get('/dashboard/assets/app-2B.js', { 'accept-encoding': 'gzip, br' });
    t.match(small.headers, { 'content-encoding': 'br', 'content-type': /javascript/ });
    t.match(small.headers.vary, /accept-encoding/i);
    t.equal(brotliDecompressSync(small.rawPayload).toString(), SCRIPT);
    t.match((await get('/dashboard/assets/app-1A.css')).headers, { 'content-type': /^text\/css/ });
  });

  t.test('serves no other files', async (t) => {
    const paths = [
      'none.js',
      '',
      '.hidden',
      '..%2fsecret.txt',
      '..%5csecret.txt',
      '%00',
      'app-2B.js/',
      '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    ];
    for (const path of paths) {
      const answer = await get(`/dashboard/assets/${path}`);
      t.equal(answer.statusCode, 404, path);
      t.match(answer.headers['content-type'], /^application\/json/);
      t.notMatch(answer.payload, /secret/);
    }
    t.equal((await get('/dashboard/secret.txt')).payload, PAGE);
  });
});

t.test('the root path redirects browsers to the page, and is a 404 for programs', async (t) => {
  const get = await serve(t, '/codes/', await built(t));
  const browser = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
  t.strictSame([browser.statusCode, browser.headers.location], [302, '/codes/dashboard']);
  t.match(browser.headers, { vary: /Accept/, 'cache-control': 'no-cache' });
  for (const accept of ['*/*', 'application/json', 'application/json, text/html']) {
    const program = await get('/', { accept });
    t.strictSame([program.statusCode, program.json().error], [404, 'Not found'], accept);
  }
  t.equal((await get('/')).statusCode, 404);
});

t.test('behind a proxy with a path prefix, the page loads its assets from there', async (t) => {
  const get = await serve(t, '/codes$&', await built(t));
  const { payload } = await get('/dashboard/folders');
  t.match(payload, 'href="/codes$&/dashboard/assets/app-1A.css"');
  t.match(payload, 'src="/codes$&/dashboard/assets/app-2B.js"');
});

t.test('the page is in the language that was chosen, or in that of the browser, or in English', async (t) => {
  const get = await serve(t, '/', await built(t));
  const shown = async (wanted: string, cookie = '') => {
    const { headers, payload } = await get('/dashboard', { 'accept-language': wanted, cookie });
    t.match(headers.vary, /^Accept-Language, Cookie\b/);
    return payload === GERMAN ? 'de' : 'en';
  };
  t.equal(await shown('de-AT,de;q=0.9,en;q=0.8'), 'de');
  t.equal(await shown('en-GB,en;q=0.9,de;q=0.8'), 'en');
  for (const wanted of ['', 'fr', 'x'.repeat(5000), '../de']) t.equal(await shown(wanted), 'en', wanted);
  t.equal(await shown('en', 'other=1; tessera_language=de'), 'de');
  t.equal(await shown('de', 'tessera_language=en; tessera_session=x'), 'en');
  for (const cookie of ['tessera_language=fr', 'tessera_language=../de', 'a_tessera_language=en'])
    t.equal(await shown('de', cookie), 'de', cookie);
});

t.test('a build without the dashboard answers with a 404', async (t) => {
  const folder = pathToFileURL(`${await temporaryFolder(t)}/`);
  const get = await serve(t, '/', folder);
  for (const url of ['/dashboard', '/dashboard/assets/app.js', '/']) {
    const answer = await get(url, { accept: 'text/html' });
    t.equal(answer.statusCode, 404);
    t.match(answer.json(), { error: 'Not found' });
  }
});

t.test('its calls answer with JSON or nothing, never with the page', async (t) => {
  const { call } = await sharedApp();
  t.equal((await call({ url: '/dashboard/session' })).status, 204);
  t.equal((await call({ method: 'POST', url: '/dashboard/preview', body: { data: 'x' } })).status, 401);
  t.equal((await call({ method: 'POST', url: '/dashboard/folders' })).status, 405);
});
