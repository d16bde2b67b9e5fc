import { randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { checkRedis, readInfos } from '../../src/doctor/checks/redis.ts';
import { startReaper } from '../../src/quota/loop.ts';
import { CLUSTER_KEYS } from '../../src/quota/redis/keys.ts';
import { CLUSTER_REFRESH_MS, connectRedis } from '../../src/redis/client.ts';
import { parseRedisUrl } from '../../src/redis/url.ts';
import { startRedis, type TestRedis } from '../servers/redis.ts';
import { freePort, startServerProcess, type TestScope } from '../servers/server-process.ts';
import { silent } from '../support/silent-log.ts';
import { eventually, type LedgerOnRedis, ledgerAt, newAccount, reserve } from './ledgers.ts';

const SLOTS = 16_384;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** A port whose bus port, 10,000 above, is free, too. */
const clusterPort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    if ((await isFree(port)) && (await isFree(port + 10_000))) return port;
  }
};

interface Node {
  readonly server: TestRedis;
  readonly client: Redis;
}

const startNode = async (scope: TestScope, args: readonly string[], port?: number): Promise<Node> => {
  const server = await startRedis(scope, { args, port: port ?? (await freePort()) });
  const client = new Redis(server.url);
  client.on('error', () => {});
  scope.teardown(() => client.disconnect());
  return { server, client };
};

const CLUSTER_ARGS = [
  '--cluster-enabled',
  'yes',
  '--cluster-node-timeout',
  '1000',
  '--cluster-announce-ip',
  '127.0.0.1',
];

/** Three masters, followed by a replica of each. */
const startCluster = async (t: Test): Promise<readonly Node[]> => {
  const nodes: Node[] = [];
  for (let i = 0; i < 6; i += 1) nodes.push(await startNode(t, CLUSTER_ARGS, await clusterPort()));
  const masters = nodes.slice(0, 3);
  const slots = Array.from({ length: SLOTS }, (_, slot) => slot);
  for (const [i, { client }] of masters.entries()) {
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
    await client.cluster('ADDSLOTS', ...slots.filter((slot) => Math.floor((slot * 3) / SLOTS) === i));
  }
  for (const { client } of nodes.slice(1))
    await client.call('CLUSTER', 'MEET', '127.0.0.1', nodes[0]!.server.port);
  const infos = async (what: 'CLUSTER' | 'replication') =>
    Promise.all(nodes.map(({ client }) => (what === 'CLUSTER' ? client.cluster('INFO') : client.info(what))));
  const all = async (what: 'CLUSTER' | 'replication', pattern: RegExp) =>
    (await infos(what)).every((info) => pattern.test(info));
  await eventually(t, 'the nodes know each other', () => all('CLUSTER', /cluster_known_nodes:6/));
  for (const [i, { client }] of masters.entries()) {
    const id = (await client.cluster('MYID')) as string;
    await eventually(t, 'a replica follows', () =>
      nodes[i + 3]!.client.cluster('REPLICATE', id).then(
        () => true,
        () => false,
      ),
    );
  }
  await eventually(
    t,
    'the cluster is whole',
    async () =>
      (await all('CLUSTER', /cluster_state:ok/)) &&
      (await all('replication', /role:master|master_link_status:up/)),
  );
  return nodes;
};

/** Takes and gives back at random with many clients until it is stopped. */
const startTraffic = (ledger: LedgerOnRedis, accountIds: readonly string[]) => {
  let stopped = false;
  const tally = { admitted: 0, exhausted: 0, failed: 0 };
  const client = async () => {
    while (!stopped) {
      const accountId = accountIds[randomInt(accountIds.length)]!;
      const id = crypto.randomUUID();
      try {
        const answer = await reserve(ledger.quota, accountId, 1 + randomInt(5), id);
        tally[answer.outcome === 'admitted' ? 'admitted' : 'exhausted'] += 1;
        ledger.quota.settleLater({ id, accountId, refundUnits: randomInt(3) });
        await sleep(10);
      } catch {
        tally.failed += 1;
        await sleep(20);
      }
    }
  };
  const clients = Promise.all(Array.from({ length: 16 }, client));
  return {
    tally,
    async stop() {
      stopped = true;
      await clients;
    },
  };
};

