/** Effects of failures on a running batch, as docs/operations/failures.md describes them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createSender, newSender, plainRows } from '../batches/support.ts';
import type { TestScope } from '../servers/server-process.ts';
import { until } from '../servers/until.ts';
import type { TestApp } from '../support/app/app.ts';
import { startOn, startStores, usedOf } from './stack.ts';

const store = await mkdtemp(join(tmpdir(), 'tessera-batches-'));
t.teardown(() => rm(store, { recursive: true, force: true }));
const stores = await startStores(t);
const { sql, redisProxy, postgresProxy } = stores;
const start = (scope: TestScope, more: Record<string, string> = {}) =>
  startOn(stores, scope, { BATCH_STORE: store, ...more });

const ROWS = 1500;
const LARGE = { width: 1000, height: 1000 };
const BROKEN = 'data:image/png;base64,iVBORw0KGgoAAAAANSUhEUgAAAAE=';

/** Sends a batch that takes some seconds, and waits until a part of it is done. */
const startBatch = async (app: TestApp, rows: readonly object[] = plainRows(ROWS, LARGE)) => {
  const sender = await newSender(app, { monthlyQuota: 2000, credits: 3000 });
  const id = await sender.begin(rows);
  await until(async () => (await sender.show(id)).made > 0, { pauseMs: 20 });
  const inRecord = async () => {
    const [row] = await sql<{ state: string; ending: string | null; made: number }[]>`
      select state, ending, made from batches where id = ${id}`;
    return row!;
  };
  return { sender, id, inRecord, cancel: () => sender.cancel(id), ended: () => sender.ended(id) };
};

/** Compares what an account has paid with what it got, in all ledgers. */
const hasPaid = async (
  t: Test,
  app: TestApp,
  { sender, id }: Awaited<ReturnType<typeof startBatch>>,
  units: number,
) => {
  t.equal(await usedOf(app, sender.id), units, `${units} units were paid`);
  const [{ codes, slugs }] = await sql<[{ codes: number; slugs: number }]>`
    select count(*)::int as codes, count(distinct slug)::int as slugs from codes
    where folder_id = (select folder_id from batches where id = ${id})`;
  const [{ made }] = await sql<[{ made: number }]>`select made from batches where id = ${id}`;
  t.strictSame([codes, slugs], [made, made], 'nothing was made twice, and nothing is missing');
  await until(async () => (await stores.undrained()) === 0);
  const [{ open }] = await sql<[{ open: number }]>`
    select count(*)::int as open from quota_holds where account_id = ${sender.id} and applied_at is null`;
  t.equal(open, 0, 'no units are held');
  t.strictSame(await stores.differences(), []);
};

