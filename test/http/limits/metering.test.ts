/** Free work of every route: what is found in the document is charged, and refused when the account has used it up. */
import postgres from 'postgres';
import t from 'tap';
import { ADMIN_TOKEN, startApp, type TestApp } from '../../support/app/app.ts';
import { newClient } from '../../support/app/client.ts';
import { realDatabaseUrl } from '../../support/database/database.ts';

const DATABASE_URL = await realDatabaseUrl();
const app = await startApp(t, { DATABASE_URL });
const frugal = await startApp(t, { DATABASE_URL, FREE_WORK_MS_PER_SECOND: '1' });

interface Operation {
  readonly operationId: string;
  /** Absent: that of most calls. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-paid'?: true;
  readonly 'x-even-overdrawn'?: string;
}

const document = (await app.call({ url: '/openapi.json' })).json as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

/** The routes for callers with a key or a session. */
const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    (operation.security?.some((way) => 'apiKey' in way || 'session' in way) ?? true)
      ? [{ path, method: method.toUpperCase() as 'GET' | 'HEAD', operation }]
      : [],
  ),
);

/** Makes an account that has overdrawn its free work by more than comes back during a test. */
const overdrawn = async ({ account, call }: TestApp) => {
  const made = await account();
  for (let i = 0; i < 3; i += 1)
    await Promise.all(Array.from({ length: 40 }, () => call({ url: '/api/v1/codes', key: made.key })));
  return made;
};

t.test('every route is charged to free work, unless it is paid', async (t) => {
  const paid = routes.filter(({ operation }) => operation['x-paid']).map(({ operation }) => operation);
  t.strictSame([...new Set(paid.map(({ operationId }) => operationId))].sort(), [
    ...['appendToUpload', 'createBarcode', 'createBatch', 'createCode', 'createCodes', 'createFile'],
    ...['getBatchPart', 'getUpload', 'saveCode'],
  ]);
});

t.test('every route is refused when free work is used up, except those that say why not', async (t) => {
  const { key } = await overdrawn(frugal);
  const excused: string[] = [];
  for (const { path, method, operation } of routes) {
    if (operation['x-paid'] || path === '/api/v1/render' || path.startsWith('/dashboard')) continue;
    const url = path.replaceAll(/\{[^}]*\}/g, '00000000-0000-4000-8000-000000000000');
    const { status, json } = await frugal.call({ method, url, key });
    if (operation['x-even-overdrawn'] !== undefined) excused.push(operation.operationId);
    if (operation['x-even-overdrawn'] === undefined) t.equal(status, 429, `${method} ${path}`);
    else t.not(status, 429, `${method} ${path}`);
    if (status === 429 && method !== 'HEAD') t.match(json.details, /processor time/, `${method} ${path}`);
  }
  t.strictSame([...new Set(excused)].sort(), [
    ...['cancelBatch', 'cancelLinkJob', 'deleteLinkJob', 'deleteSigningSecret', 'deleteUpload'],
    ...['getCodeImage', 'getUsage', 'revokeKey'],
  ]);
});

t.test('an account that has used up its free work does not slow another one', async (t) => {
  await overdrawn(frugal);
  const { key } = await frugal.account();
  t.equal((await frugal.call({ url: '/api/v1/folders', key })).status, 200);
});

t.test('reading a body is charged, also when it is refused', async (t) => {
  const { key } = await frugal.account();
  const items = Array.from({ length: 100 }, (_, i) => ({ data: `${i}`.padEnd(4000, 'x'), unknown: [[[1]]] }));
  const body = JSON.stringify({ items, more: 'x'.repeat(1_000_000) });
  const statuses: number[] = [];
  for (let i = 0; i < 50 && statuses.at(-1) !== 429; i += 1)
    statuses.push((await frugal.call({ method: 'POST', url: '/api/v1/qr/bulk/check', key, body })).status);
  t.equal(statuses[0], 400);
  t.equal(statuses.at(-1), 429, 'what it takes adds up');
  const { text } = await frugal.call({ url: '/metrics', key: ADMIN_TOKEN });
  t.match(text, /^tessera_free_work_overdrawn_accounts [1-9]/m);
});

