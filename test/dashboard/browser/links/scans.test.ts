/** Scans of a campaign in a browser: chosen, compared, saved as a table, and found again by the address. */
import { parse } from 'csv-parse/sync';
import t from 'tap';
import { insertScans } from '../../../../src/db/tables/scans/scans.ts';
import { openFor } from '../../../support/database/database.ts';
import { scanRow } from '../../../support/scan.ts';
import { downloaded, go, inspect, isTooWide, startDashboard } from '../support.ts';

const dashboard = await startDashboard(t);
const { sql } = await openFor(t, { url: dashboard.databaseUrl, dataDir: '' });
const { api } = dashboard;

const SPAN = 'interval=month&time_zone=Europe/Berlin';

/** The first moment of this month and of the two before, in Berlin. */
const monthsOf = async (key: string): Promise<readonly [Date, Date, Date]> => {
  const { series } = await api(key, 'GET', `/api/v1/scans?${SPAN}`);
  const [before, last, current] = series.slice(-3).map(({ start }: { start: string }) => new Date(start));
  return [current!, last!, before!];
};

const makeCodes = async (key: string, folderName: string, count: number) => {
  const items = Array.from({ length: count }, (_, i) => ({
    ...{ data: `https://example.com/${i}`, dynamic: true },
  }));
  const made = await api(key, 'POST', '/api/v1/qr/bulk', { folderName, items });
  return {
    folderId: made.meta.folder_id as string,
    slugs: made.results.map(({ slug }: { slug: string }) => slug) as string[],
  };
};

const minutes = (moment: Date, count: number): Date => new Date(moment.getTime() + count * 60_000);

/** A campaign with scans of last month, of the month before and of other links. */
const campaign = async () => {
  const key = await dashboard.account();
  const { folderId, slugs } = await makeCodes(key, 'Spring posters', 2);
  const other = await makeCodes(key, 'Cups', 1);
  const [current, last, before] = await monthsOf(key);
  const scan = (at: Date, country: string, some: object = {}) =>
    scanRow({ at, country, slug: slugs[0]!, ...some });
  await insertScans(sql, [
    // The month of Berlin, whose ends are in other months of UTC.
    ...[scan(minutes(last, 0), 'DE'), scan(minutes(current, -1), 'DE', { slug: slugs[1]! })],
    ...[scan(minutes(last, 600), 'FR', { referrerHost: 'a.example' }), scan(minutes(last, 601), 'FR')],
    ...[scan(minutes(last, 602), 'FR', { rule: 'app' }), scan(minutes(last, 603), '', { kind: 'bot' })],
    ...[scan(minutes(last, -1), 'CH'), scan(minutes(current, 0), 'AT'), scan(minutes(before, 5), 'CH')],
    scan(minutes(last, 600), 'US', { slug: other.slugs[0]! }),
  ]);
  return { key, folderId, last, current };
};

