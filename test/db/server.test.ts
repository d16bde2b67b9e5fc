/** A real Postgres that is misconfigured, unavailable, silent or slow, and notifications between two gateways. */
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { Change, Changes } from '../../src/db/changes.ts';
import { connectServer, inTransaction, type Sql } from '../../src/db/client.ts';
import { type Database, type DatabaseBounds, openDatabase } from '../../src/db/database.ts';
import { isIndeterminate, isUnavailable } from '../../src/db/faults.ts';
import { whenCommitted } from '../../src/db/pool.ts';
import { createAccount, getAccount, updateAccount } from '../../src/db/tables/accounts/accounts.ts';
import { findPostgres, initPostgres, postgresUser, runPostgres } from '../servers/postgres/postgres.ts';
import { startProxy } from '../servers/proxies/proxy.ts';
import { freePort } from '../servers/server-process.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { until, WITHIN_A_SECOND } from '../servers/until.ts';
import { openFor, realDatabase, realDatabaseUrl, realServer } from '../support/database/database.ts';
import { silent } from '../support/silent-log.ts';

const SHORT: Partial<DatabaseBounds> = {
  connectTimeoutMs: 200,
  answerTimeoutMs: 300,
  transactionTimeoutMs: 500,
  queueTimeoutMs: 100,
};

const isAnswered = ({ sql }: Database) =>
  sql`select 1`.then(
    () => true,
    (error: unknown) => {
      if (!isUnavailable(error)) throw error;
      return false;
    },
  );

const hear = (t: Test, changes: Changes) => {
  const heard: Change[] = [];
  t.teardown(changes.subscribe((change) => heard.push(change)));
  return heard;
};

t.test('a wrong DATABASE_URL is reported in one line that says what to do', async (t) => {
  const url = new URL(await realDatabaseUrl());
  const refusal = (changed: Partial<URL>) =>
    openDatabase({ url: Object.assign(new URL(url), changed).href, dataDir: '' }, silent).then(
      () => 'opened',
      (error: Error) => error.message,
    );
  const port = String(await freePort());
  t.equal(
    await refusal({ port, password: 'secret' }),
    `no Postgres answers at 127.0.0.1:${port} (connect ECONNREFUSED 127.0.0.1:${port}): start it, or correct DATABASE_URL`,
  );
  t.match(
    await refusal({ hostname: 'no.such.host.invalid' }),
    /^no Postgres answers at no\.such\.host\.invalid:/,
  );
  t.equal(
    await refusal({ pathname: '/nowhere' }),
    `Postgres at ${url.host} has no database nowhere: create it, or correct DATABASE_URL`,
  );
  t.match(await refusal({ username: 'nobody' }), /refuses the user nobody: correct user and password/);
  t.match(
    await openDatabase({ url: 'postgres://[', dataDir: '' }, silent).catch(String),
    /DATABASE_URL can't be read/,
  );
});

t.test('calls to a silent server fail after a timeout, and it is used again when it answers', async (t) => {
  const server = await realServer();
  const database = await realDatabase(t, SHORT);
  const { sql, changes } = database;
  // A busy machine may take longer to connect than this database waits.
  const isConnected = async () => {
    const asked = await Promise.allSettled(Array.from({ length: 10 }, () => sql`select pg_sleep(0.01)`));
    return asked.every(({ status }) => status === 'fulfilled');
  };
  await until(isConnected);
  await until(() => changes.live);
  const heard = hear(t, changes);

  await server.pause();
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 30 }, () => sql`select 1`),
    sql.begin((tx) => tx`select 1`),
    database.ping(),
  ]);
  for (const outcome of outcomes) {
    t.ok(outcome.status === 'rejected' && isUnavailable(outcome.reason), outcome.status);
  }
  await until(() => !changes.live);
  await server.resume();

  await until(() => isAnswered(database));
  await until(() => changes.live);
  t.same(heard, [{ kind: 'everything' }], 'listeners drop whatever may have changed');
});

