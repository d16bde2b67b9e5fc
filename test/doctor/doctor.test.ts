import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import postgres from 'postgres';
import t from 'tap';
import { readConfig } from '../../src/config/config.ts';
import { lockFolder } from '../../src/db/embedded/folder.ts';
import { checkNode, judgeClocks } from '../../src/doctor/checks/machine.ts';
import { judgeServer } from '../../src/doctor/checks/postgres.ts';
import { checkSettings } from '../../src/doctor/checks/settings.ts';
import { CHECKS, type Finding } from '../../src/doctor/finding.ts';
import { createSender, plainRows } from '../batches/support.ts';
import { listen as listenOn, run } from '../cli/support.ts';
import { markedPart, readPage, tableRows } from '../docs/pages.ts';
import { startPostgres } from '../servers/postgres/postgres.ts';
import { startRedis } from '../servers/redis.ts';
import type { TestScope } from '../servers/server-process.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { embeddedFolder } from '../support/database/database.ts';
import { MIGRATED, prepareTemplates } from '../support/database/templates.ts';

const REDIS = { appendonly: 'yes', maxmemory: '64mb', 'maxmemory-policy': 'noeviction' };

const { postgres: template } = await prepareTemplates();
const DURABLE = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'];
const server = await startPostgres(t, template ?? undefined, DURABLE);
const redisServer = await startRedis(t, {
  args: Object.entries(REDIS).flatMap(([name, value]) => [`--${name}`, value]),
});
const folder = await temporaryFolder(t);
const env = {
  DATABASE_URL: await server.createDatabase(template ? MIGRATED : undefined),
  REDIS_URL: redisServer.url,
  BATCH_STORE: join(folder, 'batches'),
  DATA_DIR: folder,
  PUBLIC_URL: 'https://qr.example.com',
  TRUST_PROXY: '10.0.0.0/8',
  ADMIN_TOKEN: randomBytes(24).toString('hex'),
};
const sql = postgres(env.DATABASE_URL, { max: 1, onnotice: () => {} });
const redis = new Redis(env.REDIS_URL);
t.teardown(async () => {
  redis.disconnect();
  await sql.end();
});

interface Told {
  readonly ok: boolean;
  readonly warnings: number;
  readonly failures: number;
  readonly findings: readonly Finding[];
}

const examine = async (more: Readonly<Record<string, string>> = {}): Promise<Told> => {
  const { code, out } = await run(['doctor', '--json'], { ...env, ...more });
  const told = JSON.parse(out) as Told;
  if (code !== (told.failures > 0 ? 1 : 0)) throw new Error(`the exit code is ${code}`);
  return told;
};

/** Findings that are not ok, as `state check`. */
const troubles = ({ findings }: Told): readonly string[] =>
  findings.filter(({ state }) => state !== 'ok').map(({ state, check }) => `${state} ${check}`);

const messageOf = ({ findings }: Told, check: string): string =>
  findings.flatMap((finding) => (finding.check === check ? finding.message : [])).join('\n');

/** Starts a gateway on the stores. */
const listen = (scope: TestScope, more: Readonly<Record<string, string>> = {}) =>
  listenOn(scope, { ...env, ADMIN_TOKEN, SHUTDOWN_GRACE_MS: '0', ...more });

/** Stores with the data of calls and of a batch with files. */
const { account, ended } = await (async () => {
  const ends: (() => unknown)[] = [];
  const scope = { teardown: (end: () => unknown) => void ends.push(end) };
  const tester = await listen(scope);
  const { id, key } = await tester.account({ monthlyQuota: 1_000_000 });
  const batch = await createSender(tester, key).make(plainRows(30));
  if (batch.state !== 'done') throw new Error(`the batch ended as ${batch.state}`);
  for (const data of ['one', 'two'])
    await tester.call({ method: 'POST', url: '/api/v1/qr', key, body: { data } });
  const ended = await examine();
  for (const end of ends.reverse()) await end();
  return { account: { id, batchId: batch.id }, ended };
})();

