/** Whatever is sent over a socket, the answer says what is wrong with the request, and is never a 500. */
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import t from 'tap';
import { type OddRequest, oddRequests } from '../hostile/odd-requests.ts';
import { type Operation, operationsOf } from '../hostile/operations.ts';
import { bodyOf, type RawAnswer, sendBytes } from '../hostile/wire.ts';
import { ADMIN_TOKEN, startApp } from '../support/app/app.ts';
import { routesOf } from '../support/app/routes.ts';
import { signIn } from '../support/app/session.ts';

/** To repeat the requests of a run: `ODD_REQUESTS_SEED=<seed> npx tap run test/http/odd-requests.test.ts`. */
const SEED = Number(process.env.ODD_REQUESTS_SEED ?? Date.now() % 2 ** 31);
const MIN_REQUESTS = Number(process.env.ODD_REQUESTS ?? 8000);
const PARALLEL = 8;
const LONGEST_MS = 8000;
const RANDOM_ID = '5f0c2a52-6f6c-4d6e-9a52-0d5c1f3f9b11';

const gateway = await startApp(t, {}, { isOdd: true });
const { app, call, account, admin } = gateway;
await app.gateway.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.gateway.server.address() as AddressInfo;
const here = { host: '127.0.0.1', port };
const send = (text: string, isWhole = true) => sendBytes(here, Buffer.from(text, 'latin1'), isWhole);
const customer = await account({ monthlyQuota: 1_000_000 });

t.test('only plain UUIDs are ids, in paths, queries and bodies', async (t) => {
  const { key } = customer;
  const notations = [
    `urn:uuid:${RANDOM_ID}`,
    `{${RANDOM_ID}}`,
    RANDOM_ID.replaceAll('-', ''),
    `${RANDOM_ID}\n`,
  ];
  for (const id of notations) {
    const written = encodeURIComponent(id);
    for (const path of [
      `/folders/${written}`,
      `/codes/${written}`,
      `/codes/${written}/image`,
      `/folders/${written}/archive`,
    ]) {
      const { status, json } = await call({ url: `/api/v1${path}`, key });
      t.equal(status, 400, path);
      t.equal(json.details, 'id: must be a UUID');
    }
    const listed = await call({ url: `/api/v1/codes?folder_id=${written}`, key });
    t.match(listed, { status: 400, json: { details: 'folder_id: must be a UUID' } }, id);
    const body = { items: [{ data: 'x' }], folderId: id };
    const batch = await call({ method: 'POST', url: '/api/v1/qr/bulk', key, body });
    t.match(batch, { status: 400, json: { details: 'folderId: must be a UUID' } }, id);
    t.match(await admin('GET', `/accounts/${written}`), { status: 400 }, id);
  }
  t.equal(
    (await call({ url: `/api/v1/codes/${RANDOM_ID.toUpperCase()}`, key })).status,
    404,
    'in either case',
  );
  const made = await call({ method: 'POST', url: '/api/v1/folders', key, body: { name: 'Upper case' } });
  const upper = await call({ url: `/api/v1/folders/${made.json.id.toUpperCase()}`, key });
  t.strictSame(upper.json, made.json);
});

t.test('only plain decimals are integers in a query', async (t) => {
  const { key } = customer;
  const refused =
    'Infinity -Infinity 1e400 NaN -0 1e1 %205%20 0x10 5.0 +5 %2B5 05 5_0 %EF%BC%95 true 9007199254740993';
  for (const written of [...refused.split(' '), '', '5&limit=6']) {
    const list = await call({ url: `/api/v1/folders?limit=${written}`, key });
    const rule = written.includes('&') ? 'must be sent only once' : 'must be a whole number';
    t.match(list, { status: 400, json: { details: `limit: ${rule}` } }, `limit=${written}`);
    const width = written.replace('limit', 'width');
    const image = await call({ url: `/api/v1/render?key=${key}&content=x&width=${width}` });
    t.equal(image.status, 400, `width=${width}`);
    t.ok(image.text.startsWith(`Invalid query parameters: width: ${rule}`), image.text);
  }
  t.equal((await call({ url: '/api/v1/folders?limit=5', key })).status, 200);
  t.match((await call({ url: '/api/v1/folders?limit=-5', key })).json, {
    details: 'limit: must be at least 1',
  });
});

t.test('numbers beyond the range of a double are refused', async (t) => {
  const single = (body: string) => call({ method: 'POST', url: '/api/v1/qr', key: customer.key, body });
  for (const field of ['width', 'height', 'margin']) {
    const { status, json } = await single(`{"data":"x","${field}":1e400}`);
    t.equal(status, 400);
    t.equal(json.details, `${field}: must be a whole number`);
  }
  const { json } = await single('{"data":"x","backgroundOptions":{"round":-1e400}}');
  t.equal(json.details, 'backgroundOptions.round: must be a number');
});