t.test('a server that is stopped and started again is used again', async (t) => {
  const server = await realServer();
  const database = await realDatabase(t);
  const { id } = await createAccount(database.sql, { name: 'kept', plan: 'free', monthlyQuota: null });
  const heard = hear(t, database.changes);
  await server.stop();
  t.equal(await isAnswered(database), false);
  await until(() => !database.changes.live);
  await server.start();
  await until(() => isAnswered(database));
  t.equal((await getAccount(database.sql, id))?.name, 'kept');
  await until(() => database.changes.live);
  t.same(heard, [{ kind: 'everything' }]);
});

/** Starts a standby without a primary, and returns its `host:port`. */
const startStandby = async (t: Test): Promise<string> => {
  const user = postgresUser();
  const home = await temporaryFolder(t);
  if (user) await chown(home, user.uid, user.gid);
  const folder = join(home, 'standby');
  const binaries = findPostgres()!;
  initPostgres(binaries, folder, user);
  await writeFile(join(folder, 'standby.signal'), '');
  const standby = await runPostgres(binaries, folder, user);
  t.teardown(standby.stop);
  return new URL(standby.url).host;
};

t.test('of several hosts the one that accepts writes is used, whatever their order', async (t) => {
  const standby = await startStandby(t);
  const { host: primary, username, pathname } = new URL((await realServer()).url);
  const bounds = {
    connectTimeoutMs: 3000,
    statementTimeoutMs: 3000,
    lockTimeoutMs: 2000,
    idleTransactionTimeoutMs: 5000,
  };
  const isStandby = async (hosts: string, more = '', readOnly = false): Promise<boolean | undefined> => {
    const url = `postgres://${username}@${hosts}${pathname}${more}`;
    const sql = connectServer(url, { ...bounds, readOnly });
    t.teardown(() => sql.end({ timeout: 0 }));
    const asked = sql<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`;
    return Promise.race([asked.then(([row]) => row?.standby), sleep(10_000, undefined, { ref: false })]);
  };
  t.equal(await isStandby(standby), true, 'a single host is used as it is');
  for (const more of ['', '?target_session_attrs=read-write']) {
    t.equal(await isStandby(`${standby},${primary}`, more), false, more);
    t.equal(await isStandby(`${primary},${standby}`, more), false, more);
    t.equal(await isStandby(`${standby},${primary}`, more, true), false, `${more}, read-only`);
  }
});

t.test('the server aborts statements that take too long, and the pool keeps working', async (t) => {
  const { sql } = await realDatabase(t, { statementTimeoutMs: 2000, lockTimeoutMs: 500 });
  const codeOf = async (run: Promise<unknown>) => {
    const error = await run.then(
      () => null,
      (reason: unknown) => reason,
    );
    t.ok(isUnavailable(error));
    return (error as { code: string }).code;
  };
  t.equal(await codeOf(sql`select pg_sleep(10)`), 'DATABASE_TIME_LIMIT');
  const { id } = await createAccount(sql, { name: 'locked', plan: 'free', monthlyQuota: null });
  await sql.begin(async (tx) => {
    await updateAccount(tx, id, { plan: 'pro' });
    t.equal(await codeOf(updateAccount(sql, id, { name: 'not now' })), '55P03');
  });
  t.match(await getAccount(sql, id), { name: 'locked', plan: 'pro' });
});

t.test('a connection whose statement fails after its first row is never used again', async (t) => {
  const bounds = { maxConnections: 1, statementTimeoutMs: 2000, lockTimeoutMs: 1000 };
  const { sql } = await realDatabase(t, bounds);
  const pidOf = async () => (await sql<[{ pid: number }]>`select pg_backend_pid() as pid`)[0].pid;
  await sql`create table numbers as select generate_series(1, 3) as n`;
  const failures: Record<string, (sql: Sql) => PromiseLike<unknown>> = {
    '22012': (sql) => sql`select 1 / (3 - n) from numbers`,
    '22P02': (sql) => sql`select (case n when 3 then 'x' else n::text end)::int from numbers`,
    DATABASE_TIME_LIMIT: (sql) => sql`select pg_sleep(case n when 3 then 9 else 0 end) from numbers`,
    '40001': (sql) => sql`select n, fail(n, '40001') from numbers`,
    '55P03': (sql) => sql`select n, fail(n, '55P03') from numbers`,
  };
  await sql.unsafe(`
    create function fail(n int, state text) returns int language plpgsql as $$
    begin if n = 3 then raise exception 'no' using errcode = state; end if; return n; end $$`);
  for (const [code, fail] of Object.entries(failures)) {
    for (const where of ['alone', 'in a transaction']) {
      const pid = await pidOf();
      await t.rejects(where === 'alone' ? Promise.resolve(fail(sql)) : sql.begin(fail), { code }, where);
      t.strictSame([...(await sql`select 7 as seven`)], [{ seven: 7 }], `${code} ${where}`);
      t.not(await pidOf(), pid, `${code} ${where}`);
    }
  }
  const pid = await pidOf();
  await t.rejects(Promise.resolve(sql`select 1 / 0`), { code: '22012' });
  t.equal(await pidOf(), pid, 'a statement that fails before its first row leaves it as it was');
});

t.test('a lost connection fails only its own transaction, and rolls it back completely', async (t) => {
  const database = await realDatabase(t, { idleTransactionTimeoutMs: 500 });
  const { sql } = database;
  const { id } = await createAccount(sql, { name: 'before', plan: 'free', monthlyQuota: null });
  const isGone = async (pid: number) =>
    (await sql`select from pg_stat_activity where pid = ${pid}`).length === 0;
  const pidOf = async (tx: Sql) => (await tx<[{ pid: number }]>`select pg_backend_pid() as pid`)[0].pid;

  const endings: Record<string, (tx: Sql, pid: number) => Promise<unknown>> = {
    'while a statement runs': async (tx, pid) => {
      const cut = sleep(50).then(() => sql`select pg_terminate_backend(${pid})`);
      await Promise.all([tx`select pg_sleep(10)`, cut]);
    },
    'while it is idle, before a statement': async (tx, pid) => {
      await until(() => isGone(pid));
      await tx`insert into accounts (name, plan) values ('outside of the transaction', 'free')`;
    },
    'while it is idle, before its own failure': async (_, pid) => {
      await until(() => isGone(pid));
      throw Object.assign(new Error('own'), { code: 'DATABASE_UNAVAILABLE' });
    },
    'while it is idle, before the end': async (_, pid) => until(() => isGone(pid)),
    'and goes on after a failure': async (tx, pid) => {
      await sql`select pg_terminate_backend(${pid})`;
      await tx`select pg_sleep(1)`.catch(() => {});
      await tx`insert into accounts (name, plan) values ('outside of the transaction', 'free')`;
    },
  };
  for (const [when, end] of Object.entries(endings)) {
    const failed = sql.begin(async (tx) => {
      await updateAccount(tx, id, { name: 'inside' });
      await end(tx, await pidOf(tx));
    });
    const error = await failed.then(
      () => null,
      (reason: unknown) => reason,
    );
    t.ok(isUnavailable(error), when);
    // As many at once as there are connections, so that each of them is used again.
    await Promise.all(Array.from({ length: 10 }, () => sql.begin((tx) => tx`select pg_sleep(0.01)`)));
  }
  t.equal((await getAccount(sql, id))?.name, 'before');
  t.same(await sql`select 1 from accounts where name like 'outside%'`, []);
});

t.test('a query with an unknown outcome is distinguished from one that was never sent', async (t) => {
  const target = new URL(await realDatabaseUrl());
  const proxy = await startProxy(t, { host: target.hostname, port: Number(target.port) });
  const url = Object.assign(target, { port: String(proxy.port) }).href;
  const bounds = { ...SHORT, connectTimeoutMs: 2000, answerTimeoutMs: 4000, maxConnections: 1 };
  const { sql } = await openFor(t, { url, dataDir: '', bounds });
  const outcome = async (code: string, query: Promise<unknown>) => {
    const error = await query.then(
      () => null,
      (reason: { code: string }) => reason,
    );
    t.equal(error?.code, code);
    return isIndeterminate(error);
  };
  const running = outcome('DATABASE_LOST', sql`select pg_sleep(10)`);
  const waiting = outcome('DATABASE_BUSY', sql`select 1`);
  t.equal(await waiting, false);
  proxy.cut();
  t.equal(await running, true);
  proxy.hold();
  t.equal(await outcome('DATABASE_UNAVAILABLE', sql`select 1`), false, 'no connection in time');
  proxy.heal();
  await sql`select 1`;
  proxy.hold();
  t.equal(await outcome('DATABASE_SILENT', sql`select 1`), true);
});

t.test('losing all idle connections at once causes no errors for callers', async (t) => {
  const { sql } = await realDatabase(t);
  const many = () => Promise.all(Array.from({ length: 10 }, () => sql`select pg_sleep(0.01)`));
  await many();
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await until(
    async () => (await sql`select from pg_stat_activity where datname = current_database()`).length <= 2,
  );
  // The server has closed them; the client should notice that first.
  await sleep(500);
  await many();
});

t.test('a query does not fail because another connection is cut during its set-up', async (t) => {
  const target = new URL(await realDatabaseUrl());
  const proxy = await startProxy(t, { host: target.hostname, port: Number(target.port) });
  const url = Object.assign(target, { port: String(proxy.port) }).href;
  const database = await openFor(t, {
    url,
    dataDir: '',
    bounds: { maxConnections: 8, answerTimeoutMs: 5000 },
  });
  const answers = (calls: number) => Promise.all(Array.from({ length: calls }, () => isAnswered(database)));
  t.same(await answers(4), [true, true, true, true]);
  // The first answer accepts the password; after it postgres.js would request types on its own.
  proxy.cutNew();
  // The heartbeat may have one of the open connections.
  const answered = (await answers(8)).filter(Boolean).length;
  t.ok(answered >= 3 && answered < 8, `${answered} of 8 answered`);
  proxy.heal();
  t.equal(await isAnswered(database), true);
});

t.test('callers wait for a free connection in order, and beyond a limit are refused at once', async (t) => {
  const { sql } = await realDatabase(t, { maxConnections: 2, maxQueued: 3, queueTimeoutMs: 5000 });
  const order: number[] = [];
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, async (_, i) => {
      await sql`select pg_sleep(0.05)`;
      order.push(i);
    }),
  );
  // The heartbeat may have one of the places.
  const served = outcomes.filter(({ status }) => status === 'fulfilled').length;
  t.ok(served === 5 || served === 4, `${served} of 6 were served`);
  t.ok(
    outcomes.every(({ status }, i) => (status === 'fulfilled') === i < served),
    'the last ones are refused',
  );
  t.same(
    order.toSorted((a, b) => a - b),
    Array.from({ length: served }, (_, i) => i),
  );
  t.ok(order.indexOf(served - 1) >= served - 2, `${order}`);
});

t.test('fragments, helpers and transactions work through the wrapper', async (t) => {
  const { sql } = await realDatabase(t, { maxConnections: 1 });
  const name = sql`name = ${'a'}`;
  t.same(
    await sql`select 1 as one where ${true} and exists (select from (values ('a')) as v (name) where ${name})`,
    [{ one: 1 }],
  );
  t.same(
    await sql`select * from ${sql({ a: 1, b: 2 } as never)}`.catch((error: { code: string }) => error.code),
    '42601',
  );
  t.same(await sql.unsafe('select 2 as two'), [{ two: 2 }]);
  t.equal(await sql.begin(async (tx) => (await tx`select 3 as three`)[0]?.three), 3);
  await t.rejects(sql`select nothing`, { code: '42703' });
  t.throws(() => sql`select 1 as one`.values(), { message: /values of postgres.js is not offered/ });
  t.throws(() => sql.reserve(), { message: /reserve of postgres.js is not offered/ });
  const once = sql`insert into accounts (name, plan) values ('once', 'free')`;
  await Promise.all([once, once, once.catch(() => {}), once.finally(() => {})]);
  t.equal((await sql`select 1 from accounts where name = 'once'`).length, 1, 'a query runs only once');
  await t.rejects(
    sql.begin(async (tx) => {
      await createAccount(tx, { name: 'undone', plan: 'free', monthlyQuota: null });
      await tx`select nothing`.catch(() => {});
    }),
    { message: 'a failed statement undid the transaction' },
  );
  const heard: string[] = [];
  const add = async (tx: Sql, name: string) => {
    await createAccount(tx, { name, plan: 'free', monthlyQuota: null });
    whenCommitted(tx, () => heard.push(name));
  };
  await inTransaction(sql, async (tx) => {
    await add(tx, 'outer');
    await inTransaction(tx, (inner) => add(inner, 'inner'));
    const undone = inTransaction(tx, async (inner) => {
      await add(inner, 'undone');
      await inner`select nothing`;
    });
    await t.rejects(undone, { code: '42703' });
    t.strictSame(heard, []);
  });
  t.strictSame(heard, ['outer', 'inner'], 'a transaction within another is a savepoint of it');
  t.equal((await sql`select 1 from accounts where name in ('outer', 'inner')`).length, 2);
  let late: Sql | undefined;
  await sql.begin(async (tx) => {
    late = tx;
  });
  await t.rejects(Promise.resolve(late?.unsafe('select 1')), {
    message: 'the transaction of this query is over',
  });
  t.equal((await sql`select 1 from accounts where name = 'undone'`).length, 0);
});

t.test('an announced change reaches every gateway after its commit', async (t) => {
  const url = await realDatabaseUrl();
  const [first, second] = await Promise.all([
    openFor(t, { url, dataDir: '' }),
    openFor(t, { url, dataDir: '' }),
  ]);
  t.equal(first.changes.live, true);
  t.equal(second.changes.live, true);
  const heard = [hear(t, first.changes), hear(t, second.changes)];
  const isHeard = (change: Change) =>
    until(
      () => heard.every((list) => JSON.stringify(list.at(-1)) === JSON.stringify(change)),
      WITHIN_A_SECOND,
    );

  t.test('a change that is rolled back is not announced', async (t) => {
    await first.sql
      .begin(async (tx) => {
        await first.changes.announce(tx, { kind: 'key', id: 'undone' });
        throw new Error('undo');
      })
      .catch(() => {});
    const done = { kind: 'key', id: 'done' } as const;
    await first.sql.begin((tx) => first.changes.announce(tx, done));
    await until(() => heard[0]?.length === 2 && heard[1]?.length === 1, WITHIN_A_SECOND);
    t.same(heard, [[done, done], [done]], 'its own gateway hears it twice: directly, and from the database');
  });

  t.test('after the listening connections are lost, every gateway drops its whole cache', async (t) => {
    for (const list of heard) list.length = 0;
    await first.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen %'`;
    await until(() => heard.every((list) => list.length === 1));
    t.same(heard, [[{ kind: 'everything' }], [{ kind: 'everything' }]]);
    await second.changes.announce(second.sql, { kind: 'link', id: 'abc' });
    await isHeard({ kind: 'link', id: 'abc' });
  });

  t.test('a listener that throws does not affect the others', async (t) => {
    t.teardown(
      first.changes.subscribe(() => {
        throw new Error('a bug');
      }),
    );
    const late = hear(t, first.changes);
    await second.changes.announce(second.sql, { kind: 'account', id: 'x' });
    await until(() => late.length === 1, WITHIN_A_SECOND);
    t.same(late, [{ kind: 'account', id: 'x' }]);
  });
});