t.test('a healthy installation has no findings, with or without a running gateway', async (t) => {
  t.strictSame(troubles(ended), []);
  const told = await examine();
  t.strictSame([troubles(told), told.ok], [[], true]);
  t.strictSame([...new Set(told.findings.map(({ check }) => check))].sort(), Object.keys(CHECKS).sort());
  const { out } = await run(['doctor'], env);
  t.match(out, /\nok +ledger +1 account: every balance is the sum of its records, and Redis agrees\.\n/);
  t.match(out, /\nAll is well\.\n$/);
});

t.test('doctor and ledger verify change nothing', async (t) => {
  const look = async () => [
    await sql`select * from quota_balances`,
    await sql`select * from quota_streams`,
    await sql`select number from migrations`,
    (await redis.keys('*')).sort(),
  ];
  const before = await look();
  await examine();
  await run(['ledger', 'verify'], env);
  t.same(await look(), before);
});

t.test('risky settings are reported without revealing secrets', async (t) => {
  const secret = 'tessera-password-1';
  const told = await examine({
    PUBLIC_URL: '',
    TRUST_PROXY: 'true',
    ADMIN_TOKEN: 'a-long-random-string',
    REDIS_URL: `redis://:${secret}@redis.internal.invalid:6379`,
    LOGO_ALLOW_PRIVATE_NETWORKS: 'true',
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    RATE_LIMIT_PER_SECOND: '0',
    METRICS_PUBLIC: 'true',
    LOG_LEVEL: 'debug',
  });
  const settings = messageOf(told, 'settings');
  const names = ['PUBLIC_URL', 'TRUST_PROXY', 'ADMIN_TOKEN', 'REDIS_URL', 'LOGO_A', 'WEBHOOK_A', 'RATE_'];
  for (const name of [...names, 'METRICS_', 'LOG_L']) t.ok(settings.includes(name), name);
  t.match(messageOf(told, 'redis'), /Redis at redis\.internal\.invalid:6379 cannot be used/);
  t.notMatch(JSON.stringify(told), secret);
  t.notMatch(JSON.stringify(told), 'a-long-random-string');

  for (const [more, what] of [
    [{ TRUST_PROXY: '' }, /^TRUST_PROXY is not set, and PUBLIC_URL is https/],
    [{ PUBLIC_URL: 'http://qr.example.com' }, /sent unencrypted/],
    [{ ADMIN_TOKEN: '' }, /the admin API/],
  ] as const)
    t.match(checkSettings(readConfig({ ...env, ...more })), [{ state: 'warn', message: what }]);
  const broken = await examine({ PORT: 'x', DISK_FREE_MIN_BYTES: '-1' });
  t.strictSame(troubles(broken), ['fail settings', 'fail settings']);
});

t.test('unreachable or misconfigured stores are reported', async (t) => {
  const away = await examine({
    DATABASE_URL: 'postgres://tessera:hunter22@127.0.0.1:9/x',
    REDIS_URL: 'redis://127.0.0.1:9',
  });
  t.strictSame(troubles(away), ['fail postgres', 'fail redis']);
  t.notMatch(JSON.stringify(away), 'hunter22');

  const empty = await examine({ DATABASE_URL: await server.createDatabase() });
  t.match(messageOf(empty, 'schema'), /The database is empty/);
  t.match(
    messageOf(await examine({ GATEWAYS: '60' }), 'connections'),
    /GATEWAYS=60 needs 240: raise max_connections/,
  );
  t.match(
    messageOf(await examine({ DISK_FREE_MIN_BYTES: '999999999999999' }), 'disk'),
    /fewer than DISK_FREE_MIN_BYTES/,
  );

  const examineWith = async (settings: Readonly<Record<string, string>>) => {
    const set = async (name: string, value: string) => void (await redis.config('SET', name, value));
    for (const [name, value] of Object.entries(settings)) await set(name, value);
    const told = await examine();
    for (const [name, value] of Object.entries(REDIS)) await set(name, value);
    return told;
  };
  const loose = await examineWith({ appendonly: 'no', maxmemory: '0', 'maxmemory-policy': 'allkeys-lru' });
  t.strictSame(troubles(loose), ['fail memory', 'warn memory', 'warn persistence']);
  const full = await examineWith({ maxmemory: '1mb' });
  t.strictSame(troubles(full), ['warn memory'], 'the ledger is still compared');
});

