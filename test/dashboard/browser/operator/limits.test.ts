/** Accounts near the end of their units, as the operator sees them in a real browser. */
import t from 'tap';
import { until } from '../../../servers/until.ts';
import { ADMIN_TOKEN, downloaded, inspect, signInOperator, startDashboard } from '../support.ts';

const dashboard = await startDashboard(t);

t.test("an account's quota is raised that is nearest to its limit", async (t) => {
  const admin = (path: string) => dashboard.api(ADMIN_TOKEN, 'GET', `/admin/v1/accounts${path}`);
  for (const [name, quota, used] of [
    ['Idle', 10, 0],
    ['Half', 10, 5],
    ['Nearly out', 5, 4],
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
  await page.getByText('80 % used').or(page.getByText('80% used')).waitFor();
  const names = () => page.locator('tbody a').allInnerTexts();
  await until(async () => (await names()).join() === 'Nearly out,Half');
  await inspect(t, page, 'operator-near-limit');
  await page.getByRole('link', { name: 'Nearly out' }).click();
  await page.getByLabel('Units a month').fill('100');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('4 of 100 units').waitFor();
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
