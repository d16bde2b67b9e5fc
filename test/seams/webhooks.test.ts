/**
 * The seam between gateways and a receiver of webhooks: it answers 503, is then down for a day, and gets everything
 * once it is back, although gateways are killed meanwhile. The day passes by moving all times of the database back.
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { openDatabase } from '../../src/db/database.ts';
import { createAccount } from '../servers/account.ts';
import { type GatewayProcess, startGateway } from '../servers/gateway-process.ts';
import { freePort } from '../servers/server-process.ts';
import { until } from '../servers/until.ts';
import type { AnswerBody } from '../support/app/answer-body.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { realDatabaseUrl } from '../support/database/database.ts';
import { silent } from '../support/silent-log.ts';
import { insertEvents } from '../webhooks/hooks.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const CHANGES = Number(process.env.EVENTS ?? 1_500);
const LINKS = 100;
const CALLERS = 16;
const DAY_STEPS = 12;

t.test('after a day without its receiver, a webhook gets each event', async (t) => {
  const url = await realDatabaseUrl();
  const { sql, close } = await openDatabase({ url, dataDir: '' }, silent);
  t.teardown(close);
  const ports = [String(await freePort()), String(await freePort())];
  const start = (gateway: number): Promise<GatewayProcess> =>
    startGateway(t, {
      ...{ DATABASE_URL: url, ADMIN_TOKEN, PORT: ports[gateway]!, PUBLIC_URL: 'http://qr.test' },
      ...{ RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'error', WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' },
    });
  const gateways = await Promise.all([start(0), start(1)]);
  const restart = async (gateway: number): Promise<void> => {
    gateways[gateway]!.process.kill('SIGKILL');
    await gateways[gateway]!.ended;
    gateways[gateway] = await start(gateway);
  };
  const { key } = await createAccount(gateways[0]!.url, ADMIN_TOKEN, 'test');
  const send = async (method: string, path: string, body?: object): Promise<AnswerBody> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(gateways[0]!.url + path, request);
    const text = await response.text();
    // Where the database is slow, so many callers of one account have to wait.
    if (response.status === 429) {
      await sleep(Number(response.headers.get('retry-after')) * 1000);
      return send(method, path, body);
    }
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };

  const receiver = await startReceiver();
  t.teardown(receiver.close);
  let [open, most, status] = [0, 0, 503];
  const got = new Set<string>();
  receiver.answer = (response, { id }) => {
    open += 1;
    most = Math.max(most, open);
    if (status === 204) got.add(id);
    setTimeout(() => {
      open -= 1;
      response.writeHead(status).end();
    }, 5);
  };

  const hook = await send('POST', '/api/v1/webhooks', { url: receiver.url, events: ['link.changed'] });
  const items = Array.from({ length: LINKS }, (_, i) => ({
    data: `https://example.com/${i}`,
    dynamic: true,
  }));
  const made = await send('POST', '/api/v1/qr/bulk', { items });
  const slugs = made.results.map(({ slug }: { slug: string }) => slug);
  let changes = 0;
  const change = async (): Promise<void> => {
    while (changes < CHANGES) {
      const n = changes++;
      const destination = `https://example.com/change/${n}`;
      await send('PATCH', `/api/v1/links/${slugs[n % LINKS]}`, { destination });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, change));
  const whileRefusing = receiver.received.length;
  t.ok(whileRefusing > 0 && whileRefusing < 200, `${whileRefusing} tries while all changes were refused`);

  const failures = async (): Promise<number> => (await send('GET', `/api/v1/webhooks/${hook.id}`)).failures;
  const isIdle = async () =>
    (await sql`select from webhook_deliveries where leased_until > now()`).length === 0;
  await until(isIdle);
  for (let step = 0; step < DAY_STEPS; step += 1) {
    const before = await failures();
    const by = 86_400 / DAY_STEPS;
    await sql`
      update webhooks set paused_until = paused_until - ${by}::int * interval '1 second',
        failing_since = failing_since - ${by}::int * interval '1 second'`;
    await sql`
      update webhook_deliveries set created_at = created_at - ${by}::int * interval '1 second',
        asked_at = asked_at - ${by}::int * interval '1 second', next_at = next_at - ${by}::int * interval '1 second'`;
    await sql`update events set created_at = created_at - ${by}::int * interval '1 second'`;
    if (step % 4 === 3) await restart(step % 2);
    // Once it is saved that the next try has failed.
    await until(async () => (await failures()) > before, { deadlineMs: 120_000, pauseMs: 100 });
  }
  const [pending] = await sql<[{ count: number }]>`
    select count(*)::int from webhook_deliveries where state = 'waiting'`;
  t.equal(pending.count, CHANGES);
  t.equal((await send('GET', `/api/v1/webhooks/${hook.id}`)).missed, 0);
  const listed = await send('GET', '/api/v1/events?type=link.changed&delivered=false&limit=1');
  t.match(listed.data[0]!.deliveries, [{ webhook_id: hook.id, state: 'waiting' }]);

  [status, most] = [204, 0];
  await sql`update webhooks set paused_until = least(paused_until, now())`;
  await until(() => got.size > CHANGES / 3, { deadlineMs: 300_000, pauseMs: 100 });
  await Promise.all([restart(0), restart(1)]);
  const isDelivered = async () => {
    const rows = await sql`select from webhook_deliveries where state <> 'delivered' limit 1`;
    return rows.length === 0;
  };
  await until(isDelivered, { deadlineMs: 300_000, pauseMs: 500 });
  const events = await sql<{ id: string }[]>`select id from events where type = 'link.changed'`;
  t.equal(events.length, CHANGES);
  t.strictSame(events.filter(({ id }) => !got.has(id)).length, 0, 'none is missing');
  t.equal(got.size, CHANGES);
  const destinations = receiver.received.map(({ json: { data } }) => {
    const [link] = data.links as readonly { readonly destination: string }[];
    return link!.destination;
  });
  t.equal(new Set(destinations).size, CHANGES, 'each change is told');
  t.equal(most, 10, 'ten at once, of both gateways together');
});

const RATED = 400;

t.test('a receiver that takes 200 ms is sent ten at once by one gateway, and by two together', async (t) => {
  for (const gateways of [1, 2]) {
    const url = await realDatabaseUrl();
    const { sql, close } = await openDatabase({ url, dataDir: '' }, silent);
    t.teardown(close);
    const start = () =>
      startGateway(t, {
        ...{ DATABASE_URL: url, ADMIN_TOKEN, PUBLIC_URL: 'http://qr.test', LOG_LEVEL: 'error' },
        ...{ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' },
      });
    const [first] = (await Promise.all(Array.from({ length: gateways }, start))) as [GatewayProcess];
    const { key } = await createAccount(first.url, ADMIN_TOKEN, 'test');
    const receiver = await startReceiver();
    t.teardown(receiver.close);
    let [open, most, heldMs, firstMs, lastMs] = [0, 0, 0, 0, 0];
    const got = new Set<string>();
    receiver.answer = (response, { id }) => {
      const beganMs = performance.now();
      firstMs ||= beganMs;
      open += 1;
      most = Math.max(most, open);
      got.add(id);
      setTimeout(() => {
        open -= 1;
        lastMs = performance.now();
        heldMs += lastMs - beganMs;
        response.writeHead(204).end();
      }, 200);
    };
    const made = await fetch(`${first.url}/api/v1/webhooks`, {
      ...{ method: 'POST', body: JSON.stringify({ url: receiver.url, events: [] }) },
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    const { id } = (await made.json()) as { readonly id: string };
    await insertEvents(sql, id, RATED);
    await until(() => got.size === RATED && open === 0, { deadlineMs: 300_000 });
    const [busyS, mean] = [(lastMs - firstMs) / 1000, heldMs / (lastMs - firstMs)];
    t.comment(
      `gateways: ${gateways}; ${(RATED / busyS).toFixed(1)} a second, ${mean.toFixed(1)} at once on average; load ${loadavg()[0]!.toFixed(1)}`,
    );
    t.equal(most, 10);
  }
});
