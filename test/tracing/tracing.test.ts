import type { IncomingHttpHeaders } from 'node:http';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { readConfig } from '../../src/config/config.ts';
import { newTraceContext, type TraceContext } from '../../src/tracing/context.ts';
import { openTracer } from '../../src/tracing/open.ts';
import type { Sampling } from '../../src/tracing/trace.ts';
import { createSender, plainRows } from '../batches/support.ts';
import { serve } from '../logo/network.ts';
import { startRedis } from '../servers/redis.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { until } from '../servers/until.ts';
import { ADMIN_TOKEN, startApp } from '../support/app/app.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { startCollector, treeOf } from './collector.ts';

const CALLER = '00f067aa0ba902b7';
const STATE = 'vendor=a1,other=b2';
/** The headers of a caller that records a trace with this id. */
const callerOf = (traceId: string, flags = '01') => ({
  traceparent: `00-${traceId}-${CALLER}-${flags}`,
  tracestate: STATE,
});
const traceIdOf = (digit: string): string => digit.repeat(32);

const startLogoHost = async (t: Test) => {
  const asked: IncomingHttpHeaders[] = [];
  const png = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const host = await serve((request, response) => {
    asked.push(request.headers);
    response.writeHead(200, { 'content-type': 'image/png' }).end(png);
  });
  t.teardown(host.close);
  return { asked, url: (name: string) => `http://127.0.0.1:${host.port}/${name}.png` };
};

t.test('the settings follow OpenTelemetry, and faults do not reveal the headers', async (t) => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  t.equal(readConfig({ OTEL_TRACES_SAMPLER: 'always_on' }).tracing, null);
  const { tracing } = readConfig({
    ...endpoint,
    ...{ OTEL_EXPORTER_OTLP_HEADERS: 'Api-Key=a%20b, x=1', OTEL_TRACES_SAMPLER_ARG: '0.25' },
  });
  t.match(tracing, { headers: { 'api-key': 'a b', x: '1' }, ratio: 0.25, sampling: 'parentbased_always_on' });
  for (const OTEL_EXPORTER_OTLP_HEADERS of ['secret', 'a=secret%', '=secret'])
    t.throws(() => readConfig({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS }), {
      message: /^OTEL_EXPORTER_OTLP_HEADERS: must be name=value (?!.*secret%)/,
    });
  for (const OTEL_TRACES_SAMPLER_ARG of ['1.1', '-1', 'half'])
    t.throws(() => readConfig({ OTEL_TRACES_SAMPLER_ARG }), { message: /^OTEL_TRACES_SAMPLER_ARG: / });
});

t.test('without a collector the trace of a caller is propagated; a call without one gets none', async (t) => {
  const host = await startLogoHost(t);
  const { call, account } = await startApp(t, { LOGO_ALLOW_PRIVATE_NETWORKS: 'true' });
  const { key } = await account();
  const make = (name: string, headers: Record<string, string>) =>
    call({ method: 'POST', url: '/api/v1/qr', key, headers, body: { data: name, image: host.url(name) } });
  t.equal((await make('given', callerOf(traceIdOf('a')))).status, 200);
  t.match(host.asked[0], callerOf(traceIdOf('a')));
  t.equal((await make('none', {})).status, 200);
  t.equal(host.asked[1]!.traceparent, undefined);
  t.equal((await make('broken', { traceparent: '00-broken', tracestate: STATE })).status, 200);
  t.match(host.asked[2]!.traceparent, /^00-[\da-f]{32}-[\da-f]{16}-00$/, 'a new trace');
  t.equal(host.asked[2]!.tracestate, undefined, 'the tracestate of a malformed traceparent is dropped');
  t.notMatch((await call({ url: '/metrics', key: ADMIN_TOKEN })).text, /tessera_trace_spans_total.* [1-9]/);
});

