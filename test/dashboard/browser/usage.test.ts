/** The usage chart on the first screen: by kind and by key, by day and by hour, and its table. */
import t from 'tap';
import { LINES_MAX, linesOf, OTHERS, startsOf } from '../../../src/dashboard/screens/figures.ts';
import { timeMarks } from '../../../src/dashboard/ui/format.ts';

import { insertHours, usedHour } from '../../support/app/usage.ts';
import { openFor } from '../../support/database/database.ts';
import { inspect, startDashboard } from './support.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type History = Parameters<typeof linesOf>[0];
const NONE = {
  ...{ calls: 0, monthly: 0, credits: 0, refunded: 0, refunded_late: 0 },
  ...{ load_test_calls: 0, load_test_units: 0 },
};

const historyOf = (
  interval: string,
  data: readonly (Partial<History['data'][number]> & { readonly from: string; readonly units: number })[],
): History => ({
  from: '2026-11-20T00:00:00.000Z',
  to: '2026-11-23T00:00:00.000Z',
  interval,
  total: { ...NONE, units: 0 },
  before: null,
  data: data.map((row) => ({ ...NONE, ...row })),
});
const keyOf = (index: number) => ({ id: `id-${index}`, name: 'Shop', prefix: `tsr_${index}` });

t.test('a series has a value for each interval, including empty ones', async (t) => {
  const history = historyOf('day', [
    { from: '2026-11-20T00:00:00.000Z', units: 3, kind: 'image' },
    { from: '2026-11-22T00:00:00.000Z', units: 2, kind: 'image' },
    { from: '2026-11-22T00:00:00.000Z', units: 9, kind: 'bulk' },
  ]);
  t.strictSame(
    startsOf(history).map((start) => start.slice(0, 10)),
    ['2026-11-20', '2026-11-21', '2026-11-22'],
  );
  t.strictSame(linesOf(history), [
    { name: 'Bulk calls', values: [0, 0, 9] },
    { name: 'Embedded pictures', values: [3, 0, 2] },
  ]);
  t.equal(startsOf({ ...history, interval: 'hour' }).length, 72);
  t.strictSame(linesOf(historyOf('day', [])), []);
});

t.test('the time axis has short labels, with a year only in January', async (t) => {
  const marksOf = (isoTimes: readonly string[], stepS: number) =>
    timeMarks(
      isoTimes.map((time) => Date.parse(time) / 1000),
      stepS,
      'UTC',
      'en-GB',
    );
  t.strictSame(marksOf(['2026-12-31', '2027-01-01'], DAY_MS / 1000), ['31 Dec', '1 Jan']);
  t.strictSame(marksOf(['2026-11-22T21:00Z', '2026-11-23T00:00Z', '2026-11-23T03:00Z'], 10_800), [
    '21:00',
    '23 Nov',
    '03:00',
  ]);
  t.strictSame(marksOf(['2026-12-01', '2027-01-01', '2027-02-01'], 28 * (DAY_MS / 1000)), [
    'Dec',
    'Jan 2027',
    'Feb',
  ]);
});

t.test('keys of the same name have separate series, and the smallest are combined', async (t) => {
  const from = '2026-11-21T00:00:00.000Z';
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ from, units: index + 1, key: keyOf(index) }));
  t.equal(linesOf(historyOf('day', rows(LINES_MAX))).length, LINES_MAX);
  t.notOk(linesOf(historyOf('day', rows(LINES_MAX))).some(({ name }) => name === OTHERS));
  const lines = linesOf(historyOf('day', rows(9)));
  t.strictSame(
    lines.map(({ name, values }) => [name, values[1]]),
    [
      ['Shop (tsr_8)', 9],
      ['Shop (tsr_7)', 8],
      ['Shop (tsr_6)', 7],
      ['Shop (tsr_5)', 6],
      ['Shop (tsr_4)', 5],
      [OTHERS, 4 + 3 + 2 + 1],
    ],
  );
  const unknown = { id: 'id-x', name: null, prefix: null };
  t.strictSame(linesOf(historyOf('day', [{ from, units: 1, key: unknown }]))[0]?.name, 'id-x');
});

