/** Resolver items in a real browser. */
import t from 'tap';
import { until } from '../../../servers/until.ts';
import { downloaded, go, inspect, startDashboard, tabTo } from '../support.ts';

const dashboard = await startDashboard(t);
const key = await dashboard.account();

const answerOf = async (path: string, language = 'en') => {
  const headers = { 'accept-language': language };
  const { status, headers: own } = await fetch(`${dashboard.url}${path}`, { headers, redirect: 'manual' });
  return { status, location: own.get('location') };
};
const leadsTo = (path: string, location: string, language?: string): Promise<unknown> =>
  until(async () => (await answerOf(path, language)).location === location);

const PATH = '/01/09521321000018';

t.test('an item is created by keyboard, gets links, is scanned, and gets old links back', async (t) => {
  const page = await dashboard.open(t, key);
  await go(page, 'links');
  await page.getByRole('link', { name: 'Resolver' }).click();
  await page.getByText('No items yet.').waitFor();
  await inspect(t, page, 'resolver-none');
  await tabTo(page, page.getByRole('button', { name: 'New item' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByLabel('Numbers'));
  await page.keyboard.type('(01)09521321000019');
  await tabTo(page, dialog.getByLabel('Leads to'));
  await page.keyboard.type('https://example.com/juice');
  await tabTo(page, dialog.getByLabel('Title'));
  await page.keyboard.type('Apple juice');
  await page.keyboard.press('Enter');
  await dialog.getByText('the check digit must be 8, not 9').waitFor();
  await inspect(t, page, 'resolver-new');
  await dialog.getByLabel('Numbers').fill('(01)09521321000018');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '(01)09521321000018', level: 1 }).waitFor();
  await leadsTo(PATH, 'https://example.com/juice');

  await page.getByRole('button', { name: 'Add a link' }).click();
  await dialog.getByLabel('Leads to').fill('https://example.com/saft');
  await dialog.getByLabel('Title').fill('Apfelsaft');
  await dialog.getByText('Only for some visitors').click();
  await dialog.getByLabel('Languages').fill('de');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('de', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Make default “Apfelsaft”' }).click();
  await page.getByRole('button', { name: 'Make default “Apple juice”' }).waitFor();
  await leadsTo(PATH, 'https://example.com/saft');
  await page.getByRole('button', { name: 'Remove “Apple juice”' }).click();
  await page.getByRole('link', { name: 'https://example.com/juice' }).waitFor({ state: 'detached' });

  await page.getByText('History').click();
  await page.getByRole('button', { name: 'Use it again' }).last().click();
  await leadsTo(PATH, 'https://example.com/juice');
  await until(async () => {
    await page.getByRole('button', { name: 'Refresh' }).last().click();
    return (await page.getByText('No scans in this period.').count()) === 0;
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await inspect(t, page, 'resolver-item');
});

t.test('a link type of somebody else is an address, and what is wrong is said at its field', async (t) => {
  const links = [{ rel: 'gs1:pip', href: 'https://example.com/a', title: 'About it' }];
  const made = await dashboard.api(key, 'POST', '/api/v1/resolver/items', { key: '9521321000315', links });
  const page = await dashboard.open(t, key);
  await go(page, `links/resolver/${made.id}`);
  await page.getByText('Product information page').first().waitFor();
  await page.getByRole('button', { name: 'Add a link' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What it is about').selectOption('');
  const type = dialog.getByLabel('Address of the link type');
  await type.fill('gs1:pop');
  await dialog.getByLabel('Leads to').fill('https://example.com/review');
  await dialog.getByLabel('Title').fill('Reviews');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/^must be a link type .* did you mean gs1:pip\?$/).waitFor();
  t.equal(await dialog.getByText('links.1.rel').count(), 0);
  await inspect(t, page, 'resolver-link-type');
  await type.fill('https://schema.org/review');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { links: saved } = await dashboard.api(key, 'GET', `/api/v1/resolver/items/${made.id}`);
  t.match(saved, [{ rel: 'gs1:pip' }, { rel: 'https://schema.org/review' }]);
});

t.test('many items are changed at once, and the change is undone', async (t) => {
  const links = [{ rel: 'gs1:pip', href: 'https://example.com/a', title: 'About it' }];
  for (const lot of ['', '(10)A', '(10)B'])
    await dashboard.api(key, 'POST', '/api/v1/resolver/items', { key: `(01)09521321000117${lot}`, links });
  const page = await dashboard.open(t, key, { width: 'phone', colorScheme: 'dark' });
  await go(page, 'links/resolver');
  await page.getByLabel('Find by GTIN').fill('9521321000117');
  await page.getByRole('button', { name: 'Change all of these' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What it is about').selectOption({ label: 'Recall status' });
  await dialog.getByLabel('Leads to').fill('https://example.com/recall');
  await dialog.getByLabel('Title').fill('Recall');
  await inspect(t, page, 'resolver-many');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('3 items changed').waitFor();
  await leadsTo(
    '/01/09521321000117/10/A?linkType=gs1:recallStatus',
    'https://example.com/recall?linkType=gs1:recallStatus',
  );
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  await inspect(t, page, 'resolver-list');
});

t.test('a file is checked before it is imported, and an export has all links', async (t) => {
  const page = await dashboard.open(t, key);
  await go(page, 'links/resolver');
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog');
  const bring = (lines: readonly string[]) =>
    page
      .getByLabel('Choose a file')
      .setInputFiles({ name: 'items.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
  const header = 'gtin,rel,href,title';
  await bring([header, '09521321000223,gs1:pip,nowhere,x', '9521321000230,gs1:pop,https://a.example/,y']);
  await dialog.getByText('row 2, href').waitFor();
  await dialog.getByText('row 3, rel').waitFor();
  t.ok(await dialog.getByRole('button', { name: 'Import' }).isDisabled());
  await inspect(t, page, 'resolver-import');
  await bring([header, '09521321000223,gs1:pip,https://example.com/water,Water']);
  await dialog.getByText('1 new item').waitFor();
  t.equal((await answerOf('/01/09521321000223')).status, 404, 'nothing has changed yet');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await page.getByText('Imported:').waitFor();
  await page.getByRole('link', { name: '(01)09521321000223' }).waitFor();
  const { bytes } = await downloaded(page, () => page.getByRole('link', { name: 'Export' }).click());
  t.match(bytes.toString(), 'https://example.com/water');

  await page.getByRole('link', { name: '(01)09521321000223' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete the item' }).click();
  await page.getByRole('heading', { name: 'Resolver', level: 1 }).waitFor();
  await until(async () => (await answerOf('/01/09521321000223')).status === 404);
});

t.test('without a resolver the page says how to switch it on', async (t) => {
  const page = await dashboard.open(t, key);
  await page.route('**/dashboard/session', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), resolver_url: null } });
  });
  await go(page, 'links/resolver');
  await page.getByText('RESOLVER=on').waitFor();
  t.equal(await page.getByRole('button', { name: 'New item' }).count(), 0);
  await inspect(t, page, 'resolver-off');
});
