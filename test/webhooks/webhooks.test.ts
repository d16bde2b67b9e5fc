import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { tellLowQuota } from '../../src/db/tables/webhooks/sending.ts';
import {
  deleteOldEvents,
  giveUpCrowded,
  giveUpOld,
  trimAnswers,
  trimEvents,
} from '../../src/db/tables/webhooks/upkeep.ts';
import { LOW_QUOTA_SHARE } from '../../src/lists.ts';
import { CONCURRENT } from '../../src/webhooks/post.ts';
import { createSlots } from '../../src/webhooks/sender.ts';
import { createSender, plainRows } from '../batches/support.ts';
import { listenOn } from '../logo/network.ts';
import { until } from '../servers/until.ts';
import { createHooks, insertEvents, receiverFor, sharedHooksApp } from './hooks.ts';
import { signatureOf } from './receiver.ts';

const { app, sql } = await sharedHooksApp();
const { call, account } = app;

const hooksOf = (key: string) => createHooks(app, key);
/** The calls of a new account. */
const newHooks = async (wanted?: Parameters<typeof account>[0]) => {
  const made = await account(wanted);
  return { ...made, ...hooksOf(made.key) };
};

t.test('a webhook is created, listed, changed and deleted, and its secret is shown once', async (t) => {
  const { key, make, show, patch, remove, post } = await newHooks();
  const made = await make('http://127.0.0.1:9/a', ['batch.done']);
  t.match(made, { url: 'http://127.0.0.1:9/a', events: ['batch.done'], state: 'on', failures: 0 });
  t.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const { secret: _, ...rest } = made;
  t.strictSame(await show(made.id), rest, 'without the secret');
  const listed = await call({ url: '/api/v1/webhooks', key });
  t.strictSame(listed.json.data, [rest]);
  t.match((await patch(made.id, { events: ['quota.low'], state: 'off' })).json, {
    events: ['quota.low'],
    state: 'off',
    url: made.url,
  });
  t.equal((await post(`/${made.id}/test`)).status, 409, 'nothing is sent to a disabled webhook');
  await make('http://127.0.0.1:9/b');
  await make('http://127.0.0.1:9/c');
  const fourth = await post('', { url: 'http://127.0.0.1:9/d', events: [] });
  t.match(fourth, { status: 409, json: { error: 'Limit reached' } });
  t.equal((await remove(made.id)).status, 204);
  t.equal((await remove(made.id)).status, 404);
  t.equal((await post('', { url: 'http://127.0.0.1:9/d', events: [] })).status, 201);
});

t.test('an invalid webhook is refused', async (t) => {
  const { post, make, patch } = await newHooks();
  const { id } = await make('http://127.0.0.1:9/');
  for (const body of [
    { url: 'ftp://x/', events: [] },
    { url: 'x', events: [] },
    { events: [] },
    { url: 'http://x/' },
    { url: 'http://x/', events: ['webhook.test'] },
    { url: 'http://x/', events: ['batch.done', 'batch.done'] },
    { url: 'http://x/', events: [], secret: 'mine' },
  ])
    t.equal((await post('', body)).status, 400, JSON.stringify(body));
  for (const body of [{}, { state: 'gone' }, { url: 'x' }, { secret: 'x' }])
    t.equal((await patch(id, body)).status, 400, JSON.stringify(body));
  const { key: weak } = await account({ scopes: ['generate', 'render'] });
  t.equal((await hooksOf(weak).post('', { url: 'http://x/', events: [] })).status, 403);
});

t.test('webhooks and deliveries cannot be used by other accounts', async (t) => {
  const receiver = await receiverFor(t);
  const [mine, other] = [await account(), await account({ monthlyQuota: 100 })];
  const { make, post, deliveries } = hooksOf(mine.key);
  const own = await make(receiver.url);
  await post(`/${own.id}/test`);
  const [delivery] = await deliveries(own.id);
  const theirs = hooksOf(other.key);
  const { id } = await theirs.make(receiver.url);
  t.equal((await theirs.post(`/${id}/deliveries/${delivery!.id}/redeliver`)).status, 404);
  const { send } = createSender(app, other.key);
  const sent = await send('{"data":"x"}', { query: `?webhook=${own.id}` });
  t.match(sent, { status: 400, json: { details: /^webhook: must be the id of one of your webhooks/ } });
});

