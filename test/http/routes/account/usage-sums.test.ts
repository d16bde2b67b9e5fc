/** The usage record agrees with the balance to the unit, with each ledger. */
import t from 'tap';
import { startRedis } from '../../../servers/redis.ts';
import { until } from '../../../servers/until.ts';
import { ADMIN_TOKEN, startApp } from '../../../support/app/app.ts';
import { usageRows } from '../../../support/app/usage.ts';
import { realDatabaseUrl } from '../../../support/database/database.ts';

const MONTHLY = 20;
const CREDITS = 50;

const LEDGERS = {
  SQL: async () => ({}),
  Redis: async () => ({ REDIS_URL: (await startRedis(t)).url, SHUTDOWN_GRACE_MS: '0' }),
};

for (const [ledger, open] of Object.entries(LEDGERS)) {
  t.test(`recorded usage agrees with the balance, with the ledger in ${ledger}`, async (t) => {
    const gateway = await startApp(t, { DATABASE_URL: await realDatabaseUrl(), ...(await open()) });
    const { call, account, admin } = gateway;
    const { id, key, keyId } = await account({ monthlyQuota: MONTHLY, credits: CREDITS });
    const made = await call({ method: 'POST', url: '/api/v1/keys', key, body: { name: 'second' } });
    const second: { id: string; key: string } = made.json;

    const single = (key: string, data = 'x') =>
      call({ method: 'POST', url: '/api/v1/qr', key, body: { data } });
    const bulk = (key: string, contents: readonly string[]) =>
      call({
        method: 'POST',
        url: '/api/v1/qr/bulk',
        key,
        body: { items: contents.map((data) => ({ data })) },
      });
    const image = (key: string, content: string) =>
      call({ url: `/api/v1/render?key=${key}&content=${content}` });

    await Promise.all([
      ...Array.from({ length: 7 }, () => single(key)),
      ...Array.from({ length: 3 }, () => single(second.key)),
      image(key, 'a'),
      image(key, 'a'),
      image(second.key, 'b'),
    ]);
    // The month's units run out in the first of these; two of its items get theirs back.
    const items = ['1', '', '3', '4', '5', '6', '7', '8', '', '10', '11', '12'];
    t.match((await bulk(key, items)).json.meta, { successful: 10 });
    t.match((await bulk(second.key, ['1', '', '3'])).json.meta, { successful: 2 });
    t.equal(
      (
        await bulk(
          key,
          Array.from({ length: 100 }, () => 'x'),
        )
      ).status,
      429,
      'a refused call is not usage',
    );
    const units = 10 + 3 + 10 + 2;

    const history = async (query: string) =>
      (await call({ url: `/api/v1/usage/history?interval=month${query}`, key })).json;
    // Redis is drained to Postgres four times a second. If that never happens, the assertions below fail.
    const isComplete = async () => {
      const { total } = await history('');
      return total.units === units && total.refunded === 3;
    };
    await until(isComplete).catch(() => {});

    const { json: balance } = await call({ url: '/api/v1/usage', key });
    const { total } = await history('');
    t.equal(balance.usage_count, units);
    t.strictSame(
      [total.units, total.monthly, total.credits, CREDITS - total.credits + total.refunded_late],
      [
        balance.usage_count,
        balance.monthly_used,
        balance.usage_count - balance.monthly_used,
        balance.credits,
      ],
    );
    t.equal(total.refunded, 3);

    const byKind = usageRows(await history('&group=kind'));
    t.strictSame(Object.fromEntries(byKind.map(({ kind, calls, units }) => [kind, [calls, units]])), {
      single: [10, 10],
      image: [3, 3],
      bulk: [2, 12],
    });
    const byKey = usageRows(await history('&group=key'));
    t.strictSame(Object.fromEntries(byKey.map(({ key, calls, units }) => [key.id, [calls, units]])), {
      [keyId]: [7 + 2 + 1, 7 + 2 + 10],
      [second.id]: [3 + 1 + 1, 3 + 1 + 2],
    });
    const report = await call({ url: '/admin/v1/usage', key: ADMIN_TOKEN });
    t.match(report.text, new RegExp(`^${id},test,pro,[^,]+,15,${units},`, 'm'));
    t.strictSame((await admin('GET', `/accounts/${id}/usage?interval=month`)).json.total, total);
  });
}
