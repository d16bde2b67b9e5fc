/** The client on a network that cuts connections after the gateway has answered. */
import t from 'tap';
import { createClient } from '../../../clients/typescript/src/index.ts';
import { LOST, startFailingProxy } from '../../servers/proxies/failing-proxy.ts';
import { freePort } from '../../servers/server-process.ts';
import { temporaryFolder } from '../../servers/temporary-folder.ts';
import { startApp } from '../../support/app/app.ts';
import { readZip } from '../../support/files/zip.ts';
import { addressOf } from './address.ts';

const { app, account, call } = await startApp(t, {
  PORT: String(await freePort()),
  BATCH_STORE: await temporaryFolder(t),
});
await app.listen();
const gateway = addressOf(app);
const usedBy = async (key: string): Promise<number> =>
  (await call({ url: '/api/v1/usage', key })).json.usage_count;

const CALLS = 100;

t.test(`${CALLS} calls whose first answer is lost are charged once each`, async (t) => {
  const { key } = await account({ monthlyQuota: 1000 });
  const seen = new Set<string>();
  const proxy = await startFailingProxy(t, gateway, ({ headers }) => {
    const id = String(headers['idempotency-key']);
    const isFirst = !seen.has(id);
    seen.add(id);
    return isFirst ? LOST : null;
  });
  const client = createClient({ url: proxy.url, key });
  const make = async (i: number) => {
    const { response } = await client.createCode({ body: { data: `https://example.com/${i}` } });
    return response.headers.get('idempotent-replayed');
  };
  const replayed = await Promise.all(Array.from({ length: CALLS }, (_, i) => make(i)));
  t.ok(replayed.every((value) => value === 'true'));
  t.equal(seen.size, CALLS);
  t.equal(proxy.answers.filter(({ status }) => status === 200).length, 2 * CALLS, 'two answers each');
  t.equal(await usedBy(key), CALLS);
});

t.test('a bulk call, a folder and a batch are made once although their first answers are lost', async (t) => {
  const { key } = await account({ monthlyQuota: 1000 });
  const lost = new Set<string>();
  const proxy = await startFailingProxy(t, gateway, ({ method, url = '' }) => {
    const isFirst = method === 'POST' && !lost.has(url);
    lost.add(url);
    return isFirst ? LOST : null;
  });
  const client = createClient({ url: proxy.url, key });
  await client.createCodes({ body: { folderName: 'A', items: [{ data: 'a' }, { data: 'b' }] } });
  t.equal(await usedBy(key), 2);
  await client.createFolder({ body: { name: 'B' } });
  for await (const _ of client.makeBatch({ rows: [{ data: 'a' }], query: { folder_name: 'A' } }));
  t.equal(await usedBy(key), 3);
  const names: string[] = [];
  for await (const { name } of client.each.listFolders({ query: { limit: 1 } })) names.push(name);
  t.strictSame(names.sort(), ['A', 'B']);
  t.equal((await client.listBatches()).data.data.length, 1);
});

t.test('one call sends a batch, waits for it and reads its results', async (t) => {
  const { key } = await account({ monthlyQuota: 1000 });
  const client = createClient({ url: gateway, key });
  const states: string[] = [];
  const rows = Array.from({ length: 30 }, (_, i) => ({ data: `https://example.com/${i}`, name: `Cup ${i}` }));
  const files = client.makeBatch(
    { rows, design: { dotsOptions: { color: '#1a4b8c' } }, query: { formats: 'png,svg' } },
    { onProgress: ({ state }) => states.push(state) },
  );
  const found = [];
  let next = await files.next();
  for (; !next.done; next = await files.next()) found.push(next.value);
  const batch = next.value;
  t.match(batch, { state: 'done', rows: 30, made: 30 });
  t.equal(states.at(-1), 'done');
  const { response } = await client.getBatchPart({ path: { id: batch.id, n: 1 } });
  const zip = await readZip(Buffer.from(await response.arrayBuffer()));
  t.strictSame(
    found.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes) })),
    zip.map(({ name, bytes }) => ({ name, bytes })),
  );
  t.strictSame(
    found.map(({ row }) => row),
    [...rows.flatMap((_, i) => [i + 1, i + 1]), null],
    'in order, with the manifest at the end of its part',
  );
  async function* more() {
    yield* rows.slice(0, 2);
  }
  let count = 0;
  for await (const _ of client.makeBatch({ rows: more() })) count += 1;
  t.equal(count, 3, 'rows may be a stream');
  count = 0;
  const csv = { file: 'data\na\nb\n', contentType: 'text/csv' } as const;
  for await (const _ of client.makeBatch(csv)) count += 1;
  t.equal(count, 3, 'rows may be a file');
});

t.test('a batch with invalid rows throws an error that names them', async (t) => {
  const { key } = await account({ monthlyQuota: 1000 });
  const client = createClient({ url: gateway, key });
  const files = client.makeBatch({ rows: [{ data: 'a' }, { data: 'b', width: 1 }] });
  await t.rejects(files.next(), {
    code: 'batch_failed',
    faults: [{ field: 'rows.2.width', message: /at least 50/ }],
  });
  t.equal(await usedBy(key), 0);
});
