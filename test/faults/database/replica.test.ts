/** A real primary and its streaming replica: what is served while the primary is away, or the replica is behind. */
import t, { type Test } from 'tap';
import { connectServer } from '../../../src/db/client.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { isUnavailable } from '../../../src/db/faults.ts';
import { examine } from '../../../src/doctor/doctor.ts';
import { startGateway } from '../../servers/gateway-process.ts';
import { sameDatabaseOn, startReplica } from '../../servers/postgres/replica.ts';
import { freePort } from '../../servers/server-process.ts';
import { temporaryFolder } from '../../servers/temporary-folder.ts';
import { until, WITHIN_A_SECOND } from '../../servers/until.ts';
import { ADMIN_TOKEN, startApp, type TestApp } from '../../support/app/app.ts';
import { newClient } from '../../support/app/client.ts';
import { openFor, realDatabaseUrl, realServer } from '../../support/database/database.ts';
import { silent } from '../../support/silent-log.ts';

const primary = await realServer();
const DATABASE_URL = await realDatabaseUrl();
const replica = await startReplica(t, primary);
const DATABASE_READ_URL = sameDatabaseOn(replica, DATABASE_URL);
const env = { DATABASE_URL, DATABASE_READ_URL, BATCH_STORE: await temporaryFolder(t) };

const bounds = { connectTimeoutMs: 3000, statementTimeoutMs: 3000, lockTimeoutMs: 2000 };
const there = connectServer(DATABASE_READ_URL, { ...bounds, idleTransactionTimeoutMs: 5000 });
t.teardown(() => there.end({ timeout: 1 }));

/** The gateway that makes and edits links, and one that has none of them in memory. */
const [maker, reader] = [await startApp(t, env), await startApp(t, env)];
const client = await newClient(maker, { monthlyQuota: 10_000 });

const HOME = 'https://example.com/home';
const VISITOR = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const makeLink = async (): Promise<string> => (await client.bulk([HOME])).results[0]!.slug!;

const visit = ({ call }: Pick<TestApp, 'call'>, slug: string) =>
  call({ url: `/l/${slug}`, headers: { 'user-agent': VISITOR } });

const destinationOf = async (slug: string) => (await visit(reader, slug)).headers.location;

const isReplicated = async (slug: string): Promise<boolean> =>
  (await there`select from links where slug = ${slug}`).length > 0;

/** A link that the replica has, and that no gateway has in memory. */
const replicatedLink = async (): Promise<string> => {
  const slug = await makeLink();
  await until(() => isReplicated(slug));
  return slug;
};

const metricOf = async (name: string): Promise<number> => {
  const { text } = await reader.call({ url: '/metrics', key: ADMIN_TOKEN });
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
};

/** Saves and scans work as if nothing had been. */
const comesBack = async (t: Test, slug: string, start = primary.start): Promise<void> => {
  await start();
  await until(async () => (await client.post('/qr/bulk', { items: [{ data: 'x' }] })).status === 200);
  await until(async () => (await there`select from scans where slug = ${slug}`).length === 1);
  t.pass('the scan is recorded, and codes are saved');
  // A gateway that waits for its first heartbeat would ask again in the middle of the next test.
  await until(async () => (await visit(reader, 'never-made')).status === 404);
};

t.test('while the primary is away, a link that is not in memory redirects', async (t) => {
  const [slug, other, deleted] = [await replicatedLink(), await replicatedLink(), await replicatedLink()];
  await client.del(`/codes/${(await client.get(`/links/${deleted}`)).json.code_id}`);
  const isDeleted = async () => (await there`select from live_links where slug = ${deleted}`).length === 0;
  await until(isDeleted);
  await primary.stop();
  for (const one of [slug, other, other])
    t.match(await visit(reader, one), { status: 302, headers: { location: HOME } });
  for (const one of ['never-made', deleted]) {
    const { status, headers } = await visit(reader, one);
    t.equal(status, 503, `${one}: nobody knows whether the primary has it by now`);
    t.ok(Number(headers['retry-after']) >= 1);
  }
  t.equal((await reader.call({ url: '/api/v1/folders', key: client.key })).status, 503);
  t.ok((await metricOf('tessera_replica_reads_total')) >= 2);
  await comesBack(t, slug);
});