t.test('a test event arrives signed, and its delivery reports the result', async (t) => {
  const receiver = await receiverFor(t);
  receiver.answer = (response) =>
    void response.writeHead(202, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end('thank you');
  const { make, post, deliveries } = await newHooks();
  const { id, secret } = await make(receiver.url);
  const asked = await post(`/${id}/test`);
  t.match(asked, { status: 202, json: { event: 'webhook.test', state: 'waiting', tries: 0 } });
  await until(async () => (await deliveries(id))[0]!.state === 'delivered');
  const [got] = receiver.received;
  t.equal(got!.id, asked.json.id);
  t.equal(got!.headers['webhook-signature'], signatureOf(got!, secret));
  t.match(got!.headers, { 'content-type': 'application/json', 'user-agent': 'Tessera' });
  t.strictSame(new Webhook(secret).verify(got!.body, got!.headers as Record<string, string>), got!.json);
  t.match(got!.json, { type: 'webhook.test', data: { webhook_id: id } });
  const [delivery] = await deliveries(id);
  t.match(delivery, { tries: 1, status: 202, answer: 'thank you', error: null, next_at: null });
  t.equal(typeof delivery!.duration_ms, 'number');
  t.strictSame(delivery!.answer_headers, { 'content-type': 'text/html' });
});

t.test('while a webhook has two secrets, each delivery is signed by both', async (t) => {
  const receiver = await receiverFor(t);
  const { make, post, secretsOf, endSecret } = await newHooks();
  const { id, secret: first } = await make(receiver.url);
  const deliver = async () => {
    const before = receiver.received.length;
    await post(`/${id}/test`);
    await until(() => receiver.received.length > before);
    return receiver.received.at(-1)!;
  };
  const [old] = await secretsOf(id);
  t.strictSame(Object.keys(old!).sort(), ['created_at', 'id'], 'without the secret itself');
  const only = await endSecret(id, old!.id);
  t.match(only, { status: 409, json: { error: 'Only secret' } });

  const second = await post(`/${id}/secrets`);
  t.match(second, { status: 201, json: { secret: /^whsec_[A-Za-z0-9+/]{43}=$/ } });
  t.match(await post(`/${id}/secrets`), { status: 409, json: { error: 'Limit reached' } });
  t.strictSame(
    (await secretsOf(id)).map((secret) => secret.id),
    [second.json.id, old!.id],
    'the newer secret first',
  );
  const both = await deliver();
  t.equal(
    both.headers['webhook-signature'],
    `${signatureOf(both, second.json.secret)} ${signatureOf(both, first)}`,
  );
  for (const secret of [first, second.json.secret])
    t.ok(new Webhook(secret).verify(both.body, both.headers as Record<string, string>));

  t.equal((await endSecret(id, old!.id)).status, 204);
  t.equal((await endSecret(id, old!.id)).status, 404);
  const one = await deliver();
  t.equal(one.headers['webhook-signature'], signatureOf(one, second.json.secret));
  const { status } = await endSecret(id, second.json.id);
  t.equal(status, 409, 'the last secret cannot be deleted');
});

t.test('a secret of another webhook cannot be deleted', async (t) => {
  const { make, post, secretsOf, endSecret } = await newHooks();
  const [a, b] = [await make('http://127.0.0.1:9/a'), await make('http://127.0.0.1:9/b')];
  await post(`/${a.id}/secrets`);
  const [ofA] = await secretsOf(a.id);
  t.equal((await endSecret(b.id, ofA!.id)).status, 404);
  t.equal((await secretsOf(a.id)).length, 2);
});

t.test('the end of a batch is sent to subscribed webhooks and to that of the batch', async (t) => {
  const [subscribed, named, others] = [await receiverFor(t), await receiverFor(t), await receiverFor(t)];
  const { key, make } = await newHooks({ monthlyQuota: 100 });
  await make(subscribed.url, ['batch.done', 'batch.failed', 'batch.cancelled']);
  const own = await make(named.url);
  await make(others.url, ['quota.low']);
  const sender = createSender(app, key);
  const batch = await sender.make(plainRows(3), { query: `?webhook=${own.id}` });
  await until(() => subscribed.received.length > 0 && named.received.length > 0);
  const [got] = subscribed.received;
  t.equal(got!.json.type, 'batch.done');
  const { id, state, made, rows, refunded, grades, folder_id, created_at, finished_at, expires_at } =
    batch as never;
  t.match(got!.json.data, {
    ...{ id, state, made, rows, refunded, grades, folder_id, created_at, finished_at, expires_at },
  });
  t.strictSame(named.received[0]!.json.data, got!.json.data);
  t.equal(named.received[0]!.id, got!.id, 'one event, one id');

  const failed = await sender.make([{ data: '' }]);
  await until(() => subscribed.of('batch.failed').length > 0);
  t.match(subscribed.of('batch.failed')[0]!.json.data, {
    id: failed.id,
    state: 'failed',
    errors: 1,
    made: 0,
    reason: /has a fault/,
  });
  t.equal(named.received.length, 1, 'the other batch did not name it');
  t.equal(others.received.length, 0);
  t.equal(subscribed.received.length, 2);
});

t.test('a cancelled batch causes an event', async (t) => {
  const receiver = await receiverFor(t);
  const { key } = await account({ monthlyQuota: 5000 });
  await hooksOf(key).make(receiver.url, ['batch.cancelled', 'batch.done']);
  const sender = createSender(app, key);
  const id = await sender.begin(plainRows(3000));
  await sender.cancel(id);
  const { state } = await sender.ended(id);
  await until(() => receiver.received.length > 0);
  t.strictSame(
    receiver.received.map(({ json }) => json.type),
    [`batch.${state}`],
  );
});

t.test('only the first scan by a person causes an event', async (t) => {
  const receiver = await receiverFor(t);
  const { key } = await account({ monthlyQuota: 100 });
  await hooksOf(key).make(receiver.url, ['link.first_scan']);
  const items = [{ data: 'https://example.com/first', dynamic: true }];
  const made = await call({ method: 'POST', url: '/api/v1/qr/bulk', key, body: { items } });
  const { slug } = made.json.results[0]!;
  const scan = (agent: string) => call({ url: `/l/${slug}`, headers: { 'user-agent': agent } });
  const totals = async () =>
    (
      await sql<{ people: number; bots: number }[]>`
    select people, bots from scan_totals where slug = ${slug}`
    )[0];
  await scan('Googlebot/2.1 (+http://www.google.com/bot.html)');
  await until(async () => (await totals())?.bots === 1);
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1';
  await scan(phone);
  await scan(phone);
  await until(async () => (await totals())?.people === 2);
  await scan(phone);
  await until(async () => (await totals())?.people === 3);
  await until(() => receiver.received.length > 0);
  const told = await sql`select from events where type = 'link.first_scan' and data->>'slug' = ${slug}`;
  t.equal(told.length, 1);
  const short_url = `http://qr.test/l/${slug}`;
  t.match(receiver.received[0]!.json.data, { slug, short_url, destination: 'https://example.com/first' });
  t.match(receiver.received[0]!.json.data.scanned_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

t.test('a low quota causes one event a month', async (t) => {
  const receiver = await receiverFor(t);
  const { key, id, make } = await newHooks({ monthlyQuota: 10 });
  await make(receiver.url, ['quota.low']);
  const plans = { share: LOW_QUOTA_SHARE, planMonthly: { free: 100, pro: 10_000 } };
  const use = async (units: number): Promise<void> => {
    for (let i = 0; i < units; i += 1)
      await call({ method: 'POST', url: '/api/v1/qr', key, body: { data: 'x' } });
    // The gateway checks every ten seconds.
    await Promise.all([tellLowQuota(sql, plans), tellLowQuota(sql, plans)]);
  };
  const told = () => sql<{ data: { remaining: number } }[]>`
    select data from events where account_id = ${id} and type = 'quota.low'`;
  await use(8);
  t.equal((await told()).length, 0, '20 % are left');
  await use(1);
  await until(() => receiver.received.length > 0);
  t.match(receiver.received[0]!.json.data, { monthly_quota: 10, monthly_used: 9, credits: 0, remaining: 1 });
  t.match(receiver.received[0]!.json.data.resets_at, /^\d{4}-\d\d-01T00:00:00.000Z$/);
  await use(1);
  t.equal((await told()).length, 1, 'once');
  await sql`update webhook_quota_told set period = (period - interval '1 month')::date where account_id = ${id}`;
  await use(0);
  t.equal((await told()).length, 2, 'one more in the next month');
});

t.test('a failed delivery is retried with the same id and bytes', async (t) => {
  const receiver = await receiverFor(t);
  let refusals = 2;
  receiver.answer = (response) => void response.writeHead(refusals-- > 0 ? 500 : 200).end('no');
  const { make, post, deliveries, show } = await newHooks();
  const { id, secret } = await make(receiver.url);
  await post(`/${id}/test`);
  await until(
    async () => (await deliveries(id))[0]!.tries === 1 && (await deliveries(id))[0]!.status === 500,
  );
  const [waiting] = await deliveries(id);
  t.match(waiting, { state: 'waiting', status: 500, answer: 'no', error: null });
  const pauseMs = Date.parse(waiting!.next_at!) - Date.now();
  t.ok(pauseMs > 0 && pauseMs <= 5500, 'the first pause is five seconds');
  t.equal((await post(`/${id}/test`)).json.id, waiting!.id, 'a waiting test event is not replaced');
  await until(async () => (await deliveries(id))[0]!.tries === 2 && (await show(id)).failures === 2);
  await sql`update webhook_deliveries set next_at = now() where webhook_id = ${id}`;
  await until(async () => (await deliveries(id))[0]!.state === 'delivered');
  t.equal((await show(id)).failures, 0);
  t.equal(receiver.received.length, 3);
  for (const one of receiver.received) {
    t.equal(one.id, waiting!.id);
    t.equal(one.body, receiver.received[0]!.body);
    t.equal(one.headers['webhook-signature'], signatureOf(one, secret));
  }
});

t.test('a try without an answer leaves none of the one before, and only the newest are kept', async (t) => {
  const receiver = await receiverFor(t);
  receiver.answer = (response) => void response.writeHead(200, { server: 'one' }).end('yes');
  const { make, post, deliveries } = await newHooks();
  const { id } = await make(receiver.url);
  const ids: string[] = [];
  for (let times = 0; times < 3; times += 1) {
    ids.unshift((await post(`/${id}/test`)).json.id);
    await until(async () => (await deliveries(id))[0]!.state === 'delivered');
  }
  await trimAnswers(sql, id, 2);
  const answers = async () => (await deliveries(id)).map(({ answer }) => answer);
  t.strictSame(await answers(), ['yes', 'yes', null]);
  receiver.answer = (response) => void response.destroy();
  await post(`/${id}/deliveries/${ids[0]}/redeliver`);
  await until(async () => (await deliveries(id))[0]!.error !== null);
  t.strictSame(await answers(), [null, 'yes', null]);
  t.match((await deliveries(id))[0], { answer_headers: null, status: null });
});

t.test('a delivery is tried for a week, and a redelivery starts again', async (t) => {
  const receiver = await receiverFor(t);
  receiver.answer = (response) => void response.writeHead(301, { location: 'http://127.0.0.1:9/' }).end();
  const { make, post, deliveries, show } = await newHooks();
  const { id } = await make(receiver.url);
  const { json } = await post(`/${id}/test`);
  await until(async () => (await deliveries(id))[0]!.status === 301);
  await sql`update webhook_deliveries set tries = 20, next_at = now() where webhook_id = ${id}`;
  await until(async () => (await deliveries(id))[0]!.tries === 21 && receiver.received.length === 2);
  await giveUpOld(sql, 7);
  t.match((await deliveries(id))[0], { state: 'waiting' });
  await sql`update webhook_deliveries set asked_at = now() - interval '7 days' where webhook_id = ${id}`;
  t.equal(await giveUpOld(sql, 7), 1);
  t.match((await deliveries(id))[0], {
    ...{ state: 'failed', status: 301, next_at: null, error: 'it was not delivered within 7 days' },
  });
  t.match(await show(id), { missed: 1, failing_since: /^\d{4}-/ });
  receiver.answer = (response) => void response.writeHead(200).end();
  const again = await post(`/${id}/deliveries/${json.id}/redeliver`);
  t.match(again, { status: 202, json: { id: json.id, state: 'waiting', tries: 0 } });
  await until(async () => (await deliveries(id))[0]!.state === 'delivered');
  t.equal(receiver.received.at(-1)!.id, json.id);
  const more = await post(`/${id}/deliveries/${json.id}/redeliver`);
  t.equal(more.status, 202, 'a successful delivery can be repeated too');
  await until(() => receiver.received.length === 4);
  t.equal((await post(`/${id}/deliveries/${id}/redeliver`)).status, 404);
});

t.test('a webhook whose address answers 410 is disabled until it is enabled again', async (t) => {
  const receiver = await receiverFor(t);
  receiver.answer = (response) => void response.writeHead(410).end();
  const { make, post, show, patch, deliveries } = await newHooks();
  const { id } = await make(receiver.url, ['batch.done']);
  await post(`/${id}/test`);
  await until(async () => (await show(id)).state === 'gone');
  t.match((await deliveries(id))[0], { state: 'failed', tries: 1, status: 410 });
  t.match(await post(`/${id}/test`), { status: 409, json: { error: 'Webhook is off' } });
  receiver.answer = (response) => void response.writeHead(200).end();
  t.match((await patch(id, { state: 'on' })).json, { state: 'on', failures: 0 });
  await post(`/${id}/test`);
  await until(() => receiver.received.length === 2);
});

const GIVEN_UP_MS = 5000;

t.test('addresses that never answer do not delay others, and get few requests', async (t) => {
  const silentOnes = await Promise.all(Array.from({ length: 6 }, () => listenOn('127.0.0.1')));
  const startedMs = performance.now();
  const receiver = await receiverFor(t);
  t.teardown(() => Promise.all(silentOnes.map(({ close }) => close())));
  for (const [i, { port }] of silentOnes.entries()) {
    const { key } = await account();
    const { id } = await hooksOf(key).make(`http://127.0.0.1:${port}/${i}`);
    await insertEvents(sql, id, 500);
  }
  await until(() => silentOnes.every(({ connections }) => connections() > 0));
  const { key } = await account();
  const { id } = await hooksOf(key).make(receiver.url);
  await insertEvents(sql, id, 40);
  await until(() => receiver.received.length === 40);
  // Each time requests are given up, others may follow.
  const times = 1 + Math.floor((performance.now() - startedMs) / GIVEN_UP_MS);
  for (const { connections } of silentOnes)
    t.ok(
      connections() <= 12 * times,
      `${connections()} connections while 40 deliveries went to another address`,
    );
  t.equal(new Set(receiver.received.map((one) => one.id)).size, 40, 'each once');
});

t.test('at most ten deliveries of a webhook are under way at once, and one after a failure', async (t) => {
  const receiver = await receiverFor(t);
  const { make, show } = await newHooks();
  const { id } = await make(receiver.url);
  const open = new Set<ServerResponse>();
  const answer = (response: ServerResponse, status: number) => {
    open.delete(response);
    response.writeHead(status).end();
  };
  let most = 0;
  const whileFailing: { readonly failures: number; readonly open: number }[] = [];
  // Ten are answered together, so that they fail together; the next two fail alone.
  receiver.answer = async (response) => {
    open.add(response.on('close', () => open.delete(response)));
    most = Math.max(most, open.size);
    if (most < 10) return;
    if (whileFailing.length === 0 && open.size === 10) for (const one of open) answer(one, 503);
    else if (whileFailing.length === 2) answer(response, 204);
    else {
      whileFailing.push({ failures: (await show(id)).failures, open: open.size });
      answer(response, 503);
    }
  };
  await insertEvents(sql, id, 45);
  await until(() => new Set(receiver.received.map((one) => one.id)).size === 45);
  t.equal(most, 10);
  t.strictSame(
    whileFailing,
    [
      { failures: 1, open: 1 },
      { failures: 2, open: 1 },
    ],
    'tries that were under way together count once, and then there is one at a time',
  );
});

t.test('while deliveries of a webhook wait, each that ends is followed by another at once', async (t) => {
  const receiver = await receiverFor(t);
  const held: (() => void)[] = [];
  let answered = 0;
  // It answers one only while it holds ten, until no more can come.
  receiver.answer = (response) => {
    held.push(() => {
      answered += 1;
      response.writeHead(204).end();
    });
    if (held.length === 10) held.shift()!();
    if (receiver.received.length === 60) for (const end of held.splice(0)) end();
  };
  const { make, show } = await newHooks();
  const { id } = await make(receiver.url);
  await insertEvents(sql, id, 60);
  await until(() => answered === 60);
  t.match(await show(id), { failures: 0, missed: 0 }, 'none waited too long');
  t.equal(new Set(receiver.received.map((one) => one.id)).size, 60);
});

t.test('one account takes no more than half of the requests of a gateway', async (t) => {
  const slots = createSlots();
  const takeAll = (account: string) => {
    for (let taken = 0; ; taken += 1) {
      if (slots.isFull() || slots.busy().includes(account)) return taken;
      slots.take(account);
    }
  };
  const first = takeAll('a');
  t.ok(first >= 30 && first <= CONCURRENT / 2, `${first}`);
  takeAll('b');
  for (let i = 0; i < CONCURRENT / 2; i += 1) {
    t.notOk(slots.isFull());
    t.ok(takeAll(`quiet ${i}`) > 0);
  }
  slots.free('a');
  t.notOk(slots.isFull());
});

t.test('events outlive a count of pending deliveries, and nothing is given up in silence', async (t) => {
  const { id: accountId, make, deliveries, patch, show, events } = await newHooks();
  const { id } = await make('http://127.0.0.1:9/');
  await patch(id, { state: 'off' });
  await sql`update accounts set created_at = now() - interval '60 days' where id = ${accountId}`;
  // 900 events, each 20 minutes older than the one before: 12.5 days.
  await insertEvents(sql, id, 900, 1200);
  await sql`
    insert into webhook_deliveries (event_id, webhook_id)
    select id, gen_random_uuid() from events where account_id = ${accountId} and type = 'batch.done' limit 1`;
  await trimEvents(sql, 200);
  await deleteOldEvents(sql, 30);
  const count = async () => {
    const [row] = await sql<[{ count: number; orphans: number; waiting: number }]>`
      select count(distinct e.id)::int as count,
        (count(*) filter (where d.webhook_id <> ${id}))::int as orphans,
        (count(*) filter (where d.state = 'waiting'))::int as waiting
      from events e join webhook_deliveries d on d.event_id = e.id where e.account_id = ${accountId}`;
    return { ...row };
  };
  t.strictSame(await count(), { count: 900, orphans: 0, waiting: 900 }, 'what waits is not removed');
  const old = await giveUpOld(sql, 7);
  t.equal((await show(id)).missed, old);
  t.ok(old > 390 && old < 400, `${old} are older than a week`);
  const [first] = await deliveries(id);
  t.match(first, { state: 'waiting', data: { n: 1 } });
  await giveUpCrowded(sql, 300);
  const { missed } = await show(id);
  t.equal(missed, 600);
  t.strictSame(await count(), { count: 900, orphans: 0, waiting: 300 });
  const failed = await events('&delivered=false');
  t.equal(failed.data.length, 100);
  const [row] = await sql<{ error: string }[]>`
    select error from webhook_deliveries where webhook_id = ${id} and state = 'failed'
    order by created_at desc limit 1`;
  t.equal(row!.error, 'more than 300 deliveries waited for this webhook');
  await trimEvents(sql, 200);
  t.strictSame(await count(), { count: 300, orphans: 0, waiting: 300 }, 'what waits stays beyond the bound');
  const list = await events();
  const oldest = Date.now() - 200 * 1_200_000;
  t.ok(
    Math.abs(Date.parse(list.complete_since) - oldest) < 1_800_000,
    'the list says since when it is complete',
  );
});

t.test('the metrics count tries and waiting deliveries', async (t) => {
  const { text } = await call({ url: '/metrics', key: 'an-admin-token-for-tests' });
  for (const line of [
    /^tessera_webhooks_tries_total\{outcome="delivered"\} [1-9]/m,
    /^tessera_webhooks_tries_total\{outcome="refused"\} [1-9]/m,
    /^tessera_webhooks_tries_total\{outcome="unreachable"\} \d/m,
    /^tessera_webhooks_given_up_total [1-9]/m,
    /^tessera_webhooks_waiting \d/m,
    /^tessera_webhooks_oldest_waiting_seconds \d/m,
    /^tessera_webhooks_unserved_seconds \d/m,
  ])
    t.match(text, line);
});
