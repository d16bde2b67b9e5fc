/** What a person has chosen on a list is in its address: Back, a reload and a shared link show the same. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../../../servers/until.ts';
import { go, signInOperator, startDashboard } from '../support.ts';

const CODES = 100;
const FOLDERS = 15;

const addressOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};

const scrolledPx = (page: Page): Promise<number> => page.evaluate('Math.round(scrollY)');

t.test('lists', async (t) => {
  const dashboard = await startDashboard(t);
  const { api } = dashboard;
  const key = await dashboard.account();
  const items = Array.from({ length: CODES }, (_, i) => ({ data: `Table ${String(i).padStart(2, '0')}` }));
  const made = await api(key, 'POST', '/api/v1/qr/bulk', { folderName: 'Tables', items });
  const { data: found } = await api(key, 'GET', '/api/v1/codes?search=Table+42');
  await api(key, 'PATCH', `/api/v1/codes/${found[0]!.id}`, { tags: ['window'] });
  const folder = `folders/${made.meta.folder_id}`;
  for (let i = 0; i < FOLDERS; i += 1) await api(key, 'POST', '/api/v1/folders', { name: `Menu ${i}` });
  for (const gtin of ['09521321000018', '04012345678901'])
    await api(key, 'POST', '/api/v1/resolver/items', {
      key: `(01)${gtin}`,
      links: [{ rel: 'gs1:pip', href: 'https://example.com/juice', title: 'Juice' }],
    });

  /** Each list: its path, how a person chooses something, the address then, what is shown and what leads elsewhere. */
  const lists: readonly {
    readonly path: string;
    readonly choose: (page: Page) => Promise<unknown>;
    readonly address: string;
    readonly shown: string;
    readonly isOperators?: true;
  }[] = [
    {
      path: 'codes',
      choose: async (page) => {
        await page.getByLabel('Sort by').selectOption('name');
        await page.getByLabel('Search codes').fill('Table 4');
      },
      address: 'codes?sort=name&search=Table+4',
      shown: 'Table 41',
    },
    {
      path: folder,
      choose: (page) => page.getByLabel('Search in this folder').fill('Table 7'),
      address: `${folder}?search=Table+7`,
      shown: 'Table 71',
    },
    {
      path: 'folders',
      choose: (page) => page.getByLabel('Search folders').fill('Menu 1'),
      address: 'folders?search=Menu+1',
      shown: 'Menu 12',
    },
    {
      path: 'links/resolver',
      choose: (page) => page.getByLabel('Find by GTIN or another number').fill('0952'),
      address: 'links/resolver?key=0952',
      shown: '09521321000018',
    },
    {
      path: 'operator',
      choose: (page) => page.getByLabel('Search by name or id').fill('Café'),
      address: 'operator?search=Caf%C3%A9',
      shown: 'Café Aurora',
      isOperators: true,
    },
  ];

  for (const { path, choose, address, shown, isOperators } of lists) {
    t.test(`${path}: what is chosen is in the address, after Back and a reload, too`, async (t) => {
      const { page, leave } = isOperators ? await dashboard.visitor() : await dashboard.signedIn(key);
      if (isOperators) await signInOperator(page);
      else await go(page, path);
      await choose(page);
      await page.waitForURL(`**/dashboard/${address}`);
      const first = page.getByRole('link', { name: shown }).first();
      const isThere = async (said: string) => {
        await first.waitFor();
        t.equal(addressOf(page), `/dashboard/${address}`, said);
      };
      await isThere('chosen');
      await first.click();
      await page.waitForURL((url) => !`${url}`.endsWith(address));
      await page.goBack();
      await isThere('after Back');
      await page.reload();
      await isThere('after a reload');
      await page.goto(`/dashboard/${address}`);
      await isThere('from a link');
      await leave();
    });
  }

  t.test('Back undoes one choice after the other, and typing counts as one', async (t) => {
    const page = await dashboard.open(t, key);
    await go(page, 'codes');
    await page.getByLabel('Search codes').pressSequentially('Table 4', { delay: 60 });
    await page.waitForURL('**/codes?search=Table+4');
    await page.getByRole('button', { name: 'Only codes with the tag window' }).first().click();
    await page.waitForURL('**/codes?search=Table+4&tag=window');
    await page.getByLabel('Sort by').selectOption('oldest');
    await page.waitForURL('**/codes?search=Table+4&tag=window&sort=oldest');
    await page.goBack();
    t.equal(await page.getByLabel('Sort by').inputValue(), 'newest');
    t.equal(await page.getByRole('combobox', { name: 'Tag' }).inputValue(), 'window');
    await page.goBack();
    t.equal(await page.getByRole('combobox', { name: 'Tag' }).inputValue(), '');
    t.equal(await page.getByLabel('Search codes').inputValue(), 'Table 4');
    await page.goBack();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  });

  t.test('an address with an order that there is not shows the usual one', async (t) => {
    const page = await dashboard.open(t, key);
    await go(page, 'codes?sort=beauty&view=cubes');
    await page.getByRole('link', { name: 'Table 99' }).first().waitFor();
    t.equal(await page.getByLabel('Sort by').inputValue(), 'newest');
  });

  t.test('Back and a reload lead to the place in a long list where a person was', async (t) => {
    const page = await dashboard.open(t, key);
    await go(page, 'codes?sort=name');
    // Codes without a name are listed newest first.
    const last = page.getByRole('link', { name: 'Table 20' });
    while ((await last.count()) === 0) await page.mouse.wheel(0, 500);
    await last.scrollIntoViewIfNeeded();
    const placePx = await scrolledPx(page);
    t.ok(placePx > 500);
    const isBack = async (said: string) => {
      await last.waitFor();
      // A click may scroll by some pixels before it leaves.
      await until(async () => Math.abs((await scrolledPx(page)) - placePx) < 50);
      t.ok(await last.isVisible(), said);
    };
    await last.click();
    await page.getByRole('heading', { level: 1, name: 'Code', exact: true }).waitFor();
    t.equal(await scrolledPx(page), 0, 'another screen begins at its top');
    await page.goBack();
    await isBack('after Back');
    await page.reload();
    await isBack('after a reload');
  });
});
