/** The list of codes: its filters, its columns and its length; and the quality of a code, and its repair. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../../../servers/until.ts';
import { openFor } from '../../../support/database/database.ts';
import { fillRows } from '../../../support/database/fill.ts';
import { decodePng } from '../../../support/pictures/decode.ts';
import { go, inspect, startDashboard } from '../support.ts';

const dashboard = await startDashboard(t);
const { api } = dashboard;

/** Discs in the corners, which few readers find: grade 0. */
const BAD = { cornersDotOptions: { type: 'dots' } };
const listed = (page: Page): Promise<string[]> => page.locator('.code-name a').allInnerTexts();

t.test('codes are listed by grade and kind, counted, and found again after a reload and Back', async (t) => {
  const key = await dashboard.account();
  const save = (name: string, more: object) =>
    api(key, 'POST', '/api/v1/codes', { data: 'x', name, ...more });
  await save('Good', {});
  await save('Bad', BAD);
  await save('Bad link', { ...BAD, data: 'https://example.com/', dynamic: true });
  const page = await dashboard.open(t, key);
  await go(page, 'codes');
  await page.getByText('3 codes', { exact: true }).waitFor();
  t.equal(
    await page.getByRole('row', { name: 'Bad link' }).getByText('Grade 0: Few readers scan it').count(),
    1,
  );

  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Grade').selectOption('Grade 2 or lower');
  await page.getByText('2 codes', { exact: true }).waitFor();
  await inspect(t, page, 'codes-filtered');
  const names = async (query: string) =>
    (await api(key, 'GET', `/api/v1/codes?${query}`)).data.map(({ name }) => name);
  t.strictSame(await listed(page), await names('max_grade=2'));
  await page.getByLabel('Kind').selectOption('Dynamic');
  await page.getByText('1 code', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Bad', exact: true }).waitFor({ state: 'detached' });
  t.strictSame(await listed(page), await names('max_grade=2&dynamic=true'));
  await page.reload();
  await page.getByText('1 code', { exact: true }).waitFor();
  t.strictSame(await listed(page), ['Bad link']);
  await page.goBack();
  await page.getByText('2 codes', { exact: true }).waitFor();
  await page.getByLabel('Made from').fill('2100-01-01');
  await page.getByText('No code has all of that.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('3 codes', { exact: true }).waitFor();
});

t.test('the columns that a person chooses are there again, and the view too', async (t) => {
  const key = await dashboard.account();
  await api(key, 'POST', '/api/v1/codes', { data: 'x', name: 'One', external_id: 'shelf-7' });
  const page = await dashboard.open(t, key);
  await go(page, 'codes');
  await page.getByRole('link', { name: 'One' }).waitFor();
  t.equal(await page.getByText('shelf-7').count(), 0);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog').getByLabel('Your id').check();
  await page.getByRole('dialog').getByLabel('Scans').uncheck();
  await inspect(t, page, 'codes-columns');
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByText('shelf-7').waitFor();
  t.equal(await page.getByRole('columnheader', { name: 'Scans' }).count(), 0);
  await page.getByRole('columnheader', { name: 'Made' }).getByRole('button').click();
  await page.locator('th[aria-sort=ascending]').waitFor();
  t.match(page.url(), /sort=oldest/);
  await page.getByRole('button', { name: 'Tiles' }).click();
  await page.locator('.tile').waitFor();
  await go(page, 'codes');
  await page.locator('.tile').waitFor();
});

t.test('a code page says why the grade is low, and takes the repair over', async (t) => {
  const key = await dashboard.account();
  const { id } = await api(key, 'POST', '/api/v1/codes', { data: 'Seat 12', name: 'Seat', ...BAD });
  const grade = async () => (await api(key, 'GET', `/api/v1/codes/${id}`)).grade;
  t.equal(await grade(), 0);
  const page = await dashboard.open(t, key);
  await page.goto(`/dashboard/codes/${id}`);
  await page.getByText('Grade 0: Few readers scan it').waitFor();
  await page.getByText('in a colour as dark as the dots').waitFor();
  await inspect(t, page, 'code-grade');
  await page.getByRole('button', { name: 'Repair to grade 4' }).click();
  const dialog = page.getByRole('dialog', { name: 'Repair this code' });
  const repaired = dialog.getByAltText('Repaired');
  await repaired.waitFor();
  t.equal(await decodePng(await repaired.screenshot()), 'Seat 12');
  await inspect(t, page, 'code-repair');
  await dialog.getByRole('button', { name: 'Use the repaired design' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Grade 4: Scans well').waitFor();
  t.equal(await grade(), 4);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Grade 0: Few readers scan it').waitFor();
  t.equal(await grade(), 0);
});

/** Runs in the page: keeps how long its long tasks take. */
const WATCH = `window.longMs = [];
  new PerformanceObserver((list) => longMs.push(...list.getEntries().map(({ duration }) => Math.round(duration))))
    .observe({ type: 'longtask', buffered: true });`;
/** `CODES=100000` fills the list of an account of that size: the comment says how long its tasks take. */
const MANY = Number(process.env.CODES ?? 5000);
/** Pages that are near the window at a time, and their codes. */
const RENDERED_MAX = 5 * 24;

t.test('of a long list only what is near the window is rendered, wherever one scrolls', async (t) => {
  const key = await dashboard.account();
  const { sql } = await openFor(t, { url: dashboard.databaseUrl, dataDir: '' });
  const [{ id: accountId }] = await sql<[{ id: string }]>`
    select account_id as id from api_keys order by created_at desc limit 1`;
  await fillRows(sql, [{ accountId, codes: MANY }], { accounts: 1, codes: MANY + 1 });
  const page = await dashboard.open(t, key);
  await page.addInitScript(WATCH);
  await go(page, 'codes');
  await page.getByText(`${MANY.toLocaleString('en')} codes`).waitFor();
  const rows = page.locator('.codes tbody tr[aria-rowindex]');
  const last = async (): Promise<number> => Number(await rows.last().getAttribute('aria-rowindex'));
  let most = 0;
  for (let at = await last(); at < 1500; at = await last()) {
    await page.mouse.wheel(0, 1500);
    most = Math.max(most, await rows.count());
  }
  t.ok(most <= RENDERED_MAX, `${most} rows at a time`);
  t.comment(`long tasks: ${await page.evaluate('longMs.join(", ")')} ms`);
  t.equal(await page.locator('table.codes').getAttribute('aria-rowcount'), `${MANY + 1}`);

  const place = await last();
  await page.mouse.wheel(0, -1_000_000);
  await until(async () => (await rows.first().getAttribute('aria-rowindex')) === '2');
  await page.mouse.wheel(0, 1_000_000);
  await until(async () => (await last()) >= place);
  t.ok((await rows.count()) <= RENDERED_MAX);
});
