/** The packages of clients as npm, pip and people fetch them. */
import { hash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { clientRoutes } from '../../../src/http/routes/published.ts';
import { VERSION } from '../../../src/package.ts';
import { temporaryFolder } from '../../servers/temporary-folder.ts';
import { bareGateway } from '../../support/app/bare-gateway.ts';

const FILES = {
  'tessera-client-1.2.3.tgz': 'npm',
  'tessera_client-1.2.3-py3-none-any.whl': 'wheel',
  'tessera_client-1.2.3.tar.gz': 'sources'.repeat(2000),
} as const;

const fill = async (folder: string): Promise<void> => {
  await mkdir(join(folder, 'generate'), { recursive: true });
  for (const [name, text] of Object.entries({ ...FILES, '.state': 'secret', 'secret.txt': 'secret' }))
    await writeFile(join(folder, name), text);
};

const serve = async (t: Test, folder: string) => {
  const app = bareGateway(t);
  await app.register(clientRoutes(pathToFileURL(`${folder}/`)));
  return (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url, headers });
};

t.test('the list has the names, lengths and checksums of the packages, and nothing else', async (t) => {
  const folder = await temporaryFolder(t);
  await fill(folder);
  const get = await serve(t, folder);
  const packages = Object.entries(FILES).map(([name, text]) => ({
    name,
    bytes: text.length,
    sha256: hash('sha256', text),
  }));
  for (const url of ['/clients', '/clients/', '/clients/?utm_source=x']) {
    const list = await get(url);
    t.equal(list.statusCode, 200, url);
    t.strictSame(list.json(), { version: VERSION, packages }, url);
  }
  const sums = await get('/clients/SHA256SUMS');
  t.equal(sums.payload, packages.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
  t.equal(sums.headers['content-type'], 'text/plain; charset=utf-8');
});

t.test('each package has its type and length, and is asked for again with its tag', async (t) => {
  const folder = await temporaryFolder(t);
  await fill(folder);
  const get = await serve(t, folder);
  const types = ['application/gzip', 'application/zip', 'application/gzip'];
  for (const [i, [name, text]] of Object.entries(FILES).entries()) {
    const url = `/clients/${name}`;
    const answer = await get(url, { 'accept-encoding': 'gzip, br' });
    t.strictSame([answer.statusCode, answer.payload], [200, text], name);
    t.match(answer.headers, {
      'content-type': types[i],
      'content-length': String(text.length),
      'cache-control': 'no-cache',
      etag: /^"[\w-]+"$/,
    });
    const etag = String(answer.headers.etag);
    const known = await get(url, { 'if-none-match': etag });
    t.strictSame([known.statusCode, known.payload, known.headers.etag], [304, '', etag], name);
    const head = await get(url, {}, 'HEAD');
    t.strictSame(
      [head.statusCode, head.payload, head.headers['content-length']],
      [200, '', String(text.length)],
    );
  }
});

t.test('other names are a 404 that says where the names are', async (t) => {
  const folder = await temporaryFolder(t);
  await fill(folder);
  const get = await serve(t, folder);
  for (const name of [
    '.state',
    'secret.txt',
    'generate',
    'tessera-client-1.2.4.tgz',
    '..%2fsecret.txt',
    '%00',
  ]) {
    const { statusCode, payload } = await get(`/clients/${name}`);
    t.equal(statusCode, 404, name);
    t.match(payload, 'There is no such package; GET /clients/ lists them.', name);
  }
});

t.test('a build without packages says so, and serves them once they are made', async (t) => {
  const folder = join(await temporaryFolder(t), 'clients');
  const get = await serve(t, folder);
  for (const url of ['/clients/', '/clients/tessera-client-1.2.3.tgz']) {
    const { statusCode, payload } = await get(url);
    t.equal(statusCode, 404, url);
    t.match(payload, 'This build has no packages of clients; npm run clients makes them.', url);
  }
  await fill(folder);
  t.equal((await get('/clients/')).statusCode, 200);
});
