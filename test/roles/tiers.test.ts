/** Gateways with ROLE=api and ROLE=worker: together they do what one gateway does. */
import t from 'tap';
import { createSender, ndjson } from '../batches/support.ts';
import { startRedis } from '../servers/redis.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { until } from '../servers/until.ts';
import { ADMIN_TOKEN, startApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';
import { realDatabaseUrl } from '../support/database/database.ts';
import { startReceiver } from '../webhooks/receiver.ts';

/** Far more than it takes on a busy machine. */
const SOON = { deadlineMs: 60_000 };
const VISITOR = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const env = {
  DATABASE_URL: await realDatabaseUrl(),
  REDIS_URL: (await startRedis(t)).url,
  BATCH_STORE: await temporaryFolder(t),
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
  SHUTDOWN_GRACE_MS: '0',
};
const api = await startApp(t, { ...env, ROLE: 'api' });
const client = await newClient(api, { monthlyQuota: 10_000 });
const sender = createSender(api, client.key);

const receiver = await startReceiver();
t.teardown(receiver.close);
const events = ['batch.done', 'link.first_scan'];
await client.post('/webhooks', { url: receiver.url, events });
const batch = await sender.begin([{ data: 'one' }, { data: 'https://example.com/', dynamic: true }]);
const { results, folderId } = await client.bulk(['https://example.com/home']);
const begun = (await client.post(`/folders/${folderId}/verifications`)).json;
const verification = async () => (await client.get(`/folders/${folderId}/verifications/${begun.id}`)).json;
const change = ndjson([{ slug: results[0]!.slug, destination: 'https://example.com/2' }]);
const sent = await client.post('/link-jobs', change, { 'content-type': 'application/x-ndjson' });
const job = async () => (await client.get(`/link-jobs/${sent.json.id}`)).json;

const metricOf = async (app: Pick<typeof api, 'call'>, name: string): Promise<number> => {
  const { text } = await app.call({ url: '/metrics', key: ADMIN_TOKEN });
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
};

t.test('an api gateway serves calls and redirects, and leaves the work to others', async (t) => {
  t.equal((await client.post('/qr', { data: 'x' })).status, 200);
  t.equal((await client.get('/account')).status, 200);
  t.equal((await api.call({ url: '/dashboard/' })).status, 200);
  const visit = { url: `/l/${results[0]!.slug}`, headers: { 'user-agent': VISITOR } };
  t.equal((await api.call(visit)).status, 302);
  await until(async () => (await client.get(`/links/${results[0]!.slug}`)).json.scan_count === 1, SOON);
  t.equal((await sender.show(batch)).state, 'validating');
  t.equal((await verification()).state, 'running');
  t.equal((await job()).handled, 0);
  t.equal(receiver.received.length, 0);
  await until(async () => (await metricOf(api, 'tessera_webhooks_waiting')) === 1, SOON);
  await until(
    async () => (await metricOf(api, 'tessera_batches_unfinished{state="validating"}')) === 1,
    SOON,
  );
});

t.test('a worker does the work that api gateways accepted', async (t) => {
  const worker = await startApp(t, { ...env, ROLE: 'worker' });
  await until(async () => (await sender.show(batch)).finished_at !== null, SOON);
  t.match(await sender.show(batch), { state: 'done', made: 2 });
  await until(
    () => receiver.of('batch.done').length === 1 && receiver.of('link.first_scan').length === 1,
    SOON,
  );
  await until(async () => (await verification()).state === 'done', SOON);
  await until(async () => (await job()).state === 'done', SOON);
  t.equal((await client.get(`/links/${results[0]!.slug}`)).json.destination, 'https://example.com/2');
  t.ok((await metricOf(worker, 'tessera_render_threads')) >= 1);

  for (const url of ['/healthz', '/readyz']) t.equal((await worker.call({ url })).status, 200, url);
  for (const url of ['/l/abcdefgh', '/nothing']) {
    const { status, json } = await worker.call({ url, key: client.key });
    t.match(
      { status, details: json.details },
      { status: 404, details: /ROLE=worker and serves no calls/ },
      url,
    );
  }
});
