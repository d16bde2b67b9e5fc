import postgres from 'postgres';
import t from 'tap';
import { createAccounts } from '../../src/accounts/accounts.ts';
import type { Change, Changes } from '../../src/db/changes.ts';
import type { Quota } from '../../src/quota/quota.ts';
import { startPostgres } from '../servers/postgres/postgres.ts';
import { until } from '../servers/until.ts';
import { openFor } from '../support/database/database.ts';

/** The part of a ledger that accounts need. Its call after the commit fails, as if the process died there. */
const dyingQuota = {
  read: () => Promise.reject(new Error('the process died')),
  refreshLimit: () => Promise.reject(new Error('the process died')),
} as unknown as Quota;

t.test('a change of an account or a key', async (t) => {
  const server = await startPostgres(t);
  const url = await server.createDatabase();
  const database = await openFor(t, { url, dataDir: '' });
  const { sql } = database;
  const accountsWith = (changes: Changes) =>
    createAccounts({ ...database, changes }, dyingQuota, {
      keysPerAccountMax: 10,
      quota: { planMonthly: { free: 100, pro: 1000 } },
    });

  const [{ id }] = await sql<[{ id: string }]>`
    insert into accounts (name, plan) values ('before', 'free') returning id`;
  const nameOf = async () =>
    (await sql<{ name: string }[]>`select name from accounts where id = ${id}`)[0]?.name;
  const countKeys = async () =>
    (await sql<[{ count: number }]>`select count(*) from api_keys where account_id = ${id}`)[0].count;

  const other = postgres(url, { max: 1, onnotice: () => {} });
  t.teardown(() => other.end({ timeout: 0 }));
  const heard: Change[] = [];
  await other.listen('tessera_changes', (payload) => {
    heard.push(...(JSON.parse(payload) as Change[]));
  });

  await t.test('is announced even if the process dies right after the commit', async (t) => {
    const accounts = accountsWith(database.changes);
    await t.rejects(accounts.update(id, { plan: 'pro' }), /died/);
    const made = await accounts.createKey(id, null, { name: 'key' });
    await until(() => heard.length === 2);
    t.strictSame(heard[0], { kind: 'account', id });
    t.equal(heard[1]?.kind, 'key');
    t.type(made, 'object');
  });

  await t.test('arrives with thousands of others, in their order, whatever their length', async (t) => {
    heard.length = 0;
    const changes = Array.from(
      { length: 3000 },
      (_, place): Change => ({ kind: 'item', id: `${place}/${'é"'.repeat(place % 700)}` }),
    );
    await database.changes.announce(sql, ...changes);
    await until(() => heard.length >= changes.length);
    t.strictSame(heard, changes);
  });

  await t.test('is rolled back and not announced when it fails before the commit', async (t) => {
    heard.length = 0;
    /** Announces a change in a transaction that then loses its connection. */
    const dying: Changes = {
      ...database.changes,
      async announce(tx, change) {
        await database.changes.announce(tx, change);
        await other`select pg_terminate_backend(${(await tx<[{ pid: number }]>`select pg_backend_pid() as pid`)[0].pid})`;
      },
    };
    const accounts = accountsWith(dying);
    const keys = await countKeys();
    await t.rejects(accounts.update(id, { name: 'after' }));
    await t.rejects(accounts.createKey(id, null, { name: 'lost' }));
    t.equal(await nameOf(), 'before');
    t.equal(await countKeys(), keys);
    await database.changes.announce(sql, { kind: 'link', id: 'last' });
    await until(() => heard.length > 0);
    t.strictSame(heard, [{ kind: 'link', id: 'last' }]);
  });
});
