/** The list of short links in a real browser: found, changed in place and undone, changed many at once. */
import t from 'tap';
import { until } from '../../../servers/until.ts';
import { go, hasFocus, inspect, startDashboard, tabTo } from '../support.ts';

const dashboard = await startDashboard(t);

const newLinks = async (wanted: readonly object[]) => {
  const key = await dashboard.account();
  const slugs: string[] = [];
  for (const [i, one] of wanted.entries()) {
    const body = { data: `https://example.com/menu/${i}`, dynamic: true, folder_name: 'Menus', ...one };
    slugs.push((await dashboard.api(key, 'POST', '/api/v1/codes', body)).slug!);
  }
  const leads = async (slug: string) =>
    (await dashboard.api(key, 'GET', `/api/v1/links/${slug}`)).destination;
  return { key, slugs, leads };
};

t.test('a link is found by a part of its destination, changed in its line, and undone', async (t) => {
  const { key, slugs, leads } = await newLinks([
    { data: 'https://example.com/spring/harbour' },
    { name: 'Poster A2', tags: ['print'], external_id: 'asset-7' },
    {},
  ]);
  const page = await dashboard.open(t, key);
  await go(page, 'links');
  await page.getByText('example.com/menu/1').waitFor();
  await inspect(t, page, 'links');
  let clicks = 0;
  const click = async (name: string | RegExp): Promise<void> => {
    clicks += 1;
    await page.getByRole('button', { name }).click();
  };
  clicks += 1;
  await page.getByLabel('Search links').click();
  await page.keyboard.type('HARB');
  await page.getByText('example.com/menu/1').waitFor({ state: 'detached' });
  await click(/^Change the destination of/);
  const field = page.getByLabel(/^Destination of/);
  await field.fill('example.com');
  await page.getByRole('alert').filter({ hasText: 'whole address' }).waitFor();
  await inspect(t, page, 'links-edit');
  await field.fill('https://example.com/autumn/harbour');
  await page.keyboard.press('Enter');
  await page.getByText('The short link leads there now.').waitFor();
  t.equal(await leads(slugs[0]!), 'https://example.com/autumn/harbour');
  await click('Undo');
  await page.getByText('leads where it led before').waitFor();
  t.equal(await leads(slugs[0]!), 'https://example.com/spring/harbour');
  t.equal(clicks, 3, 'clicks, besides typing and Enter');
  t.match(page.url(), /\?search=HARB$/);
  await page.reload();
  await page.getByText('example.com/spring/harbour').waitFor();
  t.equal(await page.getByText('example.com/menu/1').count(), 0, 'the address keeps the search');

  for (const text of ['asset-7', 'poster', 'PRIN', slugs[1]!]) {
    await page.getByLabel('Search links').fill(text);
    await page.getByText('example.com/menu/1').waitFor();
    await page.getByText('example.com/spring').waitFor({ state: 'detached' });
  }
  await page.getByLabel('Search links').fill('no such link');
  await page.getByText('No link fits what you ask for.').waitFor();
  await inspect(t, page, 'links-not-found');
});

t.test('a destination is changed by keyboard alone, and Escape leaves it', async (t) => {
  const { key, slugs, leads } = await newLinks([{}]);
  const page = await dashboard.open(t, key);
  await go(page, 'links');
  const button = page.getByRole('button', { name: /^Change the destination of/ });
  await tabTo(page, button);
  await page.keyboard.press('Enter');
  await page.keyboard.type('https://example.com/not-this');
  await page.keyboard.press('Escape');
  await until(() => hasFocus(page, button));
  t.equal(await leads(slugs[0]!), 'https://example.com/menu/0');
  await page.keyboard.press('Enter');
  await page.keyboard.type('https://example.com/this');
  await page.keyboard.press('Enter');
  await page.getByText('The short link leads there now.').waitFor();
  await until(() => hasFocus(page, button));
  t.equal(await leads(slugs[0]!), 'https://example.com/this', 'the old address was selected');
});