const localDay = (moment: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short' }).format(moment);

t.test('scans of a campaign by country last month become a table in five steps', async (t) => {
  const { key, folderId, last, current } = await campaign();
  const page = await dashboard.open(t, key);
  await page.getByRole('link', { name: 'Scans', exact: true }).click();
  await page.getByLabel('Folder').fill('Spring posters');
  await page.waitForURL(/folder=/);
  await page.getByLabel('Range').selectOption({ label: 'Last month' });
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  const file = await downloaded(page, () => page.getByRole('menuitem', { name: 'Countries' }).click());

  const [from, end] = [localDay(last), localDay(minutes(current, -1))];
  t.equal(file.name, `scans-by-country-${from}-${end}.csv`);
  const rows: Record<string, string>[] = parse(file.bytes.toString(), { columns: true });
  const days = { from, to: end };
  t.strictSame(rows, [
    { ...days, country: 'FR', people: '3', bots: '0', previews: '0' },
    { ...days, country: 'DE', people: '2', bots: '0', previews: '0' },
    { ...days, country: '', people: '0', bots: '1', previews: '0' },
  ]);
  const query = `from=${from}&to=${localDay(current)}&time_zone=Europe/Berlin&folder_id=${folderId}`;
  const { breakdowns } = await api(key, 'GET', `/api/v1/scans/breakdowns?${query}`);
  t.strictSame(
    rows.map(({ country, people }) => [country || null, Number(people)]),
    breakdowns.country!.map(({ value, people }: { value: string | null; people: number }) => [value, people]),
    'the table says what the API says',
  );

  await page.getByRole('button', { name: 'Download as CSV' }).click();
  const links = await downloaded(page, () => page.getByRole('menuitem', { name: 'Short links' }).click());
  t.match(parse(links.bytes.toString(), { columns: true }), [
    { folder: 'Spring posters', people: '4' },
    { folder: 'Spring posters', people: '1' },
  ]);
});

t.test('what is chosen is in the address, and is compared with the month before', async (t) => {
  const { key } = await campaign();
  const page = await dashboard.open(t, key);
  await go(page, 'scans');
  await page.getByLabel('Folder').fill('Spring posters');
  await page.waitForURL(/folder=/);
  await page.getByLabel('Range').selectOption({ label: 'Last month' });
  await page.getByLabel('Compare with the time before').check();
  const figures = page.locator('dl.figures');
  await figures.getByText('2 before').first().waitFor();
  t.match(await figures.textContent(), /Scans5\+150\s?%, 2 before/);
  await page.getByRole('columnheader', { name: 'People before' }).waitFor();
  await page.getByRole('heading', { name: 'Hours of the week' }).waitFor();
  const names = page.locator('section.stack', { has: page.getByRole('heading', { name: 'Referrers' }) });
  t.match(await names.locator('li').allTextContents(), [/^Direct4/, /^a\.example1/], 'Direct has its place');
  await inspect(t, page, 'scans');

  await page.reload();
  await figures.getByText('2 before').first().waitFor();
  t.equal(await page.getByLabel('Folder').inputValue(), 'Spring posters');
  await page.getByRole('link', { name: 'app', exact: true }).click();
  await page.getByText('Led by the rule app', { exact: true }).waitFor();
  await figures.getByText('0 before').first().waitFor();
  await page.goBack();
  await figures.getByText('2 before').first().waitFor();
  await page.getByLabel('Range').selectOption({ label: 'From a day to a day' });
  await page.getByLabel('From', { exact: true }).fill('2026-01-02');
  await page.getByLabel('Until', { exact: true }).fill('2026-01-01');
  await page.getByText('Must not be later than the last day').waitFor();
});

t.test(
  'a tag is offered, and its scans alone are shown; without links there is nothing to choose',
  async (t) => {
    const { key } = await campaign();
    const { data: links } = await api(key, 'GET', '/api/v1/links?search=example.com/0');
    for (const { code_id: id } of links)
      await api(key, 'PATCH', `/api/v1/codes/${id}`, { tags: ['harbour'] });
    const page = await dashboard.open(t, key);
    await go(page, 'scans?range=last-month');
    await page.locator('datalist option[value="harbour"]').waitFor({ state: 'attached' });
    await inspect(t, page, 'scans-tags');
    await page.getByLabel('Tag').fill('harbour');
    await page.waitForURL(/tag=harbour/);
    await page.getByLabel('Tag').fill('');
    await page.waitForURL((url) => !url.searchParams.has('tag'));

    const other = await dashboard.open(t, await dashboard.account());
    await go(other, 'scans');
    await other.getByText('No scans in this period.').waitFor();
    await other.getByLabel('Tag').waitFor({ state: 'detached' });
    t.equal(await other.getByLabel('Folder').count(), 0);
  },
);

t.test('on a phone, Home begins with its numbers', async (t) => {
  const { key } = await campaign();
  await api(key, 'POST', '/api/v1/keys', { name: 'Shop' });
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await dashboard.open(t, key, { width: 'phone', colorScheme });
    const figures = page.locator('dl.figures').first();
    await figures.getByText('Scans').waitFor();
    const box = await figures.boundingBox();
    t.ok(box!.y + box!.height < 844, `the scans of 30 days end at ${box!.y + box!.height} px`);
    await page.getByRole('link', { name: 'All about scans' }).click();
    await page.getByRole('heading', { name: 'Hours of the week' }).waitFor();
    await inspect(t, page, `scans-phone-${colorScheme}`);
    t.notOk(await isTooWide(page));
  }
});
