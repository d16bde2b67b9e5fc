/** Tagging codes, and finding them by their tags. */
import t from 'tap';
import { graveFaults, startDashboard } from '../support.ts';

t.test('codes get tags and an id of their own on their screen, and are listed by tag', async (t) => {
  const dashboard = await startDashboard(t);
  const key = await dashboard.account();
  const post = (body: object) => dashboard.api(key, 'POST', '/api/v1/codes', body);
  const { id } = await post({ data: 'https://example.com/1', name: 'Poster', dynamic: true });
  await post({ data: 'https://example.com/2', name: 'Flyer', tags: ['winter', 'a, b'] });
  await post({ data: 'https://example.com/3', name: 'Plain' });
  const page = await dashboard.open(t, key);

  await page.goto(`/dashboard/codes/${id}`);
  await page.getByRole('button', { name: 'Change tags and your id' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tags and your id' });
  await dialog.getByLabel('Tags').fill('summer\n\n a, b \n');
  await dialog.getByLabel('Your id').fill('product-17');
  t.strictSame(await graveFaults(page), []);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your id: product-17').waitFor();
  const saved = await dashboard.api(key, 'GET', `/api/v1/codes/${id}`);
  t.match(saved, { tags: ['summer', 'a, b'], external_id: 'product-17', name: 'Poster' });
  t.strictSame(await graveFaults(page), []);

  await page.getByRole('link', { name: 'a, b' }).click();
  await page.getByRole('link', { name: 'Flyer' }).waitFor();
  t.equal(await page.getByRole('link', { name: 'Poster' }).count(), 1);
  t.equal(await page.getByRole('link', { name: 'Plain' }).count(), 0);
  t.equal(await page.getByLabel('Tag', { exact: true }).inputValue(), 'a, b');
  await page.getByRole('button', { name: 'Only codes with the tag summer' }).click();
  await page.getByRole('link', { name: 'Flyer' }).waitFor({ state: 'detached' });
  t.equal(await page.getByRole('link', { name: 'Poster' }).count(), 1);
  t.strictSame(await graveFaults(page), []);

  await page.getByLabel('Tag', { exact: true }).fill('nothing');
  await page.keyboard.press('Enter');
  await page.getByText('No code has all of that.').waitFor();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await page.getByRole('link', { name: 'Plain' }).waitFor();
  t.equal(await page.getByLabel('Tag', { exact: true }).inputValue(), '');
  await page.getByRole('button', { name: 'Tiles' }).click();
  await page.getByRole('button', { name: 'Only codes with the tag winter' }).click();
  await page.getByRole('link', { name: 'Plain' }).waitFor({ state: 'detached' });
  t.strictSame(await graveFaults(page), []);
});

t.test('tags of several codes are added and removed together', async (t) => {
  const dashboard = await startDashboard(t);
  const key = await dashboard.account();
  const tagged = { One: ['winter', 'sale'], Two: ['winter'], Three: [] as string[] };
  for (const [name, tags] of Object.entries(tagged))
    await dashboard.api(key, 'POST', '/api/v1/codes', { data: name, name, tags });
  const page = await dashboard.open(t, key);
  await page.goto('/dashboard/codes');
  await page.getByLabel('Select One').check();
  await page.getByLabel('Select Two').check();
  await page.getByRole('button', { name: 'Tags', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Tags of 2 codes' });
  await dialog.getByLabel('Add').fill('summer\nsale');
  await dialog.getByLabel('winter').check();
  t.strictSame(await graveFaults(page), []);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Tags of 2 codes changed.').waitFor();
  const { data } = await dashboard.api(key, 'GET', '/api/v1/codes');
  t.strictSame(Object.fromEntries(data.map((code) => [code.name, code.tags])), {
    One: ['sale', 'summer'],
    Two: ['summer', 'sale'],
    Three: [],
  });
  await page.getByRole('button', { name: 'Only codes with the tag summer' }).first().waitFor();
  t.equal(await page.getByRole('region', { name: 'Selected codes' }).count(), 0);
});
