/** The usage record agrees with the balance to the unit, with each ledger. */
import t from 'tap';
import { startRedis } from '../../../servers/redis.ts';
import { until } from '../../../servers/until.ts';
import { ADMIN_TOKEN, startApp } from '../../../support/app/app.ts';
import { clientOf, newClient } from '../../../support/app/client.ts';
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
    const { admin, call } = gateway;
    const first = await newClient(gateway, { monthlyQuota: MONTHLY, credits: CREDITS });
    const { id, keyId, get } = first;
    const { json: made } = await first.post('/keys', { name: 'second' });
    const second = clientOf(gateway, made.key);
    type By = Pick<typeof first, 'post' | 'render'>;
    const single = ({ post }: By) => post('/qr', { data: 'x' });
    const bulk = ({ post }: By, contents: readonly string[]) =>
      post('/qr/bulk', { items: contents.map((data) => ({ data })) });
    const image = ({ render }: By, content: string) => render({ content });

    await Promise.all([
      ...Array.from({ length: 7 }, () => single(first)),
      ...Array.from({ length: 3 }, () => single(second)),
      image(first, 'a'),
      image(first, 'a'),
      image(second, 'b'),
    ]);
    // The month's units run out in the first of these; two of its items get theirs back.
    const items = ['1', '', '3', '4', '5', '6', '7', '8', '', '10', '11', '12'];
    t.match((await bulk(first, items)).json.meta, { successful: 10 });
    t.match((await bulk(second, ['1', '', '3'])).json.meta, { successful: 2 });
    const refused = await bulk(first, Array<string>(100).fill('x'));
    t.equal(refused.status, 429, 'a refused call is not usage');
    const units = 10 + 3 + 10 + 2;

    const history = async (query: string) => (await get(`/usage/history?interval=month${query}`)).json;
    // Redis is drained to Postgres four times a second. If that never happens, the assertions below fail.
    const isComplete = async () => {
      const { total } = await history('');
      return total.units === units && total.refunded === 3;
    };
    await until(isComplete).catch(() => {});

    const { json: balance } = await get('/usage');
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
      [made.id]: [3 + 1 + 1, 3 + 1 + 2],
    });
    const report = await call({ url: '/admin/v1/usage', key: ADMIN_TOKEN });
    t.match(report.text, new RegExp(`^${id},test,pro,[^,]+,15,${units},`, 'm'));
    t.strictSame((await admin('GET', `/accounts/${id}/usage?interval=month`)).json.total, total);
  });
}
