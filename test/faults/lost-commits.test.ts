/** The answer to the COMMIT of a bulk call is lost: its codes are saved and paid, and a retry saves none again. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { openDatabase } from '../../src/db/database.ts';
import { createBulkStore } from '../../src/db/tables/saving.ts';
import { refused } from '../../src/result.ts';
import { signPath } from '../../src/signed/address.ts';
import { startGateway } from '../servers/gateway-process.ts';
import { startPostgresProxy } from '../servers/proxies/postgres-proxy.ts';
import { through } from '../servers/proxies/proxy.ts';
import type { TestApp } from '../support/app/app.ts';
import { silent } from '../support/silent-log.ts';
import { isDrawing, paidCalls, slowItems, startOn, startStores, until, usedOf } from './stack.ts';

const TTL_MS = 4000;
const ITEMS = [{ data: 'https://example.com/', dynamic: true }, { data: 'plain' }, { data: '' }];
/** The item without data costs nothing. */
const UNITS = 2;

const stores = await startStores(t);
const { sql, postgresProxy } = stores;
const proxy = await startPostgresProxy(t, stores.env.DATABASE_URL!);
const { REDIS_URL, ...withoutRedis } = stores.env;
const lossy = {
  DATABASE_URL: through(stores.env.DATABASE_URL!, proxy),
  QUOTA_RESERVATION_TTL_MS: String(TTL_MS),
};
const apps = { redis: await startOn(stores, t, lossy) };
const inSql = await startOn({ ...stores, env: withoutRedis }, t, {
  ...lossy,
  DATABASE_URL: lossy.DATABASE_URL,
});

const countOf = async (accountId: string) => {
  const [row] = await sql<[{ codes: number; links: number }]>`
    select (select count(*) from codes where account_id = ${accountId}) as codes,
      (select count(*) from links where account_id = ${accountId}) as links`;
  return row;
};
const ONCE = { codes: UNITS, links: 1 };

let calls = 0;

/** An account and its bulk call, for which the answer of the database can be lost. */
const newCall = async (app: TestApp, key: string | null) => {
  calls += 1;
  const folderName = `lost answer ${calls}`;
  const account = await app.account({ monthlyQuota: 100 });
  const send = (items: readonly unknown[] = ITEMS) =>
    app.call({
      method: 'POST',
      url: '/api/v1/qr/bulk',
      key: account.key,
      headers: key === null ? {} : { 'idempotency-key': key },
      body: { items, folderName },
    });
  return { id: account.id, key: account.key, folderName, send };
};

const isSettled = async (t: Test, app: TestApp, id: string) => {
  if (app === apps.redis)
    await until(t, 'no reservation is open', async () => (await stores.openReservations()) === 0);
  else
    await until(
      t,
      'no reservation is open',
      async () => (await sql`select from quota_reservations where account_id = ${id}`).length === 0,
    );
  t.equal(await usedOf(app, id), UNITS, 'the saved codes are paid once');
};

