/** Processes of redirects, with their own role in Postgres: how they start, and what they serve while it is away. */
import t from 'tap';
import { asRedirects, createRedirectRole, grantRedirects } from '../../deploy/redirect-role.ts';
import { launchGateway, runGateway, startGateway } from '../../servers/gateway-process.ts';
import { sameDatabaseOn, startReplica } from '../../servers/postgres/replica.ts';
import { until } from '../../servers/until.ts';
import { ADMIN_TOKEN, startApp } from '../../support/app/app.ts';
import { newClient } from '../../support/app/client.ts';
import { openFor, realDatabaseUrl, realServer } from '../../support/database/database.ts';

const HOME = 'https://example.com/home';
const VISITOR = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const primary = await realServer();
const owned = await realDatabaseUrl();
await createRedirectRole(owned);
const { sql } = await openFor(t, { url: owned, dataDir: '' });
const maker = await startApp(t, { DATABASE_URL: owned });
const client = await newClient(maker, { monthlyQuota: 10_000 });
const env = { ROLE: 'redirect', ADMIN_TOKEN, SHUTDOWN_GRACE_MS: '0', PUBLIC_URL: 'http://qr.test' };

const makeLink = async (): Promise<string> => (await client.bulk([HOME])).results[0]!.slug!;

const visit = ({ url }: { readonly url: string }, slug: string) =>
  fetch(`${url}/l/${slug}`, { redirect: 'manual', headers: { 'user-agent': VISITOR } });

const metricsOf = async ({ url }: { readonly url: string }): Promise<string> =>
  (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })).text();

t.test('without its rights it does not start, and says who gives them', async (t) => {
  const { code, output } = await runGateway(t, { ...env, DATABASE_URL: asRedirects(owned) });
  t.equal(code, 1);
  t.match(output, /the user tessera_redirect lacks a right .* deploy\/postgres\/redirect-role\.sql/);
});

t.test('it makes no tables: it waits for a gateway that does', async (t) => {
  const DATABASE_URL = await primary.createDatabase();
  const waiting = await launchGateway(t, { ...env, DATABASE_URL, LOG_LEVEL: 'info' });
  await until(() => waiting.output().includes('waiting: the database lacks 0001_accounts'));
  t.notMatch(waiting.output(), /Tessera is ready/);
  await startGateway(t, { DATABASE_URL, ADMIN_TOKEN });
  await until(() => waiting.output().includes('Tessera is ready'));
  waiting.process.kill('SIGTERM');
  t.equal(await waiting.ended, 0);
});

t.test('several processes share a port without Redis, and add up their metrics', async (t) => {
  await grantRedirects(owned);
  const gateway = await startGateway(t, { ...env, DATABASE_URL: asRedirects(owned), GATEWAYS: '2' });
  const slug = await makeLink();
  for (let n = 0; n < 4; n += 1) t.equal((await visit(gateway, slug)).headers.get('location'), HOME);
  await until(async () => (await client.get(`/links/${slug}`)).json.scan_count === 4);
  const metrics = await metricsOf(gateway);
  t.match(metrics, /^tessera_scans_total\{outcome="recorded"\} 4$/m);
  t.match(metrics, /^tessera_gateway_processes 2$/m);
  t.notMatch(metrics, /tessera_render_threads/);
});

t.test('while the primary is away, it redirects, and starts with a replica', async (t) => {
  await grantRedirects(owned);
  const replica = await startReplica(t, primary);
  const stores = {
    DATABASE_URL: asRedirects(owned),
    DATABASE_READ_URL: asRedirects(sameDatabaseOn(replica, owned)),
  };
  const [known, other] = [await makeLink(), await makeLink()];
  const gateway = await startGateway(t, { ...env, DATABASE_URL: stores.DATABASE_URL });
  t.equal((await visit(gateway, known)).status, 302);
  const lag = /^tessera_replica_lag_seconds 0$/m;
  const reader = await startGateway(t, { ...env, ...stores });
  await until(async () => lag.test(await metricsOf(reader)));
  await primary.stop();
  t.equal((await visit(gateway, known)).headers.get('location'), HOME, 'what it has in memory');
  t.equal((await visit(gateway, other)).status, 503, 'not a 404');
  t.equal((await fetch(`${gateway.url}/readyz`)).status, 200);
  t.equal((await visit(reader, other)).headers.get('location'), HOME, 'what only the replica knows');
  const late = await startGateway(t, { ...env, ...stores, LOG_LEVEL: 'info' });
  t.match(late.output(), /starting without the primary/);
  t.equal((await visit(late, known)).headers.get('location'), HOME);
  await primary.start();
  const recorded = async () => (await sql`select from scans where slug = ${known}`.catch(() => [])).length;
  await until(async () => (await recorded()) === 3);
  t.pass('the scans of the outage are recorded');
});