t.test('invalid HTTP is refused in the common error format', async (t) => {
  const post = 'POST /api/v1/qr HTTP/1.1\r\nHost: x\r\n';
  const broken = [
    'GET /l/\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n',
    'BREW / HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET / HTTP/9.1\r\nHost: x\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nX-Nul: a\0b\r\n\r\n',
    `${post}Content-Length: two\r\n\r\n`,
    `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
  ];
  for (const text of broken) {
    const answer = await send(text);
    t.equal(answer.status, 400, text);
    t.match(JSON.parse(bodyOf(answer)), { error: 'Malformed request', details: /^Send HTTP\/1\.1: / }, text);
    t.match(answer.text, /\r\nX-Request-Id: [\da-f-]{36}/, text);
  }
  const query = await send('QUERY /nope HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  t.equal(query.status, 404, 'a method that no route has');
  const comma = await call({ method: 'POST', url: '/api/v1/qr', key: customer.key, body: '{"data":"x",}' });
  t.match(comma, { status: 400, json: { error: 'Malformed JSON', details: /^body: must be valid JSON: / } });
  const proto = await call({ method: 'POST', url: '/api/v1/qr', key: customer.key, body: '{"__proto__":1}' });
  t.match(proto, {
    status: 400,
    json: { details: 'body: must have no keys __proto__ or constructor.prototype' },
  });
});

t.test('a field of which Node would keep the first and drop the others is refused', async (t) => {
  const twice = {
    Host: ['x', 'y'],
    host: ['x', 'x'],
    Authorization: [`Bearer ${customer.key}`, 'Bearer other'],
    'Content-Type': ['application/json', 'text/csv'],
  };
  for (const path of ['/healthz', '/nope', '/api/v1/folders']) {
    for (const [name, values] of Object.entries(twice)) {
      const fields = ['Connection: close', ...values.map((value) => `${name}: ${value}`)];
      if (name.toLowerCase() !== 'host') fields.push('Host: x');
      const answer = await send(`GET ${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`);
      t.equal(answer.status, 400, `${name} ${path}`);
      const told = { error: 'Malformed request', details: `${name}: must be sent once` };
      t.match(JSON.parse(bodyOf(answer)), told, `${name} ${path}`);
    }
  }
  const once = `GET /healthz HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nConnection: close\r\n\r\n`;
  t.equal((await send(once)).status, 200);
});

t.test('asset paths without a file are 404', async (t) => {
  const odd = '../../x %2e%2e/x %2e%2e%2f%2e%2e%2fx ..%2fx ..\\x %5c..%5cx %00 a%00b %ff // ./x .env % %zz';
  const paths = [...odd.split(' '), 'a'.repeat(300), 'a'.repeat(5000), 'a/'.repeat(3000)];
  for (const folder of ['/docs/static/', '/dashboard/assets/', '/clients/']) {
    t.not((await send(`GET ${folder} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).status, 500, folder);
    for (const path of paths) {
      const { status } = await send(`GET ${folder}${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      t.equal(status, 404, folder + path.slice(0, 40));
    }
  }
  for (const path of [
    '/docs/static/swagger-ui.css',
    '/docs/static/swagger-ui-bundle.js',
    '/docs/',
    '/docs',
    '/docs/json',
  ]) {
    const { status } = await send(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    t.equal(status, 200, path);
  }
});

/** Routes that the OpenAPI document leaves out: the documentation pages, the packages of clients and the dashboard. */
const PAGES: readonly string[] = [
  '/docs',
  '/docs/',
  '/docs/{file}',
  '/docs/static/{file}',
  '/clients/',
  '/clients/{file}',
  '/dashboard',
  '/dashboard/{file}',
  '/dashboard/assets/{file}',
];

const pageOf = (path: string): Operation => ({
  method: 'GET',
  path,
  pathParameters: path.includes('{') ? [{ name: 'file', schema: { type: 'string' } }] : [],
  query: [],
  body: null,
  access: 'anyone',
});

/** The pages of `PAGES`, and short links with a slash behind them; HEAD is tested with GET. */
const IS_PAGE =
  /^HEAD |^GET \/$|^GET \/l\/:slug\*$|^POST \/l\/:slug\*?$|^GET \/(?:docs|clients|dashboard(?!\/(?:session|preview)$))(?:[/*]|$)/;

/** Items of a generated bulk call, at most. */
const MAX_ITEMS = 3;
const UNITS: Readonly<Record<string, (answer: RawAnswer) => number>> = {
  'POST /api/v1/qr': (answer) => (/^idempotent-replayed/im.test(answer.text) ? 0 : 1),
  'POST /api/v1/qr/file': (answer) => (/^idempotent-replayed/im.test(answer.text) ? 0 : 1),
  'POST /api/v1/barcodes/file': (answer) => (/^idempotent-replayed/im.test(answer.text) ? 0 : 1),
  'POST /api/v1/qr/bulk': (answer) =>
    /^idempotent-replayed/im.test(answer.text) ? 0 : JSON.parse(bodyOf(answer)).meta.successful,
  'GET /api/v1/render': () => 1,
};

t.test('odd requests to every call', async (t) => {
  const operations = [...operationsOf(app.gateway.swagger()), ...PAGES.map(pageOf)];
  t.comment(`ODD_REQUESTS_SEED=${SEED}`);

  t.test('the requests cover every route of the gateway', async (t) => {
    const known = operations.map(({ method, path }) => `${method} ${path.replace(/\{([^}]+)\}/g, ':$1')}`);
    const routes = await routesOf(app.gateway);
    t.ok(routes.length > 40, `${routes.length} routes`);
    for (const route of routes) {
      if (IS_PAGE.test(route)) continue;
      t.ok(known.includes(route), route);
    }
  });

  const batch = await call({
    method: 'POST',
    url: '/api/v1/qr/bulk',
    key: customer.key,
    body: { items: [{ data: 'x' }, { data: 'https://example.com/', dynamic: true }], folderName: 'Known' },
  });
  const folderId: string = batch.json.meta.folder_id;
  const codes = await call({ url: `/api/v1/folders/${folderId}/codes`, key: customer.key });
  const job = await call({
    method: 'POST',
    url: '/api/v1/batches',
    key: customer.key,
    headers: { 'content-type': 'application/x-ndjson' },
    body: '{"data":"x"}\n',
  });
  t.equal(job.status, 202);
  const upload = await call({
    method: 'POST',
    url: '/api/v1/batches',
    key: customer.key,
    headers: { 'content-type': 'application/x-ndjson', 'upload-complete': '?0' },
  });
  const uploadId = String(upload.headers.location).split('/').at(-1)!;
  const spare = await account();
  const before = (await call({ url: '/api/v1/usage', key: customer.key })).json.usage_count;
  const known = {
    key: customer.key,
    adminToken: ADMIN_TOKEN,
    cookie: await signIn(gateway, (await account()).key),
    ids: [
      folderId,
      ...codes.json.data.flatMap(({ id, slug }: { id: string; slug: string | null }) => slug ?? id),
      spare.id,
      job.json.id,
      uploadId,
    ],
  };

  const rounds = Math.ceil(MIN_REQUESTS / operations.length);
  const statuses: Record<string, number> = {};
  const served = new Set<string>();
  let units = 0;
  /** Calls whose client disconnected at once, or sent a body too broken to match: they may have been paid unseen. */
  let unheardUnits = 0;
  let slowestMs = 0;
  const judge = ({ operation, isWhole, bytes }: OddRequest, answer: RawAnswer): string | null => {
    statuses[String(answer.status)] = (statuses[String(answer.status)] ?? 0) + 1;
    slowestMs = Math.max(slowestMs, answer.ms);
    if (answer.status === 200 || answer.status === 201 || answer.status === 204) served.add(operation);
    if (answer.status === 200 && bytes.toString('latin1').startsWith(operation.split(' ', 1)[0]!)) {
      units += UNITS[operation]?.(answer) ?? 0;
    }
    const isUnheard = answer.status === null || answer.text.includes('"Malformed request"');
    if (isUnheard && operation in UNITS) unheardUnits += MAX_ITEMS;
    if (answer.hangs) return 'is neither answered nor hung up on';
    if (answer.status === null) return isWhole ? 'gets no answer' : null;
    if (answer.status >= 500 && answer.status !== 503) return `is answered with ${answer.status}`;
    return answer.ms > LONGEST_MS ? `takes ${Math.round(answer.ms)} ms` : null;
  };

  let sent = 0;
  const faults: string[] = [];
  for (const requests of fc.sample(oddRequests(operations, known), { numRuns: rounds, seed: SEED })) {
    const queue = [...requests];
    const worker = async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        sent += 1;
        const fault = judge(next, await sendBytes(here, next.bytes, next.isWhole));
        if (fault !== null)
          faults.push(`${fault}: ${JSON.stringify(next.bytes.toString('latin1').slice(0, 1500))}`);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
    if (faults.length > 20) break;
  }
  t.comment(`${sent} requests, slowest ${Math.round(slowestMs)} ms, ${JSON.stringify(statuses)}`);
  for (const fault of faults) t.fail(fault);
  t.ok(sent >= MIN_REQUESTS, `${sent} requests`);

  const expectsSuccess = operations.filter(({ path }) => path.startsWith('/api/v1/'));
  const unserved = expectsSuccess.filter(({ method, path }) => !served.has(`${method} ${path}`));
  t.comment(
    `served: ${served.size} of ${operations.length} calls; not: ${unserved.map(({ method, path }) => `${method} ${path}`).join(', ')}`,
  );
  t.ok(served.size > expectsSuccess.length * 0.5, 'at least half of the calls succeed some of the time');

  const usage = (await call({ url: '/api/v1/usage', key: customer.key })).json.usage_count;
  const paid = usage - before;
  t.ok(
    paid >= units && paid <= units + unheardUnits,
    `${units} units were answered with a picture, at most ${unheardUnits} more may be, ${paid} were paid`,
  );
  t.equal((await call({ url: '/readyz' })).status, 200);
  t.equal(
    (await call({ method: 'POST', url: '/api/v1/qr', key: customer.key, body: { data: 'x' } })).status,
    200,
  );
});