t.test(
  'while the primary hangs, a link that is not in memory redirects, and soon without waiting',
  async (t) => {
    const slugs = [await replicatedLink(), await replicatedLink(), await replicatedLink()];
    await primary.pause();
    for (const slug of slugs) t.equal(await destinationOf(slug), HOME);
    t.equal((await visit(reader, 'never-seen')).status, 503);
    t.equal((await reader.call({ url: '/api/v1/folders', key: client.key })).status, 503);
    // Nobody waits for the time limit of the primary any more, so all are answered within one.
    const many = await Promise.all(Array.from({ length: 300 }, () => destinationOf(slugs[2]!)));
    t.ok(many.every((destination) => destination === HOME));
    await comesBack(t, slugs[0]!, primary.resume);
  },
);

t.test('while the primary is away, a gateway starts and redirects', async (t) => {
  const slug = await replicatedLink();
  await primary.stop();
  const gateway = await startGateway(t, { ...env, ADMIN_TOKEN, LOG_LEVEL: 'info' });
  t.match(gateway.output(), /starting without the primary: until it is back, only redirects work/);
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(gateway.url + path, { redirect: 'manual', headers: { 'user-agent': VISITOR, ...headers } });
  const found = await ask(`/l/${slug}`);
  t.same([found.status, found.headers.get('location')], [302, HOME]);
  t.equal((await ask('/l/never-made')).status, 503);
  const key = { authorization: `Bearer ${client.key}` };
  const refused = await ask('/api/v1/folders', key);
  t.equal(refused.status, 503);
  t.ok(Number(refused.headers.get('retry-after')) >= 1);
  await comesBack(t, slug);
  await until(async () => (await ask('/api/v1/folders', key)).status === 200);
  t.equal((await ask(`/l/${await makeLink()}`)).status, 302, 'also a new link');
});

t.test('a replica that is behind makes no link unknown and no edit late', async (t) => {
  const edited = await replicatedLink();
  await there`select pg_wal_replay_pause()`;
  const made = await makeLink();
  t.equal(await destinationOf(made), HOME, 'a link that was just made');
  t.equal(await destinationOf(edited), HOME);
  t.equal((await client.patch(`/links/${edited}`, { destination: `${HOME}/2` })).status, 200);
  await until(async () => (await destinationOf(edited)) === `${HOME}/2`, WITHIN_A_SECOND);
  await until(async () => (await metricOf('tessera_replica_lag_seconds')) > 1);

  const unseen = await makeLink();
  await primary.stop();
  t.equal(await destinationOf(edited), `${HOME}/2`, 'what is in memory is newer');
  t.equal((await visit(reader, unseen)).status, 503, 'no false 404');
  await there`select pg_wal_replay_resume()`;
  await until(async () => (await visit(reader, unseen)).status === 302);
  await comesBack(t, unseen);
  await until(async () => (await metricOf('tessera_replica_lag_seconds')) === 0);
});

t.test('the doctor says whether it is a standby of the primary, and how far it is behind', async (t) => {
  const told = async (url: string) => {
    const found = await examine({ DATABASE_URL, DATABASE_READ_URL: url, BATCH_STORE: env.BATCH_STORE });
    return found
      .filter(({ check }) => check === 'replica')
      .map(({ state, message }) => `${state} ${message}`);
  };
  t.match(await told(DATABASE_READ_URL), [/^ok The replica is 0 s behind\.$/]);
  t.match(await told(DATABASE_URL), [/^fail DATABASE_READ_URL is no standby but takes writes/]);
  t.match(await told(replica.url), [/^fail DATABASE_READ_URL is of another cluster or another database/]);
  const nobody = `postgres://postgres:hunter22@127.0.0.1:${await freePort()}/x`;
  const [away] = await told(nobody);
  t.match(away, /^fail no Postgres answers at .*, or correct DATABASE_READ_URL; without it only links/);
  t.notMatch(away, /hunter22/);
});

t.test('what is no replica of the primary, or lacks its tables, is not read', async (t) => {
  const other = sameDatabaseOn(replica, await realDatabaseUrl());
  const database = await openFor(t, { url: DATABASE_URL, readUrl: other, dataDir: '' });
  const reads = () => database.replica!.read((sql) => sql`select 1`);
  await until(() =>
    reads().then(
      () => false,
      (error: Error) => isUnavailable(error) && /DATABASE_READ_URL is not a replica/.test(error.message),
    ),
  );
  const nobody = `postgres://postgres@127.0.0.1:${await freePort()}/x`;
  const refusal = (readUrl: string | null) =>
    openDatabase({ url: nobody, readUrl, dataDir: '' }, silent).then(
      () => 'opened',
      (error: Error) => error.message,
    );
  t.match(await refusal(replica.url), /the replica cannot stand in: it lacks 0001_accounts/);
  t.match(await refusal(nobody), /cannot stand in: no Postgres answers at .*, or correct DATABASE_READ_URL/);
  t.notMatch(await refusal(null), /replica/);
});
