/**
 * Makes the faults that deploy/prometheus/alerts.yaml watches for, on real stores, gateways and a real Prometheus, and waits until their
 * alerts fire. Those of live.test.ts are made there. drill-main.ts runs both; this one mounts a small disk, so it runs as root.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import t from 'tap';
import { freeBytes } from '../../src/db/embedded/disk-space.ts';
import { registerProcess } from '../../src/metrics/process.ts';
import { registerRendering } from '../../src/metrics/rendering.ts';
import { createRenderPool } from '../../src/render/pool.ts';
import { ndjson } from '../batches/support.ts';
import { type Stores, slowItems } from '../faults/stack.ts';
import { request } from '../render/requests.ts';
import { until } from '../servers/until.ts';
import { ADMIN_TOKEN } from '../support/app.ts';
import { temporaryFolder } from '../support/database.ts';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';
import { freePort } from '../support/server-process.ts';
import { serveRegistry, startWorld } from './world.ts';

const TTL_MS = 5000;
/** Calls of one account that are under way at a time are drawn within a quarter of it. */
const LONG_TTL_MS = 40_000;
const SMALL_DISK = '900M';

/** A folder on a disk that has less room than the alert asks for. */
const smallDisk = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-small-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK}`, 'tmpfs', folder]);
  t.teardown(async () => {
    execFileSync('umount', [folder]);
    await rm(folder, { recursive: true });
  });
  return folder;
};

const pipe = join(await temporaryFolder(t), 'pipe');
execFileSync('mkfifo', [pipe]);
const pool = createRenderPool(
  {
    ...{ threads: 2, queueMax: 10, queueMaxBytes: 1e9, hangLimitMs: 3000, onStuck: () => {} },
    workerUrl: new URL('../render/fake-worker.ts', import.meta.url),
  },
  { error: () => {} },
);
t.teardown(async () => {
  // The other end lets the thread go on.
  closeSync(openSync(pipe, 'r+'));
  await pool.close({ timeoutMs: 0 });
});
const rendering = new Registry();
registerRendering(rendering, pool.stats);
const disk = new Registry();
const small = await smallDisk();
registerProcess(disk, {}, () => freeBytes(small));

let processes: GatewayProcess;
/** A supervisor of two processes on the same stores. */
const startProcesses = async ({ env }: Stores): Promise<string> => {
  const port = String(await freePort());
  const more = {
    PORT: port,
    GATEWAYS: '2',
    METRICS_PUBLIC: 'true',
    BATCH_WORKERS: '0',
    RATE_LIMIT_PER_SECOND: '0',
  };
  const ttl = { QUOTA_RESERVATION_TTL_MS: String(LONG_TTL_MS), LOG_LEVEL: 'error', ADMIN_TOKEN };
  processes = await startGateway(t, { ...env, ...more, ...ttl });
  return `127.0.0.1:${port}`;
};

const world = await startWorld(
  t,
  { RENDER_QUEUE_MAX: '20', BATCH_WORKERS: '1', QUOTA_RESERVATION_TTL_MS: String(TTL_MS) },
  async (stores) => ({
    threads: await serveRegistry(t, rendering),
    disk: await serveRegistry(t, disk),
    processes: await startProcesses(stores),
  }),
);
const { stores, app, key, slug, store, prometheus, round, roundsUntil, fire } = world;
const redis = new Redis(stores.redis.url);
t.teardown(() => redis.disconnect());

/** The processes that a process has started. */
const childrenOf = async (pid: number): Promise<number[]> => {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') : '';
    if (Number(stat.split(') ')[1]?.split(' ')[1]) === pid) found.push(Number(name));
  }
  return found.sort((a, b) => a - b);
};

const single = (body: object) => app.call({ method: 'POST', url: '/api/v1/qr', key, body });

t.test('each fault fires its alert', { timeout: 1_500_000 }, async (t) => {
  const beganMs = performance.now();
  /** Waits until the alerts fire, and says how long that took since the fault. */
  const fires = async (fault: string, ...alerts: readonly string[]): Promise<void> => {
    const startedMs = performance.now();
    const did = await roundsUntil(() => fire(...alerts));
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
    t.ok(did, `${fault}: ${alerts.join(', ')} after ${seconds} s; firing: ${await prometheus.firing()}`);
    t.comment(`${fault} | ${alerts.join(', ')} | ${seconds} s`);
    if (!did) t.comment(processes.output().slice(-3000));
  };

  for (let n = 0; n < 30; n += 1) await round();

  void pool.render(request([`read ${pipe}`]));
  await fires('a picture hangs a render thread', 'TesseraRenderThreadStuck');
  await fires('the disk has less than 2 GB left', 'TesseraDiskShort');

  const send = (item: object) =>
    fetch(`${processes.url}/api/v1/qr`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(item),
    }).then(
      () => {},
      () => {},
    );
  const lost = Promise.all(slowItems(260, 1200).map(send));
  await until(async () => (await stores.openReservations()) > 180, { deadlineMs: 30_000 });
  const [first, second] = await childrenOf(processes.process.pid!);
  for (const pid of [first, second]) if (pid !== undefined) process.kill(pid, 'SIGKILL');
  await lost;
  await fires('processes are killed with 260 calls under way', 'TesseraReservationsExpire');

  const killing = setInterval(() => {
    void childrenOf(processes.process.pid!).then(([, ...others]) => {
      for (const pid of others) process.kill(pid, 'SIGKILL');
    });
  }, 1000);
  await fires('a gateway process is killed again and again', 'TesseraGatewayProcessesDie');
  clearInterval(killing);

  // Pictures that are new each time: none comes from the cache.
  const sendMany = () =>
    void Promise.all(slowItems(60, 900).map((item, n) => single({ ...item, data: `${Date.now()} ${n}` })));
  const burst = setInterval(sendMany, 1000);
  await fires('the render queue is full', 'TesseraOverloaded');
  clearInterval(burst);

  stores.postgresProxy.cut();
  await fires('Postgres is gone', 'TesseraStoreUnavailable', 'TesseraDrainIsBehind');
  const visit = () =>
    app.app.gateway.inject({ url: `/l/${slug}`, headers: { 'user-agent': 'Mozilla/5.0 Firefox/130.0' } });
  for (let n = 0; n < 53_000; n += 100) await Promise.all(Array.from({ length: 100 }, visit));
  await fires('and 53,000 scans come meanwhile', 'TesseraScansDropped');
  stores.postgresProxy.heal();
  await until(async () => !(await fire('TesseraDrainIsBehind')), { pauseMs: 500, deadlineMs: 120_000 });

  const [, used] = /^used_memory:(\d+)/m.exec(await redis.info('memory')) ?? [];
  await redis.config('SET', 'maxmemory', String(Math.round(Number(used) * 1.08)));
  await fires('Redis has little memory left', 'TesseraRedisMemoryShort');
  await redis.config('SET', 'maxmemory', '0');

  await round();
  await until(async () => (await stores.undrained()) === 0, { deadlineMs: 60_000 });
  const keys = await redis.keys('*');
  const kept = await Promise.all(keys.map((name) => redis.dumpBuffer(name)));
  for (let n = 0; n < 20; n += 1) await round();
  await until(async () => (await stores.undrained()) === 0, { deadlineMs: 60_000 });
  await redis.flushall();
  await Promise.all(keys.map((name, n) => redis.restore(name, 0, kept[n]!)));
  await fires('Redis comes back with what it had some seconds ago', 'TesseraQuotaCorrected');

  const slow = Promise.all(slowItems(12, 2000).map(single));
  await sleep(150);
  stores.redisProxy.cut();
  await slow;
  await fires('Redis is gone for longer than a reservation lives', 'TesseraSettlementsDropped');
  stores.redisProxy.heal();
  await until(async () => (await single({ data: 'again' })).status === 200, {
    deadlineMs: 60_000,
    pauseMs: 200,
  });

  const headers = { 'content-type': 'application/x-ndjson' };
  const sent = await app.call({
    method: 'POST',
    url: '/api/v1/batches',
    key,
    headers,
    body: ndjson(slowItems(4000)),
  });
  t.equal(sent.status, 202, sent.text);
  const made = async () =>
    /^tessera_batches_rows_made_total [1-9]/m.test((await app.call({ url: '/metrics' })).text);
  await until(made, { deadlineMs: 120_000, pauseMs: 200 });
  await rename(store, `${store}-away`);
  t.teardown(() => rm(`${store}-away`, { recursive: true, force: true }));
  await writeFile(store, 'no folder');
  await fires('the store of batches is gone', 'TesseraBatchesStandStill');
  t.comment(`all in ${((performance.now() - beganMs) / 1000).toFixed(0)} s`);
});
