/** A GS1 code with a lot, and its item of the resolver, in a real browser. */
import t from 'tap';
import { until } from '../../../servers/until.ts';
import { go, inspect, startDashboard } from '../support.ts';

const dashboard = await startDashboard(t);

t.test(
  'a GS1 code with lot and its item: from a printed GTIN to a code that leads there, and back',
  async (t) => {
    const key = await dashboard.account();
    const page = await dashboard.open(t, key);
    await go(page, 'links/resolver');
    await page.getByRole('button', { name: 'New item' }).click();
    const dialog = page.getByRole('dialog');
    const numbers = dialog.getByLabel('Numbers');
    await numbers.fill('9 521321 000019');
    await dialog.getByText('the check digit must be 8, not 9').waitFor();
    await numbers.fill('9 521321 000018');
    await dialog.getByText('The item is (01)09521321000018.').waitFor();
    t.equal(await dialog.getByLabel('What it is about').inputValue(), 'gs1:pip');
    await dialog.getByLabel('Leads to').fill('https://example.com/juice');
    await dialog.getByLabel('Title').fill('Apple juice');
    await inspect(t, page, 'resolver-new-gtin');
    await dialog.getByRole('button', { name: 'Make the item' }).click();
    await page.getByRole('heading', { name: '(01)09521321000018', level: 1 }).waitFor();
    const [item] = (await dashboard.api(key, 'GET', '/api/v1/resolver/items')).data;
    t.match(item, {
      key: '(01)09521321000018',
      links: [{ rel: 'gs1:pip', href: 'https://example.com/juice' }],
    });

    await page.getByRole('link', { name: 'Make the code' }).click();
    await until(async () => (await page.getByLabel('GTIN').inputValue()) === '09521321000018');
    await page.getByLabel('Batch or lot').fill('L7');
    const content = `${dashboard.url}/01/09521321000018/10/L7`;
    await page.locator('.kind-text').getByText(content, { exact: true }).waitFor();
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await until(async () => save.isEnabled());
    await save.click();
    await page.getByRole('link', { name: 'Open code' }).click();
    const { data } = await dashboard.api(key, 'GET', '/api/v1/codes?limit=1');
    t.match(data, [{ content }]);
    const answer = await fetch(content, { redirect: 'manual' });
    t.match([answer.status, answer.headers.get('location')], [307, 'https://example.com/juice']);

    await page.getByRole('heading', { name: 'Item of the resolver' }).waitFor();
    t.equal(
      await page.getByText('This is a static code.').count(),
      0,
      'which would say that it cannot change',
    );
    await inspect(t, page, 'code-of-item');
    await page.getByRole('link', { name: '(01)09521321000018' }).click();
    await page.getByRole('heading', { name: '(01)09521321000018', level: 1 }).waitFor();
  },
);

t.test(
  'a code without an item begins one with its numbers, and the most specific item is shown',
  async (t) => {
    const key = await dashboard.account();
    const content = `${dashboard.url}/01/09521321000117/10/A/21/S`;
    const { id } = await dashboard.api(key, 'POST', '/api/v1/codes', { data: content });
    const page = await dashboard.open(t, key);
    await go(page, `codes/${id}`);
    await page.getByRole('link', { name: 'Make the item' }).click();
    const dialog = page.getByRole('dialog');
    t.equal(await dialog.getByLabel('Numbers').inputValue(), '(01)09521321000117');
    await dialog.getByLabel('Leads to').fill('https://example.com/water');
    await dialog.getByLabel('Title').fill('Water');
    await dialog.getByRole('button', { name: 'Make the item' }).click();
    await page.getByRole('heading', { name: '(01)09521321000117', level: 1 }).waitFor();
    const links = [{ rel: 'gs1:pip', href: 'https://example.com/lot', title: 'The lot' }];
    for (const lot of ['A', 'B'])
      await dashboard.api(key, 'POST', '/api/v1/resolver/items', {
        key: `(01)09521321000117(10)${lot}`,
        links,
      });
    await go(page, `codes/${id}`);
    await page.getByRole('link', { name: '(01)09521321000117(10)A' }).waitFor();
  },
);