/** Kills a master under load, and checks the guarantees of the ledger afterwards. */
const surviveKill = async (
  t: Test,
  stores: LedgerOnRedis,
  accountId: string,
  accountIds: readonly string[],
  kill: () => void,
) => {
  const ledger = { ...stores, quota: await stores.open({ waits: false }) };
  const traffic = startTraffic(ledger, accountIds);
  await eventually(t, 'there is traffic', async () => traffic.tally.admitted > 200);
  kill();
  const killedMs = performance.now();
  await eventually(t, 'calls fail', async () => traffic.tally.failed > 0);
  await eventually(t, 'the account is served again', () =>
    reserve(ledger.quota, accountId, 1).then(
      () => true,
      () => false,
    ),
  );
  const awayMs = Math.round(performance.now() - killedMs);
  await sleep(500);
  await traffic.stop();
  // What a replica had missed is detected by the account's next call.
  await eventually(t, 'Redis, Postgres and the records agree', async () => {
    for (const id of accountIds) await reserve(ledger.quota, id, 1).catch(() => undefined);
    if (ledger.quota.stats().settlesWaiting > 0) return false;
    await ledger.drained().catch(() => undefined);
    const differences = await ledger.differences().catch(() => null);
    return differences?.length === 0;
  });
  const rows = await ledger.sql<{ monthlyUsed: number }[]>`select monthly_used from quota_balances`;
  t.ok(
    rows.every(({ monthlyUsed }) => monthlyUsed <= LIMIT),
    'no account is over its quota',
  );
  const { admitted, exhausted, failed } = traffic.tally;
  const { reseeded } = ledger.quota.stats();
  t.comment(
    `${admitted} admitted, ${exhausted} exhausted, ${failed} failed, away ${awayMs} ms, ${reseeded} seeded again`,
  );
};

const LIMIT = 3000;

t.test('a Cluster of three masters survives the kill of one of them', async (t) => {
  const nodes = await startCluster(t);
  const hosts = nodes.slice(0, 3).map(({ server }) => `127.0.0.1:${server.port}`);
  const ledger = await ledgerAt(t, `redis+cluster://${hosts.join(',')}`);
  const accountIds = await Promise.all(Array.from({ length: 24 }, () => newAccount(ledger.sql, LIMIT)));
  await Promise.all(accountIds.map((id) => ledger.quota.read(id)));
  const keys = await Promise.all(nodes.slice(0, 3).map(({ client }) => client.dbsize()));
  t.ok(
    keys.every((count) => count > 0),
    'the accounts are spread over all masters',
  );
  const slot = (await nodes[0]!.client.cluster('KEYSLOT', CLUSTER_KEYS.account(accountIds[0]!))) as number;
  const { server } = nodes[Math.floor((slot * 3) / SLOTS)]!;
  await surviveKill(t, ledger, accountIds[0]!, accountIds, () => process.kill(server.pid, 'SIGKILL'));
});

/** Commands that a gateway may send a second while nobody calls it. */
const IDLE_MAX = 30;
const IDLE_S = 20;