for (const [ledger, app] of [
  ['Redis', apps.redis],
  ['SQL', inSql],
] as const) {
  t.test(`${ledger}: after a lost answer the outcome is looked up, and the call succeeds`, async (t) => {
    for (const key of ['lost', null]) {
      const { id, folderName, send } = await newCall(app, key);
      const lost = proxy.lose('COMMIT', folderName);
      const answer = await send();
      await lost;
      t.equal(answer.status, 200, answer.text);
      t.match(answer.json.meta, { successful: UNITS, usage_count: UNITS, remaining: 100 - UNITS });
      t.strictSame(await countOf(id), ONCE);
      await isSettled(t, app, id);
      if (key === null) continue;
      const again = await send();
      t.equal(again.headers['idempotent-replayed'], 'true');
      t.strictSame(again.json, answer.json);
      t.equal((await send([{ data: 'other' }])).status, 422);
      t.strictSame(await countOf(id), ONCE);
      t.equal(await usedOf(app, id), UNITS);
    }
  });

  t.test(`${ledger}: if the look-up fails too, units stay reserved until the outcome is known`, async (t) => {
    for (const key of ['unknown', null]) {
      const { id, folderName, send } = await newCall(app, key);
      const lost = proxy.lose('COMMIT', folderName).then(() => postgresProxy.cut());
      const answer = await send();
      await lost;
      t.match(answer, { status: 503, json: { details: /did not say whether the codes were saved/ } });
      t.ok(Number(answer.headers['retry-after']) >= 1);
      // Longer than the lifetime of a reservation, which must not expire before the outcome is known.
      await sleep(TTL_MS + 2500);
      postgresProxy.heal();
      if (key !== null) {
        await until(t, 'the retry gets the first answer', async () => {
          const again = await send();
          return again.status === 200 && again.headers['idempotent-replayed'] === 'true';
        });
      }
      await isSettled(t, app, id);
      t.strictSame(await countOf(id), ONCE);
    }
  });

  t.test(`${ledger}: a saved code is paid once when its COMMIT got no answer`, async (t) => {
    for (const isCut of [false, true]) {
      calls += 1;
      const folder_name = `lost answer ${calls}`;
      const account = await app.account({ monthlyQuota: 100 });
      const send = () =>
        app.call({
          method: 'POST',
          url: '/api/v1/codes',
          key: account.key,
          headers: { 'idempotency-key': 'lost' },
          body: { data: 'https://example.com/', dynamic: true, folder_name },
        });
      const lost = proxy.lose('COMMIT', folder_name).then(() => isCut && postgresProxy.cut());
      const answer = await send();
      await lost;
      t.equal(answer.status, isCut ? 503 : 201, answer.text);
      if (isCut) {
        // Longer than the lifetime of a reservation, which must not expire before the outcome is known.
        await sleep(TTL_MS + 2500);
        postgresProxy.heal();
        await until(t, 'the retry is answered', async () => (await send()).status === 201);
      }
      const again = await send();
      t.equal(again.headers['idempotent-replayed'], 'true');
      if (!isCut) t.strictSame(again.json, answer.json);
      t.strictSame(await countOf(account.id), { codes: 1, links: 1 });
      await until(t, 'the code is paid', async () => (await usedOf(app, account.id)) === 1);
    }
  });

  t.test(`${ledger}: a call is paid once if the gateway dies between commit and settlement`, async (t) => {
    const env = ledger === 'Redis' ? { ...stores.env, ...lossy } : { ...withoutRedis, ...lossy };
    for (const key of ['killed', null]) {
      const { id, key: apiKey, folderName, send } = await newCall(app, key);
      const gateway = await startGateway(t, { ...env, LOG_LEVEL: 'warn' });
      const lost = proxy.lose('COMMIT', folderName, 'silence');
      const answer = fetch(`${gateway.url}/api/v1/qr/bulk`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          ...(key === null ? {} : { 'idempotency-key': key }),
        },
        body: JSON.stringify({ items: ITEMS, folderName }),
      }).catch(() => 'lost');
      await lost;
      gateway.process.kill('SIGKILL');
      t.equal(await answer, 'lost');
      if (key !== null) {
        const again = await send();
        t.equal(again.headers['idempotent-replayed'], 'true', `an immediate retry: ${again.text}`);
      }
      await isSettled(t, app, id);
      t.strictSame(await countOf(id), ONCE);
      if (key !== null) t.equal((await send()).headers['idempotent-replayed'], 'true', 'and later');
    }
  });

  t.test(`${ledger}: a replay has the counts of the first answer, despite parallel calls`, async (t) => {
    const { key, send } = await newCall(app, 'beside');
    const items = [...slowItems(10), { data: '' }];
    const answering = send(items);
    await until(t, 'the call is being drawn', () => isDrawing(app));
    await Promise.all(Array.from({ length: 5 }, () => paidCalls(app, key).single()));
    const answer = await answering;
    t.equal(answer.json.meta.usage_count, answer.json.meta.successful);
    t.strictSame((await send(items)).json, answer.json);
  });
}

