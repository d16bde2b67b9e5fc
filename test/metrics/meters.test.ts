/** Counters and histograms in the format of Prometheus. */
import fc from 'fast-check';
import { Registry } from 'prom-client';
import t from 'tap';
import { createHistogram } from '../../src/histogram.ts';
import { type DrainStats, meterQuota } from '../../src/metrics/quota.ts';
import { createRequestMeter } from '../../src/metrics/requests.ts';
import { byLabel, metricsIn } from '../../src/metrics/scrape.ts';
import type { Quota, Reserve, Reserved, Settled } from '../../src/quota/quota.ts';

const value = fc.integer({ min: -5, max: 60 });
const BOUNDS = [1, 5, 10, 50];

t.test('a histogram counts each observation in the smallest bucket that contains it', async () => {
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const histogram = createHistogram(BOUNDS);
      for (const one of values) histogram.observe(one);
      const edges = [Number.NEGATIVE_INFINITY, ...BOUNDS, Number.POSITIVE_INFINITY];
      const counts = edges
        .slice(1)
        .map((edge, i) => values.filter((one) => one <= edge && one > edges[i]!).length);
      const sum = values.reduce((total, one) => total + one, 0);
      return (
        fc.stringify(histogram.snapshot()) ===
        fc.stringify({ bounds: BOUNDS, counts, sum, count: values.length })
      );
    }),
  );
});

/** The lines of the metrics without comments. */
const scrape = async (registry: Registry): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries(
    (await registry.metrics())
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );

t.test('series have their labels, times are in seconds, and buckets are cumulative', async (t) => {
  const registry = new Registry();
  const { counter, gauge, timeHistogram } = metricsIn(registry);
  counter('a_total', 'A.', () => byLabel('kind', { x: 1, y: 2 }));
  gauge('b', 'B.', async () => 3.5);
  timeHistogram('c_seconds', 'C.', () => [
    [{ of: 'z' }, { bounds: [10, 2000], counts: [1, 2, 4], sum: 9000, count: 7 }],
  ]);
  t.strictSame(await scrape(registry), {
    'a_total{kind="x"}': 1,
    'a_total{kind="y"}': 2,
    b: 3.5,
    'c_seconds_bucket{le="0.01",of="z"}': 1,
    'c_seconds_bucket{le="2",of="z"}': 3,
    'c_seconds_bucket{le="+Inf",of="z"}': 7,
    'c_seconds_sum{of="z"}': 9,
    'c_seconds_count{of="z"}': 7,
  });
});

const balance = {
  period: '',
  resetsAtMs: 0,
  monthlyQuota: 0,
  monthlyUsed: 0,
  credits: 0,
  usageCount: 0,
  remaining: 0,
};
const admitted = (fromMonthly: number, fromCredits: number): Reserved => ({
  outcome: 'admitted',
  fromMonthly,
  fromCredits,
  balance,
});

