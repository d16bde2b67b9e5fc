import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import t from 'tap';
import { measureRequests } from '../../src/http/tracing.ts';
import { registerScanStream } from '../../src/metrics/jobs.ts';
import { createRequestMeter } from '../../src/metrics/requests.ts';
import { startRedis } from '../servers/redis.ts';
import { ADMIN_TOKEN, startApp, type TestApp } from '../support/app/app.ts';
import { embeddedFolder } from '../support/database/database.ts';
import { deferred } from '../support/deferred.ts';
import { checkMetrics } from '../support/promtool.ts';

interface Family {
  readonly type: string;
  readonly help: string;
  /** By `name{labels}`, with the labels sorted by name. */
  readonly samples: Map<string, number>;
}

const SAMPLE = /^([a-z_0-9]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)*)\})? (\S+)$/;

const seriesOf = (name: string, labels: Readonly<Record<string, string>>): string =>
  `${name}{${Object.entries(labels)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`;

/** Parses the text format strictly: each family has HELP, TYPE and samples of its own name, none twice. */
const parse = (text: string): Map<string, Family> => {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const families = new Map<string, Family>();
  let family: (Family & { name: string }) | undefined;
  const lines = text.split('\n').filter((line) => line !== '');
  for (const [index, line] of lines.entries()) {
    const [, name, help] = /^# HELP ([a-z0-9_]+) (.+)$/.exec(line) ?? [];
    if (name !== undefined) {
      const type = new RegExp(`^# TYPE ${name} (counter|gauge|histogram|summary)$`).exec(
        lines[index + 1] ?? '',
      );
      if (type === null || families.has(name)) throw new Error(`no type, or twice: ${line}`);
      family = { name, help: help!, type: type[1]!, samples: new Map() };
      families.set(name, family);
    } else if (!line.startsWith('#')) {
      const [, sample, labels = '', value] = SAMPLE.exec(line) ?? [];
      if (sample === undefined || !sample.startsWith(family!.name)) throw new Error(`no sample: ${line}`);
      const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map((m) => [m[1]!, m[2]!]);
      const series = seriesOf(sample, Object.fromEntries(pairs));
      if (family!.samples.has(series)) throw new Error(`twice: ${series}`);
      family!.samples.set(series, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value));
    }
  }
  return families;
};

const scrape = async ({ call }: TestApp) => {
  const { status, headers, text } = await call({ url: '/metrics', key: ADMIN_TOKEN });
  if (status !== 200) throw new Error(text);
  const families = parse(text);
  return {
    families,
    headers,
    value(family: string, labels: Readonly<Record<string, string>> = {}, suffix = ''): number | undefined {
      return families.get(family)!.samples.get(seriesOf(family + suffix, labels));
    },
  };
};

const redis = await startRedis(t);
// With a Postgres server, caches drop entries some time after a change, and no disk is measured.
const app = await startApp(t, { DATA_DIR: await embeddedFolder(t), REDIS_URL: redis.url });