t.test('with a gateway that refunds units of failed rows', async (t) => {
  const app = await start(t);

  t.test('during an outage of Postgres the batch waits', async (t) => {
    const batch = await startBatch(app);
    postgresProxy.cut();
    await sleep(2500);
    const { made } = await batch.inRecord();
    await sleep(1000);
    t.equal((await batch.inRecord()).made, made, 'nothing was made during the outage');
    postgresProxy.heal();
    await until(async () => (await batch.sender.get('/batches')).status === 200);
    t.match(await batch.ended(), { state: 'done', made: ROWS, refunded: 0 });
    await hasPaid(t, app, batch, ROWS);
  });

  t.test('pieces are made while Redis is down; the end waits, and cancelling is refused', async (t) => {
    const batch = await startBatch(app);
    redisProxy.cut();
    await until(async () => (await batch.inRecord()).state === 'finishing', { deadlineMs: 120_000 });
    t.match(await batch.inRecord(), { ending: 'done', made: ROWS });
    redisProxy.heal();
    t.equal((await batch.cancel()).status, 202);
    t.match(await batch.ended(), { state: 'done', made: ROWS, refunded: 0 });
    await hasPaid(t, app, batch, ROWS);
  });

  t.test('the batch continues when the quota is lowered below the held units', async (t) => {
    const batch = await startBatch(app);
    t.equal((await app.admin('PATCH', `/accounts/${batch.sender.id}`, { monthly_quota: 5 })).status, 200);
    t.match(await batch.ended(), { state: 'done', made: ROWS, refunded: 0 });
    await hasPaid(t, app, batch, ROWS);
  });

  t.test('the batch outlives its key and a move to the Free plan, and has its results', async (t) => {
    const batch = await startBatch(app);
    const { id, keyId, get } = batch.sender;
    const { key } = (await app.admin('POST', `/accounts/${id}/keys`, { name: 'another' })).json;
    t.equal((await app.admin('DELETE', `/keys/${keyId}`)).status, 204);
    t.equal((await app.admin('PATCH', `/accounts/${id}`, { plan: 'free' })).status, 200);
    const other = createSender(app, key);
    t.match(await other.ended(batch.id), { state: 'done', made: ROWS });
    t.equal((await other.parts(batch.id)).length, 1);
    t.equal((await other.part(batch.id)).status, 200);
    t.equal((await other.get(`/batches/${batch.id}/report`)).status, 200);
    t.equal((await get('/batches')).status, 401);
    t.equal((await other.send('{"data":"a"}')).status, 403, 'a new batch needs the Pro plan');
    await hasPaid(t, app, batch, ROWS);
  });

  t.test('nothing is made twice when the clock of Postgres steps forward and back', async (t) => {
    const batch = await startBatch(app);
    for (const step of ['-1 hour', '1 hour', '-1 hour'])
      await sql.begin(async (tx) => {
        // Gateways lock pieces before their batch, too.
        await tx`update batch_pieces set leased_until = leased_until + ${step}::interval where batch_id = ${batch.id}`;
        // Shifts every recorded time instead of the clock, in the opposite direction.
        await tx`update batches set leased_until = leased_until + ${step}::interval, created_at = created_at + ${step}::interval,
          queued_at = queued_at + ${step}::interval, started_at = started_at + ${step}::interval,
          expires_at = expires_at + ${step}::interval where id = ${batch.id}`;
      });
    t.match(await batch.ended(), { state: 'done', made: ROWS });
    await hasPaid(t, app, batch, ROWS);
  });

  t.test('a batch that is cancelled in the queue costs nothing', async (t) => {
    // Keeps gateways from taking a piece.
    await sql`
      create function later() returns trigger language plpgsql as 'begin new.leased_until := now() + interval ''1 day''; return new; end'`;
    await sql`
      create trigger later before insert on batch_pieces for each row when (new.state = 'waiting') execute function later()`;
    const sender = await newSender(app);
    const id = await sender.begin(plainRows(60));
    await until(async () => (await sender.show(id)).state === 'queued', { pauseMs: 20 });
    t.equal(await usedOf(app, sender.id), 60, 'the units of the batch are held');
    await sql`drop trigger later on batch_pieces`;
    t.equal((await sender.cancel(id)).json.state, 'finishing');
    t.match(await sender.ended(id), { state: 'cancelled', made: 0, refunded: 60 });
    t.equal(await usedOf(app, sender.id), 0);
    t.equal((await sender.parts(id)).length, 0);
    t.strictSame(await stores.differences(), []);
  });
});

t.test('while Redis is down, a gateway without refunds for failed rows finishes the batch', async (t) => {
  const app = await start(t, { QUOTA_REFUND: 'none' });
  const broken = Array.from({ length: 20 }, () => ({ data: 'x', image: BROKEN }));
  const batch = await startBatch(app, [...plainRows(500, LARGE), ...broken, ...plainRows(300, LARGE)]);
  redisProxy.cut();
  await until(async () => (await batch.inRecord()).state === 'finishing', { deadlineMs: 120_000 });
  redisProxy.heal();
  t.match(await batch.ended(), { state: 'done', made: 800, failed: 20, refunded: 0 });
  await hasPaid(t, app, batch, 820);
});

t.test('a gateway with BATCH_WORKERS=0 accepts batches, and another one makes them', async (t) => {
  const idle = await start(t, { BATCH_WORKERS: '0' });
  const sender = await newSender(idle);
  const [sent, cancelled] = [await sender.begin(plainRows(10)), await sender.begin(plainRows(10))];
  t.equal((await sender.cancel(cancelled)).json.state, 'finishing');
  await sleep(3000);
  t.match(await sender.show(sent), { state: 'validating', made: 0 });
  t.match(await sender.show(cancelled), { state: 'finishing' });
  t.equal(await usedOf(idle, sender.id), 0);
  await start(t);
  t.match(await sender.ended(sent), { state: 'done', made: 10 });
  t.match(await sender.ended(cancelled), { state: 'cancelled', made: 0 });
  t.equal(await usedOf(idle, sender.id), 10);
  t.equal((await sender.part(sent)).status, 200, 'every gateway serves the results');
});