t.test('in a browser', async (t) => {
  const dashboard = await startDashboard(t);
  const { sql } = await openFor(t, { url: dashboard.databaseUrl, dataDir: '' });
  const key = await dashboard.account();
  const second = await dashboard.api(key, 'POST', '/api/v1/keys', { name: '<b>Shop</b>' });
  const { data: keys } = await dashboard.api(key, 'GET', '/api/v1/keys');
  const [row] = await sql<[{ accountId: string }]>`select account_id from api_keys where id = ${second.id}`;
  const { accountId } = row;
  const first: string = keys.find(({ id }) => id !== second.id)!.id;
  const thisHour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  await insertHours(sql, [
    usedHour({ accountId, keyId: first, hour: new Date(thisHour), calls: 5, monthly: 5 }),
    usedHour({ accountId, keyId: second.id, kind: 'image', hour: new Date(thisHour), calls: 7, credits: 7 }),
    ...Array.from({ length: 20 }, (_, day) =>
      usedHour({
        accountId,
        keyId: first,
        kind: 'bulk',
        hour: new Date(thisHour - (day + 2) * DAY_MS),
        calls: 1,
        monthly: 40 + ((day * 7) % 30),
      }),
    ),
    usedHour({ accountId, keyId: first, hour: new Date(thisHour - 40 * DAY_MS), calls: 1, monthly: 1000 }),
  ]);

  for (const width of ['phone', 'desktop'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      t.test(`usage on a ${width}, ${colorScheme}, by kind and by key, by day and by hour`, async (t) => {
        const page = await dashboard.open(t, key, { width, colorScheme });
        const card = page.locator('section', { has: page.getByRole('heading', { name: 'Usage over time' }) });
        const table = card.getByRole('table');
        const names = async () => (await table.locator('th').allTextContents()).slice(1);

        await card.getByRole('columnheader', { name: 'Bulk calls' }).waitFor();
        await card.locator('.uplot canvas').waitFor();
        t.strictSame(await names(), ['Bulk calls', 'Embedded pictures', 'Single codes']);
        t.equal(await table.locator('caption').textContent(), 'Units by day');
        t.equal(await table.locator('tbody tr').count(), 21, 'days without usage are left out');
        t.strictSame((await table.locator('tbody tr').last().locator('td').allTextContents()).slice(1), [
          '0 units',
          '7 units',
          '5 units',
        ]);
        t.match(await card.locator('.legend').textContent(), /Bulk calls.*Embedded pictures/);
        t.match(await card.locator('dl').textContent(), /From credits7Requests32/);
        await inspect(t, page, `usage-by-kind-${width}-${colorScheme}`);

        await card.getByLabel('Show by').selectOption({ label: 'By key' });
        await card.getByRole('columnheader', { name: '<b>Shop</b>' }).waitFor();
        t.match(await names(), [/^For the dashboard \(tsr_\w+\)$/, /^<b>Shop<\/b> \(tsr_\w+\)$/]);
        await card.getByLabel('Time').selectOption({ label: 'Last 24 hours' });
        await card.getByText('Units by hour').waitFor({ state: 'attached' });
        t.equal(await table.locator('tbody tr').count(), 1);
        t.match(await card.locator('dl').textContent(), /Units12/);
        await inspect(t, page, `usage-by-key-${width}-${colorScheme}`);
      });
    }
  }

  t.test('an account without usage sees a message', async (t) => {
    const quiet = await dashboard.account();
    await dashboard.api(quiet, 'POST', '/api/v1/keys', { name: 'Shop' });
    const page = await dashboard.open(t, quiet);
    await page.getByText('No units were used in this period.').waitFor();
  });

  t.test('a new account sees its first steps in place of empty charts, until they are done', async (t) => {
    const fresh = await dashboard.account();
    const page = await dashboard.open(t, fresh, { width: 'phone' });
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByRole('link', { name: 'Design a code' }).waitFor();
    t.equal(await page.getByText('Usage over time').count(), 0);
    await inspect(t, page, 'first-steps');

    const items = [{ data: 'a' }, { data: 'b' }];
    await dashboard.api(fresh, 'POST', '/api/v1/qr/bulk', { folderName: 'Cups', items });
    await page.reload();
    await steps.getByRole('link', { name: 'Create a key' }).waitFor();
    t.equal(await steps.getByRole('link').count(), 1, 'there is a code and a table');
    await page.getByText('Usage over time').waitFor();

    await dashboard.api(fresh, 'POST', '/api/v1/keys', { name: 'Shop' });
    await page.reload();
    await page.getByText('Recent folders').waitFor();
    t.equal(await steps.count(), 0);
  });
});
