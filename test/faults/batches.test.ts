/**
 * Two gateways as processes on one Redis and one Postgres make a batch. They are killed again and again while it runs, and Redis
 * is emptied once. Every row is made once, every slug is there once, every SHA-256 is right, and the units are the rows made.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import t from 'tap';
import { until as wait } from '../servers/until.ts';
import type { AnswerBody } from '../support/answer-body.ts';
import { ADMIN_TOKEN } from '../support/app.ts';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';
import { freePort } from '../support/server-process.ts';
import { readZip } from '../support/zip.ts';
import { startStores } from './stack.ts';

const ROWS = 4000;
/** Some milliseconds each, so that the batch is still running when gateways have started again. */
const DESIGN = JSON.stringify({
  width: 700,
  height: 700,
  dotsOptions: {
    gradient: {
      colorStops: [
        { offset: 0, color: 'red' },
        { offset: 1, color: 'navy' },
      ],
    },
  },
});
const KILLS = 4;

const store = await mkdtemp(join(tmpdir(), 'tessera-batches-'));
t.teardown(() => rm(store, { recursive: true, force: true }));
const stores = await startStores(t);
const ports = [String(await freePort()), String(await freePort())];
const envOf = (gateway: number) => ({
  ...stores.env,
  PORT: ports[gateway]!,
  BATCH_STORE: store,
  RATE_LIMIT_PER_SECOND: '0',
  LOG_LEVEL: 'warn',
});

const send = async (
  gateway: GatewayProcess,
  path: string,
  token: string,
  {
    method = 'GET',
    body,
    headers = {},
  }: { method?: string; body?: string; headers?: Record<string, string> } = {},
) => {
  const response = await fetch(gateway.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { bytes, json: (isJson ? JSON.parse(bytes.toString()) : null) as AnswerBody };
};

t.test('gateways are killed while a batch runs, and nothing is missing or twice', async (t) => {
  const gateways = await Promise.all([0, 1].map((gateway) => startGateway(t, envOf(gateway))));
  const [first] = gateways as [GatewayProcess, GatewayProcess];
  const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });
  const wanted = { name: 'test', plan: 'pro', monthlyQuota: ROWS + 100 };
  const { id } = (await send(first, '/admin/v1/accounts', ADMIN_TOKEN, post(wanted))).json;
  const made = await send(first, `/admin/v1/accounts/${id}/keys`, ADMIN_TOKEN, post({ name: 'test' }));
  const { key } = made.json;
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `{"data":"https://example.com/${i}","dynamic":true,"id":"${i}"}`,
  );
  const body = {
    method: 'POST',
    body: rows.join('\n'),
    headers: { 'content-type': 'application/x-ndjson', design: DESIGN },
  };
  const sent = (await send(first, '/api/v1/batches', key, body)).json;
  const path = `/api/v1/batches/${sent.id}`;
  const anyone = () => gateways[0]!;
  const show = async () => (await send(anyone(), path, key)).json;

  let atLast = 0;
  let kills = 0;
  for (; kills < KILLS; kills += 1) {
    const pass = ((kills + 1) * ROWS) / (KILLS + 2);
    const isFurther = async () => {
      const { made, finished_at } = await show();
      return made >= Math.min(pass, atLast + 1) || finished_at !== null;
    };
    await wait(isFurther, { pauseMs: 50, deadlineMs: 120_000 });
    atLast = (await show()).made;
    if ((await show()).finished_at !== null) break;
    const victim = kills % 2;
    gateways[victim]!.process.kill('SIGKILL');
    await gateways[victim]!.ended;
    if (kills === KILLS / 2) {
      // It keeps nothing.
      await stores.redis.stop();
      await stores.redis.start();
    }
    gateways[victim] = await startGateway(t, envOf(victim));
  }
  t.ok(kills >= KILLS / 2, `${kills} gateways were killed before the end`);
  // A piece of a gateway that was killed is taken by the other one after twenty seconds.
  await wait(async () => (await show()).finished_at !== null, { pauseMs: 200, deadlineMs: 240_000 });
  t.match(await show(), { state: 'done', rows: ROWS, made: ROWS, failed: 0, refunded: 0 });

  const slugs = await stores.sql<{ slugs: number; codes: number; links: number }[]>`
    select count(distinct slug)::int as slugs, count(*)::int as codes, (select count(*)::int from links) as links from codes`;
  t.strictSame({ ...slugs[0] }, { slugs: ROWS, codes: ROWS, links: ROWS });
  const [part] = (await send(anyone(), `${path}/parts`, key)).json.data as unknown as { sha256: string }[];
  const { bytes } = await send(anyone(), `${path}/parts/1`, key);
  t.equal(createHash('sha256').update(bytes).digest('hex'), part!.sha256);
  const entries = await readZip(bytes);
  const manifest = parse(entries.at(-1)!.bytes, { columns: true }) as Record<string, string>[];
  t.strictSame(
    manifest.map(({ id }) => Number(id)),
    rows.map((_, i) => i),
    'every row is in the manifest once, in order',
  );
  const files = new Map(
    entries.map(({ name, bytes }) => [name, createHash('sha256').update(bytes).digest('hex')]),
  );
  t.ok(manifest.every(({ file, sha256 }) => files.get(file!) === sha256));
  const saved = await stores.sql<
    { slug: string; destination: string }[]
  >`select slug, destination from links`;
  const destinations = new Map(saved.map(({ slug, destination }) => [slug, destination]));
  t.ok(manifest.every(({ slug, content }) => destinations.get(slug!) === content));
  const usage = (await send(anyone(), '/api/v1/usage', key)).json;
  t.equal(usage.usage_count, ROWS, 'the units are the rows made');
  t.strictSame(await stores.differences(), []);
});