t.test('metrics count calls, units, pictures, cache hits and scans', async (t) => {
  const { call, account } = app;
  const { key } = await account({ monthlyQuota: 3, credits: 2 });
  const image = { url: `/api/v1/render?key=${key}&content=hello` };
  await call(image);
  await call(image);
  const logo = 'data:image/png;base64,AAAA';
  await call({ method: 'POST', url: '/api/v1/qr', key, body: { data: 'x', width: 7 } });
  await call({ method: 'POST', url: '/api/v1/qr', key, body: { data: 'x', image: logo } });
  const items = [{ data: 'http://example.com/', dynamic: true }, { data: '' }];
  const bulk = await call({ method: 'POST', url: '/api/v1/qr/bulk', key, body: { items } });
  const { slug } = bulk.json.results[0]!;
  await call({ method: 'POST', url: '/api/v1/qr', key, body: { data: 'y', dotsOptions: { type: 'dots' } } });
  await call({ ...image, headers: { 'if-none-match': '*' } });
  await call({ url: '/api/v1/usage', key: 'nonsense' });
  await call(image);
  const refused = await call(image);
  t.equal(refused.status, 429);
  await call({ url: '/no/such/path' });
  await call({ url: `/l/${slug}` });
  await call({ url: `/l/${slug}` });
  await call({ url: '/l/aaaaaaaa' });
  await call({ url: '/healthz' });

  const { value, families } = await scrape(app);
  const requests = Object.fromEntries(
    [...families.get('tessera_http_requests_total')!.samples].map(([series, count]) => [
      /outcome="(.*)",route="(.*)"/.exec(series)!.slice(1).reverse().join(' '),
      count,
    ]),
  );
  t.strictSame(requests, {
    'admin ok': 2,
    'image ok': 4,
    'image quota_exhausted': 1,
    'single ok': 1,
    'single invalid_body': 2,
    'bulk ok': 1,
    'usage unauthorized': 1,
    'none not_found': 1,
    'redirect ok': 2,
    'redirect not_found': 1,
    'health ok': 1,
  });
  t.equal(value('tessera_http_requests_in_flight'), 1, 'the scrape itself');
  t.equal(value('tessera_http_request_duration_seconds', { route: 'image' }, '_count'), 5);

  const reserved = (outcome: string) => value('tessera_quota_reservations_total', { outcome });
  t.strictSame([reserved('admitted'), reserved('exhausted'), reserved('failed')], [6, 1, 0]);
  const units = (source: string) => value('tessera_quota_units_reserved_total', { source });
  t.equal(units('monthly')! + units('credits')!, 7);
  t.equal(value('tessera_quota_units_refunded_total'), 2, 'of the broken logo and the empty item');
  t.equal(value('tessera_quota_duration_seconds', { call: 'reserve' }, '_count'), 7);
  t.equal(value('tessera_logos_total', { outcome: 'type' }), 1);

  const drawn = (lane: string) => value('tessera_render_duration_seconds', { lane }, '_count');
  t.strictSame([drawn('plain'), drawn('stamped'), drawn('reference')], [2, 1, 0]);
  t.equal(value('tessera_render_wait_seconds', {}, '_count'), 3);
  const looked = (cache: string, result: string) => value('tessera_cache_requests_total', { cache, result });
  t.strictSame(
    [looked('results', 'hit'), looked('results', 'miss')],
    [3, 2],
    'the refused call found the picture in the cache too',
  );
  t.strictSame([looked('keys', 'hit'), looked('keys', 'miss')], [8, 1]);
  t.strictSame([looked('redirects', 'hit'), looked('redirects', 'miss')], [1, 2]);
  t.equal(value('tessera_cache_entries', { cache: 'results' }), 2);
  t.equal(value('tessera_dependency_up', { dependency: 'postgres' }), 1);
  const scans = value('tessera_scans_buffered')! + value('tessera_scans_total', { outcome: 'recorded' })!;
  t.equal(scans, 2);
});

