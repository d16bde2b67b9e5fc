/** Gateways behind a PgBouncer in transaction mode, with and without what they need. */
import { loadavg } from 'node:os';
import t, { type Test } from 'tap';
import { openDatabase } from '../../../src/db/database.ts';
import { examine } from '../../../src/doctor/doctor.ts';
import { startGateway } from '../../servers/gateway-process.ts';
import { IGNORED_PARAMETERS, startPgbouncer } from '../../servers/proxies/pgbouncer.ts';
import { startRedis } from '../../servers/redis.ts';
import { until, WITHIN_A_SECOND } from '../../servers/until.ts';
import { ADMIN_TOKEN } from '../../support/app/app.ts';
import { openFor, realDatabaseUrl } from '../../support/database/database.ts';
import { silent } from '../../support/silent-log.ts';

/**
 * The URLs of two poolers in front of a database, the second with prepared statements if it keeps them: PgBouncer before
 * 1.21 does not start with `max_prepared_statements`.
 */
const twoPoolers = async (t: Test, url: string, poolSize: number): Promise<readonly [string, string]> => {
  const plain = await startPgbouncer(t, url, { poolSize });
  const settings = ['max_prepared_statements = 100'];
  const prepared = await startPgbouncer(t, url, { poolSize, settings }).catch(() => null);
  t.comment(prepared === null ? 'keeps none' : 'keeps prepared statements');
  if (prepared !== null) return [plain.url, `${prepared.url}?prepare=true`];
  return [plain.url, (await startPgbouncer(t, url, { poolSize })).url];
};

t.test('a pooler at DATABASE_URL alone is refused, and the doctor says what is missing', async (t) => {
  const url = await realDatabaseUrl();
  for (const settings of [[], [IGNORED_PARAMETERS]]) {
    const pooler = await startPgbouncer(t, url, { poolSize: 3, settings });
    await t.rejects(openDatabase({ url: pooler.url, dataDir: '' }, silent), {
      message: /^a pooler such as PgBouncer answers at 127\.0\.0\.1:\d+: set LISTEN_DATABASE_URL to the same/,
    });
    const found = await examine({ DATABASE_URL: pooler.url, PUBLIC_URL: 'http://qr.test' });
    t.match(
      found.filter(({ check }) => check === 'postgres'),
      [{ state: 'fail', message: /^a pooler such as PgBouncer answers at .*: set LISTEN_DATABASE_URL/ }],
    );
  }
});

t.test('a pooler in transaction mode at LISTEN_DATABASE_URL is noticed', async (t) => {
  const url = await realDatabaseUrl();
  const { url: pooled } = await startPgbouncer(t, url, { poolSize: 3 });
  const warned: unknown[] = [];
  const log = { ...silent, warn: (line: unknown) => void warned.push(line) };
  const database = await openDatabase({ url: pooled, listenUrl: pooled, dataDir: '' }, log);
  t.teardown(() => database.close());
  await until(() => warned.length > 0);
  t.equal(database.changes.live, false);
  t.match(warned, [{ err: { message: /does not hear what is sent through DATABASE_URL/ } }]);
  const found = await examine({
    ...{ DATABASE_URL: pooled, LISTEN_DATABASE_URL: pooled, PUBLIC_URL: 'http://qr.test' },
  });
  t.match(
    found.filter(({ check }) => check === 'news'),
    [{ state: 'fail', message: /let LISTEN_DATABASE_URL name the same database/ }],
  );
});

t.test('the limits hold in every statement, and a session keeps nothing', async (t) => {
  const url = await realDatabaseUrl();
  for (const pooled of await twoPoolers(t, url, 2)) {
    const database = await openFor(t, {
      url: pooled,
      listenUrl: url,
      dataDir: '',
      bounds: { statementTimeoutMs: 3000, maxConnections: 6 },
    });
    const { sql, changes } = database;
    t.equal(changes.live, true);
    const limit = () =>
      sql`select current_setting('statement_timeout') as limit, current_setting('jit') as jit`;
    const alone = await Promise.all(Array.from({ length: 20 }, limit));
    t.ok(alone.every(([row]) => row?.limit === '3s' && row?.jit === 'off'));
    const inside = await sql.begin((tx) => tx`select current_setting('lock_timeout') as limit`);
    t.equal(inside[0]?.limit, '30s');
    await t.rejects(Promise.resolve(sql`select pg_sleep(10)`), { code: 'DATABASE_TIME_LIMIT' });
    // More clients than server connections, so that each statement meets sessions of others.
    const sums = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => (await sql`select ${i}::int + 1 as sum`)[0]?.sum),
    );
    t.strictSame(
      sums,
      Array.from({ length: 100 }, (_, i) => i + 1),
    );
    await t.rejects(Promise.resolve(sql`select 1 / (3 - n) from generate_series(1, 3) n`), { code: '22012' });
    t.strictSame([...(await sql`select 7 as seven`)], [{ seven: 7 }]);
    const direct = await openFor(t, { url, dataDir: '' });
    // The end of a transaction may arrive after the answer of its last statement.
    await until(async () => {
      const [row] = await direct.sql`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`;
      return row?.count === 0;
    });
  }
});

const GATEWAYS = Number(process.env.POOLED_GATEWAYS ?? 6);
/** As many edits, and as many revocations. */
const EDITS = 5 * GATEWAYS;
/** Each gateway listens on one of its own, and they share ten. */
const SERVER_CONNECTIONS = GATEWAYS + 10;

