/**
 * Two gateways make batches and send webhooks when they end. They are killed again and again, also while the receiver
 * holds a request. Each event is in the outbox once, and is received at least once, always with the same `webhook-id`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { signatureOf, startReceiver } from '../webhooks/receiver.ts';

const KILLS = 3;
const BATCHES_A_KILL = 4;
const BATCHES = KILLS * BATCHES_A_KILL;

t.test('when gateways are killed while sending, no event is missing or recorded twice', async (t) => {
  const store = await mkdtemp(join(tmpdir(), 'tessera-webhooks-'));
  t.teardown(() => rm(store, { recursive: true, force: true }));
  const url = await realDatabaseUrl();
  const { sql, close } = await openDatabase({ url, dataDir: '' }, silent);
  t.teardown(close);
  const ports = [String(await freePort()), String(await freePort())];
  const start = (gateway: number): Promise<GatewayProcess> =>
    startGateway(t, {
      DATABASE_URL: url,
      BATCH_STORE: store,
      ADMIN_TOKEN,
      PORT: ports[gateway]!,
      PUBLIC_URL: 'http://qr.test',
      RATE_LIMIT_PER_SECOND: '0',
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    });
  const gateways = await Promise.all([start(0), start(1)]);
  const post = async (path: string, token: string, body: string, type = 'application/json') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const response = await fetch(gateways[0]!.url + path, { method: 'POST', headers, body });
    return (await response.json()) as AnswerBody;
  };

  const receiver = await startReceiver();
  t.teardown(receiver.close);
  let answered = 0;
  receiver.answer = async (response) => {
    await sleep(300);
    // Every fourth request is refused, to cause retries.
    answered += 1;
    response.writeHead(answered % 4 === 0 ? 503 : 204).end();
  };

  const { id, key } = await createAccount(gateways[0]!.url, ADMIN_TOKEN, 'test');
  const hook = { url: receiver.url, events: ['batch.done'] };
  const { secret } = await post('/api/v1/webhooks', key, JSON.stringify(hook));
  const sent: string[] = [];
  const sendBatch = async (): Promise<void> => {
    const rows = Array.from({ length: 20 }, (_, i) => `{"data":"batch ${sent.length} row ${i}"}`);
    sent.push((await post('/api/v1/batches', key, rows.join('\n'), 'application/x-ndjson')).id);
  };

  for (let kill = 0; kill < KILLS; kill += 1) {
    for (let batch = 0; batch < BATCHES_A_KILL; batch += 1) await sendBatch();
    const before = receiver.received.length;
    await until(() => receiver.received.length > before, { deadlineMs: 120_000 });
    // At this moment the receiver is holding a request.
    const victims = kill === KILLS - 1 ? [0, 1] : [kill % 2];
    for (const victim of victims) gateways[victim]!.process.kill('SIGKILL');
    for (const victim of victims) {
      await gateways[victim]!.ended;
      gateways[victim] = await start(victim);
    }
  }
  const outbox = () => sql<{ id: string; batch: string; state: string; tries: number }[]>`
    select e.id, e.data->>'id' as batch, d.state, d.tries
    from webhook_deliveries d join events e on e.id = d.event_id`;
  await until(
    async () => {
      await sql`update webhook_deliveries set next_at = least(next_at, now()) where tries > 0`;
      const rows = await outbox();
      return rows.length === BATCHES && rows.every(({ state }) => state === 'delivered');
    },
    { deadlineMs: 180_000, pauseMs: 200 },
  );
  const rows = await outbox();
  t.strictSame(rows.map(({ batch }) => batch).sort(), [...sent].sort(), 'each event is in the outbox once');
  const ids = new Map(rows.map((row) => [row.batch, row.id]));
  for (const one of receiver.received) {
    t.equal(one.id, ids.get(String(one.json.data.id)), 'each try has the id of its event');
    t.equal(one.headers['webhook-signature'], signatureOf(one, secret));
  }
  t.equal(new Set(receiver.received.map((one) => one.id)).size, BATCHES, 'the receiver got each event');
  const again = receiver.received.length - BATCHES;
  t.ok(again > 0, 'requests that were open at a kill or refused were repeated');
  t.comment(`${receiver.received.length} requests for ${BATCHES} events`);
  const used = await sql<{ units: number }[]>`
    select monthly_used as units from quota_balances where account_id = ${id}`;
  t.equal(used[0]!.units, BATCHES * 20);
  for (const gateway of gateways) t.notMatch(gateway.output(), secret, 'no log contains a secret');
});
