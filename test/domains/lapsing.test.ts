/** Domains whose proof is missing, and hosts that move to another account. */
import t, { type Test } from 'tap';
import { createAccount } from '../../src/db/tables/accounts/accounts.ts';
import type { Domain } from '../../src/db/tables/domains/domains.ts';
import { getDomain, NO_ANSWERS } from '../../src/db/tables/domains/domains.ts';
import { openDirectory } from '../../src/domains/directory.ts';
import { createDomains } from '../../src/domains/domains.ts';
import { until, WITHIN_A_SECOND } from '../servers/until.ts';
import { realDatabase } from '../support/database/database.ts';

const LOG = { info: () => {}, warn: () => {}, error: () => {} };

/** Hosts whose proofs are there, as `host token`. */
const build = async (t: Test) => {
  const database = await realDatabase(t);
  const { sql } = database;
  const proofs = new Set<string>();
  const find = async ({ host, token }: Pick<Domain, 'host' | 'token'>) =>
    proofs.has(`${host} ${token}`) ? null : 'not found';
  const domains = createDomains(database, find, { perAccountMax: 50, works: true }, LOG);
  t.teardown(domains.close);
  const account = async () =>
    (await createAccount(sql, { name: 'test', plan: 'pro', monthlyQuota: null })).id;
  const register = async (accountId: string, host: string): Promise<Domain> => {
    const made = await sql.begin((tx) =>
      domains.register(tx, { accountId, host, prefix: '', answers: NO_ANSWERS, forward: null }),
    );
    if (!made.ok) throw new Error(String(made.fault));
    return made.value;
  };
  const prove = async (domain: Domain) => {
    proofs.add(`${domain.host} ${domain.token}`);
    const proved = await domains.prove(domain);
    t.ok(proved.ok);
  };
  const now = async ({ accountId, host }: Domain) => (await getDomain(sql, accountId, host))!;
  /** Looks for what is due, and waits until that has changed a domain: the timer may have begun with it. */
  const checkUntil = async (domain: Domain, isDone: (now: Domain) => boolean): Promise<void> => {
    await domains.checkDue();
    await until(async () => isDone(await now(domain)), WITHIN_A_SECOND);
  };
  const age = (domain: Domain, days: number) => sql`
    update domains set failing_since = failing_since - make_interval(days => ${days}), next_check_at = now() - interval '1 s'
    where id = ${domain.id}`;
  return { database, sql, domains, proofs, account, register, prove, now, checkUntil, age };
};

t.test('a domain whose proof is missing is served for seven days, and then lapses', async (t) => {
  const { database, domains, proofs, account, register, prove, now, checkUntil, age, sql } = await build(t);
  const directory = await openDirectory(database, LOG);
  t.teardown(directory.close);
  const domain = await register(await account(), 'qr.lapse.example');
  await domains.checkDue();
  t.equal((await now(domain)).checkedAt, null, 'what was never proved is not looked for');
  await prove(domain);
  await until(() => directory.find(domain.host) !== undefined, WITHIN_A_SECOND);
  proofs.clear();
  await domains.checkDue();
  t.equal((await now(domain)).failingSince, null, 'it is not due yet');
  await sql`update domains set next_check_at = now() where id = ${domain.id}`;
  await checkUntil(domain, ({ failingSince }) => failingSince !== null);
  t.match(await now(domain), { failingSince: Date, verifiedAt: Date, fault: 'not found' });
  t.ok(directory.find(domain.host));
  await age(domain, 6);
  await domains.checkDue();
  t.match(await now(domain), { verifiedAt: Date }, 'after six days');
  await age(domain, 2);
  await checkUntil(domain, ({ lapsedAt }) => lapsedAt !== null);
  t.match(await now(domain), { verifiedAt: null, lapsedAt: Date, failingSince: null });
  await until(() => directory.find(domain.host) === undefined, WITHIN_A_SECOND);
  await prove(domain);
  t.match(await now(domain), { verifiedAt: Date, lapsedAt: null, fault: null });
  await until(() => directory.find(domain.host) !== undefined, WITHIN_A_SECOND);
});

t.test('a proof that comes back in time ends the fault, and one gateway looks for each', async (t) => {
  const { domains, proofs, account, register, prove, now, checkUntil, sql } = await build(t);
  const domain = await register(await account(), 'qr.back.example');
  await prove(domain);
  proofs.clear();
  await sql`update domains set next_check_at = now() where id = ${domain.id}`;
  await checkUntil(domain, ({ failingSince }) => failingSince !== null);
  proofs.add(`${domain.host} ${domain.token}`);
  await sql`update domains set next_check_at = now(), leased_until = now() + interval '1 minute' where id = ${domain.id}`;
  await domains.checkDue();
  t.not((await now(domain)).failingSince, null, 'another gateway does it');
  await sql`update domains set leased_until = null where id = ${domain.id}`;
  await checkUntil(domain, ({ failingSince }) => failingSince === null);
  t.match(await now(domain), { failingSince: null, fault: null, verifiedAt: Date });
});

t.test('a host has one account at a time, however many prove it at once', async (t) => {
  const { domains, proofs, account, register, now, sql } = await build(t);
  const claims = await Promise.all(
    Array.from({ length: 5 }, async () => register(await account(), 'qr.race.example')),
  );
  for (const { host, token } of claims) proofs.add(`${host} ${token}`);
  const proved = await Promise.allSettled(claims.map((claim) => domains.prove(claim)));
  t.strictSame(
    proved.filter(({ status }) => status === 'rejected'),
    [],
  );
  const served = await sql`select from domains where host = 'qr.race.example' and verified_at is not null`;
  t.equal(served.length, 1);
  const [holder] = (await Promise.all(claims.map(now))).filter(({ verifiedAt }) => verifiedAt !== null);
  const other = claims.find(({ id }) => id !== holder!.id)!;
  t.match(await domains.prove(other), { ok: false, fault: { kind: 'held' } }, 'its proof is still there');
  proofs.delete(`${holder!.host} ${holder!.token}`);
  t.match(await domains.prove(other), { ok: true });
  t.match(await now(holder!), { verifiedAt: null, lapsedAt: Date });
  t.equal((await now(other)).verifiedAt instanceof Date, true);
});

t.test('what is deleted while its proof is looked for stays deleted', async (t) => {
  const { sql, domains, proofs, account, register } = await build(t);
  const accountId = await account();
  const domain = await register(accountId, 'qr.gone.example');
  proofs.add(`${domain.host} ${domain.token}`);
  await sql.begin((tx) => domains.remove(tx, accountId, domain.host));
  t.match(await domains.prove(domain), { ok: false, fault: { kind: 'missing' } });
  const again = await register(accountId, domain.host);
  t.not(again.token, domain.token, 'an old proof proves nothing');
  t.match(await domains.prove(domain), { ok: false, fault: { kind: 'missing' } });
});

t.test('ten thousand domains take little memory, and are found without the database', async (t) => {
  const { database, sql, account } = await build(t);
  const accountId = await account();
  await sql`
    insert into domains (account_id, host, token, verified_at)
    select ${accountId}, 'd' || n || '.many.example', repeat('a', 32), now() from generate_series(1, 10000) as n`;
  const before = process.memoryUsage().heapUsed;
  const directory = await openDirectory(database, LOG);
  t.teardown(directory.close);
  t.ok(process.memoryUsage().heapUsed - before < 50_000_000);
  t.ok(directory.size() >= 10_000);
  for (const n of [1, 5000, 10_000]) t.match(directory.find(`d${n}.many.example`), { accountId });
  t.equal(directory.find('d10001.many.example'), undefined);
});