t.test('links are filtered, and many are changed at once', async (t) => {
  const { key, slugs, leads } = await newLinks([{}, {}, { folder_name: 'Posters' }]);
  const patch = (slug: string, body: object) => dashboard.api(key, 'PATCH', `/api/v1/links/${slug}`, body);
  await patch(slugs[2]!, { active_until: '2020-01-01T00:00:00Z' });
  const page = await dashboard.open(t, key, { width: 'phone' });
  const dialog = page.getByRole('dialog');
  await go(page, 'links');
  await page.getByText('example.com/menu/2').waitFor();
  await inspect(t, page, 'links-phone');
  t.equal(await page.getByLabel('Status').isVisible(), false, 'filters are folded');
  await page.getByRole('button', { name: 'Filters' }).click();
  await inspect(t, page, 'links-phone-filters');
  await page.getByLabel('Status').selectOption('Ended');
  await page.getByText('example.com/menu/1').waitFor({ state: 'detached' });
  t.equal(await page.getByText('example.com/menu/2').count(), 1);
  await page.goBack();
  await page.getByText('example.com/menu/1').waitFor();
  await page.getByRole('button', { name: 'All folders' }).click();
  await dialog.getByLabel('Menus').check();
  await dialog.getByRole('button', { name: 'Choose' }).click();
  await page.getByText('example.com/menu/2').waitFor({ state: 'detached' });
  await page.getByLabel(/^Select all/).check();
  await page.getByRole('button', { name: 'Find and replace' }).click();
  await dialog.getByLabel('Find').fill('/menu/');
  await dialog.getByLabel('Replace with').fill('/karte/');
  await dialog.getByText('2 destinations will change.').waitFor();
  await inspect(t, page, 'links-replace');
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await page.getByText('Saved. 2 links changed.').waitFor();
  t.strictSame(await Promise.all(slugs.map(leads)), [
    'https://example.com/karte/0',
    'https://example.com/karte/1',
    'https://example.com/menu/2',
  ]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Every link leads where it led before.').waitFor();
  t.equal(await leads(slugs[0]!), 'https://example.com/menu/0');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await dialog.getByLabel('New destination').fill('https://example.com/all');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. 2 links changed.').waitFor();
  t.equal(await leads(slugs[1]!), 'https://example.com/all');
});

t.test('a link is made in the list: the first of an account, and one whose address is taken', async (t) => {
  const key = await dashboard.account();
  const page = await dashboard.open(t, key);
  const dialog = page.getByRole('dialog', { name: 'New link' });
  await go(page, 'links');
  await page.getByText('No short links yet.').waitFor();
  t.equal(await page.getByLabel('Search links').count(), 0, 'there is nothing to search');
  await inspect(t, page, 'links-none');
  await page.getByRole('button', { name: 'New link' }).click();
  const make = dialog.getByRole('button', { name: 'Make the link' });
  t.ok(await make.isDisabled());
  await dialog.getByLabel('Destination').fill('https//example.com');
  await dialog.getByText('Enter the whole address').waitFor();
  await dialog.getByLabel('Destination').fill('https://example.com/harbour');
  await dialog.getByLabel('Name').fill('Harbour poster');
  await dialog.getByLabel('Last part of the address').fill('harbour-26');
  await dialog.getByLabel('Folder').fill('Posters');
  await dialog.getByLabel('Tags').fill('print\nsummer');
  await dialog.getByText('It costs 1 unit.').waitFor();
  await inspect(t, page, 'link-new');
  await make.click();
  await page.getByText('/l/harbour-26 works now.').waitFor();
  const row = page.getByRole('row', { name: 'harbour-26' });
  await row.getByText('Harbour poster').waitFor();
  const made = await dashboard.api(key, 'GET', '/api/v1/links/harbour-26');
  t.equal(made.destination, 'https://example.com/harbour');
  t.strictSame([made.folder, made.tags], ['Posters', ['print', 'summer']]);
  const used = async () => (await dashboard.api(key, 'GET', '/api/v1/usage')).usage_count;
  await until(async () => (await used()) === 1);

  await go(page, 'links?new');
  await dialog.getByLabel('Destination').fill('https://example.com/other');
  await dialog.getByLabel('Last part of the address').fill('harbour-26');
  await make.click();
  await dialog.getByRole('alert').filter({ hasText: 'taken' }).waitFor();
  await dialog.getByLabel('Last part of the address').fill('');
  await make.click();
  await page.getByText(' works now.').waitFor();
  await page.getByText('example.com/other').waitFor();
  await until(async () => (await used()) === 2);
});

t.test('all links that match are changed, also those that the page does not show', async (t) => {
  const key = await dashboard.account();
  const items = Array.from({ length: 60 }, (_, i) => ({
    data: `https://example.com/old/${i}`,
    dynamic: true,
  }));
  await dashboard.api(key, 'POST', '/api/v1/qr/bulk', { folderName: 'Old', items });
  const page = await dashboard.open(t, key);
  const dialog = page.getByRole('dialog');
  await go(page, 'links');
  await page.getByText('example.com/old/59').waitFor();
  await page.getByLabel(/^Select all/).check();
  await page.getByRole('button', { name: 'Select all that match' }).click();
  await page.getByRole('button', { name: 'Find and replace' }).click();
  await dialog.getByLabel('Find').fill('/old/');
  await dialog.getByLabel('Replace with').fill('/new/');
  await dialog.getByText('60 destinations will change.').waitFor();
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await page.getByText('Saved. 60 links changed.').waitFor();
  const { data } = await dashboard.api(key, 'GET', '/api/v1/links?search=/new/&limit=100');
  t.equal(data.length, 60);
});

t.test('the screen of a dynamic code says what is encoded, and where that leads now', async (t) => {
  const { key, slugs } = await newLinks([{}]);
  const patch = (body: object) => dashboard.api(key, 'PATCH', `/api/v1/links/${slugs[0]}`, body);
  const { code_id: id, short_url: url } = await patch({ destination: 'https://example.com/second' });
  const page = await dashboard.open(t, key);
  const fact = (name: string) =>
    page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('xpath=following-sibling::dd[1]');
  await go(page, `codes/${id}`);
  await fact('Leads to').getByText('https://example.com/second').waitFor();
  t.equal(await fact('Content').textContent(), url);
  await patch({ active_until: '2020-01-01T00:00:00Z', after_destination: 'https://example.com/over' });
  await page.reload();
  await fact('Leads to').getByText('https://example.com/over').waitFor();
  await fact('Leads to').getByText('It ended').waitFor();
  await inspect(t, page, 'code-ended');
});

t.test('the code of an imported link is drawn on its screen', async (t) => {
  const key = await dashboard.account();
  await fetch(`${dashboard.url}/api/v1/links/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body: 'slug,destination\nmoved-here,https://example.com/moved\n',
  });
  const linksOf = async () => (await dashboard.api(key, 'GET', '/api/v1/links')).data;
  await until(async () => (await linksOf()).length === 1);
  const page = await dashboard.open(t, key);
  await go(page, 'links');
  await page.getByRole('link', { name: 'moved-here' }).click();
  await page.getByText('its code has no picture yet').waitFor();
  await inspect(t, page, 'code-undrawn');
  await page.getByRole('button', { name: 'Draw the code' }).click();
  await page.getByRole('img', { name: /^QR code of .*moved-here$/ }).waitFor();
  t.equal((await dashboard.api(key, 'GET', `/api/v1/codes/${(await linksOf())[0]!.code_id}`)).grade, 4);
});