t.test('metrics need the admin token', async (t) => {
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${ADMIN_TOKEN}` }]) {
    const answer = await app.call({ url: '/metrics', headers });
    t.match(answer, { status: 401, json: { error: 'Missing or invalid admin token' } });
    t.notMatch(answer.text, 'tessera_');
  }
  const { headers } = await scrape(app);
  t.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  t.equal(headers['cache-control'], 'no-store');
});

t.test('histograms are cumulative and end with the total count', async (t) => {
  for (let i = 0; i < 4; i += 1) await app.call({ url: '/healthz' });
  const { families } = await scrape(app);
  const { samples } = families.get('tessera_http_request_duration_seconds')!;
  const buckets = [...samples].filter(([series]) => /_bucket\{.*route="health"/.test(series));
  const bounds = buckets.map(([series]) =>
    Number(/le="\+?([^"]+)"/.exec(series)![1]!.replace('Inf', 'Infinity')),
  );
  t.strictSame(
    bounds,
    [...bounds].sort((a, b) => a - b),
  );
  t.equal(bounds.at(-1), Number.POSITIVE_INFINITY);
  const counts = buckets.map(([, count]) => count);
  t.strictSame(
    counts,
    [...counts].sort((a, b) => a - b),
  );
  t.equal(counts.at(-1), samples.get('tessera_http_request_duration_seconds_count{route="health"}'));
  t.ok(samples.get('tessera_http_request_duration_seconds_sum{route="health"}')! > 0);
});

t.test('paths, keys and ids of callers appear in no metric', async (t) => {
  const { key, id } = await app.account();
  await app.call({ url: `/api/v1/render?key=${key}&content=secret-content` });
  await app.call({ url: '/some/odd/path' });
  await app.call({ url: '/api/v1/folders/0b0c0d0e-0000-4000-8000-000000000000', method: 'DELETE', key });
  const { text } = await app.call({ url: '/metrics', key: ADMIN_TOKEN });
  for (const secret of [key, key.slice(0, 10), id, 'secret-content', 'odd', '0b0c0d0e'])
    t.notMatch(text, secret);
});

t.test('metrics may be made public', async (t) => {
  const { call } = await startApp(t, { METRICS_PUBLIC: 'true' });
  t.equal((await call({ url: '/metrics' })).status, 200);
});

t.test('docs/metrics.md lists the metrics with their types and labels', async (t) => {
  const { id, key } = await app.account();
  const logo = 'data:image/png;base64,AAAA';
  await app.call({ method: 'POST', url: '/api/v1/qr', key, body: { data: 'x', image: logo } });
  const marking = await app.admin('POST', `/accounts/${id}/keys`, { name: 'load', load_tests: true });
  await app.call({ url: '/api/v1/usage', key: marking.json.key, headers: { 'tessera-load-test': 'x' } });
  const { families } = await scrape(app);
  const labelsOf = ({ samples }: Family): string[] => {
    const names = [...samples.keys()].flatMap((series) =>
      [...series.matchAll(/([a-z_]+)="/g)].map((m) => m[1]!),
    );
    return [...new Set(names)].filter((name) => name !== 'le').sort();
  };
  // Only gateways with ClickHouse have these.
  const waiting = new Registry();
  registerScanStream(waiting, () => ({ bytes: 1, maxBytes: 2, entries: 1, oldestS: 0 }));
  const exposed = [...families, ...parse(await waiting.metrics())]
    .filter(([name]) => name.startsWith('tessera_'))
    .map(([name, family]) => `${name} ${family.type} ${labelsOf(family)}`.trim());

  const page = await readFile(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
  const [ofGateways = ''] = page.split('## Several processes');
  const rows = [...ofGateways.matchAll(/^\| `(tessera_\w+)` \| (\w+) \|([^|]*)\|/gm)];
  const documented = rows.map(([, name, type, labels]) => {
    const named = [...labels!.matchAll(/`(\w+)`/g)].map((m) => m[1]!).sort();
    return `${name} ${type} ${named}`.trim();
  });
  t.strictSame(documented.sort(), exposed.sort());
});

t.test('metrics show how far Redis is drained, and when it is unavailable', async (t) => {
  const before = await scrape(app);
  t.equal(before.value('tessera_dependency_up', { dependency: 'redis' }), 1);
  t.ok(before.value('tessera_quota_drain_lag_seconds')! >= 0);
  t.equal(before.value('tessera_quota_drain_corrections_total'), 0);
  t.equal(before.value('tessera_loop_failures_total', { loop: 'drain' }), 0, 'it is there before it grows');
  const { key } = await app.account();
  await redis.stop();
  const paid = await app.call({ method: 'POST', url: '/api/v1/qr', key, body: { data: 'x' } });
  t.equal(paid.status, 503);
  const after = await scrape(app);
  t.equal(after.value('tessera_dependency_up', { dependency: 'redis' }), 0);
  t.equal(after.value('tessera_dependency_up', { dependency: 'postgres' }), 1);
  await redis.start();
});

t.test('promtool accepts the metrics', async (t) => {
  const { key } = await app.account();
  await app.call({ url: `/api/v1/render?key=${key}&content=hello` });
  const { text } = await app.call({ url: '/metrics', key: ADMIN_TOKEN });
  t.strictSame(await checkMetrics(text), { code: 0, output: '' });
  const { code, output } = await checkMetrics('# TYPE odd counter\nodd 1\n');
  t.not(code, 0);
  t.match(output, /odd/, 'promtool reports a metric without help');
});

t.test('a request whose caller disconnects is counted once, as aborted', async (t) => {
  const meter = createRequestMeter();
  const registry = new Registry();
  meter.register(registry);
  const app = Fastify();
  t.teardown(() => app.close());
  app.decorateRequest('failure', null);
  measureRequests(app, meter);
  const { promise, resolve: begun } = deferred();
  const reached = promise;
  const ended = new Promise<void>((resolve) => {
    app.addHook('onRequestAbort', async (_request) => resolve());
  });
  app.get('/slow', { config: { name: 'slow' } }, async () => {
    begun();
    await ended;
    return 'too late';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await reached;
  socket.destroy();
  await once(socket, 'close');
  await ended;
  const text = await registry.metrics();
  t.match(text, 'tessera_http_requests_total{route="slow",outcome="aborted"} 1');
  t.match(text, 'tessera_http_requests_in_flight 0');
});
