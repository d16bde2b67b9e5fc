/** Many bulk calls at once, on a gateway with the default configuration. */
import t from 'tap';
import { startApp } from '../../support/app/app.ts';

const CALLS = 50;
const ITEMS = 100;

t.test('one account can send fifty bulk calls of a hundred codes at once', async (t) => {
  const { call, account } = await startApp(t);
  const { key } = await account({ monthlyQuota: 2 * CALLS * ITEMS });
  const bodyOf = (n: number) => ({
    folderName: `folder ${n % 3}`,
    items: Array.from({ length: ITEMS }, (_, item) => ({ data: `https://example.com/${n}/${item}` })),
  });
  const answers = await Promise.all(
    Array.from({ length: CALLS }, (_, n) =>
      call({ method: 'POST', url: '/api/v1/qr/bulk', key, body: bodyOf(n) }),
    ),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  t.strictSame(
    refused.map(({ status, text }) => `${status} ${text.slice(0, 200)}`),
    [],
  );
  const successful = answers.map(({ json }) => json.meta?.successful);
  t.strictSame(successful, new Array(CALLS).fill(ITEMS));
  const usage = await call({ url: '/api/v1/usage', key });
  t.equal(usage.json.usage_count, CALLS * ITEMS, 'and each code is paid for once');
});
