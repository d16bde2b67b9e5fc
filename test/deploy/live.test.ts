/** Alerts and dashboard on a real Prometheus and a gateway with real faults; all with `npm run drill:alerts`. */
import { Registry } from 'prom-client';
import t from 'tap';
import { freeBytes } from '../../src/db/embedded/folder.ts';
import { registerScanStream } from '../../src/metrics/jobs.ts';
import { registerProcess, registerReplica } from '../../src/metrics/process.ts';
import { registerOwn } from '../../src/supervisor/run.ts';
import { plainRows } from '../batches/support.ts';
import { asked, readDashboard } from './grafana/dashboard.ts';
import { serveRegistry, startWorld } from './world.ts';

const supervisor = registerOwn(() => ({ running: 2, deaths: 0 }));
const embedded = new Registry();
registerProcess(embedded, {}, () => freeBytes('.'));
const replica = new Registry();
registerReplica(replica, () => ({ lagSeconds: 0, reads: 0 }));
const stream = new Registry();
registerScanStream(stream, () => ({ bytes: 0, maxBytes: 1000, entries: 0, oldestS: 0 }));
const world = await startWorld(t, { BATCH_WORKERS: '0' }, async () => ({
  supervisor: await serveRegistry(t, supervisor),
  embedded: await serveRegistry(t, embedded),
  replica: await serveRegistry(t, replica),
  stream: await serveRegistry(t, stream),
}));
const { stores, app, key, prometheus, round, roundsUntil, fire } = world;
const { sql } = stores;

t.test('a healthy gateway fires no alert', async (t) => {
  const hasRates = async () => {
    const [requests] = await prometheus.query('sum(rate(tessera_http_requests_total[4s]))');
    return Number(requests?.value[1] ?? 0) > 0;
  };
  t.ok(await roundsUntil(hasRates));
  for (let n = 0; n < 20; n += 1) await round();
  t.strictSame(await prometheus.firing(), []);
});

t.test('work that waits too long fires the alert of its kind', async (t) => {
  const headers = { 'content-type': 'application/x-ndjson' };
  const rows = plainRows(2).map((row) => `${JSON.stringify(row)}\n`);
  const sent = await app.call({ method: 'POST', url: '/api/v1/batches', key, headers, body: rows.join('') });
  t.equal(sent.status, 202, sent.text);
  await sql`update batches set created_at = now() - interval '2 hours'`;
  // A webhook without subscriptions, since deliveries of other events would count as service.
  await sql`
    with hook as (
      insert into webhooks (account_id, url, events, served_at, paused_until)
      select account_id, url, '{}', now() - interval '1 hour', now() - interval '1 hour' from webhooks limit 1
      returning id, account_id
    ), event as (
      insert into events (account_id, type, data) select account_id, 'quota.low', '{}' from hook returning id
    )
    insert into webhook_deliveries (event_id, webhook_id, next_at, leased_until)
    select event.id, hook.id, now() - interval '1 hour', now() + interval '1 day' from event, hook`;
  await sql`
    update verifications set state = 'running', finished_at = null, statement = null, jws = null,
      created_at = now() - interval '25 hours', leased_until = now() + interval '1 day', turn_ended_at = now() + interval '1 day'`;
  await sql`
    insert into link_jobs (account_id, key_id, kind, state, served_at)
    select account_id, id, 'change', 'running', now() - interval '1 hour' from api_keys limit 1`;
  t.ok(
    await roundsUntil(() =>
      fire(
        ...['TesseraBatchesWait', 'TesseraWebhooksNotSent', 'TesseraVerificationsStandStill'],
        'TesseraLinkJobsStandStill',
      ),
    ),
    String(await prometheus.firing()),
  );
});

t.test('an unavailable Redis fires the alerts of the store and of the error budget', async (t) => {
  stores.redisProxy.cut();
  t.ok(
    await roundsUntil(() =>
      fire('TesseraStoreUnavailable', 'TesseraErrorBudgetBurnsFast', 'TesseraErrorBudgetBurnsSlowly'),
    ),
    String(await prometheus.firing()),
  );
});

t.test('every query of the dashboard returns data', async (t) => {
  const { panels } = await readDashboard();
  t.ok(panels.length > 20, `${panels.length} panels`);
  for (const { title, targets = [] } of panels) {
    for (const { expr } of targets) {
      const samples = await prometheus.query(asked(expr));
      t.ok(
        samples.some(({ value }) => value[1] !== 'NaN'),
        `${title}: ${expr}`,
      );
    }
  }
});

t.test('the alerts stop firing when their faults end', async (t) => {
  stores.redisProxy.heal();
  await sql`update batches set created_at = now()`;
  const isOver = async () => {
    const firing = await prometheus.firing();
    return !firing.includes('TesseraStoreUnavailable') && !firing.includes('TesseraBatchesWait');
  };
  t.ok(await roundsUntil(isOver), String(await prometheus.firing()));
});
