/** Gateway processes on one Redis and one Postgres share the last units, and are killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { createAccount } from '../servers/account.ts';
import { type GatewayProcess, startGateway } from '../servers/gateway-process.ts';
import type { AnswerBody } from '../support/app/answer-body.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { slowItems, startStores, until } from './stack.ts';

/**
 * A bulk call may take half of this time, which lets a test see its units taken before the kill even on a busy machine.
 */
const TTL_MS = 4000;
const KILLS = 10;

const stores = await startStores(t);
const env = {
  ...stores.env,
  RATE_LIMIT_PER_SECOND: '0',
  LOG_LEVEL: 'warn',
  QUOTA_RESERVATION_TTL_MS: String(TTL_MS),
};
const start = () => startGateway(t, env);
const [survivor, first] = await Promise.all([start(), start()]);

const send = async (gateway: GatewayProcess, path: string, token: string, body?: unknown) => {
  const response = await fetch(gateway.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as AnswerBody };
};

const usageOf = async (id: string) =>
  (await send(survivor, `/admin/v1/accounts/${id}`, ADMIN_TOKEN)).json.usage;

t.test('96 clients of two gateways get exactly 350 pictures from 300 units and 50 credits', async (t) => {
  const { id, key } = await createAccount(survivor.url, ADMIN_TOKEN, 'test', {
    monthlyQuota: 300,
    credits: 50,
  });
  const gateways = [survivor, first];
  const counts: number[] = [];
  const strategies: Record<string, number> = {};
  let busy = 0;
  const client = async (i: number): Promise<number> => {
    for (;;) {
      const { status, json } = await send(gateways[i % 2]!, '/api/v1/qr', key, { data: `client ${i}` });
      if (status === 503) {
        // The call timed out on a busy machine and its unit was refunded, so it is repeated.
        busy += 1;
        await sleep(1000);
        continue;
      }
      if (status !== 200) return status;
      counts.push(json.meta.usage_count);
      strategies[json.meta.strategy] = (strategies[json.meta.strategy] ?? 0) + 1;
    }
  };
  const startedMs = performance.now();
  const ends = await Promise.all(Array.from({ length: 96 }, (_, i) => client(i)));
  t.comment(
    `${counts.length} served in ${Math.round(performance.now() - startedMs)} ms, ${busy} calls made again`,
  );
  t.strictSame([...new Set(ends)], [429], 'every client was refused in the end');
  t.equal(counts.length, 350);
  // A call that timed out refunds its unit, so that another call gets the same count.
  t.ok(new Set(counts).size >= 350 - busy, 'each has its own count, except for refunded units');
  t.strictSame(strategies, { monthly: 300, credits: 50 });
  t.match(await usageOf(id), { usage_count: 350, remaining: 0 });
});

t.test(`${KILLS} gateways are killed while they draw a bulk call, and every unit is refunded`, async (t) => {
  const { id, key } = await createAccount(survivor.url, ADMIN_TOKEN, 'test');
  const items = slowItems(40);
  const backMs: number[] = [];
  let victim = first;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    // One call is paid in each round. A 503 on a busy machine costs nothing.
    await until(
      t,
      'one call is paid',
      async () => (await send(victim, '/api/v1/qr', key, { data: 'x' })).status === 200,
    );
    const answer = send(victim, '/api/v1/qr/bulk', key, { items }).catch(() => 'lost');
    await until(
      t,
      'the units of the bulk call are reserved',
      async () => (await usageOf(id)).usage_count === kill + items.length,
    );
    victim.process.kill('SIGKILL');
    const killedMs = performance.now();
    t.equal(await answer, 'lost', 'the bulk call is not answered');
    if (kill < KILLS) victim = await start();
    await until(t, 'the units are refunded', async () => (await usageOf(id)).usage_count === kill);
    backMs.push(Math.round(performance.now() - killedMs));
  }
  t.comment(`units back ${backMs.join(', ')} ms after the kill; reservations live for ${TTL_MS} ms`);
  await until(t, 'no reservation is open', async () => (await stores.openReservations()) === 0);
  await until(t, 'all usage has reached Postgres', async () => (await stores.undrained()) === 0);
  t.strictSame(await stores.differences(), [], 'Redis, Postgres and the sum of the events agree');
  const [codes] = await stores.sql<
    [{ count: number }]
  >`select count(*) as count from codes where account_id = ${id}`;
  t.equal(codes.count, 0, 'no unpaid code was saved');
});