t.test('each fault in the data is reported', async (t) => {
  const expect = async (wanted: readonly string[], what: RegExp): Promise<void> => {
    const told = await examine();
    t.strictSame(troubles(told), wanted, String(what));
    t.match(told.findings.map(({ message }) => message).join('\n'), what);
  };

  await sql`insert into migrations (number, name, checksum) values (901, '0901_more', '')`;
  await expect(['warn schema'], /additions of a newer version \(0901_more\)/);
  await sql`update migrations set needs = '99.0.0' where number = 901`;
  await expect(['fail schema'], /0901_more, which needs Tessera 99\.0\.0/);
  await sql`delete from migrations where number = 901`;
  await sql`update migrations set checksum = 'x' || checksum where number = 1`;
  await expect(['fail schema'], /0001_accounts\.sql is not the migration that was applied/);
  await sql`update migrations set checksum = substr(checksum, 2) where number = 1`;

  await sql`update quota_balances set monthly_used = monthly_used + 1`;
  await expect(['warn ledger', 'fail ledger'], /the sum of its records/);
  await sql`update quota_balances set monthly_used = monthly_used - 1`;
  const counters = `{q:00}:account:${account.id}`;
  await redis.hincrby(counters, 'mu', 5);
  await expect(['warn ledger'], /in Postgres and .* in Redis/);
  await redis.hincrby(counters, 'mu', -5);

  const stream = '{q:00}:sums';
  await redis.rename(stream, 'kept');
  await redis.xadd(stream, '1-1', 'x', 'y');
  await expect(['fail drain'], /Postgres lacks 1 change of Redis/);
  await redis.rename('kept', stream);
  await sql`insert into credit_grants (account_id, amount, created_at) values (${account.id}, 5, now() - interval '1 hour')`;
  await expect(['warn drain'], /1 grant or release of units waits/);
  await sql`delete from credit_grants where applied_at is null`;

  await sql`insert into links (slug, account_id, destination) values ('lost', ${account.id}, 'https://example.com/')`;
  await expect(['fail links'], /1 short link of \d+ \(such as \w+\) have no code/);
  await sql`delete from links where slug = 'lost'`;

  const [{ id: webhook } = { id: '' }] = await sql`
    insert into webhooks (account_id, url, events, paused_until, served_at)
    values (${account.id}, 'https://example.com/', '{}', now() - interval '1 hour', now() - interval '1 hour')
    returning id`;
  await sql`
    with event as (
      insert into events (account_id, type, data) values (${account.id}, 'quota.low', '{}') returning id
    )
    insert into webhook_deliveries (event_id, webhook_id, next_at)
    select id, ${webhook}, now() - interval '1 hour' from event`;
  await expect(['fail webhooks'], /1 delivery should have been sent/);
  await sql`delete from webhook_deliveries`;

  await sql`update batches set state = 'running', finished_at = null, expires_at = now() - interval '1 hour'`;
  await expect(['warn batches'], /1 batch should have expired/);
  await sql`update batches set state = 'done', finished_at = now(), expires_at = now() + interval '1 day'`;

  const fragments = join(env.BATCH_STORE, account.batchId, 'fragments');
  await rename(fragments, `${fragments}.away`);
  await expect(['fail files'], /1 batch \(such as .*\) lack files/);
  await rename(`${fragments}.away`, fragments);
  const orphan = join(env.BATCH_STORE, '00000000-0000-4000-8000-000000000000');
  await mkdir(orphan);
  await examine();
  await utimes(orphan, 0, 0);
  await expect(['warn files'], /1 folder in .* belong to no batch/);
  await rm(orphan, { recursive: true });
  const mark = join(env.BATCH_STORE, 'installation');
  await rename(mark, `${mark}.away`);
  await expect(
    ['fail files'],
    /BATCH_STORE is not the store of this installation.* it has no mark, and not [-\w]+\./,
  );
  await rename(`${mark}.away`, mark);
});