t.test('every call to the ledger is counted by outcome, including failures', async (t) => {
  const answers: (Reserved | Settled | Error)[] = [
    ...[admitted(2, 1), admitted(0, 4), new Error('down')],
    ...[{ outcome: 'exhausted', balance } as const, { outcome: 'replay', answer: '' } as const],
    ...[{ outcome: 'settled', balance } as const, { outcome: 'expired', balance } as const],
    ...[{ outcome: 'unknown', balance } as const, new Error('down')],
    ...[admitted(1, 0), new Error('down'), { outcome: 'exhausted', balance } as const],
  ];
  const answer = async () => {
    const next = answers.shift()!;
    if (next instanceof Error) throw next;
    return next as never;
  };
  const later: unknown[] = [];
  const ledger = {
    reserve: answer,
    settle: answer,
    take: answer,
    settleLater: (one: unknown) => void later.push(one),
    reap: async () => 3,
  };
  const { quota, register } = meterQuota(ledger as unknown as Quota);
  const request = {} as Reserve;
  for (let i = 0; i < 5; i += 1) await quota.reserve(request).catch(() => {});
  const settle = { id: '', accountId: '', refundUnits: 2 };
  for (let i = 0; i < 4; i += 1) await quota.settle(settle).catch(() => {});
  for (let i = 0; i < 3; i += 1) await quota.take(request).catch(() => {});
  quota.settleLater({ ...settle, refundUnits: 5 });
  t.equal(later.length, 1);
  t.equal(await quota.reap(), 3);
  await quota.reap();

  const stats: DrainStats = {
    ...{ lagMs: 1500, streamLength: 2, reseeded: 3, usedBytes: 400, maxBytes: 1000 },
    ...{ settlesWaiting: 5, settlesDropped: 6, lostShards: 7, lookedThrough: 8 },
  };
  const read = async (drain: DrainStats | null) => {
    const registry = new Registry();
    register(registry, drain && (() => drain));
    return scrape(registry);
  };
  const counts = await read(stats);
  const expected = {
    'reservations_total{outcome="admitted"}': 3,
    'reservations_total{outcome="exhausted"}': 2,
    'reservations_total{outcome="replay"}': 1,
    'reservations_total{outcome="mismatch"}': 0,
    'reservations_total{outcome="running"}': 0,
    'reservations_total{outcome="failed"}': 2,
    'units_reserved_total{source="monthly"}': 3,
    'units_reserved_total{source="credits"}': 5,
    units_refunded_total: 7,
    'settlements_total{outcome="settled"}': 1,
    'settlements_total{outcome="expired"}': 1,
    'settlements_total{outcome="unknown"}': 1,
    'settlements_total{outcome="deferred"}': 1,
    'settlements_total{outcome="failed"}': 1,
    reservations_expired_total: 6,
    'duration_seconds_count{call="reserve"}': 8,
    'duration_seconds_count{call="settle"}': 4,
    drain_lag_seconds: 1.5,
    drain_entries: 2,
    drain_corrections_total: 3,
    settlements_waiting: 5,
    settlements_dropped_total: 6,
    lost_shards: 7,
    lost_accounts_read_total: 8,
  };
  for (const [name, wanted] of Object.entries(expected))
    t.equal(counts[`tessera_quota_${name}`], wanted, name);
  t.equal(counts['tessera_redis_memory_bytes{state="used"}'], 400);
  t.equal(counts['tessera_redis_memory_bytes{state="left"}'], 600);
  t.equal((await read({ ...stats, usedBytes: 1200 }))['tessera_redis_memory_bytes{state="left"}'], 0);
  t.notOk('tessera_redis_memory_bytes{state="left"}' in (await read({ ...stats, maxBytes: 0 })));
  t.notOk('tessera_quota_drain_entries' in (await read(null)));
});

t.test('requests are counted by route and outcome, and while they are in flight', async (t) => {
  const meter = createRequestMeter();
  const registry = new Registry();
  meter.register(registry);
  for (let i = 0; i < 5; i += 1) meter.begin();
  meter.ended('a', 'ok', 3);
  meter.ended('a', 'ok', 40_000);
  meter.ended('a', 'aborted', 1);
  meter.ended('b', 'ok', 1);
  const counts = await scrape(registry);
  const requests = 'tessera_http_requests';
  t.equal(counts[`${requests}_total{route="a",outcome="ok"}`], 2);
  t.equal(counts[`${requests}_total{route="a",outcome="aborted"}`], 1);
  t.equal(counts[`${requests}_total{route="b",outcome="ok"}`], 1);
  t.equal(counts[`${requests}_in_flight`], 1);
  const times = 'tessera_http_request_duration_seconds';
  t.equal(counts[`${times}_bucket{le="30",route="a"}`], 2);
  t.equal(counts[`${times}_count{route="a"}`], 3);
  t.equal(counts[`${times}_sum{route="b"}`], 0.001);
});

t.test('the seconds of requests in flight add up over all requests, also before their answers', async (t) => {
  const registry = new Registry();
  const meter = createRequestMeter();
  meter.register(registry);
  const seconds = async () => (await scrape(registry)).tessera_http_requests_in_flight_seconds_total!;
  const pass = async () => {
    const startMs = performance.now();
    while (performance.now() - startMs < 20) await new Promise(setImmediate);
  };
  await pass();
  t.equal(await seconds(), 0);
  const startMs = performance.now();
  meter.begin();
  meter.begin();
  await pass();
  const both = await seconds();
  t.ok(both >= 0.04 && both <= (2 * (performance.now() - startMs)) / 1000, `${both}`);
  meter.ended('qr', 'ok', 1);
  meter.ended('qr', 'ok', 1);
  const after = await seconds();
  await pass();
  t.equal(await seconds(), after);
});