/** Sends bodies until one gets another answer than the first, and returns what they got. */
const answersTo = async (
  key: string,
  url: string,
  body: string,
  type = 'application/json',
): Promise<readonly string[]> => {
  const answers: string[] = [];
  for (let i = 0; i < 30 && answers.every((answer) => answer === answers[0]); i += 1) {
    const { status, json } = await frugal.call({
      ...{ method: 'POST', url, key, body },
      headers: { 'content-type': type },
    });
    answers.push(`${status} ${json.details}`);
  }
  return answers;
};

t.test(
  'long bodies of paid calls are charged when they are refused, apart from other free work',
  async (t) => {
    const { key } = await frugal.account({ monthlyQuota: 0 });
    const item = { data: 'a', image: `data:image/png;base64,${'A'.repeat(200_000)}` };
    const body = JSON.stringify({ items: Array.from({ length: 10 }, () => item) });
    const [first, ...others] = await answersTo(key, '/api/v1/qr/bulk', body);
    t.match(first, /^429 The call needs 10 units/);
    t.match(others.at(-1), /^429 .*processor time/, 'what it takes adds up');
    const single = JSON.stringify({ ...item, unknown: 1 });
    t.match((await answersTo(key, '/api/v1/qr', single))[0], /processor time/, 'whatever the call');
    t.match(
      (await answersTo(key, '/api/v1/qr', '{"data":"a"}'))[0],
      /No units are left/,
      'short ones are read',
    );
    t.equal((await frugal.call({ url: '/api/v1/folders', key })).status, 200, 'other calls go on');
  },
);

t.test(
  'batches are charged when their rows have been read and are refused, however short they are',
  async (t) => {
    const { key } = await frugal.account({ monthlyQuota: 1 });
    const rows = '{"data":"a"}\n'.repeat(2000);
    const [first, ...others] = await answersTo(key, '/api/v1/batches', rows, 'application/x-ndjson');
    t.match(first, /^429 The batch needs 2000 units and 1 are left/);
    t.match(others.at(-1), /^429 .*processor time/, 'what it takes adds up');
  },
);

t.test('long bodies of paid calls that are not refused are not charged', async (t) => {
  const { key } = await overdrawn(frugal);
  const body = JSON.stringify({ data: 'a' }).padEnd(1_000_000);
  for (let i = 0; i < 10; i += 1)
    t.equal((await frugal.call({ method: 'POST', url: '/api/v1/qr', key, body })).status, 200);
});

t.test('things that others hold locked are a 429', async (t) => {
  const { id, post, patch } = await newClient(app);
  const { json: folder } = await post('/folders', { name: 'a' });
  const sql = postgres(DATABASE_URL, { max: 1 });
  t.teardown(() => sql.end());
  await sql.begin(async (tx) => {
    await tx`select 1 from folders where account_id = ${id} for update`;
    const refused = await patch(`/folders/${folder.id}`, { name: 'b' });
    const json = { details: /changing the same/ };
    t.match(refused, { status: 429, headers: { 'retry-after': '2' }, json });
  });
});

t.test('an account changes many things one call at a time, and others are not in its line', async (t) => {
  const [mine, other] = [await newClient(app), await newClient(app)];
  const item = (n: number) => `(01)${['09521321000018', '09521321000025'][n]}`;
  const links = [{ rel: 'gs1:pip', href: 'https://example.com/', title: 'a' }];
  for (const [n, { post }] of [mine, other].entries()) await post('/resolver/items', { key: item(n), links });
  const change = ({ patch }: typeof mine, n: number) =>
    patch('/resolver/items', { key: item(n), change: { set: links } });
  const [theirs, ...ours] = await Promise.all([
    change(other, 1),
    ...Array.from({ length: 12 }, () => change(mine, 0)),
  ]);
  t.equal(theirs?.status, 200);
  t.ok(ours.every(({ status }) => status === 200 || status === 429));
  t.equal(ours.filter(({ status }) => status === 200).length, 4, 'one runs and three wait');
});