t.test('an idle gateway hardly asks a Cluster, and finds what another one has left', async (t) => {
  const nodes = await startCluster(t);
  const masters = nodes.slice(0, 3);
  const url = `redis+cluster://127.0.0.1:${masters[0]!.server.port}`;
  const ledger = await ledgerAt(t, url);
  const reaper = startReaper(ledger.quota, silent);
  t.teardown(() => reaper.stop());
  const accountId = await newAccount(ledger.sql, LIMIT);
  await reserve(ledger.quota, accountId, 1);
  await eventually(t, 'what it has written itself is moved', async () => {
    const [row] = await ledger.sql<{ openMonthly: number }[]>`
      select open_monthly from quota_balances where account_id = ${accountId}`;
    return row?.openMonthly === 1;
  });
  const sent = async () => {
    const stats = await Promise.all(masters.map(({ client }) => client.info('commandstats')));
    const calls = [...stats.join('\n').matchAll(/^cmdstat_(?!ping|replconf)[^:]+:calls=(\d+)/gm)];
    return calls.reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const before = await sent();
  const startedMs = performance.now();
  await sleep(1000 * IDLE_S);
  const perSecond = ((await sent()) - before) / ((performance.now() - startedMs) / 1000);
  t.ok(perSecond < IDLE_MAX, `${perSecond.toFixed(1)} commands a second`);
  t.ok(perSecond > 1, 'they are counted');

  const stream = CLUSTER_KEYS.stream(CLUSTER_KEYS.shardOf(accountId));
  const left = connectRedis(parseRedisUrl(url), 1000, silent) as Cluster;
  t.teardown(() => left.disconnect());
  await eventually(t, 'it is ready', async () => left.status === 'ready');
  await left.xadd(stream, '*', 'left', 'by a killed gateway');
  await eventually(t, 'its turn comes', async () => (await left.xlen(stream)) === 0);

  const states = async () => (await readInfos(left)).flatMap(checkRedis).map(({ state }) => state);
  t.strictSame(await states(), ['warn', 'warn', 'warn'], 'without a node the others would refuse calls');
  for (const { client } of masters) await client.config('SET', 'cluster-require-full-coverage', 'no');
  t.strictSame(await states(), ['ok', 'ok', 'ok']);
});

t.test('a client that is closed while it requests the slots of a Cluster sends no more', async (t) => {
  const { server, client } = await startNode(t, CLUSTER_ARGS, await clusterPort());
  await client.cluster('ADDSLOTS', ...Array.from({ length: SLOTS }, (_, slot) => slot));
  await eventually(t, 'the cluster is whole', async () =>
    /cluster_state:ok/.test(await client.cluster('INFO')),
  );
  const url = `redis+cluster://127.0.0.1:${server.port}`;
  const cluster = connectRedis(parseRedisUrl(url), 1000, silent) as Cluster;
  t.teardown(() => cluster.disconnect());
  await eventually(t, 'it is ready', async () => cluster.status === 'ready');
  const unanswered: (() => void)[] = [];
  let asked = 0;
  cluster.refreshSlotsCache = (done) => {
    asked += 1;
    if (done) unanswered.push(done);
  };
  await eventually(t, 'it asks', async () => asked > 0);
  cluster.disconnect();
  for (const answer of unanswered) answer();
  const before = asked;
  await sleep(2 * CLUSTER_REFRESH_MS);
  t.equal(asked, before);
});

t.test('a master and its replica under a Sentinel survive the kill of the master', async (t) => {
  const master = await startNode(t, []);
  const replica = await startNode(t, ['--replicaof', '127.0.0.1', String(master.server.port)]);
  await eventually(t, 'the replica follows', async () =>
    /master_link_status:up/.test(await replica.client.info('replication')),
  );

  const folder = await mkdtemp(join(tmpdir(), 'tessera-sentinel-'));
  const port = await freePort();
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor main 127.0.0.1 ${master.server.port} 1`,
    'sentinel down-after-milliseconds main 500',
    'sentinel failover-timeout main 5000',
  ];
  await writeFile(join(folder, 'sentinel.conf'), `${settings.join('\n')}\n`);
  const sentinel = new Redis(port, { lazyConnect: true, retryStrategy: () => 100 });
  sentinel.on('error', () => {});
  const process_ = await startServerProcess('redis-server', [join(folder, 'sentinel.conf'), '--sentinel'], {
    logFile: join(folder, 'log'),
    user: null,
    probe: () => sentinel.call('PING'),
  });
  t.teardown(async () => {
    sentinel.disconnect();
    await process_.stop();
    await rm(folder, { recursive: true, force: true });
  });
  await eventually(t, 'the Sentinel knows the replica', async () =>
    JSON.stringify(await sentinel.call('SENTINEL', 'REPLICAS', 'main')).includes(String(replica.server.port)),
  );

  const ledger = await ledgerAt(t, `redis+sentinel://127.0.0.1:${port}/main`);
  const accountIds = await Promise.all(Array.from({ length: 8 }, () => newAccount(ledger.sql, LIMIT)));
  await surviveKill(t, ledger, accountIds[0]!, accountIds, () => process.kill(master.server.pid, 'SIGKILL'));
});