t.test('of very many accounts a sample is compared, unless all are asked for', async (t) => {
  const told = async (...args: string[]) => (await run(['doctor', ...args], env)).out;
  // Postgres analyzes the table by itself now and then, and would put its own number there.
  await sql`alter table quota_balances set (autovacuum_enabled = false)`;
  await sql`update pg_class set reltuples = 1000000 where oid = 'quota_balances'::regclass`;
  t.match(await told(), /1 account of a sample: every balance is the sum/);
  t.match(await told('--all'), /1 account: every balance is the sum/);
  await sql`update pg_class set reltuples = 1 where oid = 'quota_balances'::regclass`;
  t.match(await told(), /1 account: every balance is the sum/);
});

t.test('a single account can be verified, and differences are reported', async (t) => {
  const verify = (...args: string[]) => run(['ledger', 'verify', ...args], env);
  t.match(
    (await verify('--account', account.id)).out,
    /^1 balance compared with the records and with Redis: 0 diff/,
  );
  await sql`update quota_balances set credits = 7`;
  const { code, out } = await verify('--json');
  t.strictSame([code, JSON.parse(out).differences.length], [1, 2]);
  t.match((await verify()).out, new RegExp(`Account ${account.id}: the balance .* the sum of its records`));
  t.equal((await verify('--account', 'x')).code, 2);
  t.match((await verify('--account', '00000000-0000-4000-8000-000000000000')).err, /has no balance/);
  await sql`update quota_balances set credits = 0`;
});

t.test('an embedded database is checked unless a gateway is using it', async (t) => {
  const dataDir = await embeddedFolder(t);
  const own = { ...env, DATABASE_URL: '', REDIS_URL: '', BATCH_STORE: '', DATA_DIR: dataDir };
  t.strictSame(troubles(await examine(own)), []);
  const lock = await lockFolder(join(dataDir, 'run'));
  if (!lock.ok) throw new Error(lock.fault);
  t.match(
    messageOf(await examine(own), 'postgres'),
    /it is in use by process \d+ .*; stop that gateway to have it checked/,
  );
  t.match((await run(['ledger', 'verify'], own)).err, /it is in use by process/);
  await lock.value.release();
  const none = await examine({ ...own, DATA_DIR: await temporaryFolder(t) });
  t.match(messageOf(none, 'postgres'), /There is no embedded database in/);
});

t.test('clocks, Postgres servers and versions of Node are judged', async (t) => {
  const server = { version: 15, standby: false, mayCreate: true, off: [] };
  const told = (more: object) =>
    judgeServer({ ...server, ...more }).map(({ state, message }) => `${state} ${message}`);
  t.match(told({}), [/^ok Postgres 15 takes writes and keeps them/]);
  t.match(told({ version: 14 }), [/^fail Postgres 14 is too old/]);
  t.match(told({ standby: true, mayCreate: false }), [/^fail Postgres 15 is a standby/]);
  t.match(told({ mayCreate: false }), [/^fail The user of DATABASE_URL may not create tables/]);
  t.match(told({ off: ['fsync', 'full_page_writes'] }), [
    /^warn fsync, full_page_writes are off: a crash may lose/,
  ]);
  t.equal(judgeClocks([{ whose: 'Redis', aheadMs: -900 }])[0]!.state, 'ok');
  t.match(judgeClocks([{ whose: 'Redis', aheadMs: -2500 }]), [
    { state: 'warn', message: /Redis is 2\.5 s behind/ },
  ]);
  t.match(judgeClocks([{ whose: 'Postgres', aheadMs: 90_000 }]), [{ state: 'fail', message: /ahead of/ }]);
  t.strictSame(
    ['18.1.0', '20.14.0', '20.15.0', '24.9.0', '27.0.0'].map((version) => checkNode(version).state),
    ['fail', 'fail', 'ok', 'ok', 'warn'],
  );
});

t.test('docs/cli.md lists the checks of the command', async (t) => {
  const documented = tableRows(markedPart(readPage('docs/cli.md'), 'checks')).map((row) => row.join(' '));
  t.strictSame(
    documented,
    Object.entries(CHECKS).map(([name, what]) => `${name} ${what}`),
  );
});