t.test('a retry under the same Idempotency-Key returns what a killed gateway had already made', async (t) => {
  const { key } = await inSql.account();
  const headers = { 'idempotency-key': 'killed' };
  for (const [path, body] of [
    ['folders', { name: 'folder of a killed gateway' }],
    ['presets', { name: 'preset of a killed gateway', options: { width: 300, height: 300 } }],
  ] as const) {
    const gateway = await startGateway(t, { ...withoutRedis, ...lossy, LOG_LEVEL: 'warn' });
    const url = `/api/v1/${path}`;
    const lost = proxy.lose('COMMIT', body.name, 'silence');
    const answer = fetch(gateway.url + url, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => 'lost');
    await lost;
    gateway.process.kill('SIGKILL');
    t.equal(await answer, 'lost');
    const again = await inSql.call({ method: 'POST', url, key, headers, body });
    t.match(again, { status: 201, headers: { 'idempotent-replayed': 'true' }, json: { name: body.name } });
    const { json } = await inSql.call({ url, key });
    t.strictSame([json.data.length, json.data[0]!.id], [1, again.json.id], path);
  }
});

t.test('only one of two gateways saves under the same Idempotency-Key', async (t) => {
  const { id, send } = await newCall(apps.redis, 'twice');
  const items = slowItems(10);
  const first = send(items);
  await until(t, 'the call is being drawn', () => isDrawing(apps.redis));
  // The claim is lost with all other data, so nothing in Redis stops the second call.
  await stores.emptyRedis();
  const [one, other] = await Promise.all([first, send(items)]);
  t.strictSame([one.status, other.status], [200, 200]);
  t.strictSame(other.json.results, one.json.results);
  t.match(await countOf(id), { codes: 10 });
});

t.test('a call whose units were refunded meanwhile saves nothing', async (t) => {
  const { id: accountId, keyId } = await apps.redis.account();
  const database = await openDatabase({ url: lossy.DATABASE_URL, dataDir: '' }, silent);
  t.teardown(() => database.close());
  const store = createBulkStore(database);
  const reservationId = randomUUID();
  const call = { reservationId, refundUnits: 0, claim: null };
  const save = () => store.save({ accountId, keyId, folder: { name: 'late' }, codes: [], call });
  const find = () => sql`select quota_find_saved(${reservationId}, ${accountId}) as units`;
  t.same(await find(), [{ units: null }]);
  t.strictSame(await save(), refused({ kind: 'given up' }));
  t.equal((await sql`select from folders where account_id = ${accountId}`).length, 0);
});

t.test('credits without a reference are added once, whichever answer is lost', async (t) => {
  let amount = 4_711_000;
  for (const app of [apps.redis, inSql]) {
    const { id } = await app.account({ monthlyQuota: 0 });
    amount += 1;
    const lost = proxy.lose('SELECT 1', String(amount));
    const added = await app.admin('POST', `/accounts/${id}/credits`, { amount });
    await lost;
    t.match(added, { status: 201, json: { usage: { remaining: amount } } });
    t.match(await app.admin('GET', `/accounts/${id}`), { json: { usage: { remaining: amount } } });
  }
  const { id } = await apps.redis.account({ monthlyQuota: 0, credits: 5 });
  await until(t, 'the first credits have reached Postgres', async () => (await stores.undrained()) === 0);
  stores.redisProxy.cut();
  const added = await apps.redis.admin('POST', `/accounts/${id}/credits`, { amount: 7 });
  t.match(
    added,
    { status: 201, json: { usage: { remaining: 12 } } },
    'the grant is recorded, so the caller gets no error',
  );
  stores.redisProxy.heal();
  await until(t, 'Redis has the credits once', async () => {
    const { json } = await apps.redis.admin('GET', `/accounts/${id}`);
    return json.usage.remaining === 12;
  });
});

t.test('a signed picture costs one unit when recording its payment got no answer', async (t) => {
  const { id, key } = await apps.redis.account({ monthlyQuota: 10 });
  const secret = (await apps.redis.call({ method: 'POST', url: '/api/v1/signing-secrets', key })).json;
  const url = signPath(secret, { data: 'noted' }, 'png');
  const lost = proxy.lose('INSERT 0 1', id);
  t.equal((await apps.redis.call({ url })).status, 200);
  await lost;
  t.equal((await apps.redis.call({ url })).status, 200);
  t.equal(await usedOf(apps.redis, id), 1);
});
