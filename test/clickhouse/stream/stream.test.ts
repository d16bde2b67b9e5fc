/** Groups of scans that wait in Redis for ClickHouse. */
import { randomBytes, randomInt } from 'node:crypto';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { packScans, unpackScans } from '../../../src/clickhouse/stream/entry.ts';
import { type Entry, openScanStream } from '../../../src/clickhouse/stream/stream.ts';
import { startRedis } from '../../servers/redis.ts';
import { until } from '../../servers/until.ts';
import { scanRow } from '../../support/scan.ts';
import { silent } from '../../support/silent-log.ts';

const MAX_BYTES = 100_000;

const opened = async (t: Test, url: string, maxBytes = MAX_BYTES) => {
  const stream = openScanStream(url, maxBytes, silent);
  t.teardown(stream.close);
  await until(() =>
    stream.ping().then(
      () => true,
      () => false,
    ),
  );
  return stream;
};

const setUp = async (t: Test) => {
  const { url } = await startRedis(t);
  const redis = new Redis(url);
  t.teardown(() => redis.disconnect());
  return { url, redis };
};

/** Makes an entry that was taken look as if its consumer had had it for 20 s. */
const age = (redis: Redis, { id }: Entry) =>
  redis.xclaim('{scans}:groups', 'gateways', 'a gateway that was killed', 0, id, 'IDLE', 20_000);

t.test('a packed group is the same group, and small', async (t) => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });
  const row = fc
    .record({ id: fc.uuid(), at: fc.date({ noInvalidDate: true }), referrerHost: text, rule: text, os: text })
    .map(scanRow);
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      t.strictSame(await unpackScans(await packScans(rows)), rows);
    }),
    { numRuns: 50 },
  );
  const visits = Array.from({ length: 2500 }, (_, i) =>
    scanRow({ at: new Date(1.8e12 + i), slug: `abcdef${i % 100}`, visitor: randomBytes(8).toString('hex') }),
  );
  const { length } = await packScans(visits);
  t.ok(length < 2500 * 60, `${length / 2500} bytes a scan`);
});

t.test('each entry goes to one consumer, in order, and is gone when it is removed', async (t) => {
  const { url, redis } = await setUp(t);
  const [a, b] = [await opened(t, url), await opened(t, url)];
  for (const name of ['1', '2', '3']) await a.append(Buffer.from(name));
  const taken = [await a.takeNext(), await b.takeNext(), await a.takeNext()];
  t.strictSame(
    taken.map((entry) => entry?.packed.toString()),
    ['1', '2', '3'],
  );
  t.equal(await b.takeNext(), null);
  t.equal(await b.takeAbandoned(), null);
  await a.look();
  t.match(a.stats(), { entries: 3, bytes: 603, maxBytes: MAX_BYTES });
  for (const entry of taken) {
    await a.remove(entry!);
    await b.remove(entry!);
  }
  await a.look();
  t.strictSame(a.stats(), { entries: 0, bytes: 0, maxBytes: MAX_BYTES, oldestS: 0 });
  t.equal(await redis.exists('{scans}:bytes'), 0);
});

t.test('the bound is exact, and what does not fit is refused until there is room', async (t) => {
  const { url } = await setUp(t);
  const stream = await opened(t, url);
  const entry = Buffer.alloc(MAX_BYTES / 4 - 200);
  for (let i = 0; i < 4; i += 1) await stream.append(entry);
  await t.rejects(stream.append(Buffer.alloc(0)), { message: /take 100000 bytes: .* SCAN_STREAM_MAX_BYTES/ });
  await stream.remove((await stream.takeNext())!);
  await t.rejects(stream.append(Buffer.alloc(entry.length + 1)), /SCAN_STREAM_MAX_BYTES/);
  await stream.append(entry);
});

t.test('what a killed gateway had taken is taken by another, and no longer its own', async (t) => {
  const { url, redis } = await setUp(t);
  const [a, b] = [await opened(t, url), await opened(t, url)];
  await a.append(randomBytes(300));
  const entry = (await a.takeNext())!;
  t.equal(await a.isOwn(entry), true);
  await age(redis, entry);
  t.equal(await a.isOwn(entry), false);
  t.strictSame(await b.takeAbandoned(), entry);
  t.equal(await b.isOwn(entry), true);
  t.equal(await a.takeAbandoned(), null);
});

t.test('a consumer that ends leaves what it has taken to others, and is forgotten afterwards', async (t) => {
  const { url, redis } = await setUp(t);
  const names = async () =>
    ((await redis.xinfo('CONSUMERS', '{scans}:groups', 'gateways')) as string[][]).length;
  const a = openScanStream(url, MAX_BYTES, silent);
  const b = await opened(t, url);
  for (const name of ['1', '2']) await b.append(Buffer.from(name));
  await b.takeNext();
  await until(() =>
    a.ping().then(
      () => true,
      () => false,
    ),
  );
  await a.remove((await a.takeNext())!);
  t.equal(await names(), 2);
  await a.close();
  t.equal(await names(), 1, 'a had nothing');
  await b.close();
  t.equal(await names(), 1, 'the entry of b is not lost');
});

t.test('a Redis that has lost its data takes scans again', async (t) => {
  const { url, redis } = await setUp(t);
  const stream = await opened(t, url);
  await stream.append(Buffer.from('1'));
  const lost = (await stream.takeNext())!;
  await redis.flushall();
  t.equal(await stream.isOwn(lost), false);
  await stream.append(Buffer.from('2'));
  t.equal((await stream.takeNext())?.packed.toString(), '2');
  await stream.remove(lost);
  await stream.look();
  t.match(stream.stats(), { entries: 1, bytes: 201 });
});

t.test('it works on a Cluster', async (t) => {
  const port = randomInt(20_000, 30_000);
  const args = ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'];
  const node = await startRedis(t, { port, args });
  const redis = new Redis(node.url);
  t.teardown(() => redis.disconnect());
  await redis.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
  await until(async () => /cluster_state:ok/.test((await redis.cluster('INFO')) as string));
  const stream = await opened(t, `redis+cluster://127.0.0.1:${port}`);
  await stream.append(Buffer.from('1'));
  const entry = (await stream.takeNext())!;
  await age(redis, entry);
  t.strictSame(await stream.takeAbandoned(), entry);
  await stream.remove(entry);
  await stream.look();
  t.equal(stream.stats().entries, 0);
});