t.test('with a collector', async (t) => {
  const collector = await startCollector(t);
  const host = await startLogoHost(t);
  const receiver = await startReceiver();
  t.teardown(receiver.close);
  const redis = await startRedis(t);
  const store = await temporaryFolder(t);
  const { call, account } = await startApp(t, {
    ...{ BATCH_STORE: store, REDIS_URL: redis.url, SHUTDOWN_GRACE_MS: '0' },
    ...{ LOGO_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' },
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20secret',
    OTEL_SERVICE_NAME: 'qr',
  });
  const { key } = await account();

  await t.test('a single call produces one tree of spans below the span of its caller', async (t) => {
    const traceId = traceIdOf('1');
    const answer = await call({
      ...{ method: 'POST', url: '/api/v1/qr', key, headers: callerOf(traceId) },
      body: { data: 'a private text', image: host.url('single') },
    });
    t.equal(answer.status, 200);
    const route = 'POST /api/v1/qr';
    const named = (name: string) => collector.of(traceId).some((span) => span.name === name);
    await until(() => named('quota settle') && named(route));
    const tree = treeOf(collector.of(traceId), CALLER);
    for (const path of [
      route,
      `${route} > postgres select api_keys`,
      `${route} > quota reserve`,
      `${route} > quota reserve > redis quotaRun`,
      `${route} > logo fetch`,
      `${route} > render queue`,
      `${route} > render draw`,
      `${route} > quota settle`,
    ])
      t.ok(tree.includes(path), `${path} in ${tree.join('\n')}`);
    const [server] = collector.of(traceId).filter(({ parentSpanId }) => parentSpanId === CALLER);
    t.match(server, { kind: 2, status: {} });
    t.match(server!.attributes, [
      { key: 'http.request.method', value: { stringValue: 'POST' } },
      { key: 'http.route', value: { stringValue: '/api/v1/qr' } },
      { key: 'tessera.outcome', value: { stringValue: 'ok' } },
      { key: 'http.response.status_code', value: { intValue: 200 } },
    ]);
    const [fetched] = collector.of(traceId).filter(({ name }) => name === 'logo fetch');
    t.match(host.asked[0], { traceparent: `00-${traceId}-${fetched!.spanId}-01`, tracestate: STATE });
    t.match(collector.headers[0], { 'api-key': 'a secret' });
    t.match(collector.resources[0], /"service.name","value":{"stringValue":"qr"}/);
  });

  await t.test('a batch, its pieces and its webhook belong to the trace of the call', async (t) => {
    const traceId = traceIdOf('2');
    const hook = await call({
      method: 'POST',
      url: '/api/v1/webhooks',
      key,
      body: { url: receiver.url, events: [] },
    });
    const { make } = createSender({ call }, key);
    const options = { query: `?webhook=${hook.json.id}`, headers: callerOf(traceId) };
    t.equal((await make(plainRows(3), options)).state, 'done');
    await until(() => collector.of(traceId).some(({ name }) => name === 'webhook delivery'));
    const tree = treeOf(collector.of(traceId), CALLER);
    const route = 'POST /api/v1/batches';
    for (const path of [
      route,
      `${route} > postgres begin`,
      `${route} > postgres insert batches`,
      `${route} > batch piece > postgres insert batch_pieces`,
      `${route} > batch piece > render draw`,
      `${route} > batch step > quota hold`,
      `${route} > batch step > quota release`,
      `${route} > webhook delivery > postgres with webhooks`,
    ])
      t.ok(tree.includes(path), `${path} in ${tree.join('\n')}`);
    const [delivery] = collector.of(traceId).filter(({ name }) => name === 'webhook delivery');
    const { headers } = receiver.received[0]!;
    t.match(headers, { traceparent: `00-${traceId}-${delivery!.spanId}-01`, tracestate: STATE });
  });

  await t.test('a malformed traceparent starts a trace; an unsampled one is propagated only', async (t) => {
    const count = collector.all.length;
    const image = (name: string) => ({ data: name, image: host.url(name) });
    const unsampled = callerOf(traceIdOf('3'), '00');
    await call({ method: 'POST', url: '/api/v1/qr', key, headers: unsampled, body: image('unsampled') });
    t.match(host.asked.at(-1)!.traceparent, new RegExp(`^00-${traceIdOf('3')}-[\\da-f]{16}-00$`));
    const broken = { traceparent: 'broken' };
    const { status } = await call({ method: 'POST', url: '/api/v1/qr', headers: broken, body: {} });
    t.equal(status, 401);
    await until(() =>
      collector.all
        .slice(count)
        .some(({ name, parentSpanId }) => name === 'POST /api/v1/qr' && !parentSpanId),
    );
    t.strictSame(collector.of(traceIdOf('3')), []);
  });

  await t.test('no span reveals a key, a text or an address, and health checks have no spans', async (t) => {
    await call({ url: `/api/v1/render?key=${key}&content=a+private+text` });
    await call({ url: '/readyz' });
    await call({ url: '/an-unknown-path' });
    const route = 'GET /api/v1/render';
    await until(() => collector.all.some(({ name }) => name === 'GET'));
    t.ok(collector.all.some(({ name }) => name === route));
    const said = JSON.stringify(collector.all);
    for (const secret of [key, 'private', '127.0.0.1', 'unknown-path', 'readyz', '.png'])
      t.notMatch(said, secret);
    const { text } = await call({ url: '/metrics', key: ADMIN_TOKEN });
    t.match(text, /^tessera_trace_spans_total\{outcome="sent"\} [1-9]/m);
    t.match(text, /^tessera_trace_spans_total\{outcome="dropped"\} 0$/m);
  });

  await t.test('calls work when the collector is unavailable, and dropped spans are counted', async (t) => {
    await collector.close();
    t.equal((await call({ method: 'POST', url: '/api/v1/qr', key, body: { data: 'a' } })).status, 200);
    await until(async () => {
      const { text } = await call({ url: '/metrics', key: ADMIN_TOKEN });
      return /^tessera_trace_spans_total\{outcome="dropped"\} [1-9]/m.test(text);
    });
    t.equal((await call({ method: 'POST', url: '/api/v1/qr', key, body: { data: 'b' } })).status, 200);
  });
});

t.test('spans are sampled by the settings, and unsampled ones are not even described', async (t) => {
  const collector = await startCollector(t);
  const log = { warn: () => {}, info: () => {} };
  const begin = async (sampling: Sampling, ratio: number, parent: TraceContext | null) => {
    const tracing = { endpoint: collector.url, headers: {}, serviceName: 'qr', sampling, ratio };
    const tracer = await openTracer(tracing, '1', log);
    t.teardown(() => tracer!.close());
    let described = 0;
    const describe = () => {
      described += 1;
      return { name: 'piece' };
    };
    const spans = Array.from({ length: 400 }, () => tracer!.begin(parent, describe));
    const begun = spans.filter((span) => span !== null);
    t.equal(described, begun.length);
    t.equal(new Set(begun.map(({ context }) => context.spanId)).size, begun.length);
    t.ok(begun.every(({ context }) => context.isSampled));
    if (parent !== null) t.ok(begun.every(({ context }) => context.traceId === parent.traceId));
    else
      t.equal(new Set(begun.map(({ context }) => context.traceId)).size, begun.length, 'traces of their own');
    return begun.length;
  };
  const caller = (isSampled: boolean) => ({ ...newTraceContext(), isSampled });
  t.equal(await begin('always_off', 1, caller(true)), 0);
  t.equal(await begin('always_on', 0, caller(false)), 400);
  t.equal(await begin('traceidratio', 0, null), 0);
  t.equal(await begin('traceidratio', 1, null), 400);
  t.equal(await begin('parentbased_traceidratio', 0, caller(true)), 400);
  t.equal(await begin('parentbased_traceidratio', 1, caller(false)), 0);
  // 10 standard deviations.
  const half = await begin('parentbased_traceidratio', 0.5, null);
  t.ok(half > 100 && half < 300, String(half));
});
