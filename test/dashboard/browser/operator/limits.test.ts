/** Accounts near the end of their units, as the operator sees them in a real browser. */
import t from 'tap';
import { until } from '../../../servers/until.ts';
import { ADMIN_TOKEN, downloaded, inspect, signInOperator, startDashboard } from '../support.ts';

const dashboard = await startDashboard(t);

t.test('without accounts there is nothing to search or to download', async (t) => {
  const { page, faults, leave } = await dashboard.visitor({ width: 'phone' });
  await signInOperator(page);
  await page.getByText('No accounts yet.').waitFor();
  t.equal(await page.getByRole('searchbox').count(), 0);
  t.equal(await page.getByRole('button', { name: 'Download usage' }).count(), 0);
  await page.getByRole('button', { name: 'New account' }).click();
  t.equal(await page.getByRole('dialog').getByLabel('Units a month').getAttribute('placeholder'), '10,000');
  await inspect(t, page, 'operator-first-account');
  t.strictSame(faults(), []);
  await leave();
});

t.test("an account's quota is raised that is nearest to its limit", async (t) => {
  const admin = (path: string) => dashboard.api(ADMIN_TOKEN, 'GET', `/admin/v1/accounts${path}`);
  for (const [name, quota, used] of [
    ['Idle', 10, 0],
    ['Half', 10, 5],
    ['Nearly out', 6, 5],
  ] as const) {
    const key = await dashboard.account(undefined, 'pro', { name, monthly_quota: quota });
    for (let n = 0; n < used; n += 1) await dashboard.api(key, 'POST', '/api/v1/codes', { data: `${n}` });
  }
  await until(async () => (await admin('?sort=share')).data[0]?.name === 'Nearly out', {
    deadlineMs: 150_000,
    pauseMs: 1000,
  });
  const { page, faults, leave } = await dashboard.visitor();
  await signInOperator(page);
  await page.getByLabel('Order').selectOption({ label: 'Nearest to the limit' });
  await page.getByText('1 unit left').waitFor();
  const names = () => page.locator('tbody a').allInnerTexts();
  await until(async () => (await names()).join() === 'Nearly out,Half');
  await inspect(t, page, 'operator-near-limit');
  await page.getByRole('link', { name: 'Nearly out' }).click();
  await page.getByText('1 unit left').waitFor();
  const quota = page.getByLabel('Units a month');
  const placeholder = () => quota.getAttribute('placeholder');
  t.equal(await placeholder(), '10,000', 'that of the plan');
  await page.getByLabel('Plan', { exact: true }).selectOption('free');
  t.equal(await placeholder(), '100');
  await page.getByLabel('Plan', { exact: true }).selectOption('pro');
  await page.getByLabel('Units a month').fill('100');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('5 of 100 units').waitFor();
  t.equal(await page.getByText('95 units left').count(), 0);
  t.match((await admin('?search=Nearly')).data, [{ monthly_quota: 100, has_own_quota: true }]);
  t.match((await admin('?sort=share')).data, [{ name: 'Half' }, { name: 'Nearly out' }], 'at once');

  await page.getByLabel('Time').selectOption({ label: 'Last 12 months' });
  await page.getByText('Days and months are in UTC').waitFor();
  await inspect(t, page, 'operator-usage-by-month');
  await page.goBack();
  await until(async () => (await page.getByLabel('Order').inputValue()) === 'share');
  await page.getByRole('button', { name: 'Download usage' }).click();
  const file = await downloaded(page, () => page.getByRole('menuitem').first().click());
  t.match(file.bytes.toString(), /Nearly out,pro/);
  t.strictSame(faults(), []);
  await leave();
});
