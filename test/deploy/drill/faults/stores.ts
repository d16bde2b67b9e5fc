/** Faults of Redis, Postgres and the store of batches. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { ndjson } from '../../../batches/support.ts';
import { slowItems } from '../../../faults/stack.ts';
import { until } from '../../../servers/until.ts';
import type { Fault, Scene } from '../scene.ts';

/** More scans than fit in memory. */
const SCANS = 53_000;

const visitOften = async ({ app, slug }: Scene): Promise<void> => {
  const headers = { 'user-agent': 'Mozilla/5.0 Firefox/130.0' };
  const visit = () => app.app.gateway.inject({ url: `/l/${slug}`, headers });
  for (let n = 0; n < SCANS; n += 100) await Promise.all(Array.from({ length: 100 }, visit));
};

const isDrained = ({ stores }: Scene) =>
  until(async () => (await stores.undrained()) === 0, { deadlineMs: 60_000 });

const ROWS = 4000;

/** Sends a batch and waits until some of its rows are done. */
const beginBatch = async ({ app, key }: Scene): Promise<void> => {
  const headers = { 'content-type': 'application/x-ndjson' };
  const body = ndjson(slowItems(ROWS));
  const sent = await app.call({ method: 'POST', url: '/api/v1/batches', key, headers, body });
  if (sent.status !== 202) throw new Error(`the batch is answered with ${sent.status}: ${sent.text}`);
  const isMade = async () =>
    /^tessera_batches_rows_made_total [1-9]/m.test((await app.call({ url: '/metrics' })).text);
  await until(isMade, { deadlineMs: 120_000, pauseMs: 200 });
};

export const STORES: readonly Fault[] = [
  {
    what: 'Postgres is gone',
    alerts: ['TesseraStoreUnavailable', 'TesseraDrainIsBehind', 'TesseraBackgroundWorkFails'],
    async make({ stores }) {
      stores.postgresProxy.cut();
      return () => stores.postgresProxy.heal();
    },
  },
  {
    what: `Postgres is gone, and ${SCANS.toLocaleString('en')} scans arrive meanwhile`,
    alerts: ['TesseraScansDropped'],
    async make(scene) {
      scene.stores.postgresProxy.cut();
      await visitOften(scene);
      return () => scene.stores.postgresProxy.heal();
    },
  },
  {
    what: 'The replica does not replay what the primary writes',
    alerts: ['TesseraReplicaIsBehind'],
    async make({ replica }) {
      const sql = postgres(replica.url, { max: 1 });
      await sql`select pg_wal_replay_pause()`;
      return async () => {
        await sql`select pg_wal_replay_resume()`;
        await sql.end();
      };
    },
  },
  {
    what: 'ClickHouse takes no scans',
    alerts: ['TesseraScansWait'],
    async make({ redis }) {
      // No gateway here has a ClickHouse.
      await redis.xadd('{scans}:groups', `${Date.now() - 600_000}-0`, 'scans', '');
      return () => redis.del('{scans}:groups');
    },
  },
  {
    what: 'Redis has little memory left',
    alerts: ['TesseraRedisMemoryShort'],
    async make({ redis }) {
      const [, used] = /^used_memory:(\d+)/m.exec(await redis.info('memory')) ?? [];
      await redis.config('SET', 'maxmemory', String(Math.round(Number(used) * 1.08)));
      return () => redis.config('SET', 'maxmemory', '0');
    },
  },
  {
    what: 'Redis comes back with the data of some seconds ago',
    alerts: ['TesseraQuotaCorrected'],
    async make(scene) {
      const { redis, round } = scene;
      await round();
      await isDrained(scene);
      const keys = await redis.keys('*');
      const kept = await Promise.all(keys.map((name) => redis.dumpBuffer(name)));
      for (let n = 0; n < 20; n += 1) await round();
      await isDrained(scene);
      await redis.flushall();
      await Promise.all(keys.map((name, n) => redis.restore(name, 0, kept[n]!)));
      return () => {};
    },
  },
  {
    what: 'Redis is gone for longer than a reservation lives',
    alerts: ['TesseraSettlementsDropped'],
    async make({ single, stores }) {
      const slow = Promise.all(slowItems(12, 2000).map(single));
      await sleep(150);
      stores.redisProxy.cut();
      await slow;
      return async () => {
        stores.redisProxy.heal();
        const works = async () => (await single({ data: 'again' })).status === 200;
        await until(works, { deadlineMs: 60_000, pauseMs: 200 });
      };
    },
  },
  {
    what: 'the store of batches is gone',
    alerts: ['TesseraBatchesFail', 'TesseraBatchesStandStill'],
    async make(scene) {
      await beginBatch(scene);
      const { store } = scene;
      await rename(store, `${store}-away`);
      await writeFile(store, 'no folder');
      return async () => {
        await rm(store);
        await rename(`${store}-away`, store);
      };
    },
  },
  {
    what: 'the rows of a link job were tried too often',
    alerts: ['TesseraLinkJobsFail'],
    async make({ stores: { sql } }) {
      // A counter that has its value at the first scrape has not grown.
      await sleep(5000);
      await sql`
        insert into link_jobs (account_id, key_id, kind, state, tries)
        select account_id, id, 'change', 'running', 26 from api_keys limit 1`;
      return () => {};
    },
  },
];