type Gateway = Awaited<ReturnType<typeof startGateway>>;

const ask = async (
  { url }: Gateway,
  method: string,
  path: string,
  key: string | null,
  body?: unknown,
): Promise<Response> =>
  fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** The fields of the answers that the test reads. */
interface Body {
  readonly id: string;
  readonly key: string;
  readonly results: readonly { readonly slug: string }[];
}

/** Repeats a change that finds no free connection. */
const changed = async (...args: Parameters<typeof ask>): Promise<number> => {
  let status = 503;
  await until(async () => {
    ({ status } = await ask(...args));
    return status !== 503;
  });
  return status;
};

const sent = async (...args: Parameters<typeof ask>) => (await ask(...args)).json() as Promise<Body>;

/** Every second one is behind the second pooler. */
const startAll = async (
  t: Test,
  poolers: readonly [string, string],
  env: Readonly<Record<string, string>>,
): Promise<readonly Gateway[]> => {
  const gateways: Gateway[] = [];
  for (let i = 0; i < GATEWAYS; i += 1)
    gateways.push(await startGateway(t, { DATABASE_URL: poolers[i % 2]!, ...env }));
  return gateways;
};

/** The slowest of the gateways, from when the change was answered. */
const untilAll = async (
  gateways: readonly Gateway[],
  isSeen: (gateway: Gateway) => Promise<boolean>,
): Promise<number> => {
  const startMs = performance.now();
  await Promise.all(gateways.map((gateway) => until(() => isSeen(gateway), WITHIN_A_SECOND)));
  return performance.now() - startMs;
};

const percentiles = (timesMs: readonly number[]): string => {
  const sorted = timesMs.toSorted((a, b) => a - b);
  return [50, 90, 99, 100]
    .map((share) => `p${share} ${sorted[Math.ceil((sorted.length * share) / 100) - 1]!.toFixed()} ms`)
    .join(', ');
};

t.test(
  'gateways share ten connections and have one each, and see each edit and each revocation at once',
  async (t) => {
    const url = await realDatabaseUrl();
    const redis = await startRedis(t, { args: [] });
    const poolers = await twoPoolers(t, url, (SERVER_CONNECTIONS - GATEWAYS) / 2);
    const direct = await openFor(t, { url, dataDir: '', bounds: { maxConnections: 1 } });
    // The test's own: one for queries and one that listens.
    const own = 2;
    const gateways = await startAll(t, poolers, {
      ...{ LISTEN_DATABASE_URL: url, REDIS_URL: redis.url, ADMIN_TOKEN },
      ...{ PUBLIC_URL: 'http://qr.test', RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'warn' },
    });
    const [first] = gateways as [Gateway];
    const account = await sent(first, 'POST', '/admin/v1/accounts', ADMIN_TOKEN, { name: 'a', plan: 'pro' });
    const makeKey = async () =>
      sent(first, 'POST', `/admin/v1/accounts/${account.id}/keys`, ADMIN_TOKEN, { name: 'k' });
    const { key } = await makeKey();
    const items = [{ data: 'https://example.com/0', dynamic: true }];
    const bulk = await sent(first, 'POST', '/api/v1/qr/bulk', key, { items });
    const { slug } = bulk.results[0]!;
    const destinationAt = async (gateway: Gateway) =>
      (await ask(gateway, 'GET', `/l/${slug}`, null)).headers.get('location');
    const statusAt = async (gateway: Gateway, key: string) =>
      (await ask(gateway, 'GET', '/api/v1/account', key)).status;

    const [editsMs, revocationsMs]: [number[], number[]] = [[], []];
    for (let i = 1; i <= EDITS; i += 1) {
      await Promise.all(gateways.map(destinationAt));
      const destination = `https://example.com/${i}`;
      const editor = gateways[i % GATEWAYS]!;
      t.equal(await changed(editor, 'PATCH', `/api/v1/links/${slug}`, key, { destination }), 200);
      editsMs.push(
        await untilAll(gateways, async (gateway) => (await destinationAt(gateway)) === destination),
      );
    }
    for (let i = 1; i <= EDITS; i += 1) {
      const doomed = await makeKey();
      // The revoked keys were unknown keys of one address, of which each gateway answers ten a second.
      await untilAll(gateways, async (gateway) => (await statusAt(gateway, doomed.key)) === 200);
      const revoker = gateways[i % GATEWAYS]!;
      t.equal(await changed(revoker, 'DELETE', `/admin/v1/keys/${doomed.id}`, ADMIN_TOKEN), 204);
      revocationsMs.push(
        await untilAll(gateways, async (gateway) => (await statusAt(gateway, doomed.key)) === 401),
      );
      if (i % GATEWAYS === 0) {
        const [row] = await direct.sql`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend'`;
        t.ok(row!.count - own <= SERVER_CONNECTIONS, `${row!.count - own} connections`);
      }
    }
    t.comment(`edits ${percentiles(editsMs)}; revocations ${percentiles(revocationsMs)}`);
    t.comment(`load ${loadavg()[0]!.toFixed(1)}`);
    // A gateway without news would take the second after which it asks again, and say so.
    t.ok(gateways.every(({ output }) => !/not listening for changes/.test(output())));
  },
);
