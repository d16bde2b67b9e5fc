/** The order of the operator's list of accounts. */
import t from 'tap';
import { refreshStandings } from '../../../../src/db/tables/accounts/standings.ts';
import { startApp } from '../../../support/app/app.ts';
import { clientOf } from '../../../support/app/client.ts';
import { openFor, realDatabaseUrl } from '../../../support/database/database.ts';

t.test('the list of accounts', async (t) => {
  const url = await realDatabaseUrl();
  const gateway = await startApp(t, { DATABASE_URL: url });
  const { admin } = gateway;
  const { sql } = await openFor(t, { url, dataDir: '' });
  const PLAN_MONTHLY = { free: 100, pro: 1000 };

  const refresh = () => sql.begin((tx) => refreshStandings(tx, PLAN_MONTHLY));

  const made = new Map<string, string>();
  const make = async (name: string, quota: number, used: number, credits = 0): Promise<void> => {
    const { json } = await admin('POST', '/accounts', { name, plan: 'pro', monthly_quota: quota, credits });
    made.set(name, json.id);
    const { key } = (await admin('POST', `/accounts/${json.id}/keys`, { name: 'key' })).json;
    for (let n = 0; n < used; n += 1)
      t.equal((await clientOf(gateway, key).post('/qr', { data: `${n}` })).status, 200);
  };

  const namesBy = async (sort: string, limit = 100): Promise<readonly string[]> => {
    const names: string[] = [];
    for (let cursor = ''; ; ) {
      const { json, status } = await admin('GET', `/accounts?sort=${sort}&limit=${limit}${cursor}`);
      t.equal(status, 200);
      names.push(...json.data.map(({ name }) => name as string));
      if (json.next_cursor === null) return names;
      cursor = `&cursor=${json.next_cursor}`;
    }
  };

  await make('beta', 10, 5);
  await make('Alpha', 10, 0);
  await make('gamma', 4, 3);
  await make('delta', 6, 6);
  await make('Epsilon', 1, 1, 99);
  await refresh();

  t.test('accounts are ordered by age, name, units used, or what is left of their units', async (t) => {
    for (const limit of [1, 2, 100]) {
      t.strictSame(await namesBy('created', limit), ['beta', 'Alpha', 'gamma', 'delta', 'Epsilon']);
      t.strictSame(await namesBy('newest', limit), ['Epsilon', 'delta', 'gamma', 'Alpha', 'beta']);
      t.strictSame(await namesBy('name', limit), ['Alpha', 'beta', 'delta', 'Epsilon', 'gamma']);
      t.strictSame(
        await namesBy('used', limit),
        ['delta', 'beta', 'gamma', 'Epsilon'],
        'only those that used some',
      );
      t.strictSame(
        await namesBy('share', limit),
        ['delta', 'gamma', 'beta', 'Epsilon'],
        'credits are left, too',
      );
    }
  });

  t.test('a higher quota and more credits change the order at once', async (t) => {
    await admin('PATCH', `/accounts/${made.get('delta')}`, { monthly_quota: 500 });
    t.strictSame(await namesBy('share'), ['gamma', 'beta', 'delta', 'Epsilon']);
    await admin('POST', `/accounts/${made.get('gamma')}/credits`, { amount: 1000 });
    t.strictSame(await namesBy('share'), ['beta', 'delta', 'Epsilon', 'gamma']);
  });

  t.test('usage since the last look is counted, and that of a past month is left out', async (t) => {
    const { key } = (await admin('POST', `/accounts/${made.get('Alpha')}/keys`, { name: 'key' })).json;
    for (let n = 0; n < 9; n += 1) await clientOf(gateway, key).post('/qr', { data: `${n}` });
    await refresh();
    t.equal((await namesBy('share'))[0], 'Alpha');
    await sql`update account_standings set period = period - interval '1 month' where account_id = ${made.get('Alpha')!}`;
    t.notOk((await namesBy('share')).includes('Alpha'));
  });

  t.test('while one gateway looks, another one does not', async () => {
    await sql.begin(async (tx) => {
      await tx`select from account_standings_until for update`;
      await refresh();
    });
  });

  t.test('an order cannot be combined with a search, nor be one that is not known', async (t) => {
    t.match(await admin('GET', '/accounts?sort=share&search=a'), {
      status: 400,
      json: { details: 'sort: must be left out with search' },
    });
    t.equal((await admin('GET', '/accounts?sort=credits')).status, 400);
  });
});
